package identity

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrorRoutesBrandThePages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	rec := newRecorder(t, nil)
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "404.html"), []byte("our 404"), 0o600))
	n := startNode(t, rec, root, `{
	{admin}
	storage file_system {root}/data
}
(gateway) {
	identity_gateway {idp} {
		callback
		client app {
			redirect_uri https://app.example/cb
		}
	}
}
http://127.0.0.1:{port} {
	import gateway
	handle /teapot {
		error "teapot" 418
	}
	handle_errors 400 502 503 {
		templates
		header Content-Type text/html
		respond "<h1>Our page</h1> {http.identity_gateway.reference} {http.identity_gateway.endpoint} {http.identity_gateway.client_id} {http.identity_gateway.outcome} {err.status_code} {err.id} {err.message} {http.request.uri} {http.request.orig_uri} {{.OriginalReq.RequestURI}} {{.Req.RequestURI}} {{.Req.Header}} {http.request.header.Cookie}"
	}
	handle_errors 404 {
		@logout vars {http.identity_gateway.endpoint} logout
		redir @logout https://status.example/
		root * {root}
		rewrite * /{err.status_code}.html
		file_server
	}
	handle_errors 405 {
		root * {root}
		rewrite * /{err.status_code}.html
		file_server
	}
	handle_errors 418 {
		respond "ours, too"
	}
}
http://localhost:{port} {
	import gateway
}
`)
	const html = "text/html"
	t.Run("a page", func(t *testing.T) {
		got := n.get("/authorize?client_id=app&redirect_uri=https://evil.example/&state=s3cr3t", "Accept", html, "Accept-Language", "de", "X-User", "s3cr3t",
			"Authorization", "Basic s3cr3t", "Cookie", "a=s3cr3t", "Referer", "https://app.example/?code=s3cr3t")
		require.Equal(t, 400, got.StatusCode)
		reference := got.Header.Get("Gateway-Reference")
		require.Contains(t, got.body, "<h1>Our page</h1> "+reference+" authorize app invalid_request 400 "+reference+
			" invalid_request: redirect_uri is not one that is registered for this client at the gateway; it must be equal character by character (RFC 9700 section 2.1)"+
			strings.Repeat(" /identity_gateway/error", 4)+" map[")
		require.Contains(t, got.body, "Accept-Language:[de]")
		require.NotContains(t, got.body, "s3cr3t", "what can buy a token")
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
		require.Equal(t, "no-referrer", got.Header.Get("Referrer-Policy"))
		require.Empty(t, got.Header.Get("Location"))
	})
	t.Run("a file", func(t *testing.T) {
		got := n.get("/AUTHORIZE?client_id=app", "Accept", html)
		require.Equal(t, 404, got.StatusCode)
		require.Equal(t, "our 404", got.body)
		require.NotEmpty(t, got.Header.Get("Gateway-Reference"))
	})
	t.Run("a redirect", func(t *testing.T) {
		got := n.get("/v2/logout/?id_token_hint=s3cr3t", "Accept", html)
		require.Equal(t, 302, got.StatusCode)
		require.Equal(t, "https://status.example/", got.Header.Get("Location"))
	})
	t.Run("a file that is missing leaves the gateway's response", func(t *testing.T) {
		got := n.do(http.MethodPut, "/oauth/token", "code=s3cr3t", "Accept", html)
		require.Equal(t, 405, got.StatusCode)
		require.Equal(t, "invalid_request", got.code())
		require.NotEmpty(t, got.Header.Get("Allow"))
	})
	t.Run("API clients get what the protocol says", func(t *testing.T) {
		got := n.get("/authorize?client_id=app", "Accept", "application/json")
		require.Equal(t, "invalid_request", got.code())
		got = n.post("/oauth/token", "client_id=nobody&grant_type=refresh_token&refresh_token=r", "Accept", html, "Authorization", "Basic YTpi")
		require.Equal(t, 400, got.StatusCode)
		require.Equal(t, "invalid_request", got.code(), "the token endpoint has no pages")
		got = n.get("/userinfo", "Accept", html)
		require.Equal(t, "invalid_token", got.code())
		require.Contains(t, got.Header.Get("WWW-Authenticate"), "Bearer")
	})
	t.Run("errors for the client go to the client", func(t *testing.T) {
		got := n.get("/authorize?"+authorizeQuery(verifier1, "redirect_uri", "https://app.example/cb", "client_id", "app", "code_challenge", ""), "Accept", html)
		require.Equal(t, 302, got.StatusCode)
		require.Contains(t, got.Header.Get("Location"), "https://app.example/cb?error=invalid_request")
	})
	t.Run("a site without them has the gateway's page", func(t *testing.T) {
		got := n.get("/authorize?client_id=nobody", "Accept", html, "Host", strings.Replace(n.URL, "http://127.0.0.1", "localhost", 1))
		require.Equal(t, 400, got.StatusCode)
		require.Contains(t, got.body, "This login can't continue")
		require.Contains(t, got.body, "<code>"+got.Header.Get("Gateway-Reference")+"</code>")
		require.Contains(t, got.Header.Get("Content-Security-Policy"), "default-src 'none'")
	})
	t.Run("Caddy's own errors are not changed", func(t *testing.T) {
		require.Equal(t, "ours, too", n.get("/teapot", "Accept", html).body)
	})
}

// A gateway in its own error routes would refuse without end.
func TestErrorRoutesWithAGatewayEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	n := startNode(t, newRecorder(t, nil), t.TempDir(), `{
	{admin}
	storage file_system {root}/data
}
http://127.0.0.1:{port} {
	identity_gateway {idp}
	handle_errors {
		identity_gateway {idp}
	}
}
`)
	got := n.get("/authorize?client_id=app", "Accept", "text/html")
	require.Equal(t, 400, got.StatusCode)
	require.Contains(t, got.body, "This login can't continue")
}
