package idp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNextHandlersAreWatchedOnlyWhereClientsLook(t *testing.T) {
	s := newServed(t)
	for path, want := range map[string]int{
		"/register": 404, "/oauth/register": 404, "/token": 404, "/mcp/.well-known/openid-configuration": 404, "/.well-known/oauth-protected-resource/mcp": 404,
		"/": 200, "/register/x": 200, "/registered": 200, "/.well-known/acme-challenge/x": 200, "/.well-known/change-password": 200,
	} {
		w := httptest.NewRecorder()
		s.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example"+path, nil))
		require.Equal(t, want, w.Code, path)
	}
	for name, serve := range map[string]http.HandlerFunc{
		"a status":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) },
		"a body":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(nil) },
		"an upgrade": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusSwitchingProtocols) },
		"a way through": func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			w.WriteHeader(http.StatusOK)
		},
	} {
		w := httptest.NewRecorder()
		s.Handler(serve).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example/register", nil))
		require.NotEqual(t, http.StatusNotFound, w.Code, name)
		require.Empty(t, w.Body.String(), name)
	}
	w := httptest.NewRecorder()
	s.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusEarlyHints) })).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example/register", nil))
	require.Contains(t, w.Body.String(), "nothing is served at this path", "an interim response is none")
}

// A resource server that has the whole site wants a token for everything.
func TestMetadataThatIsNotThereBeforeAResourceServer(t *testing.T) {
	guard := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("a token is missing"))
		_ = http.NewResponseController(w).Flush()
	}
	for path, want := range map[string]int{
		"/.well-known/oauth-protected-resource": 404, "/.well-known/oauth-authorization-server/mcp": 404, "/mcp/.well-known/openid-configuration": 404,
		"/mcp": 401, "/register": 401, "/.well-known/agent.json": 401,
	} {
		w := httptest.NewRecorder()
		newServed(t).Handler(http.HandlerFunc(guard)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://gateway.example"+path, nil))
		require.Equal(t, want, w.Code, path)
		require.Equal(t, want == 401, w.Header().Get("WWW-Authenticate") != "", path)
		require.Equal(t, want == 401, w.Body.String() == "a token is missing", path)
	}
}
