package testidp

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

func TestOnlyLoopbackRequestsAreServed(t *testing.T) {
	p, err := New(Config{}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	for _, test := range []struct {
		remote, local, host string
		want                int
	}{
		{"127.0.0.1:50000", "127.0.0.1", "localhost:8081", http.StatusOK},
		{"[::1]:50000", "::1", "[::1]:1001", http.StatusOK},
		{"@", "", "localhost", http.StatusOK},
		{"192.0.2.1:50000", "127.0.0.1", "localhost:8081", http.StatusForbidden},
		{"127.0.0.1:50000", "192.0.2.1", "localhost:8081", http.StatusForbidden},
		{"127.0.0.1:50000", "127.0.0.1", "rebound.example:1001", http.StatusForbidden},
		{"127.0.0.1:50000", "127.0.0.1", "localhost.example", http.StatusForbidden},
		{"", "127.0.0.1", "localhost", http.StatusForbidden},
	} {
		r := httptest.NewRequest(http.MethodGet, PathIndex, nil)
		r.RemoteAddr, r.Host = test.remote, test.host
		if test.local != "" {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP(test.local), Port: 1001}))
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		require.Equal(t, test.want, w.Code, "%+v", test)
	}
}

func TestRegisteredURIs(t *testing.T) {
	for _, test := range []struct {
		registered, given string
		want              bool
	}{
		{"http://127.0.0.1/callback", "http://127.0.0.1:51004/callback", true}, // RFC 8252 section 7.3
		{"http://[::1]/callback", "http://[::1]:51004/callback", true},
		{"http://localhost/callback", "http://localhost/callback", true},
		{"http://127.0.0.1:8080/callback", "http://127.0.0.1:8081/callback", false},
		{"http://127.0.0.1/callback", "http://localhost:8080/callback", false},
		{"http://127.0.0.1/callback", "http://127.0.0.1:8080/other", false},
		{"http://127.0.0.1/callback", "https://127.0.0.1:8080/callback", false},
		{"http://127.0.0.1/callback", "http://127.0.0.1:8080/callback?x=1", false},
		{"http://localhost/*", "http://localhost:5173", true},
		{"http://localhost/*", "http://localhost:5173/a/b", true},
		{"http://localhost/app/*", "http://localhost/application", false},
		{"http://localhost/*", "http://localhost:1@evil.example/", false},
		{"http://localhost/*", "http://localhost.evil.example/", false},
		{"https://app.example/callback", "https://app.example/callback", true},
		{"https://app.example/callback", "https://app.example:8443/callback", false},
		{"https://app.example/callback", "https://APP.example/callback", true},
		{"https://app.example/callback", "https://app.example/Callback", false},
		{"com.example.app:/callback", "com.example.app:/callback", true},
		{"com.example.app:/callback", "com.example.app:/other", false},
		{"http://localhost", "http://localhost:5173", true}, // an origin
		{"http://localhost", "null", false},
	} {
		require.NoError(t, checkRegistered(test.registered), test.registered)
		require.Equal(t, test.want, matches(test.registered, test.given), "%s for %s", test.given, test.registered)
	}
	for _, bad := range []string{"", "callback", "/callback", "http://localhost/#x", "http://a@localhost/", "http://localhost/a*b", "http://localhost/*/b*"} {
		require.Error(t, checkRegistered(bad), bad)
	}
}

