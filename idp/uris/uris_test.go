package uris

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// requireSays requires of each URI an error that says this, or none if that is "".
func requireSays(t *testing.T, check func(string) error, uris map[string][]string) {
	t.Helper()
	for says, list := range uris {
		for _, uri := range list {
			if err := check(uri); says == "" {
				require.NoError(t, err, uri)
			} else {
				require.ErrorContains(t, err, says, uri)
			}
		}
	}
}

func TestURIsOfBrowsers(t *testing.T) {
	requireSays(t, CheckRedirect, map[string][]string{
		"": {
			"https://app.example", "https://app.example:1/", "https://app.example:65535/", "https://[2001:db8::1]/cb", "https://[2001:db8::1]:8443/cb",
			"http://127.0.0.1", "http://[::1]:1", "http://localhost", "com.example.app:cb", "com.example.app://x/y",
		},
		"port outside 1-65535": {
			"https://app.example:", "https://app.example:0", "https://app.example:65536", "https://app.example:080", "https://app.example:100000",
		},
		"is not a URI":              {"https://app.example:x", "https://app.example/%zz", "https://2001:db8::1/cb", "https://a:b:c/", "://x"},
		"has a fragment":            {"https://app.example/#"},
		"has user information":      {"https://a@app.example/", "https://@app.example/"},
		"has a character":           {"https://app.example/ä", "https://app.example/ "},
		"malformed host":            {"https://app!.example/"},
		"must be https":             {"http://[::2]/", "http://0.0.0.0/", "http://localhost.example/"},
		"is not absolute":           {"x"},
		"a scheme other than https": {"javascript:alert(1)"},
		"ends with a dot":           {"com.:x"},
		"has no host":               {"https:", "http:x", "https://"},
	})
}

func TestRedirectsThatTheOperatorNames(t *testing.T) {
	requireSays(t, CheckConfigured, map[string][]string{
		"": {
			"myapp://callback", "myapp:/callback", "tauri://localhost", "http://app.localhost:3000/cb", "https://app.example/cb", "com.example.app:/cb",
		},
		"must be https":    {"http://app.localhost.evil/cb", "http://app.example/cb"},
		"is not a URI":     {"http://.localhost:x/cb"},
		"has a character":  {"http://a_ü.localhost/cb"},
		"user information": {"http://evil@app.localhost/cb"},
		"has a fragment":   {"http://app.localhost/cb#f", "myapp://callback#f"},
		"browsers run": {
			"javascript:alert(1)", "JavaScript://localhost/%0aalert", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "intent://x",
		},
		"ends with a dot": {"com.:x"},
		"is not absolute": {"callback"},
	})
}

func TestRedirectsOfNativeApps(t *testing.T) {
	for uri, want := range map[string]struct{ loopback, private bool }{
		"http://127.0.0.1:1/cb":  {true, false},
		"https://localhost/cb":   {true, false},
		"http://[::1]/cb":        {true, false},
		"https://app.example/cb": {false, false},
		"http://app.example/cb":  {false, false},
		"com.example.app:/cb":    {false, true},
		"ftp://localhost/cb":     {false, true},
		"":                       {false, true},
		"http://localhost:x/cb":  {false, false},
		"httpx://localhost/cb":   {false, true},
	} {
		require.Equal(t, want.loopback, IsLoopbackRedirect(uri), uri)
		require.Equal(t, want.private, IsPrivateScheme(uri), uri)
	}
}

// WHATWG URL section 3.5: a host whose last part is a number is an IPv4 address.
func TestHostsThatBrowsersTakeAsTheyAreWritten(t *testing.T) {
	for host, want := range map[string]bool{
		"a.example": true, "a.example.": true, "a": true, "127.0.0.1": true, "1.2.3.4": true, "::1": true, "2001:db8::1": true, "1.example": true,
		"a.0b": true, "0y1": true, "1x": true, "a0x1": true, "xn--bcher-kva.example": true, "XN--BCHER-KVA.example": true, "A.EXAMPLE": true, "a_b.example": true,
		"": false, "1": false, "1.2.3": false, "127.1": false, "256.1.1.1": false, "a.0x1": false, "0x7f.1": false, "0X7F000001": false, "a.0x": false,
		"a.1": false, "127.0.0.1.": false, "::1%25eth0": false, "fe80::1%eth0": false, ":": false, "a:b": false, ":1": false, "a::g": false,
		"xn--a.example": false, "xn--zz--.example": false, "\u00e4.example": false, "a b": false, "a%62": false, ".": true,
	} {
		require.Equal(t, want, IsHost(host), host)
	}
}

func TestOneFormOfAResource(t *testing.T) {
	for uri, want := range map[string]string{
		"https://MCP.example/Mcp/": "https://mcp.example/Mcp", "https://mcp.example": "https://mcp.example", "https://mcp.example/": "https://mcp.example",
		"https://mcp.example//": "https://mcp.example//", "https://mcp.example/?a=/": "https://mcp.example/?a=/", "http://LOCALHOST:1/mcp": "",
		"http://localhost:1/mcp": "http://localhost:1/mcp", "https://mcp.example/#x": "", "ftp://mcp.example/": "", "mcp": "",
	} {
		key, err := Key(uri)
		require.Equal(t, want, key, uri)
		require.Equal(t, want == "", err != nil, uri)
	}
}

func TestOriginsOfRedirects(t *testing.T) {
	for uri, want := range map[string]string{
		"https://app.example:8443/cb?x": "https://app.example:8443", "HTTPS://App.Example:443/cb": "https://app.example", "http://[::1]:80/": "http://[::1]",
		"http://a.example:443/": "http://a.example:443", "https://a.example:/": "https://a.example", "com.example.app:/cb": "'none'", "https://%zz": "'none'",
	} {
		require.Equal(t, want, Origin(uri))
	}
}
