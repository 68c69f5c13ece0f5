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
	_, err := ParseWeb("ftp://localhost/")
	require.ErrorContains(t, err, "must be https")
}

func TestRedirectURIMatch(t *testing.T) {
	for registered, sent := range map[string]struct{ same, other []string }{
		"https://app.example/cb": {[]string{"https://app.example/cb"}, []string{
			"https://app.example/cb/", "https://app.example/CB", "https://app.example/cb?x=1", "https://app.example:443/cb", "https://evil.example/cb", "",
		}},
		"https://app.example/":          {other: []string{"https://app.example"}},
		"http://app.localhost:3000/cb":  {[]string{"http://app.localhost:3000/cb"}, []string{"http://app.localhost:3001/cb"}},
		"http://localhost.localhost/cb": {other: []string{"http://localhost:1.localhost/cb"}},
		"myapp://callback":              {[]string{"myapp://callback"}, []string{"MyApp://callback", "myapp://callback?x=1", "myapp://evil", "myapp://callback/"}},
		"http://127.0.0.1:80/cb":        {[]string{"http://127.0.0.1:65535/cb"}, []string{"http://127.0.0.1:65536/cb"}},
		"http://127.0.0.1":              {other: []string{"http://127.0.0.1:1/cb"}},
		"http://[::1]/cb":               {same: []string{"http://[::1]:7/cb"}},
		"http://localhost/cb":           {same: []string{"http://localhost:7/cb"}},
		"http://localhost/cb?a=1":       {[]string{"http://localhost:7/cb?a=1"}, []string{"http://localhost:7/cb?a=2"}},
		"http://localhost/a":            {other: []string{"http://localhost:1:/a", "http://localhost1/a", "http://localhostx9/a"}},
		"http://localhost/aa":           {other: []string{"http://localhost/a"}},
		"com.example.app:/cb":           {[]string{"com.example.app:/cb"}, []string{"com.example.app:/cb2"}},
		"http://127.0.0.1/cb": {[]string{"http://127.0.0.1:1/cb", "http://127.0.0.1/cb"}, []string{
			"http://127.0.0.1:0/cb", "http://127.0.0.1:08/cb", "http://127.0.0.1:/cb", "http://127.0.0.1:1@evil.example/cb", "http://127.0.0.1.evil.example/cb",
			"http://localhost:1/cb", "https://127.0.0.1:1/cb", "http://127.0.0.1:1/x/cb",
		}},
	} {
		require.NoError(t, CheckConfigured(registered))
		for _, uri := range sent.same {
			require.True(t, NewRegistered(registered).Matches(uri), "%s, %s", registered, uri)
		}
		for _, uri := range sent.other {
			require.False(t, NewRegistered(registered).Matches(uri), "%s, %s", registered, uri)
		}
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
