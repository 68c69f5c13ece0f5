package identity

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whose scripts may do what is tested in package idp: here, that Caddy's site answers so.
func TestCORSAtTheGateway(t *testing.T) {
	g := newGateway(t, registeredClient)
	for name, tt := range map[string]struct {
		response *response
		status   int
		header   map[string]string
	}{
		"a preflight": {
			g.do(http.MethodOptions, "/oauth/token", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST"), 204,
			map[string]string{"Access-Control-Allow-Origin": "https://app.example", "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Credentials": "true"},
		},
		"a preflight of others": {
			g.do(http.MethodOptions, "/oauth/token", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST"), 403,
			map[string]string{"Access-Control-Allow-Origin": "", "Access-Control-Allow-Credentials": ""},
		},
		"no preflight": {g.do(http.MethodOptions, "/oauth/token", ""), 405, map[string]string{"Allow": "POST, OPTIONS"}},
		"a page's": {
			g.do(http.MethodOptions, "/authorize", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST"), 405,
			map[string]string{"Allow": "GET, POST"},
		},
		"a response": {
			g.get("/userinfo", "Origin", "http://localhost:3000", "Authorization", "Bearer a"), 200,
			map[string]string{"Access-Control-Allow-Origin": "http://localhost:3000", "Vary": "Origin"},
		},
		"a response for others": {
			g.get("/userinfo", "Origin", "https://evil.example", "Authorization", "Bearer a"), 200,
			map[string]string{"Access-Control-Allow-Origin": "", "Vary": "Origin"},
		},
		"an error": {g.post("/oauth/token", "x=1", "Origin", "https://app.example"), 400, map[string]string{"Access-Control-Allow-Origin": "https://app.example"}},
		"a redirect": {
			g.get("/authorize?"+authorizeQuery(verifier1), "Origin", "https://app.example"), 302, map[string]string{"Access-Control-Allow-Origin": ""},
		},
	} {
		require.Equal(t, tt.status, tt.response.StatusCode, name)
		for field, value := range tt.header {
			require.Equal(t, value, tt.response.Header.Get(field), "%s: %s", name, field)
		}
	}
	require.Len(t, g.idp.reached(), 2, "the user info")
	allowed := g.do(http.MethodOptions, "/oauth/token", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST").Header.Get("Access-Control-Allow-Headers")
	for _, field := range []string{"Authorization", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "Sentry-Trace"} {
		require.Contains(t, strings.Split(allowed, ", "), field)
	}
}
