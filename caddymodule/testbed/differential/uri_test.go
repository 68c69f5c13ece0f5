// Package differential compares how idp reads URIs with how browsers do (the URL
// standard of the WHATWG) and with net/url. idp may be stricter, and never accepts what
// a browser would send elsewhere.
package differential

import (
	"encoding/json"
	"net/netip"
	neturl "net/url"
	"os"
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// asBrowser is what a browser makes of a URL.
type asBrowser struct {
	Input    string
	Base     *string
	Failure  bool
	Href     string
	Protocol string
	Username string
	Password string
	Hostname string
	Port     string
	Hash     string
}

// testData are the cases of web-platform-tests.
func testData(t testing.TB) (cases []asBrowser) {
	content := must.Have(os.ReadFile("testdata/urltestdata.json"))(t)
	var entries []json.RawMessage
	require.NoError(t, json.Unmarshal(content, &entries))
	for _, entry := range entries {
		if entry[0] == '"' {
			continue // a comment
		}
		var c asBrowser
		require.NoError(t, json.Unmarshal(entry, &c), "%s", entry)
		cases = append(cases, c)
	}
	require.Greater(t, len(cases), 500)
	return cases
}

// accepted are the ways in which idp takes a URI that a browser will be sent to.
var accepted = map[string]func(string) bool{
	"redirect_uri": func(uri string) bool {
		_, err := idp.NewPolicy(idp.Config{AuthURL: "https://idp.example", Clients: []idp.ClientConfig{{ID: "app", RedirectURIs: []string{uri}}}})
		return err == nil
	},
	"return_to": func(uri string) bool {
		_, err := idp.NewPolicy(idp.Config{AuthURL: "https://idp.example", Clients: []idp.ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/"}, ReturnTo: []string{uri}}}})
		return err == nil
	},
	"auth_url": func(uri string) bool {
		_, err := idp.ParseAuthURL(uri)
		return err == nil
	},
}

// requireSamePlace fails if idp accepts a URI that a browser reads otherwise.
func requireSamePlace(t testing.TB, uri string, browser asBrowser) {
	for name, accepts := range accepted {
		if !accepts(uri) {
			continue
		}
		require.False(t, browser.Failure, "%s %q: browsers refuse it", name, uri)
		own, err := neturl.Parse(uri)
		require.NoError(t, err, "%s %q: net/url refuses it", name, uri)
		require.Equal(t, own.Scheme+":", browser.Protocol, "%s %q", name, uri)
		require.Empty(t, browser.Username+browser.Password, "%s %q", name, uri)
		require.Empty(t, browser.Hash, "%s %q", name, uri)
		if own.Host == "" {
			continue // of a private-use scheme, which an app gets as it is
		}
		require.Equal(t, canonical(own.Hostname()), canonical(strings.Trim(browser.Hostname, "[]")), "%s %q goes elsewhere", name, uri)
		port := own.Port()
		if port == map[string]string{"https": "443", "http": "80"}[own.Scheme] {
			port = ""
		}
		require.Equal(t, port, browser.Port, "%s %q goes elsewhere", name, uri)
	}
}

// canonical is one form of a host: browsers write IPv6 addresses anew.
func canonical(host string) string {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.String()
	}
	return strings.ToLower(host)
}

func TestURIsOfWebPlatformTests(t *testing.T) {
	seen, taken := 0, 0
	for _, c := range testData(t) {
		if c.Base != nil && strings.HasPrefix(*c.Base, "data:") {
			continue
		}
		seen++
		for _, accepts := range accepted {
			if accepts(c.Input) {
				taken++
				break
			}
		}
		requireSamePlace(t, c.Input, c)
		if !c.Failure { // what a browser has read is a URI, too
			requireSamePlace(t, c.Href, c)
		}
	}
	require.Greater(t, taken, 10, "a reader that accepts nothing would pass")
	t.Logf("%d URIs, %d of them accepted", seen, taken)
}

// browserRead is what the parser of the WHATWG's standard makes of a URI.
func browserRead(uri string) asBrowser {
	u, err := url.Parse(uri)
	if err != nil {
		return asBrowser{Failure: true}
	}
	return asBrowser{Protocol: u.Protocol(), Username: u.Username(), Password: u.Password(), Hostname: u.Hostname(), Port: u.Port(), Hash: u.Hash()}
}

// URIs by which servers and browsers were told apart before.
var hostile = []string{
	`https://app.example\@evil.example/`, `https://evil.example\.app.example/`, "https://app.example@evil.example/", "https://app.example:443@evil.example/",
	"https:app.example/", "https:///app.example/", "https:/app.example/", "//app.example/", `\\app.example/`, "https://app.example:0443/", "https://app.example:+443/",
	"https://app.example:65536/", "https://app.example:/", "https://0x7f.1/", "https://127.1/", "http://127.1/", "http://2130706433/", "http://0177.0.0.1/",
	"http://[::ffff:127.0.0.1]/", "http://[::1%25lo]/", "http://[::1]x/", "http://localhost./", "http://LOCALHOST/", "https://app.example%2eevil.example/",
	"https://app.example%00.evil.example/", "https://\u0430pp.example/", "https://app\u3002example/", "https://app.example\t/", "ht\ntps://app.example/",
	" https://app.example/", "https://app.example/ ", "https://app.example#@evil.example/", "https://app.example?@evil.example/", "https://app.example/;@evil.example",
	"javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "com.example.app:/cb", "com.example.app://cb", "com.example.app:cb", "https://xn--pp-8ja.example/",
	"https://app_1.example/", "https://-app.example/", "https://app..example/", "https://app.example../", "https://1.2.3/", "https://1.2.3.4.5/", "https://256.1.1.1/", "https://app.example.0x1/",
}

func TestHostileURIs(t *testing.T) {
	for _, uri := range hostile {
		requireSamePlace(t, uri, browserRead(uri))
	}
}

func FuzzURIs(f *testing.F) {
	for _, uri := range hostile {
		f.Add(uri)
	}
	for _, c := range testData(f) {
		f.Add(c.Input)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		requireSamePlace(t, uri, browserRead(uri))
	})
}
