package idp

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestWalk(t *testing.T) {
	type step struct {
		status   int
		location string
	}
	for name, tc := range map[string]struct {
		with  []string
		steps []step
		want  *loginResult
		code  oauth.Code
		uri   string
	}{
		"a code at once":          {steps: []step{{302, "https://app.example/cb?code=c&state=xyz"}}, want: &loginResult{"c", "xyz"}},
		"a code after a page":     {steps: []step{{302, "/login"}, {303, "next"}, {302, "https://app.example/cb?code=c&state=xyz"}}, want: &loginResult{"c", "xyz"}},
		"a code in the fragment":  {steps: []step{{302, "https://app.example/cb#code=c&state=xyz"}}, want: &loginResult{"c", "xyz"}},
		"a code without a state":  {with: []string{"state", "-"}, steps: []step{{302, "https://app.example/cb?code=c"}}, want: &loginResult{"c", ""}},
		"a code, no redirect URI": {with: []string{"redirect_uri", "-"}, steps: []step{{302, "https://app.example/x?code=c&state=xyz"}}, want: &loginResult{"c", "xyz"}},
		"another state":           {steps: []step{{302, "https://app.example/cb?code=c&state=abc"}}, code: oauth.ServerError},
		"a missing state":         {steps: []step{{302, "https://app.example/cb?code=c"}}, code: oauth.ServerError},
		"two codes":               {steps: []step{{302, "https://app.example/cb?code=c&code=d&state=xyz"}}, code: oauth.ServerError},
		"neither code nor error":  {steps: []step{{302, "https://app.example/cb?state=xyz"}}, code: oauth.ServerError},
		"a login page":            {steps: []step{{302, "/login"}, {200, ""}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"login_required":          {steps: []step{{302, "https://app.example/cb?error=login_required&state=xyz"}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"access_denied":           {steps: []step{{302, "https://app.example/cb?error=access_denied&state=xyz"}}, code: oauth.AccessDenied},
		"a code of the IdP's own": {steps: []step{{302, "https://app.example/cb?error=account%20blocked!&state=xyz"}}, code: "account blocked!"},
		"not an error code":       {steps: []step{{302, "https://app.example/cb?error=a%22b&state=xyz"}}, code: oauth.ServerError},
		"a foreign login page":    {steps: []step{{302, "https://other.example/login"}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"plain http":              {steps: []step{{302, "http://idp.example/login"}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"another redirect URI":    {steps: []step{{302, "https://app.example/other?code=c&state=xyz"}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"too many redirects":      {steps: []step{{302, "/1"}, {302, "/2"}, {302, "/3"}, {302, "/4"}, {302, "/5"}, {302, "/6"}}, code: oauth.InteractionRequired, uri: "https://idp.example/authorize"},
		"an error page":           {steps: []step{{403, ""}}, code: oauth.InvalidRequest, uri: "https://idp.example/authorize"},
		"a server error":          {steps: []step{{500, ""}}, code: oauth.ServerError},
		"busy":                    {steps: []step{{503, ""}}, code: oauth.TemporarilyUnavailable},
		"no Location":             {steps: []step{{302, ""}}, code: oauth.ServerError},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy(t)
			r := must.Have(p.parseAuthorize(query(append([]string{"prompt", "none", "response_mode", "form_post"}, tc.with...)...)))(t)
			w := r.newSilentLogin(p, sealer{})
			require.Equal(t, "query", w.url().Query().Get("response_mode"))
			require.Equal(t, "none", w.url().Query().Get("prompt"))
			for i, s := range tc.steps {
				require.Equal(t, "idp.example", w.url().Host)
				header := http.Header{}
				if s.location != "" {
					header.Set("Location", s.location)
				}
				result, err := w.next(s.status, header)
				if i < len(tc.steps)-1 {
					require.Nil(t, result)
					require.NoError(t, err)
					continue
				}
				require.Equal(t, tc.want, result)
				if tc.want != nil {
					require.NoError(t, err)
					return
				}
				require.Error(t, err)
				rejection := oauth.AsError(err)
				require.Equal(t, tc.code, rejection.Code, rejection.Description)
				if tc.uri == "" {
					require.Empty(t, rejection.URI)
					return
				}
				u := must.Have(url.Parse(rejection.URI))(t)
				require.Equal(t, tc.uri, u.Scheme+"://"+u.Host+u.Path)
				require.Equal(t, "form_post", u.Query().Get("response_mode"))
				require.Empty(t, u.Query().Get("prompt"), "a person is to be asked")
			}
		})
	}
}

func TestResultForms(t *testing.T) {
	r := loginResult{Code: `a"b&c`, State: "ä"}
	require.Equal(t, "code=a%22b%26c&state=%C3%A4", string(r.append(nil, formResult)))
	require.Equal(t, `{"code":"a\"b&c","state":"ä"}`+"\n", string(r.append(nil, jsonResult)))
}

// An error goes to the client only as it asked for, and only if that is clear.
func TestErrorsGoToRegisteredRedirectURIsOnly(t *testing.T) {
	known, open := testPolicy(t, registered), testPolicy(t)
	plain := func(with ...string) string {
		return query(append([]string{"code_challenge_method", "plain"}, with...)...)
	}
	private := func(mode string) string { return consentQuery("app", "com.example.app:/cb", "response_mode", mode) }
	for name, tc := range map[string]struct {
		p          *Policy
		query, not string
		to         string   // where the browser goes
		page       []string // of a page that goes there; neither: the error stays here
	}{
		"no client is registered":            {p: open, query: plain()},
		"another client":                     {p: known, query: plain("client_id", "other")},
		"another client, no redirect URI":    {p: known, query: query("client_id", "other", "redirect_uri", "-")},
		"another redirect URI":               {p: known, query: plain("redirect_uri", "https://evil.example/")},
		"two clients":                        {p: known, query: query() + "&client_id=other"},
		"two redirect URIs":                  {p: known, query: query() + "&redirect_uri=other"},
		"two modes":                          {p: known, query: query() + "&response_mode=other"},
		"two states":                         {p: known, query: query() + "&state=other"},
		"two states, and two of another one": {p: known, query: query() + "&foo=1&foo=2&state=other"},
		"two of another one":                 {p: known, query: query() + "&foo=1&foo=2", to: "https://app.example/cb?error=invalid_request&"},
		"the only one that is registered":    {p: known, query: plain("redirect_uri", "-", "client_id", "server"), to: "https://server.example/cb?error=invalid_request&"},
		"loopback, with a query":             {p: known, query: plain("redirect_uri", "http://localhost:5000/l?x=1"), to: "http://localhost:5000/l?x=1&error=invalid_request&"},
		"a mode that nobody knows":           {p: known, query: query("response_mode", "query.jwt"), to: "https://app.example/cb?error=invalid_request&"},
		"it, and nobody registered":          {p: open, query: query("response_mode", "query.jwt")},
		"fragment":                           {p: known, query: plain("response_mode", "fragment"), to: "https://app.example/cb#error=invalid_request&"},
		// RFC 8252 section 7.1: systems drop fragments of private schemes.
		"fragment, of a private scheme": {p: newSealedGateway(t).Policy, query: private("fragment"), to: "com.example.app:/cb?error=invalid_request&"},
		"form_post": {
			p: known, query: plain("response_mode", "form_post", "state", `"><script>`),
			page: []string{`action="https://app.example/cb"`, `name="error" value="invalid_request"`}, not: `"><script>`,
		},
		"web_message": {
			p: known, query: plain("response_mode", "web_message", "state", "</script>"),
			page: []string{`"https://app.example"`, `"invalid_request"`}, not: "state: \"</script>",
		},
	} {
		r, err := tc.p.parseAuthorize(tc.query)
		require.Error(t, err, name)
		page, ok := r.redirectError(oauth.AsError(err))
		require.Equal(t, tc.to != "" || tc.page != nil, ok, name)
		require.True(t, strings.HasPrefix(page.Header.Get("Location"), tc.to), name)
		for _, part := range tc.page {
			require.Equal(t, 200, page.Status)
			require.Contains(t, string(page.Body), part, name)
			require.NotContains(t, string(page.Body), tc.not, name)
		}
	}
	must.Have(newSealedGateway(t).parseAuthorize(private("query")))(t)
	r, err := known.parseAuthorize(plain())
	page, _ := r.redirectError(oauth.AsError(err))
	require.Equal(t, 302, page.Status)
	u := must.Have(url.Parse(page.Header.Get("Location")))(t)
	require.Equal(t, "https://app.example/cb", u.Scheme+"://"+u.Host+u.Path)
	require.Equal(t, url.Values{"error": {"invalid_request"}, "error_description": {oauth.AsError(err).Description}, "state": {"xyz"}}, u.Query())
}

func TestErrorPageIsAPage(t *testing.T) {
	page := new(Policy).errorPage(nil, params.Missing("scope", "RFC 6749 section 3.3"), "K7QFM3XABC")
	require.Equal(t, 400, page.Status)
	require.Contains(t, string(page.Body), "invalid_request")
	require.Contains(t, string(page.Body), "scope is missing")
	require.Contains(t, string(page.Body), "<code>K7QFM3XABC</code>")
	require.Equal(t, "no-store", page.Header.Get("Cache-Control"))
	require.Contains(t, string(page.Body), "The app sent a request")
	down := string(new(Policy).errorPage(nil, oauth.AsError(upstream.NotDiscovered()), "").Body)
	require.Contains(t, down, "It is not the app's fault")
	require.NotContains(t, down, "The app sent a request")
}

func TestAWalkEndsAtTheCallback(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Issuer = "https://idp.example" })
	r := must.Have(g.parseAuthorize(query("prompt", "none")))(t)
	walk := func(response string) (*loginResult, error) {
		w := r.newSilentLogin(g.Policy, g.s)
		require.Equal(t, "https://gateway.example/oauth/callback", w.url().Query().Get("redirect_uri"))
		return w.next(302, http.Header{"Location": {"https://gateway.example/oauth/callback?state=" + w.url().Query().Get("state") + response}})
	}
	result := must.Have(walk("&code=idp-code&iss=https://idp.example"))(t)
	require.Equal(t, "xyz", result.State)
	grant, _, err := g.open(result.Code)
	require.NoError(t, err, "the client gets a code of the gateway")
	require.Equal(t, "idp-code", grant.login.Code)
	_, err = walk("&code=idp-code&iss=https://evil.example")
	require.ErrorContains(t, err, "another identity provider")
	for _, code := range []string{"interaction_required", "login_required", "consent_required", "account_selection_required"} {
		_, err = walk("&error=" + code)
		require.Equal(t, oauth.InteractionRequired, oauth.AsError(err).Code, code)
		require.NotEmpty(t, oauth.AsError(err).URI)
	}
	_, err = walk("&error=access_denied&error_description=words")
	require.Equal(t, "words", oauth.AsError(err).Detail)
	_, err = walk("&error=a%0ab")
	require.ErrorContains(t, err, "malformed")
	_, err = walk("&error=%C3%A4")
	require.ErrorContains(t, err, "error code is malformed")
}

func TestWalksThatLeadNowhere(t *testing.T) {
	p := testPolicy(t)
	begin := func(with ...string) *silentLogin {
		r := must.Have(p.parseAuthorize(query(with...)))(t)
		return r.newSilentLogin(p, sealer{})
	}
	for name, tc := range map[string]struct {
		with   []string
		status int
		header http.Header
		says   string
	}{
		"two Locations":              {nil, 302, http.Header{"Location": {"/a", "/b"}}, "without one Location"},
		"no URL":                     {nil, 302, http.Header{"Location": {"https://idp.example:x/"}}, "not a URL"},
		"a user before the host":     {nil, 302, http.Header{"Location": {"https://a@idp.example/"}}, "the user has to log in"},
		"a user at the redirect URI": {nil, 302, http.Header{"Location": {"https://a@app.example/cb?code=c&state=xyz"}}, "the user has to log in"},
		"another scheme":             {nil, 302, http.Header{"Location": {"http://app.example/cb?code=c&state=xyz"}}, "the user has to log in"},
		"an escaped path":            {nil, 302, http.Header{"Location": {"https://app.example/c%62?code=c&state=xyz"}}, "the user has to log in"},
		"a code at the IdP itself":   {[]string{"redirect_uri", "-"}, 302, http.Header{"Location": {"https://idp.example/?code=c&state=xyz"}}, ""},
		"a page elsewhere, no code":  {[]string{"redirect_uri", "-"}, 302, http.Header{"Location": {"https://app.example/"}}, "the user has to log in"},
		"an error elsewhere":         {[]string{"redirect_uri", "-"}, 302, http.Header{"Location": {"https://app.example/?error=access_denied&state=xyz"}}, "rejected the request"},
		"without its query":          {[]string{"redirect_uri", "https://app.example/cb?a=b"}, 302, http.Header{"Location": {"https://app.example/cb?code=c&state=xyz"}}, "the user has to log in"},
		"another host":               {nil, 302, http.Header{"Location": {"https://other.example/cb?code=c&state=xyz"}}, "the user has to log in"},
		"an app's other page":        {[]string{"redirect_uri", "com.example.app:cb"}, 302, http.Header{"Location": {"com.example.app:other?code=c&state=xyz"}}, "the user has to log in"},
		"an empty code":              {nil, 302, http.Header{"Location": {"https://app.example/cb?code=&state=xyz"}}, "neither a code nor an error"},
		"a status of nobody":         {nil, 399, nil, "unexpected status 399"},
		"not found":                  {nil, 404, nil, "without a redirect"},
		"the first of the 4xx":       {nil, 400, nil, "without a redirect"},
		"the last of the 4xx":        {nil, 499, nil, "without a redirect"},
		"the first of the 5xx":       {nil, 500, nil, "unexpected status 500"},
		"multiple choices":           {nil, 300, nil, "unexpected status 300"},
		"too many requests":          {nil, 429, nil, "is busy"},
	} {
		w := begin(append([]string{"prompt", "none"}, tc.with...)...)
		result, err := w.next(tc.status, tc.header)
		require.Nil(t, result, name)
		if tc.says == "" {
			require.NoError(t, err, name)
			require.Equal(t, "https://idp.example/?code=c&state=xyz", w.url().String())
		} else {
			require.ErrorContains(t, err, tc.says, name)
		}
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		result := must.Have(begin("prompt", "none").next(status, http.Header{"Location": {"https://app.example/cb?code=c&state=xyz"}}))(t)
		require.Equal(t, &loginResult{"c", "xyz"}, result)
	}
	w := begin("prompt", "none")
	for range maxRedirects {
		_, err := w.next(302, http.Header{"Location": {"/next#fragment"}})
		require.NoError(t, err)
		require.Empty(t, w.url().Fragment)
	}
	_, err := w.next(302, http.Header{"Location": {"/next"}})
	require.Equal(t, oauth.InteractionRequired, oauth.AsError(err).Code)
	for prompt, want := range map[string]string{"none": "", "login": "login"} {
		_, err := begin("prompt", prompt).next(200, nil)
		require.Equal(t, want, must.Have(url.Parse(oauth.AsError(err).URI))(t).Query().Get("prompt"), "only prompt=none is left out of what a person opens")
	}
}
