package identity

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCORSAtTheGateway(t *testing.T) {
	g := newGateway(t, registeredClient)
	preflight := func(path, origin string) *response {
		r, err := http.NewRequest(http.MethodOptions, g.URL+path, nil)
		require.NoError(t, err)
		setHeader(r, []string{"Origin", origin, "Access-Control-Request-Method", "POST"})
		return g.do(r)
	}
	a := preflight("/oauth/token", "https://app.example")
	require.Equal(t, 204, a.StatusCode)
	require.Equal(t, "https://app.example", a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", a.Header.Get("Access-Control-Allow-Methods"))
	for _, field := range []string{"Authorization", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "Sentry-Trace"} {
		require.Contains(t, strings.Split(a.Header.Get("Access-Control-Allow-Headers"), ", "), field)
	}
	require.Equal(t, "true", a.Header.Get("Access-Control-Allow-Credentials"), "keycloak-js fetches so")
	a = preflight("/oauth/token", "https://evil.example")
	require.Equal(t, 403, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"))
	require.Equal(t, 405, preflight("/authorize", "https://app.example").StatusCode)
	r, err := http.NewRequest(http.MethodOptions, g.URL+"/oauth/token", nil)
	require.NoError(t, err)
	a = g.do(r)
	require.Equal(t, 405, a.StatusCode, "OPTIONS that is no preflight")
	require.Equal(t, "POST, OPTIONS", a.Header.Get("Allow"))
	require.Equal(t, "GET, POST", preflight("/authorize", "https://app.example").Header.Get("Allow"))
	require.Empty(t, g.idp.reached())

	a = g.get("/userinfo", "Origin", "http://localhost:3000", "Authorization", "Bearer a")
	require.Equal(t, []string{"http://localhost:3000"}, a.Header["Access-Control-Allow-Origin"])
	require.Equal(t, "Origin", a.Header.Get("Vary"))
	a = g.get("/userinfo", "Origin", "https://evil.example", "Authorization", "Bearer a")
	require.Equal(t, 200, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, "Origin", a.Header.Get("Vary"))
	a = g.post("/oauth/token", "x=1", "Origin", "https://app.example")
	require.Equal(t, 400, a.StatusCode)
	require.Equal(t, "https://app.example", a.Header.Get("Access-Control-Allow-Origin"), "scripts may read errors")
	a = g.get("/authorize?"+authorizeQuery(verifier1), "Origin", "https://app.example")
	require.Equal(t, 302, a.StatusCode)
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
}

func TestWithoutOriginsThereIsNoCORS(t *testing.T) {
	g := newGateway(t, "")
	r, err := http.NewRequest(http.MethodOptions, g.URL+"/oauth/token", nil)
	require.NoError(t, err)
	setHeader(r, []string{"Origin", "https://app.example", "Access-Control-Request-Method", "POST"})
	a := g.do(r)
	require.Equal(t, 403, a.StatusCode)
	require.Contains(t, a.body, "with the option origin")
	require.Empty(t, a.Header.Get("Vary"))
	for name := range a.Header {
		require.NotContains(t, name, "Access-Control-")
	}
}
