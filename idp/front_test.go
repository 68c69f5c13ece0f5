package idp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

func proxied(c *Config) { c.FrontChannel = ProxyFrontChannel }

// The next handler gets what was checked, and nothing else of the client's request.
func TestTheNextHandlerGetsTheCheckedRequest(t *testing.T) {
	s := newServed(t, publicly, proxied)
	query := authorizeOpenly + string(pkce.Verifier(testVerifier).S256())
	result := s.do("GET", "https://user:password@evil.example/authorize?"+query+"&scope=openid", "a body",
		"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Host", "evil.example", "X-User", "admin", "Cookie", "session=1")
	next := result.Next
	require.NotNil(t, next, string(result.Body))
	require.Equal(t, Passed, result.Decision.Outcome)
	require.Equal(t, "GET /authorize?"+next.URL.RawQuery, next.Method+" "+next.RequestURI)
	require.Equal(t, next.RequestURI, next.URL.String(), "no user, no host")
	require.Equal(t, http.Header{"Cookie": {"session=1"}, "X-Forwarded-For": {"192.0.2.7"}}, next.Header)
	require.Equal(t, http.NoBody, next.Body)
	require.Zero(t, next.ContentLength)
}

func TestTheResponseOfTheNextHandlerIsFiltered(t *testing.T) {
	for name, tt := range map[string]struct {
		respond http.HandlerFunc
		status  int
	}{
		"written":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404},
		"without a status": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a")) }, 200},
		"flushed":          {func(w http.ResponseWriter, _ *http.Request) { _ = http.NewResponseController(w).Flush() }, 200},
		"with hints before": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(404)
		}, 404},
		"another protocol": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusSwitchingProtocols)
			_, _, err := http.NewResponseController(w).Hijack()
			require.ErrorIs(t, err, http.ErrNotSupported)
		}, 502},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t, publicly, proxied)
			interim := 0
			server := httptest.NewServer(s.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, cookie := range []string{"own=1", "host=1; Domain=127.0.0.1", "evil=1; Domain=evil.example"} {
					w.Header().Add("Set-Cookie", cookie)
				}
				w.Header().Set("Access-Control-Allow-Origin", "*")
				tt.respond(w, r)
			})))
			t.Cleanup(server.Close)
			r, err := http.NewRequest("GET", server.URL+"/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), nil)
			require.NoError(t, err)
			got, err := server.Client().Do(r.WithContext(countInterim(r.Context(), &interim)))
			require.NoError(t, err)
			require.NoError(t, got.Body.Close())
			require.Equal(t, tt.status, got.StatusCode)
			require.Equal(t, []string{"own=1", "host=1; Domain=127.0.0.1"}, got.Header["Set-Cookie"], "host has a port in the request")
			require.Empty(t, got.Header["Access-Control-Allow-Origin"])
			require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
			require.Zero(t, interim)
		})
	}
}
