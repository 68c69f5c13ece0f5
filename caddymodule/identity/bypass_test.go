package identity

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
)

// The next handler of these tests is a teapot.
func TestOtherRequestsPass(t *testing.T) {
	g := newGateway(t, registeredClient+"callback\ndeny_path auth0")
	for _, path := range []string{"/", "/users/authorize-device", "/authorize/resume", "/index.php/app", "/assets/app.js", "/oauth/tokens"} {
		require.Equal(t, http.StatusTeapot, g.get(path, "X-Original-URL", "/app").StatusCode, path)
	}
}

func TestWhatARewriteMovesPastTheGatewayIsRejected(t *testing.T) {
	for _, tc := range []struct {
		original, rewritten string
		status              int
	}{
		{"/authorize", "/index.php", 404}, // try_files {path} /index.php
		{"/Authorize", "/index.php", 404},
		{"/app/authorize", "/authorize", 400}, // handle_path /app/*
		{"/app/list", "/list", http.StatusTeapot},
		{"/list", "/list", http.StatusTeapot},
	} {
		w := passOn(t, tc.original, func(r *http.Request) { r.URL.Path = tc.rewritten }, nil)
		require.Equal(t, tc.status, w.Code, tc)
		if tc.status == 404 {
			require.Contains(t, w.Body.String(), "try_files")
		}
	}
}

// The parameters of a login at a path that the IdP's login passes through: with Dex, the
// connector's.
func TestLoginsBesideAuthorizeAreHeldToItsRules(t *testing.T) {
	const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	g := newGateway(t, registeredClient+"deny_path dex")
	for target, want := range map[string]int{
		"/auth/github?" + authorizeQuery(verifier):                                                     http.StatusTeapot,
		"/auth/github?" + authorizeQuery(verifier, "code_challenge", "", "code_challenge_method", ""):  400,
		"/AUTH//github?" + authorizeQuery(verifier, "code_challenge", "", "code_challenge_method", ""): 400,
		"/auth/github?" + authorizeQuery(verifier, "redirect_uri", "https://app.example/elsewhere"):    400,
		"/auth/local/login?state=abc&back=":                                                            http.StatusTeapot,
		"/auth/github?req=abc":                                                                         http.StatusTeapot,
		"/%E2%91%A0" + strings.Repeat("a", 2000):                                                       414,
	} {
		response := g.get(target)
		require.Equal(t, want, response.StatusCode, target)
	}
	require.Equal(t, 414, g.get("/app", "X-Original-URL", "/"+strings.Repeat("\uFDFA", 20_000)).StatusCode)

	sealed := newGateway(t, registeredClient+"callback\ndeny_path dex")
	require.Equal(t, 400, sealed.get("/auth/github?"+authorizeQuery(verifier)).StatusCode, "the IdP's response would not come to the callback")
	location, err := sealed.get("/authorize?" + authorizeQuery(verifier)).Location()
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, sealed.get("/auth/github?"+location.RawQuery).StatusCode)
}

// A server behind the gateway that accepts this upgrade takes the rest of the
// connection past it.
func TestNoUpgradeToHTTPPassesThrough(t *testing.T) {
	for upgrade, want := range map[string]string{"h2c": "", "websocket, H2C": "", "TLS/1.0": "", "foo,http/2.0": "", "websocket": "websocket", "SPDY/3.1": "SPDY/3.1"} {
		var passed http.Header
		passOn(t, "/app", func(r *http.Request) {
			r.Header.Set("Connection", "Upgrade, HTTP2-Settings")
			r.Header.Set("Upgrade", upgrade)
		}, func(r *http.Request) { passed = r.Header })
		require.Equal(t, want, passed.Get("Upgrade"))
	}
}

// passOn sends a request through a gateway, after a change that another directive
// makes to it.
func passOn(t *testing.T, target string, change, next func(*http.Request)) *httptest.ResponseRecorder {
	h, cleanup, err := provision(t, "identity_gateway https://idp.example", t.TempDir())
	require.NoError(t, err)
	defer cleanup()
	w := httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, target, nil), caddy.NewReplacer(), w, new(caddyhttp.Server))
	change(r)
	require.NoError(t, h.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if next != nil {
			next(r)
		}
		w.WriteHeader(http.StatusTeapot)
		return nil
	})))
	return w
}