func TestConfigurationMistakesAreNamed(t *testing.T) {
	native := Client{ID: "app", RedirectURIs: []string{"http://127.0.0.1/cb"}}
	for want, config := range map[string]Config{
		`auto login names the user "eve", known are: ada, grace, noor`: {AutoLogin: "eve"},
		`client 1 has no id`:                 {Clients: []Client{{}}},
		`client "app" has no redirect URI`:   {Clients: []Client{{ID: "app"}}},
		`client "app" is given twice`:        {Clients: []Client{native, native}},
		`redirect URI "/cb" is not absolute`: {Clients: []Client{{ID: "app", RedirectURIs: []string{"/cb"}}}},
		`the issuer must be`:                 {Issuer: "localhost:8080"},
	} {
		_, err := New(config, slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
	}
}

func TestIssuer(t *testing.T) {
	tn := startTenant(t, Config{})
	require.Equal(t, tn.url+"/", tn.get(PathDiscovery).json(t)["issuer"])

	tn = startTenant(t, Config{Issuer: "http://localhost:8080/"})
	metadata := tn.get(PathDiscovery).json(t)
	require.Equal(t, "http://localhost:8080/", metadata["issuer"])
	require.Equal(t, "http://localhost:8080/oauth/token", metadata["token_endpoint"])
	require.NotContains(t, metadata, "introspection_endpoint")
}

func TestLogout(t *testing.T) {
	tn := startTenant(t, Config{})
	silent := authorizeQuery(url.Values{"prompt": {"none"}})
	for name, test := range map[string]struct {
		path     string
		status   int
		location string
		ends     bool
	}{
		"without parameters":       {PathLogout, http.StatusOK, "", true},
		"registered returnTo":      {PathLogout + "?client_id=dev-spa&returnTo=http%3A%2F%2Flocalhost%3A5173%2Fbye", http.StatusFound, "http://localhost:5173/bye", true},
		"returnTo of any client":   {PathLogout + "?returnTo=http%3A%2F%2Flocalhost%3A5173", http.StatusFound, "http://localhost:5173", true},
		"unregistered returnTo":    {PathLogout + "?client_id=dev-spa&returnTo=https%3A%2F%2Fevil.example", http.StatusBadRequest, "", false},
		"unknown client":           {PathLogout + "?client_id=somebody", http.StatusBadRequest, "", false},
		"RP-initiated":             {PathLogout + "?client_id=dev-spa&post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A5173%2F&state=a+b", http.StatusFound, "http://localhost:5173/?state=a+b", true},
		"RP-initiated, wrong hint": {PathLogout + "?id_token_hint=e30.e30.e30", http.StatusBadRequest, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			tn.newBrowser()
			tn.logIn()
			response := tn.get(test.path)
			require.Equal(t, test.status, response.StatusCode, response.body)
			require.Equal(t, test.location, response.Header.Get("Location"))
			require.Equal(t, test.ends, tn.get(silent).location(t).Query().Get("error") == "login_required")
		})
	}
}

func TestMethodsAndForeignPaths(t *testing.T) {
	tn := startTenant(t, Config{})
	require.Equal(t, http.StatusMethodNotAllowed, tn.post(PathLogout, nil).StatusCode)
	require.Equal(t, http.StatusMethodNotAllowed, tn.get(PathToken).StatusCode)
	require.Equal(t, http.StatusNotFound, tn.get("/elsewhere").StatusCode)

	p, err := New(Config{}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.True(t, p.Owns(PathAuthorize))
	require.False(t, p.Owns("/AUTHORIZE"))
	require.False(t, p.Owns("/elsewhere"))
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	s := newStore(func() time.Time { return now }, 2)
	s.put("a", 1, time.Minute)
	now = now.Add(time.Minute)
	s.put("b", 2, time.Minute)
	_, ok := get[int](s, "a")
	require.False(t, ok, "expired")
	s.put("c", 3, time.Minute)
	value, ok := get[int](s, "b")
	require.True(t, ok, "what has expired makes room")
	require.Equal(t, 2, value)
	_, ok = get[string](s, "b")
	require.False(t, ok, "it is something else")
	s.put("d", 4, time.Minute)
	require.Len(t, s.entries, 2)
	_, ok = get[int](s, "d")
	require.True(t, ok)
	require.True(t, s.remove("d"))
	require.False(t, s.remove("d"))
}

// Whatever is accepted for the embedded clients leads back to this machine.
func FuzzDefaultRedirectURIs(f *testing.F) {
	for _, seed := range []string{
		testRedirect, "http://localhost", "http://[::1]:1/x", "http://localhost:1@evil.example/", "http://127.0.0.1.evil.example/",
		"http://localhost\\@evil.example/", "http://localhost%2f@evil.example/", "//localhost/", "http:localhost", "http://LOCALHOST/../x",
		"http://evil.example#http://localhost/", "http://localhost:80:80/", "javascript://localhost/%0aalert(1)",
	} {
		f.Add(seed)
	}
	p, err := New(Config{}, slog.New(slog.DiscardHandler))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, given string) {
		for _, client := range p.clients {
			if !anyMatches(client.RedirectURIs, given) {
				continue
			}
			u, err := url.Parse(given)
			require.NoError(t, err)
			require.Equal(t, "http", u.Scheme)
			require.True(t, uris.IsLoopback(strings.ToLower(u.Hostname())), given)
			require.Nil(t, u.User)
		}
	})
}
