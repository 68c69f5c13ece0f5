package uris

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePortOfALoopbackURI(t *testing.T) {
	for _, tc := range []struct {
		registered, sent string
		port             uint16
	}{
		{"http://127.0.0.1/cb", "http://127.0.0.1:54321/cb", 54321},
		{"http://127.0.0.1/cb", "http://127.0.0.1/cb", 0},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1:9/cb", 9},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1/cb", 0},
		{"http://[::1]", "http://[::1]:65535", 65535},
		{"http://localhost/4711", "http://localhost:1/4711", 1},
		{"https://app.example:8443/cb", "https://app.example:8443/cb", 0},
	} {
		r := NewRegistered(tc.registered)
		require.True(t, r.Matches(tc.sent), tc)
		require.Equal(t, tc.port, r.Port(tc.sent), tc)
		require.Equal(t, tc.sent, r.WithPort(tc.port), "what was sealed is what was sent")
	}
	require.False(t, NewRegistered("http://localhost/aa").Matches("http://localhost/a"))
	require.False(t, NewRegistered("http://localhost/a").Matches("http://localhost:1:/a"))
	require.False(t, NewRegistered("http://localhost/a").Matches("http://localhost1/a"))
	require.False(t, NewRegistered("http://localhost/a").Matches("http://localhostx9/a"))
	require.False(t, NewRegistered("https://app.example/cb").Matches(""))
	_, err := ParseWeb("ftp://localhost/")
	require.ErrorContains(t, err, "must be https")
}

func TestRedirectURIMatch(t *testing.T) {
	for _, tc := range []struct {
		registered, sent string
		want             bool
	}{
		{"https://app.example/cb", "https://app.example/cb", true},
		{"https://app.example/cb", "https://app.example/cb/", false},
		{"https://app.example/cb", "https://app.example/CB", false},
		{"https://app.example/cb", "https://app.example/cb?x=1", false},
		{"https://app.example/cb", "https://app.example:443/cb", false},
		{"https://app.example/cb", "https://evil.example/cb", false},
		{"https://app.example/", "https://app.example", false},
		{"http://app.localhost:3000/cb", "http://app.localhost:3000/cb", true},
		{"http://app.localhost:3000/cb", "http://app.localhost:3001/cb", false},
		{"http://localhost.localhost/cb", "http://localhost:1.localhost/cb", false},
		{"myapp://callback", "myapp://callback", true},
		{"myapp://callback", "MyApp://callback", false},
		{"myapp://callback", "myapp://callback?x=1", false},
		{"myapp://callback", "myapp://evil", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/cb", true},
		{"http://127.0.0.1/cb", "http://127.0.0.1/cb", true},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1:65535/cb", true},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1:65536/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:0/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:08/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb", false},
		{"http://127.0.0.1/cb", "http://localhost:1/cb", false},
		{"http://127.0.0.1/cb", "https://127.0.0.1:1/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/x/cb", false},
		{"http://127.0.0.1", "http://127.0.0.1:1/cb", false},
		{"http://[::1]/cb", "http://[::1]:7/cb", true},
		{"http://localhost/cb", "http://localhost:7/cb", true},
		{"http://localhost/cb?a=1", "http://localhost:7/cb?a=1", true},
		{"http://localhost/cb?a=1", "http://localhost:7/cb?a=2", false},
		{"com.example.app:/cb", "com.example.app:/cb", true},
		{"com.example.app:/cb", "com.example.app:/cb2", false},
	} {
		require.NoError(t, CheckConfigured(tc.registered))
		require.Equal(t, tc.want, NewRegistered(tc.registered).Matches(tc.sent), "%s, %s", tc.registered, tc.sent)
	}
}

func FuzzRedirectURIMatch(f *testing.F) {
	for _, uri := range []string{
		"https://app.example/cb", "http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb", "http://localhost:7/cb?a=1",
		"http://[::1]:7/cb", "com.example.app:/cb", "http://127.0.0.1:/cb", "http://127.0.0.1:80#/cb",
	} {
		f.Add("http://127.0.0.1/cb", uri)
		f.Add(uri, uri)
	}
	f.Fuzz(func(t *testing.T, configured, sent string) {
		if CheckRedirect(configured) != nil || CheckRedirect(sent) != nil {
			return
		}
		if !NewRegistered(configured).Matches(sent) {
			if configured == sent {
				t.Fatal("equal strings must match")
			}
			return
		}
		a, errA := url.Parse(configured)
		b, errB := url.Parse(sent)
		if errA != nil || errB != nil || a.Scheme != b.Scheme || a.Hostname() != b.Hostname() || a.EscapedPath() != b.EscapedPath() ||
			a.RawQuery != b.RawQuery || b.User != nil || b.Fragment != "" {
			t.Fatalf("%q matches %q", sent, configured)
		}
		if a.Port() != b.Port() && (a.Scheme != "http" || !IsLoopback(a.Hostname())) {
			t.Fatalf("%q matches %q with another port", sent, configured)
		}
	})
}

func TestWhatIsNearlyRegistered(t *testing.T) {
	registered := []Registered{NewRegistered("https://app.example/cb"), NewRegistered("http://localhost/cb")}
	for uri, want := range map[string]string{
		"https://app.example/cb/": "in the slash at its end", "https://app.example/CB": "in upper and lower case",
		"http://127.0.0.1:7/cb": "in localhost and 127.0.0.1", "https://app.example/cb?a=b": "in its query", "https://app.example:443/cb": "in the port 443, which is left out with https", "https://app.example/": "",
	} {
		require.Equal(t, want, Nearly(registered, uri), uri)
	}
}
