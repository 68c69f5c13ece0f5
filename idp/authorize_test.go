package idp

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

// The contract's ResultedPKCE: the gateway follows the IdP's redirects, as a browser does, with its cookies.
func TestASilentLoginThroughTheGateway(t *testing.T) {
	s := newServed(t)
	authorize := "/authorize?prompt=none&" + authorizeOpenly + string(pkce.Verifier(testVerifier).S256())
	var state string
	s.respond(func(r *http.Request) (*http.Response, error) {
		answer := idpResponse(http.StatusFound, "")
		if r.URL.Path == "/authorize" {
			state = r.URL.Query().Get("state")
			answer.Header = http.Header{"Location": {"/session"}, "Set-Cookie": {"session=1"}}
			return answer, nil
		}
		require.Equal(t, "session=1", r.Header.Get("Cookie"))
		answer.Header.Set("Location", "https://gateway.example/oauth/callback?code=idp-code&state="+url.QueryEscape(state))
		return answer, nil
	})
	result := s.do("GET", authorize, "", "Accept", "application/x-www-form-urlencoded", "Cookie", "session=0")
	require.Equal(t, http.StatusOK, result.Status, string(result.Body))
	require.Equal(t, "no-store", result.Header.Get("Cache-Control"))
	got, err := url.ParseQuery(string(result.Body))
	require.NoError(t, err)
	require.Equal(t, "s", got.Get("state"))
	s.respond(aToken)
	require.Equal(t, http.StatusOK, s.redeem(got.Get("code")).Status)

	s.respond(func(*http.Request) (*http.Response, error) { return idpResponse(http.StatusOK, "<html>"), nil })
	result = s.do("GET", authorize, "", "Accept", "application/json")
	require.Equal(t, oauth.InteractionRequired, result.Decision.Refusal.Code)
	s.respond(func(*http.Request) (*http.Response, error) { return nil, http.ErrServerClosed })
	require.Equal(t, http.StatusBadGateway, s.do("GET", authorize, "", "Accept", "application/json").Status)
	require.Equal(t, oauth.InvalidRequest, s.do("GET", "/authorize?x=%zz", "", "Accept", "application/json").Decision.Refusal.Code)
}

// With [ProxyFrontChannel] the next handler sends what was checked, and nothing else, to the IdP.
func TestARequestThatTheNextHandlerPassesOn(t *testing.T) {
	s := newServed(t, func(c *Config) { c.FrontChannel = ProxyFrontChannel })
	next := s.do("GET", "/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), "", "Cookie", "idp=1", "X-Original-Host", "x").Next
	require.Equal(t, "/authorize", next.URL.Path)
	require.Equal(t, "https://gateway.example/oauth/callback", next.URL.Query().Get("redirect_uri"))
	require.Equal(t, http.Header{"Cookie": {"idp=1"}, "X-Forwarded-For": {"192.0.2.7"}}, next.Header)
	next = s.do("GET", "/v2/logout?client_id=app&returnTo=https://app.example/", "").Next
	require.Equal(t, "/v2/logout", next.URL.Path)
	require.Equal(t, url.Values{"client_id": {"app"}, "returnTo": {"https://app.example/"}}, next.URL.Query())

	require.Equal(t, http.StatusOK, s.redeem(s.logInProxied(t)).Status)
	require.Equal(t, "gateway.example", s.sent[0].Header.Get("X-Forwarded-Host"), "the IdP has this host's name")
	require.Equal(t, "https", s.sent[0].Header.Get("X-Forwarded-Proto"))
}

// logInProxied is [served.logIn] through the next handler.
func (s *served) logInProxied(t *testing.T) string {
	next := s.do("GET", "/authorize?"+authorizeOpenly+string(pkce.Verifier(testVerifier).S256()), "").Next
	called := s.do("POST", "/oauth/callback", url.Values{"code": {"idp-code"}, "state": {next.URL.Query().Get("state")}}.Encode())
	return location(t, called.Response).Query().Get("code")
}

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

// OpenID Connect Core 1.0 section 3.1.2.1, RP-Initiated Logout 1.0 section 2: a form is as good as a
// query, and no better.
func TestFormsOnTheFrontChannel(t *testing.T) {
	s := newServed(t)
	login := authorizeOpenly + string(pkce.Verifier(testVerifier).S256())
	const logout = "client_id=app&returnTo=https%3A%2F%2Fapp.example%2F"
	for name, tt := range map[string]struct{ path, form string }{
		"a login":                       {"/authorize", login},
		"another client's redirect":     {"/authorize", strings.Replace(login, "app.example", "evil.example", 1)},
		"no PKCE":                       {"/authorize", strings.Replace(login, "&code_challenge=", "&x=", 1)},
		"a parameter twice":             {"/authorize", login + "&scope=a&scope=a"},
		"a client twice":                {"/authorize", login + "&client_id=other"},
		"as long as can be":             {"/authorize", login + "&x=" + strings.Repeat("x", params.MaxQueryLength-len(login)-3)},
		"a logout":                      {"/v2/logout", logout},
		"a logout to another page":      {"/v2/logout", strings.Replace(logout, "app.example", "evil.example", 1)},
		"a logout of an unknown client": {"/v2/logout", "client_id=unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			get, post := s.do("GET", tt.path+"?"+tt.form, "", "Accept", "text/html"), s.do("POST", tt.path, tt.form, "Accept", "text/html")
			if get.Status == http.StatusFound {
				get.Status = http.StatusSeeOther // RFC 9110 section 15.4.4: to be followed with GET
			}
			require.Equal(t, get.Status, post.Status)
			require.Equal(t, get.Decision.Outcome, post.Decision.Outcome)
			withoutState := func(location string) string {
				before, _, _ := strings.Cut(location, "&state=")
				return before
			}
			require.Equal(t, withoutState(get.Header.Get("Location")), withoutState(post.Header.Get("Location")))
		})
	}
	for name, tt := range map[string]struct {
		path, form, says string
		header           []string
		status           int
	}{
		"in two places":        {path: "/authorize?redirect_uri=https%3A%2F%2Fevil.example", form: login, says: "never in the URL", status: 400},
		"none of it in a form": {path: "/authorize?" + login, says: "never in the URL", status: 400},
		"too long":             {path: "/authorize", form: login + "&x=" + strings.Repeat("x", params.MaxQueryLength), says: "larger than", status: 413},
		"JSON":                 {path: "/authorize", form: "{}", header: []string{"Content-Type", "application/json"}, says: "urlencoded", status: 400},
		"a logout in the URL":  {path: "/v2/logout?id_token_hint=x", form: logout, says: "never in the URL", status: 400},
	} {
		t.Run(name, func(t *testing.T) {
			result := s.do("POST", tt.path, tt.form, tt.header...)
			require.Equal(t, tt.status, result.Status)
			require.Contains(t, result.Decision.Refusal.Description, tt.says)
			require.Empty(t, result.Header.Get("Location"))
		})
	}
	early := s.request("POST", "/authorize", login, "Early-Data", "1")
	require.Equal(t, http.StatusTooEarly, s.Serve(early).Status)
}
