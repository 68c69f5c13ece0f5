package idp

import (
	"html"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// RFC 9700 section 4.11.2: before anybody has logged in, an error must not send people to
// the page of a client that nobody trusts.
func TestErrorsOfAClientWithConsentStayAtTheGateway(t *testing.T) {
	for name, tc := range map[string]struct {
		redirectURI, mode string
		host, link        string // "" for none
	}{
		"query":            {"https://app.example/cb?a=1", "query", "app.example", "https://app.example/cb?a=1&error=invalid_request&error_description="},
		"fragment":         {"https://app.example/cb?a=1", "fragment", "app.example", "https://app.example/cb?a=1#error=invalid_request&error_description="},
		"form_post":        {"https://app.example/cb?a=1", "form_post", "app.example", `https://app.example/"`},
		"web_message":      {"https://app.example/cb?a=1", "web_message", "app.example", `https://app.example/"`},
		"loopback":         {"http://127.0.0.1:4711/cb", "query", "127.0.0.1:4711", "http://127.0.0.1:4711/cb?error=invalid_request"},
		"a private scheme": {"com.example.app:/cb", "query", "", ""},
		"not registered":   {"https://evil.example/", "query", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, func(c *Config) {
				c.Clients = []ClientConfig{{ID: "app", Consent: true, RedirectURIs: []string{"https://app.example/cb?a=1", "http://127.0.0.1/cb", "com.example.app:/cb"}}}
			})
			r, err := g.parseAuthorize(query("redirect_uri", tc.redirectURI, "response_mode", tc.mode, "code_challenge", "short", "state", `"><script>`))
			require.Error(t, err)
			_, redirected := r.redirectError(oauth.AsError(err))
			require.False(t, redirected)
			page := g.errorPage(nil, r.withWayBack(oauth.AsError(err)), "REFERENCE1")
			require.Equal(t, 400, page.Status)
			require.Empty(t, page.Header.Get("Location"))
			body := string(page.Body)
			require.NotContains(t, body, "<script")
			if tc.host == "" {
				require.NotContains(t, body, "<a ")
				return
			}
			require.Contains(t, body, "go back to "+tc.host+"</a>")
			require.Contains(t, html.UnescapeString(body), `<a href="`+tc.link)
			require.NotContains(t, string(oauth.AsError(err).AppendJSON(nil)), "app.example", "machines get what they got")
		})
	}
	g := newSealedGateway(t)
	r, err := g.parseAuthorize(query("code_challenge", "short"))
	require.Error(t, err)
	_, redirected := r.redirectError(oauth.AsError(err))
	require.True(t, redirected, "a client without consent")
}
