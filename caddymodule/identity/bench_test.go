package identity

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// BenchmarkGateway measures time and allocations of a request in the gateway,
// and of the same request in the plain handler of Caddy that it is compared
// with, both with a canned IdP and without a network.
func BenchmarkGateway(b *testing.B) {
	g, cleanup, err := provision(b, "identity_gateway http://127.0.0.1:9 {\n"+registeredClient+"callback\n}", b.TempDir())
	require.NoError(b, err)
	b.Cleanup(cleanup)
	now := time.Now() // at which no code is too old
	g.rebuild(b, func(parts *idp.Parts) { parts.Transport, parts.Now = cannedIdP{}, func() time.Time { return now } })

	ctx, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(b, err)
	load := func(id, config string) caddyhttp.MiddlewareHandler {
		module, err := ctx.LoadModuleByID(id, json.RawMessage(config))
		require.NoError(b, err)
		return module.(caddyhttp.MiddlewareHandler)
	}
	proxy := load("http.handlers.reverse_proxy", `{"upstreams":[{"dial":"127.0.0.1:9"}]}`)
	proxy.(*reverseproxy.Handler).Transport = cannedIdP{}
	redir := load("http.handlers.static_response", `{"status_code":302,"headers":{"Location":["http://127.0.0.1:9{http.request.uri}"]}}`)

	verifier := func(n int) string { return fmt.Sprintf("%043d", n) }
	authorize := func(n int) *http.Request {
		return httptest.NewRequest("GET", "/authorize?"+authorizeQuery(verifier(n)), nil)
	}
	userInfo := func(int) *http.Request {
		r := httptest.NewRequest("GET", "/userinfo", nil)
		r.Header.Set("Authorization", "Bearer "+strings.Repeat("a", 600))
		return r
	}
	tokenRequest := func(code string, n int) *http.Request {
		r := httptest.NewRequest("POST", "/oauth/token", strings.NewReader(tokenBody(verifier(n), code)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	location := func(target string) url.Values {
		result := g.gateway.Serve(idp.Request{Request: httptest.NewRequest("GET", target, nil), BaseURL: "http://example.com"})
		to, err := url.Parse(result.Header.Get("Location"))
		require.NoError(b, err)
		return to.Query()
	}
	sealed := func(n int) *http.Request { // with a code of its own, as after a callback
		state := location("/authorize?" + authorizeQuery(verifier(n))).Get("state")
		return tokenRequest(location(fmt.Sprintf("/oauth/callback?code=code-%d&state=%s", n, url.QueryEscape(state))).Get("code"), n)
	}
	token := func(n int) *http.Request { return tokenRequest(fmt.Sprint("code-", n), n) }
	for _, bm := range []struct {
		name    string
		handler caddyhttp.MiddlewareHandler
		request func(int) *http.Request
		status  int
	}{
		{"authorize/redir", redir, authorize, 302},
		{"authorize/gateway", g, authorize, 302},
		{"token/reverse_proxy", proxy, token, 200},
		{"token/gateway", g, sealed, 200},
		{"userinfo/reverse_proxy", proxy, userInfo, 200},
		{"userinfo/gateway", g, userInfo, 200},
	} {
		b.Run(bm.name, func(b *testing.B) {
			server := new(caddyhttp.Server)
			writer := &countingWriter{header: make(http.Header)}
			requests := make([]*http.Request, b.N)
			for i := range requests {
				r := bm.request(used + i)
				requests[i] = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), writer, server)
			}
			used += b.N
			end := caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil })
			b.ReportAllocs()
			b.ResetTimer()
			for _, r := range requests {
				clear(writer.header)
				if err := bm.handler.ServeHTTP(writer, r, end); err != nil || writer.status != bm.status {
					b.Fatal(writer.status, err)
				}
			}
		})
	}
}

// used makes each verifier of a run another one.
var used int

// cannedIdP is a transport that responds by itself.
type cannedIdP struct{}

func (cannedIdP) RoundTrip(r *http.Request) (*http.Response, error) {
	body := `{"sub":"auth0|507f1f77bcf86cd799439020","name":"Jane Doe","email":"jane@example.com","email_verified":true}`
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		body = `{"access_token":"` + canned + `","id_token":"` + canned + `","scope":"openid profile","expires_in":86400,"token_type":"Bearer"}`
	}
	return &http.Response{
		StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Proto: "HTTP/1.1", ContentLength: int64(len(body)),
		Header: http.Header{
			"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "Date": {"Sat, 21 Nov 2026 00:00:00 GMT"},
			"Content-Length": {fmt.Sprint(len(body))},
		},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// canned is a token of the usual size: a JWT without a nonce, as the logins have none.
var canned = "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString(
	[]byte(`{"iss":"https://idp.example/","sub":"auth0|507f1f77bcf86cd799439020","aud":"app","exp":1767312000,"name":"Jane Doe"}`)) +
	"." + base64.RawURLEncoding.EncodeToString(make([]byte, 256))

// countingWriter is a response writer that keeps nothing but the status.
type countingWriter struct {
	header http.Header
	status int
}

func (w *countingWriter) Header() http.Header         { return w.header }
func (w *countingWriter) WriteHeader(status int)      { w.status = status }
func (w *countingWriter) Write(b []byte) (int, error) { return len(b), nil }
