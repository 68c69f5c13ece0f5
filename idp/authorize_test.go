package idp

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// The contract's ResultedPKCE: the gateway follows the IdP's redirects, as a browser does, with its cookies.
func TestASilentLoginThroughTheGateway(t *testing.T) {
	s := newServed(t)
	authorize := "/authorize?prompt=none&" + authorizeOpenly
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
	got := must.Have(url.ParseQuery(string(result.Body)))(t)
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
	next := s.do("GET", "/authorize?"+authorizeOpenly, "", "Cookie", "idp=1", "X-Original-Host", "x").Next
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
	next := s.do("GET", "/authorize?"+authorizeOpenly, "").Next
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
	login := authorizeOpenly
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

// The example of RFC 7636 appendix B.
const (
	testVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	testChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// replaced encodes parameters with replacements: name, value; the value "-" removes.
func replaced(q url.Values, with []string) string {
	for i := 0; i < len(with); i += 2 {
		if with[i+1] == "-" {
			q.Del(with[i])
		} else {
			q.Set(with[i], with[i+1])
		}
	}
	return q.Encode()
}

// query is an authorization request with all that the contract asks for, with replacements: see replaced.
func query(with ...string) string {
	all := []string{"audience", "https://api.example", "scope", "openid profile", "response_mode", "query", "state", "xyz"}
	return loginQuery(append(all, with...)...)
}

// loginQuery is an authorization request of OAuth with PKCE, with replacements.
func loginQuery(with ...string) string {
	return replaced(url.Values{
		"response_type": {"code"}, "client_id": {"app"}, "redirect_uri": {"https://app.example/cb"}, "state": {"s"},
		"code_challenge": {testChallenge}, "code_challenge_method": {"S256"},
	}, with)
}

func registered(c *Config) {
	c.Clients = []ClientConfig{
		{
			ID: "app", RedirectURIs: []string{"https://app.example/cb", "http://127.0.0.1/cb", "http://localhost:9/l?x=1"},
			ReturnTo:  []string{"https://app.example/bye"},
			Audiences: []string{"https://api.example"}, Scopes: []string{"openid", "profile"},
		},
		{
			ID: "server", RedirectURIs: []string{"https://server.example/cb"},
			AuthMethods: []string{AuthSecretBasic, AuthSecretPost, AuthPrivateKeyJWT},
		},
		{ID: "audience", RedirectURIs: []string{"https://app.example/cb"}, Audiences: []string{"https://api.example", "https://b.example"}},
	}
}

func withDefaultAudience(c *Config) { c.DefaultAudience = "https://api.example" }

func oauthRules(c *Config) { c.Parameters = OAuthParameters }

func TestAuthorizeRejects(t *testing.T) {
	for name, tc := range map[string]struct {
		query, says string
		code        oauth.Code
		with        func(*Config)
	}{
		"a missing audience":                   {query: query("audience", "-"), code: oauth.InvalidRequest, says: "audience"},
		"a missing scope":                      {query: query("scope", "-"), code: oauth.InvalidRequest, says: "scope"},
		"a missing response_type":              {query: query("response_type", "-"), code: oauth.InvalidRequest, says: "response_type"},
		"a missing client_id":                  {query: query("client_id", "-"), code: oauth.InvalidRequest, says: "client_id"},
		"a missing response_mode":              {query: query("response_mode", "-"), code: oauth.InvalidRequest, says: "response_mode"},
		"a missing challenge":                  {query: query("code_challenge", "-"), code: oauth.InvalidRequest, says: "code_challenge is missing"},
		"a missing challenge also with oauth":  {query: query("code_challenge", "-"), code: oauth.InvalidRequest, says: "PKCE is required", with: oauthRules},
		"a missing method":                     {query: query("code_challenge_method", "-"), code: oauth.InvalidRequest, says: "would mean plain"},
		"a missing method also with oauth":     {query: query("code_challenge_method", "-"), code: oauth.InvalidRequest, says: "would mean plain", with: oauthRules},
		"the method plain":                     {query: query("code_challenge_method", "plain"), code: oauth.InvalidRequest, says: "plain is not accepted"},
		"the method s256":                      {query: query("code_challenge_method", "s256"), code: oauth.InvalidRequest, says: "case-sensitive"},
		"an unknown method":                    {query: query("code_challenge_method", "S512"), code: oauth.InvalidRequest, says: "unknown"},
		"a padded challenge":                   {query: query("code_challenge", testChallenge+"="), code: oauth.InvalidRequest, says: "padding"},
		"a short challenge":                    {query: query("code_challenge", testChallenge[:42]), code: oauth.InvalidRequest, says: "43"},
		"a long challenge":                     {query: query("code_challenge", testChallenge+"a"), code: oauth.InvalidRequest, says: "43"},
		"a challenge in the standard alphabet": {query: query("code_challenge", testChallenge[:42]+"+"), code: oauth.InvalidRequest, says: "alphabet"},
		"an empty parameter as if absent":      {query: query("audience", ""), code: oauth.InvalidRequest, says: "audience is missing"},
		"the implicit flow":                    {query: query("response_type", "token"), code: oauth.UnsupportedResponseType, says: "must be code"},
		"the hybrid flow":                      {query: query("response_type", "code id_token"), code: oauth.UnsupportedResponseType, says: "must be code"},
		"a response_type in capitals":          {query: query("response_type", "CODE"), code: oauth.UnsupportedResponseType, says: "must be code"},
		"an unknown response_mode":             {query: query("response_mode", "query.jwt"), code: oauth.InvalidRequest, says: "response_mode is unknown"},
		"a request object":                     {query: query("request", "eyJ"), code: oauth.RequestNotSupported, says: "replace"},
		"an empty request object":              {query: query("request", ""), code: oauth.RequestNotSupported, says: "replace"},
		"a request object by reference":        {query: query("request_uri", "urn:x"), code: oauth.RequestURINotSupported, says: "replace"},
		"prompt none with another":             {query: query("prompt", "none login"), code: oauth.InvalidRequest, says: "prompt"},
		"a doubled space in scope":             {query: query("scope", "openid  profile"), code: oauth.InvalidScope, says: "space"},
		"a leading space in scope":             {query: query("scope", " openid"), code: oauth.InvalidScope, says: "space"},
		"a quotation mark in scope":            {query: query("scope", `a"b`), code: oauth.InvalidScope, says: "space"},

		"a repeated parameter":                               {query: query() + "&scope=openid", code: oauth.InvalidRequest, says: "scope occurs more than once"},
		"a repeated client_id":                               {query: query() + "&client_id=other", code: oauth.InvalidRequest, says: "client_id occurs more than once"},
		"a repetition with the same value":                   {query: query() + "&client_id=app", code: oauth.InvalidRequest, says: "more than once"},
		"a repetition hidden by escapes":                     {query: query() + "&client%5Fid=other", code: oauth.InvalidRequest, says: "client_id occurs more than once"},
		"a repetition with an empty value":                   {query: query() + "&redirect_uri=", code: oauth.InvalidRequest, says: "redirect_uri occurs more than once"},
		"a repetition of an unknown one":                     {query: query() + "&foo=1&foo=2", code: oauth.InvalidRequest, says: "foo occurs more than once"},
		"a semicolon":                                        {query: query() + ";client_id=other", code: oauth.InvalidRequest, says: "semicolon"},
		"a broken escape":                                    {query: query() + "&x=%zz", code: oauth.InvalidRequest, says: "percent"},
		"an escape cut off":                                  {query: query() + "&x=%4", code: oauth.InvalidRequest, says: "percent"},
		"invalid UTF-8":                                      {query: query() + "&x=%ff", code: oauth.InvalidRequest, says: "UTF-8"},
		"a control character":                                {query: query() + "&x=%0a", code: oauth.InvalidRequest, says: "control"},
		"a NUL":                                              {query: query("state", "a\x00b"), code: oauth.InvalidRequest, says: "control"},
		"a C1 control character":                             {query: query() + "&x=%C2%85", code: oauth.InvalidRequest, says: "control"},
		"raw bytes":                                          {query: query() + "&x=\xc3\xa4", code: oauth.InvalidRequest, says: "percent-encoded"},
		"a parameter without a name":                         {query: query() + "&=x", code: oauth.InvalidRequest, says: "without a name"},
		"too many parameters":                                {query: query() + strings.Repeat("&a=1", 64), code: oauth.InvalidRequest, says: "64"},
		"a query that is too long":                           {query: query() + "&a=" + strings.Repeat("a", params.MaxQueryLength), code: oauth.InvalidRequest, says: "16384"},
		"a client_id outside ASCII":                          {query: query("client_id", "äpp"), code: oauth.InvalidRequest, says: "ASCII"},
		"parameter names in capitals":                        {query: strings.ReplaceAll(query(), "client_id", "CLIENT_ID"), code: oauth.InvalidRequest, says: "client_id is missing"},
		"an unregistered client":                             {query: query("client_id", "other"), code: oauth.UnauthorizedClient, says: "not registered", with: registered},
		"an unregistered redirect URI":                       {query: query("redirect_uri", "https://app.example/cb/"), code: oauth.InvalidRequest, says: "not one that is registered", with: registered},
		"a missing redirect URI of several":                  {query: query("redirect_uri", "-"), code: oauth.InvalidRequest, says: "redirect_uri is missing", with: registered},
		"an unregistered audience":                           {query: query("audience", "https://other.example"), code: oauth.InvalidRequest, says: "audience", with: registered},
		"an unregistered scope":                              {query: query("scope", "openid admin"), code: oauth.InvalidScope, says: "scope", with: registered},
		"an unregistered resource":                           {query: query("resource", "https://other.example"), code: oauth.InvalidTarget, says: "resource", with: registered},
		"an unregistered resource of two":                    {query: query("resource", "https://api.example") + "&resource=https://other.example", code: oauth.InvalidTarget, says: "resource", with: registered},
		"authorization_details of a client with allow-lists": {query: query("authorization_details", `[{"type":"x"}]`), code: oauth.InvalidAuthorizationDetails, says: "authorization_details", with: registered},
		"claims of a client with allow-lists":                {query: query("claims", `{"userinfo":{"email":null}}`), code: oauth.InvalidRequest, says: "claims", with: registered},
		"scopes by another parameter":                        {query: query("include_granted_scopes", "true"), code: oauth.InvalidRequest, says: "include_granted_scopes", with: registered},
		"a resource beside the default audience":             {query: query("audience", "-", "resource", "https://other.example"), code: oauth.InvalidTarget, says: "authorize_parameter audience", with: withDefaultAudience},
		"one resource of two beside the default audience":    {query: query("resource", "https://api.example") + "&resource=https://other.example", code: oauth.InvalidTarget, says: "authorize_parameter audience", with: withDefaultAudience},
		"the same of a registered client without a list":     {query: query("client_id", "server", "redirect_uri", "-", "resource", "https://other.example"), code: oauth.InvalidTarget, says: "authorize_parameter audience", with: func(c *Config) { withDefaultAudience(c); registered(c) }},
		"scopes of an audience-only client":                  {query: query("client_id", "audience", "user_scope", "a"), code: oauth.InvalidRequest, says: "user_scope", with: registered},
		"a DPoP key":                                         {query: query("dpop_jkt", "a"), code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"an empty DPoP key":                                  {query: query("dpop_jkt", ""), code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a redirect URI with a fragment":                     {query: query("redirect_uri", "https://app.example/cb#x"), code: oauth.InvalidRequest, says: "fragment"},
		"a redirect URI with plain http":                     {query: query("redirect_uri", "http://app.example/cb"), code: oauth.InvalidRequest, says: "https"},
		"a redirect URI with user info":                      {query: query("redirect_uri", "https://idp.example@evil.example/"), code: oauth.InvalidRequest, says: "user information"},
		"a relative redirect URI":                            {query: query("redirect_uri", "/cb"), code: oauth.InvalidRequest, says: "absolute"},
		"a script for a redirect URI":                        {query: query("redirect_uri", "javascript:alert(1)"), code: oauth.InvalidRequest, says: "scheme"},
		"a scheme without a dot":                             {query: query("redirect_uri", "myapp://cb"), code: oauth.InvalidRequest, says: "scheme"},
		"a redirect URI with one slash more":                 {query: query("redirect_uri", "https://app.example/cb/"), with: registered, code: oauth.InvalidRequest, says: "character by character; one that is registered differs only in the slash at its end"},
		"a redirect URI in other letters":                    {query: query("redirect_uri", "https://app.example/CB"), with: registered, code: oauth.InvalidRequest, says: "differs only in upper and lower case"},
		"a redirect URI with another name for this machine":  {query: query("redirect_uri", "http://localhost:3000/cb"), with: registered, code: oauth.InvalidRequest, says: "differs only in localhost and 127.0.0.1"},
		"a redirect URI with a query":                        {query: query("redirect_uri", "https://app.example/cb?from=mail"), with: registered, code: oauth.InvalidRequest, says: "differs only in its query"},
		"a redirect URI with a backslash":                    {query: query("redirect_uri", `https://app.example\@evil.example`), code: oauth.InvalidRequest, says: "character"},
		"a redirect URI to a loopback twin":                  {query: query("redirect_uri", "http://127.0.0.1.nip.io/cb"), code: oauth.InvalidRequest, says: "https"},
		"a redirect URI to another loopback":                 {query: query("redirect_uri", "http://127.1/cb"), code: oauth.InvalidRequest, says: "malformed host"},
		"a redirect URI without a host":                      {query: query("redirect_uri", "https:///cb"), code: oauth.InvalidRequest, says: "host"},
		"an opaque https redirect URI":                       {query: query("redirect_uri", "https:app.example/cb"), code: oauth.InvalidRequest, says: "host"},
		"a redirect URI with a strange port":                 {query: query("redirect_uri", "https://app.example:99999/cb"), code: oauth.InvalidRequest, says: "port"},
		"a redirect URI with an escaped host":                {query: query("redirect_uri", "https://app%2eexample/cb"), code: oauth.InvalidRequest, says: "redirect_uri"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPolicy(t, tc.with).parseAuthorize(tc.query)
			requireRejected(t, err, tc.code, 400, tc.says)
		})
	}
}

func TestAnotherRedirectURIIsNotComparedAloud(t *testing.T) {
	_, err := testPolicy(t, registered).parseAuthorize(query("redirect_uri", "https://evil.example/cb"))
	require.Equal(t, "redirect_uri is not one that is registered for this client at the gateway; it must be equal character by character", oauth.AsError(err).Description)
}

// requireWellFormed checks what holds for every error: its description needs
// no escaping (RFC 6749 section 5.2) and it names its source.
func requireWellFormed(t testing.TB, err error) {
	t.Helper()
	rejection := oauth.AsError(err)
	require.NotEmpty(t, rejection.Source)
	require.Equal(t, rejection.Description, string(oauth.AppendDescription(nil, rejection.Description)))
}

func TestAuthorizeAccepts(t *testing.T) {
	for name, tc := range map[string]struct {
		query string
		with  func(*Config)
	}{
		"the interface's parameters":             {query: query()},
		"no state":                               {query: query("state", "-")},
		"no redirect URI":                        {query: query("redirect_uri", "-")},
		"form_post":                              {query: query("response_mode", "form_post")},
		"fragment":                               {query: query("response_mode", "fragment")},
		"web_message":                            {query: query("response_mode", "web_message")},
		"prompt none":                            {query: query("prompt", "none")},
		"an app's private scheme":                {query: query("redirect_uri", "com.example.app:/cb")},
		"loopback by IPv6":                       {query: query("redirect_uri", "http://[::1]:4711/cb")},
		"namespaced and API scopes":              {query: query("scope", "openid https://app.example/roles read:messages")},
		"the default audience":                   {query: query("audience", "-"), with: func(c *Config) { c.DefaultAudience = "a" }},
		"a standard client with oauth":           {query: query("audience", "-", "scope", "-", "response_mode", "-"), with: oauthRules},
		"a registered redirect URI":              {query: query(), with: registered},
		"a registered loopback on another port":  {query: query("redirect_uri", "http://127.0.0.1:5000/cb"), with: registered},
		"a registered localhost on another port": {query: query("redirect_uri", "http://localhost:5000/l?x=1"), with: registered},
		"no redirect URI of a client with one":   {query: query("client_id", "server", "redirect_uri", "-"), with: registered},
		"empty pairs":                            {query: "&&" + query() + "&"},
		"two resources":                          {query: query("resource", "https://a.example") + "&resource=https%3A%2F%2Fb.example"},
		"two registered resources":               {query: query("client_id", "audience", "resource", "https://api.example") + "&resource=https%3A%2F%2Fb.example", with: registered},
		"the default audience as a resource":     {query: query("audience", "-", "resource", "https://api.example"), with: withDefaultAudience},
		"authorization_details":                  {query: query("authorization_details", `[{"type":"x"}]`)},
		"claims of a client without allow-lists": {query: query("client_id", "server", "redirect_uri", "-", "claims", "{}"), with: registered},
	} {
		t.Run(name, func(t *testing.T) {
			must.Have(testPolicy(t, tc.with).parseAuthorize(tc.query))(t)
		})
	}
}

func TestAuthorizeForwardsWhatIsHarmless(t *testing.T) {
	p := testPolicy(t, func(c *Config) { c.DefaultAudience = "https://api.example" })
	forwarded := func(extra string) url.Values {
		r := must.Have(p.parseAuthorize(query("audience", "-") + extra))(t)
		u := must.Have(url.Parse(r.authorizeURL(p, sealer{})))(t)
		require.Equal(t, "https://idp.example/authorize", u.Scheme+"://"+u.Host+u.Path)
		return must.Have(url.ParseQuery(u.RawQuery))(t)
	}
	q := forwarded("&nonce=n&login_hint=a%40b.example&ui_locales=de%20en&organization=o&ext-x=1&connection=google")
	require.Equal(t, "n", q.Get("nonce"))
	require.Equal(t, "a@b.example", q.Get("login_hint"))
	require.Equal(t, "de en", q.Get("ui_locales"))
	require.Equal(t, "o", q.Get("organization"))
	require.Equal(t, "1", q.Get("ext-x"))
	require.Equal(t, "google", q.Get("connection"))
	require.Equal(t, "https://api.example", q.Get("audience"))

	for _, dropped := range []string{
		"Client_Id", "clientid", "CODE_CHALLENGE", "code-challenge", "code.challenge.method", "redirectUri", "Request",
		"requestUri", "registration", "client_secret", "code_verifier", "access_token", "scope[]",
		"Resource", "authorizationDetails", "CLAIMS", "UserScope", "schema", "_method", "X-HTTP-Method-Override", "web_message_uri", "redirect_url", "client id", strings.Repeat("a", 65), "\u017ftate",
	} {
		extra := "&" + url.QueryEscape(dropped) + "=v"
		require.NotContains(t, forwarded(extra), dropped)
	}
	require.NotContains(t, forwarded("&display="), "display", "empty counts as absent")
}

// authorizedBy is what the IdP gets of a request to a gateway with a callback.
func authorizedBy(t *testing.T, g *sealedGateway, r *authorizeRequest) url.Values {
	t.Helper()
	u := must.Have(url.Parse(r.authorizeURL(g.Policy, g.s)))(t)
	return u.Query()
}

// requireOneOf requires that a parameter is there once, with this value, or not at all.
func requireOneOf(t *testing.T, sent []string, value string) {
	t.Helper()
	if len(sent) > 1 || len(sent) == 1 && sent[0] != value {
		t.Fatalf("the identity provider gets %q and not %s", sent, value)
	}
}

// Parameters that the configuration decides, whatever the client sends.
func TestFixedParameters(t *testing.T) {
	fixed := func(c *Config) {
		c.AuthorizeParameters = map[string]string{"access_type": "offline", "prompt": "consent", "hd": "example.com"}
	}
	for name, tc := range map[string]struct {
		with []string
		want url.Values
	}{
		"sent none":                {nil, url.Values{"access_type": {"offline"}, "prompt": {"consent"}, "hd": {"example.com"}}},
		"sent others":              {[]string{"access_type", "online", "prompt", "login", "hd", "evil.example"}, url.Values{"access_type": {"offline"}, "prompt": {"consent"}, "hd": {"example.com"}}},
		"a silent login":           {[]string{"prompt", "none"}, url.Values{"access_type": {"offline"}, "prompt": {"none"}, "hd": {"example.com"}}},
		"sent by another spelling": {[]string{"Prompt", "login"}, url.Values{"access_type": {"offline"}, "prompt": {"consent"}, "hd": {"example.com"}}},
	} {
		for _, p := range []*Policy{testPolicy(t, fixed), testPolicy(t, registered, fixed)} {
			r, err := p.parseAuthorize(query(tc.with...))
			require.NoError(t, err, name)
			if name == "sent others" {
				require.Empty(t, r.LeftOut)
			}
			got := authorized(t, p, query(tc.with...))
			for _, parameter := range []string{"access_type", "prompt", "hd"} {
				require.Equal(t, tc.want[parameter], got[parameter], name)
			}
			require.NotContains(t, got, "Prompt")
		}
	}
	for says, parameters := range map[string]map[string]string{
		"authorize_parameter client_id is one that the gateway makes itself, for each login": {"client_id": "a"},
		"authorize_parameter nonce is one":                                                   {"nonce": "a"},
		"authorize_parameter scope: what clients get":                                        {"scope": "a"},
		"authorize_parameter audience: what clients get":                                     {"audience": "a"},
		"authorize_parameter state is one that the gateway":                                  {"state": "a"},
		"authorize_parameter redirect_uri is one that":                                       {"redirect_uri": "a"},
		"authorize_parameter request_uri is one that":                                        {"request_uri": "a"},
		"authorize_parameter access_type needs a value":                                      {"access_type": ""},
		"authorize_parameter hd needs a value without control":                               {"hd": "a\nb"},
	} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", AuthorizeParameters: parameters})
		require.ErrorContains(t, err, says)
	}
}

// authorized is what the IdP gets.
func authorized(t *testing.T, p *Policy, query string) url.Values {
	t.Helper()
	r := must.Have(p.parseAuthorize(query))(t)
	u := must.Have(url.Parse(r.authorizeURL(p, sealer{})))(t)
	return u.Query()
}

// What the gateway has checked reaches the IdP as it was sent, once.
func TestCheckedParametersTravel(t *testing.T) {
	p := testPolicy(t)
	for name, value := range map[string]string{
		"audience": "https://api.example", "scope": "openid", "response_type": "code", "client_id": "a", "code_challenge_method": "S256",
		"code_challenge": testChallenge, "response_mode": "fragment", "state": "a state",
		"redirect_uri": "https://a.example/?x=1&y=2", "connection": "google", "prompt": "login", "nonce": "n", "resource": "https://r.example",
		"authorization_details": `[{"type":"x"}]`, "claims": "{}", "include_granted_scopes": "true", "user_scope": "a",
		"optional_scope": "b", "connection_scope": "c",
	} {
		require.Equal(t, []string{value}, authorized(t, p, query(name, value))[name])
	}
}

// IdPs have names of their own for audiences and scopes (SMART on FHIR, Auth0, Slack and
// others), which a list has to hold for as well.
func TestAClientWithListsSendsWhatIsSpecified(t *testing.T) {
	for name, with := range map[string]func(*ClientConfig){
		"scopes":    func(c *ClientConfig) { c.Scopes = []string{"openid", "profile"} },
		"audiences": func(c *ClientConfig) { c.Audiences = []string{"https://api.example"} },
	} {
		t.Run(name, func(t *testing.T) {
			config := ClientConfig{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Parameters: []string{"access_type", "claims"}}
			with(&config)
			p := testPolicy(t, func(c *Config) { c.Clients = []ClientConfig{config} })
			for _, sent := range []string{
				"nonce", "display", "prompt", "max_age", "ui_locales", "claims_locales", "id_token_hint", "login_hint", "acr_values", "connection",
				"access_type", "claims",
			} {
				require.Equal(t, []string{"v"}, authorized(t, p, query(sent, "v"))[sent])
			}
			for _, other := range []string{"aud", "scopes", "audiences", "permissions", "user_scopes", "resources", "organization", "Access_Type", "access-type"} {
				r, err := p.parseAuthorize(query(other, "v"))
				require.NoError(t, err, "clients send harmless ones, too")
				require.Equal(t, params.PrintableName(other), r.LeftOut)
				require.NotContains(t, authorized(t, p, query(other, "v")), other)
			}
			r := must.Have(p.parseAuthorize(query("a password in the wrong place", "v")))(t)
			require.Empty(t, r.LeftOut, "no client's parameter is sent on that is not a name")
			r = must.Have(p.parseAuthorize(query("login_hint", "v")))(t)
			require.Empty(t, r.LeftOut)
		})
	}
	p := testPolicy(t, registered)
	require.Equal(t, "o", authorized(t, p, query("client_id", "server", "redirect_uri", "-", "organization", "o")).Get("organization"), "a client without lists")
}

// What is sent on stands in the array of what was sent: nothing is read there once it is moved.
func TestTheOrderOfParametersDoesNotMatter(t *testing.T) {
	g := newSealedGateway(t, resources(), func(c *Config) { c.AuthorizeParameters = map[string]string{"access_type": "offline"} })
	sent := strings.Split(query("audience", "-", "scope", "read openid", "resource", "https://other.example.com/", "access_type", "online", "nonce", "n"), "&")
	want := must.Have(g.parseAuthorize(strings.Join(sent, "&")))(t)
	require.Contains(t, want.forwarded, params.Param{Name: "scope", Value: "read openid"})
	for range sent {
		sent = append(sent[1:], sent[0])
		q := must.Have(params.Parse(strings.Join(sent, "&"), "query"))(t)
		r := must.Have(g.newAuthorizeRequest(g.registry.Find("app"), &q))(t)
		require.ElementsMatch(t, want.forwarded, r.forwarded)
		require.Equal(t, want.openID, r.openID)
		require.Empty(t, q, "nobody reads it after")
	}
}

func TestTheDefaultAudienceIsForThoseWhoSendNone(t *testing.T) {
	p := testPolicy(t, func(c *Config) { c.DefaultAudience = "https://default.example" })
	require.Equal(t, []string{"https://default.example"}, authorized(t, p, query("audience", "-"))["audience"])
	require.Equal(t, []string{"https://api.example"}, authorized(t, p, query())["audience"])
	require.NotContains(t, authorized(t, testPolicy(t, oauthRules), query("audience", "-")), "audience")
}

// A parameter goes on unless some lenient server could take it for one that the
// gateway has checked, for a secret, or for an override of the request.
func TestNamesThatGoOn(t *testing.T) {
	p := testPolicy(t)
	for _, name := range []string{strings.Repeat("a", 64), "ext.x", "urn:x", "ext-x", "ext_x", "x1", "AZ"} {
		require.Contains(t, authorized(t, p, query()+"&"+name+"=1"), name)
	}
	for _, name := range []string{
		"AUDIENCE", "RESOURCE", "AUTHORIZATION-DETAILS", "authorization.details", "CLAIMS", "SCOPE", "includeGrantedScopes", "userScope",
		"optionalScope", "connectionScope", "responseType", "clientId", "codeChallengeMethod", "codeChallenge", "responseMode", "STATE",
		"redirectUri", "Connection", "PROMPT", "Nonce", "Request", "request-uri", "registration", "DPOP-JKT", "schema", "code", "CODE",
		"code_verifier", "client_secret", "client_assertion", "client_assertion_type", "access_token", "refresh_token", "id_token",
		"token", "password", "returnTo", "post_logout_redirect_uri", "federated", "redirect_url", "return_url", "callback_url",
		"web_message_uri", "web_message_target", "_method", "http_method", "http_method_override", "X-HTTP-Method-Override",
		"-", "._:", "a/b", "a[", "a@", "a`", "a{", "a;", "a b", strings.Repeat("a", 65),
	} {
		require.NotContains(t, authorized(t, p, query()+"&"+strings.ReplaceAll(url.QueryEscape(name), "+", "%20")+"=1"), name)
	}
}

// FuzzAuthorize holds what the gateway sends on to Go's own parser: a request
// that passes must mean the same to it, and contain no parameter twice.
func FuzzAuthorize(f *testing.F) {
	f.Add(query())
	f.Add(query("prompt", "none", "response_mode", "form_post"))
	f.Add(query() + "&client%5Fid=other&resource=a&resource=b")
	f.Add(query() + ";scope=x")
	f.Add(query() + "&x=%ff&federated")
	f.Add(query("redirect_uri", "http://127.0.0.1:1@evil.example/cb"))
	f.Add(query() + "&aud=https://b.example&scopes=admin&access_type=offline&acr_values=a")
	p := testPolicy(f)
	f.Add(query("audience", "-", "scope", "mcp.read", "resource", "https://mcp.example.com/mcp/") + "&resource=HTTPS://mcp.example.com/mcp&Resource=https://evil.example&access_type=online")
	f.Add(query("audience", "-", "scope", "", "resource", "https://third.example.com/a?b=c/") + "&resource=https://mcp.example.com/mcp")
	bounded := testPolicy(f, registered, func(c *Config) { c.Clients[0].Parameters = []string{"access_type"} })
	protecting := newSealedGateway(f, resources(), func(c *Config) { c.AuthorizeParameters = map[string]string{"access_type": "offline"} })
	f.Fuzz(func(t *testing.T, raw string) {
		if r, err := protecting.parseAuthorize(raw); err != nil {
			requireWellFormed(t, err)
		} else {
			q := authorizedBy(t, protecting, &r)
			requireOneOf(t, q["resource"], "https://other.example.com/")
			requireOneOf(t, q["audience"], "urn:third")
			requireOneOf(t, q["access_type"], "offline")
		}
		if r, err := bounded.parseAuthorize(raw); err != nil {
			requireWellFormed(t, err)
		} else if r.ClientID == "app" {
			for _, sent := range r.forwarded {
				if !clients.IsSpecified(sent.Name) && sent.Name != "access_type" {
					t.Fatalf("%q sends %q on", raw, sent.Name)
				}
			}
		}
		r, err := p.parseAuthorize(raw)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		u, err := url.Parse(r.authorizeURL(p, sealer{}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := url.ParseQuery(u.RawQuery)
		if err != nil {
			t.Fatal(err)
		}
		want, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("accepted what url.ParseQuery refuses: %q: %v", raw, err)
		}
		for name, values := range got {
			sent := slices.DeleteFunc(want[name], func(value string) bool { return value == "" })
			if !slices.Equal(values, sent) || len(values) != 1 && name != "resource" {
				t.Fatalf("%q became %q (was %q)", name, values, want[name])
			}
		}
		if got.Get("response_type") != "code" || got.Get("code_challenge_method") != "S256" || len(got.Get("code_challenge")) != 43 {
			t.Fatalf("unchecked parameters in %q", u.RawQuery)
		}
	})
}

func TestQueriesForAProxiedFrontChannel(t *testing.T) {
	p := testPolicy(t, func(c *Config) {
		c.Endpoints = map[Endpoint]string{Authorize: "https://idp.example/a?policy=b2c", Logout: "https://idp.example/l?policy=b2c"}
	})
	r := must.Have(p.parseAuthorize(query()))(t)
	u := must.Have(url.Parse(r.authorizeURL(p, sealer{})))(t)
	require.Equal(t, u.RawQuery, r.authorizeQuery(p, sealer{}))
	require.True(t, strings.HasPrefix(u.RawQuery, "policy=b2c&"))
	w := r.newSilentLogin(p, sealer{})
	require.True(t, strings.HasPrefix(w.url().RawQuery, "policy=b2c&"))
	out := must.Have(p.parseLogout("client_id=app"))(t)
	require.Equal(t, "policy=b2c&client_id=app", out.logoutQuery(p))
}
