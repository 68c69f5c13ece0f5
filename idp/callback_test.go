package idp

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sealedGateway is a policy with a callback, and its keys and clock.
type sealedGateway struct {
	*Policy
	t   testing.TB
	now time.Time
	s   sealer
	// store has the families, with rotation.
	store *replay.Memory
}

func newSealedGateway(t testing.TB, with ...func(*Config)) *sealedGateway {
	p := must.Have(NewPolicy(baseConfig(with...)))(t)
	g := &sealedGateway{Policy: p, t: t, now: time.Unix(1_800_000_000, 0)}
	keys := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return g.now }))(t)
	g.s = sealer{Keys: keys, Now: g.now, Callback: p.CallbackURL("https://gateway.example")}
	g.store = replay.NewMemory(1000, func() time.Time { return g.now })
	return g
}

// pass lets time go by.
func (g *sealedGateway) pass(d time.Duration) {
	g.now = g.now.Add(d)
	g.s.Now = g.now
}

// begin is the query that the IdP gets for an authorization request; with replaces parameters.
func (g *sealedGateway) begin(with ...string) url.Values {
	g.t.Helper()
	all := []string{"scope", "openid", "state", "client-state", "nonce", "client-nonce"}
	r := must.Have(g.parseAuthorize(loginQuery(append(all, with...)...)))(g.t)
	u := must.Have(url.Parse(r.authorizeURL(g.Policy, g.s)))(g.t)
	return u.Query()
}

// called is the callback's response to a code of the IdP.
func (g *sealedGateway) called(state, code string) callbackResponse {
	g.t.Helper()
	return must.Have(g.takeCallback(g.s, callbackRequest{Code: code, State: state}))(g.t)
}

// location is where a redirect of the callback goes.
func location(t testing.TB, page Response) *url.URL {
	t.Helper()
	require.Equal(t, http.StatusSeeOther, page.Status)
	return must.Have(url.Parse(page.Header.Get("Location")))(t)
}

// opened is open of a code that is good.
func (g *sealedGateway) opened(code string, with ...string) (*codeGrant, *tokenRequest) {
	g.t.Helper()
	grant, r, err := g.open(code, with...)
	require.NoError(g.t, err)
	return grant, r
}

// open is openCodeGrant for a token request.
func (g *sealedGateway) open(code string, with ...string) (*codeGrant, *tokenRequest, error) {
	g.t.Helper()
	r, err := g.parseToken("", formHeader(), form(append([]string{"code", code}, with...)...))
	if err != nil {
		return nil, nil, err
	}
	grant, err := r.openCodeGrant(g.Policy, g.s)
	return grant, &r, err
}

func TestALoginThroughTheCallback(t *testing.T) {
	g := newSealedGateway(t)
	upstream := g.begin()
	require.Equal(t, "https://gateway.example/oauth/callback", upstream.Get("redirect_uri"))
	require.Equal(t, testChallenge, upstream.Get("code_challenge"))
	require.Equal(t, "client-nonce", upstream.Get("nonce"))
	require.NotContains(t, upstream.Get("state"), "client-state")
	require.Less(t, len(upstream.Get("state")), 256, "some IdPs bound the length of state")

	response := g.called(upstream.Get("state"), "idp-code")
	require.NoError(t, response.Err)
	require.Equal(t, "app", response.ClientID)
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", response.Header.Get("Referrer-Policy"))
	to := location(t, response.Response)
	require.Equal(t, "https://app.example/cb", to.Scheme+"://"+to.Host+to.Path)
	require.Equal(t, "client-state", to.Query().Get("state"))
	require.NotContains(t, to.Query().Get("code"), "idp-code")

	grant, request := g.opened(to.Query().Get("code"))
	call := must.Have(request.tokenCall(g.Policy, grant, nil, "", g.now))(t)
	sent := must.Have(url.ParseQuery(string(call.Body)))(t)
	require.Equal(t, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"idp-code"},
		"redirect_uri": {"https://gateway.example/oauth/callback"}, "code_verifier": {testVerifier},
	}, sent)
}

func TestACodeIsRedeemedByItsLoginOnly(t *testing.T) {
	g := newSealedGateway(t)
	code := location(t, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code")
	for name, tc := range map[string]struct {
		code string
		with []string
		says string
	}{
		"another verifier":              {code, []string{"code_verifier", strings.Repeat("v", 43)}, "code_verifier does not belong"},
		"another client":                {code, []string{"client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"}, "issued to another client"},
		"another redirect URI":          {code, []string{"redirect_uri", "http://127.0.0.1:9/cb"}, "redirect_uri is not that"},
		"no redirect URI":               {code, []string{"redirect_uri", "-"}, "redirect_uri is not that"},
		"the IdP's own code":            {"idp-code", nil, "did not issue the code"},
		"the state in the code's place": {g.begin().Get("state"), nil, "did not issue the code"},
	} {
		_, _, err := g.open(tc.code, tc.with...)
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, oauth.InvalidGrant, oauth.AsError(err).Code, name)
		require.NotContains(t, err.Error(), code)
	}
	for i := range code {
		altered := []byte(code)
		altered[i] ^= 1
		_, _, err := g.open(string(altered))
		require.Error(t, err, "altered at %d", i)
	}
	_, _, err := g.open("idp-code")
	require.ErrorIs(t, err, seal.ErrInvalid, "newer keys would not help")
	g.pass(login.CodeLifetime)
	_, _, err = g.open(code)
	require.ErrorContains(t, err, "the code is older than 1m0s")
}

// A code is for a redirect URI that is registered still.
func TestACodeWhoseRedirectURIIsRegisteredNoMore(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin("client_id", "single", "redirect_uri", "").Get("state")
	code := location(t, g.called(state, "idp-code").Response).Query().Get("code")
	g.Policy = newSealedGateway(t, func(c *Config) { c.Clients[1].RedirectURIs = []string{"https://single.example/new"} }).Policy
	_, _, err := g.open(code, "client_id", "single", "redirect_uri", "-")
	require.ErrorContains(t, err, "this gateway did not issue the code")
}

func TestARedirectURIThatIsRegisteredTwice(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) {
		c.Clients[0].RedirectURIs = append(c.Clients[0].RedirectURIs, c.Clients[0].RedirectURIs[0])
	})
	require.NoError(t, g.called(g.begin().Get("state"), "idp-code").Err)
}

func TestRedirectURIs(t *testing.T) {
	t.Run("any port on loopback", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("redirect_uri", "http://127.0.0.1:54321/cb").Get("state"), "c").Response)
		require.Equal(t, "127.0.0.1:54321", to.Host)
		g.opened(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54321/cb")
		_, _, err := g.open(to.Query().Get("code"), "redirect_uri", "http://127.0.0.1:54322/cb")
		require.ErrorContains(t, err, "redirect_uri is not that")
	})
	t.Run("the only one, not named", func(t *testing.T) {
		g := newSealedGateway(t)
		to := location(t, g.called(g.begin("client_id", "single", "redirect_uri", "").Get("state"), "c").Response)
		require.Equal(t, "single.example", to.Host)
		require.Equal(t, "1", to.Query().Get("tenant"))
		g.opened(to.Query().Get("code"), "client_id", "single", "redirect_uri", "-")
	})
	t.Run("no clients: loopback only", func(t *testing.T) {
		g := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		to := location(t, g.called(g.begin("client_id", "any client", "redirect_uri", "http://localhost:3000/cb").Get("state"), "c").Response)
		require.Equal(t, "localhost:3000", to.Host)
		grant, _ := g.opened(to.Query().Get("code"), "client_id", "any client", "redirect_uri", "http://localhost:3000/cb")
		require.NotNil(t, grant)
		for _, uri := range []string{"https://app.example/cb", "com.example.app:/cb", ""} {
			_, err := g.parseAuthorize(loginQuery("client_id", "any", "redirect_uri", uri))
			require.ErrorContains(t, err, "redirect_uri must be registered", uri)
		}
	})
	t.Run("none of a login before there were clients", func(t *testing.T) {
		before := newSealedGateway(t, func(c *Config) { c.Clients = nil })
		state := before.begin("redirect_uri", "http://localhost:3000/cb").Get("state")
		after := newSealedGateway(t)
		_, err := after.takeCallback(after.s, callbackRequest{Code: "c", State: state})
		require.Error(t, err)
	})
}

func TestNoLoginEndsAtTheCallback(t *testing.T) {
	s := sealer{Callback: "https://gateway.example/oauth/callback"}
	for uri, own := range map[string]bool{s.Callback: true, "https://app.example/oauth/callback": false, "": false} {
		err := s.checkCallback(&authorizeRequest{RedirectURI: uri})
		require.Equal(t, own, err != nil, uri)
	}
	require.NoError(t, sealer{}.checkCallback(&authorizeRequest{}), "without callback and redirect_uri")
}

func FuzzOpenCode(f *testing.F) {
	g := newSealedGateway(f)
	genuine := location(f, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code")
	f.Add(genuine)
	f.Add(g.begin().Get("state"))
	f.Add("idp-code")
	f.Add("")
	f.Fuzz(func(t *testing.T, code string) {
		r := tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}, tokenForm: tokenForm{Code: code, RedirectURI: "https://app.example/cb", Verifier: testVerifier}}
		if grant, err := r.openCodeGrant(g.Policy, g.s); err == nil && grant.login.Code != "idp-code" {
			t.Fatalf("opened %q", code)
		} else if err != nil {
			requireWellFormed(t, err)
		}
	})
}

func TestWhatALoginMustHave(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Nonce = NonceRequired })
	parse := func(with ...string) error {
		_, err := g.parseAuthorize(query(append([]string{"nonce", "n"}, with...)...))
		return err
	}
	require.NoError(t, parse())
	require.ErrorContains(t, parse("nonce", ""), "nonce is missing or empty")
	require.NoError(t, parse("state", strings.Repeat("s", 2048)))
	require.ErrorContains(t, parse("state", strings.Repeat("s", 2049)), "state is longer than 2048 bytes")
	require.ErrorContains(t, parse("prompt", "login none"), "prompt none can't be combined")
	_, err := newSealedGateway(t, asking).parseAuthorize(consentQuery("app", "https://app.example/cb", "prompt", "none"))
	require.Equal(t, oauth.ConsentRequired, oauth.AsError(err).Code)
	plain := testPolicy(t)
	_, err = plain.parseAuthorize(query("state", strings.Repeat("s", 2049)))
	require.NoError(t, err, "without a callback it is not sealed")
}

func testKeys(t testing.TB, now func() time.Time, masters ...string) *seal.Keys {
	var raw [][]byte
	for _, master := range masters {
		raw = append(raw, []byte(strings.Repeat(master, 32)))
	}
	return must.Have(seal.NewKeys(raw, now))(t)
}

func TestAStateThatDoesNotOpenKeepsTheBrowserHere(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	for name, tc := range map[string]struct {
		at    sealer
		by    *Policy
		state string
	}{
		"none":                 {g.s, g.Policy, ""},
		"made up":              {g.s, g.Policy, "client-state"},
		"cut":                  {g.s, g.Policy, state[:len(state)-1]},
		"at another address":   {sealer{g.s.Keys, g.now, "https://other.example/oauth/callback"}, g.Policy, state},
		"for another IdP":      {g.s, newSealedGateway(t, func(c *Config) { c.AuthURL = "https://other.example" }).Policy, state},
		"for another callback": {g.s, newSealedGateway(t, func(c *Config) { c.Callback.Path = "/cb" }).Policy, state},
		"the client is gone":   {g.s, newSealedGateway(t, func(c *Config) { c.Clients = c.Clients[1:] }).Policy, state},
		"its redirect URI is gone": {g.s, newSealedGateway(t, func(c *Config) {
			c.Clients[0].RedirectURIs = c.Clients[0].RedirectURIs[1:]
		}).Policy, state},
	} {
		_, err := tc.by.takeCallback(tc.at, callbackRequest{Code: "c", State: tc.state})
		require.Equal(t, http.StatusBadRequest, oauth.AsError(err).Status, name)
		require.Equal(t, oauth.InvalidRequest, oauth.AsError(err).Code, name)
	}
}

func TestAnExpiredLoginIsToldToTheClient(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	g.pass(DefaultLoginTimeout - time.Second)
	require.NoError(t, g.called(state, "c").Err)
	g.pass(time.Second)
	response := g.called(state, "c")
	require.ErrorContains(t, response.Err, "longer than the 1h0m0s")
	to := location(t, response.Response).Query()
	require.Equal(t, "access_denied", to.Get("error"))
	require.Equal(t, "client-state", to.Get("state"))
	require.False(t, to.Has("code"))

	g.pass(seal.MaxAge)
	_, err := g.takeCallback(g.s, callbackRequest{Code: "c", State: state})
	require.ErrorIs(t, err, seal.ErrInvalid)
}

func TestErrorsOfTheIdP(t *testing.T) {
	g := newSealedGateway(t)
	state := g.begin().Get("state")
	for name, tc := range map[string]struct {
		c                 callbackRequest
		code, description string
	}{
		"meant for the user":       {callbackRequest{Error: "access_denied", ErrorDescription: "verify your mail address"}, "access_denied", "verify your mail address"},
		"of the IdP's insides":     {callbackRequest{Error: "server_error", ErrorDescription: "db-7 is down"}, "server_error", "the identity provider rejected the login"},
		"not registered":           {callbackRequest{Error: "AADSTS50011", ErrorDescription: "x"}, "server_error", "the identity provider rejected the login"},
		"an error and a code":      {callbackRequest{Error: "access_denied", Code: "c"}, "access_denied", "the identity provider rejected the login"},
		"neither":                  {callbackRequest{}, "server_error", "the identity provider sent neither a code nor an error"},
		"a code with a space":      {callbackRequest{Code: "a b"}, "server_error", "the identity provider sent neither a code nor an error"},
		"a code with a line break": {callbackRequest{Code: "a\nb"}, "server_error", "the identity provider sent neither a code nor an error"},
	} {
		tc.c.State = state
		response, err := g.takeCallback(g.s, tc.c)
		require.NoError(t, err, name)
		to := location(t, response.Response).Query()
		require.Equal(t, url.Values{"error": {tc.code}, "error_description": {tc.description}, "state": {"client-state"}}, to, name)
	}
}

func TestTheIssuerIsCheckedWhereItIsKnown(t *testing.T) {
	g := newSealedGateway(t, func(c *Config) { c.Issuer = "https://idp.example/" })
	state := g.begin().Get("state")
	for issuer, code := range map[string]string{"": "", "https://idp.example/": "", "https://idp.example": "server_error", "https://evil.example/": "server_error"} {
		response := must.Have(g.takeCallback(g.s, callbackRequest{Code: "c", State: state, Issuer: issuer}))(t)
		require.Equal(t, code, location(t, response.Response).Query().Get("error"), issuer)
	}
	unknown := newSealedGateway(t)
	response := must.Have(unknown.takeCallback(unknown.s, callbackRequest{Code: "c", State: unknown.begin().Get("state"), Issuer: "https://idp.example/"}))(t)
	require.NoError(t, response.Err)
	require.Empty(t, location(t, response.Response).Query().Get("iss"), "nobody has checked it")
}

func TestTheClientsResponseMode(t *testing.T) {
	g := newSealedGateway(t)
	call := func(with ...string) callbackResponse { return g.called(g.begin(with...).Get("state"), "idp-code") }

	to := location(t, call("response_mode", "fragment").Response)
	fragment := must.Have(url.ParseQuery(to.Fragment))(t)
	require.Empty(t, to.RawQuery)
	require.Equal(t, "client-state", fragment.Get("state"))
	require.NotEmpty(t, fragment.Get("code"))

	post := call("response_mode", "form_post")
	require.Equal(t, http.StatusOK, post.Status)
	require.Contains(t, string(post.Body), `<form method="post" action="https://app.example/cb">`)
	require.Contains(t, string(post.Body), `name="state" value="client-state"`)
	require.Contains(t, post.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")

	// Nobody has signed them, and so they are marked up as what they are: text.
	apple := callbackRequest{Code: "idp-code", SessionState: "x.y", User: `{"name":{"firstName":"\"><script>"}}`}
	for mode, want := range map[string]struct{ session, user bool }{"form_post": {true, true}, "query": {true, false}, "fragment": {true, false}, "web_message": {true, false}} {
		apple.State = g.begin("response_mode", mode).Get("state")
		response := must.Have(g.takeCallback(g.s, apple))(t)
		sent := string(response.Body) + response.Header.Get("Location")
		require.Equal(t, want.session, strings.Contains(sent, "x.y"), mode)
		require.Equal(t, want.user, strings.Contains(sent, "firstName"), mode)
		require.NotContains(t, sent, "><script>", mode)
	}
	apple.Error, apple.State = "access_denied", g.begin("response_mode", "form_post").Get("state")
	denied := must.Have(g.takeCallback(g.s, apple))(t)
	require.NotContains(t, string(denied.Body), "firstName", "an error has neither")

	message := call("response_mode", "web_message", "state", "</script>")
	require.Contains(t, string(message.Body), `"https://app.example")`)
	require.Contains(t, message.Header.Get("Content-Security-Policy"), "frame-ancestors https://app.example")
	require.Equal(t, 1, strings.Count(string(message.Body), "</script>"))

	to = location(t, call("redirect_uri", "com.example.app:/cb").Response)
	require.Equal(t, "com.example.app", to.Scheme)
	for _, mode := range []string{"fragment", "form_post", "web_message"} {
		_, err := g.parseAuthorize(loginQuery("redirect_uri", "com.example.app:/cb", "response_mode", mode))
		require.ErrorContains(t, err, "response_mode must be query", mode)
	}
}

func TestTheIdPsResponseModeIsTheGateways(t *testing.T) {
	require.Equal(t, "query", newSealedGateway(t).begin("response_mode", "web_message").Get("response_mode"))
	require.False(t, newSealedGateway(t).begin().Has("response_mode"))
	auth0 := newSealedGateway(t, func(c *Config) { c.AuthURL = "https://tenant.eu.auth0.com" })
	require.Equal(t, "form_post", auth0.begin("response_mode", "query").Get("response_mode"))
	asked := newSealedGateway(t, func(c *Config) { c.AuthURL = "https://tenant.auth0.com" })
	require.Equal(t, "form_post", asked.begin().Get("response_mode"))
}

func TestConfigurationsOfTheCallback(t *testing.T) {
	for name, tc := range map[string]struct {
		callback CallbackConfig
		says     string
	}{
		"the default":         {CallbackConfig{}, ""},
		"a path":              {CallbackConfig{Path: "/login/done"}, ""},
		"the shortest login":  {CallbackConfig{LoginTimeout: time.Minute}, ""},
		"the longest":         {CallbackConfig{LoginTimeout: 24 * time.Hour}, ""},
		"a shorter one":       {CallbackConfig{LoginTimeout: time.Minute - 1}, "login_timeout must be between 1m and 24h0m0s"},
		"a longer one":        {CallbackConfig{LoginTimeout: 24*time.Hour + 1}, "login_timeout must be between 1m and 24h0m0s"},
		"an endpoint's path":  {CallbackConfig{Path: "/authorize"}, "is the authorize endpoint's path"},
		"a path to normalise": {CallbackConfig{Path: "/oauth//callback"}, "lower-case letters"},
		"that of revocation":  {CallbackConfig{Path: "/oauth/revoke"}, "callback: /oauth/revoke is the revoke endpoint's path"},
		"that of consent":     {CallbackConfig{Path: "/oauth/consent"}, "callback: /oauth/consent is the consent endpoint's path"},
	} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Callback: &tc.callback})
		requireError(t, err, tc.says, name)
	}
}

func FuzzCallback(f *testing.F) {
	g := newSealedGateway(f)
	state := g.begin().Get("state")
	f.Add("GET", "code=c&state="+state, "")
	f.Add("POST", "", "code=c&state="+state+"&session_state=1")
	f.Add("GET", "error=access_denied&error_description=a%0ab&state="+state, "")
	f.Add("GET", "code=c&code=d&state=%00", "")
	header := formHeader()
	f.Fuzz(func(t *testing.T, method, query, body string) {
		c, err := parseCallback(method, query, header, body)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		response, err := g.takeCallback(g.s, c)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		// Each fuzzing process seals seeds of its own with the same keys: what opens
		// has to be one of those logins.
		to := location(t, response.Response)
		if to.Scheme+"://"+to.Host+to.Path != "https://app.example/cb" || to.Query().Get("state") != "client-state" {
			t.Fatalf("went to %s", to)
		}
	})
}

func TestAuthorizationResponsesOfIdPs(t *testing.T) {
	header := formHeader()
	for name, tc := range map[string]struct {
		method, query, body, says string
		header                    http.Header
		want                      callbackRequest
	}{
		"a code":           {method: "GET", query: "code=c&state=s&session_state=x&user=%7B%7D", header: header, want: callbackRequest{Code: "c", State: "s", SessionState: "x"}},
		"an issuer":        {method: "GET", query: "code=c&state=s&iss=https://idp.example", header: header, want: callbackRequest{Code: "c", State: "s", Issuer: "https://idp.example"}},
		"an error":         {method: "GET", query: "error=access_denied&error_description=a+b&state=s", header: header, want: callbackRequest{Error: "access_denied", ErrorDescription: "a b", State: "s"}},
		"posted":           {method: "POST", query: "code=ignored", body: "code=c&state=s", header: header, want: callbackRequest{Code: "c", State: "s"}},
		"a user":           {method: "POST", body: `code=c&state=s&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%7D%7D`, header: header, want: callbackRequest{Code: "c", State: "s", User: `{"name":{"firstName":"Ada"}}`}},
		"a user by name":   {method: "POST", body: `code=c&state=s&user=Ada`, header: header, want: callbackRequest{Code: "c", State: "s"}},
		"a list of users":  {method: "POST", body: `code=c&state=s&user=%5B%7B%7D%5D`, header: header, want: callbackRequest{Code: "c", State: "s"}},
		"half a user":      {method: "POST", body: `code=c&state=s&user=%7B%22a`, header: header, want: callbackRequest{Code: "c", State: "s"}},
		"two users in one": {method: "POST", body: `code=c&state=s&user=%7B%7D%7B%7D`, header: header, want: callbackRequest{Code: "c", State: "s"}},
		"a name twice":     {method: "POST", body: `code=c&state=s&user=%7B%22a%22%3A1%2C%22a%22%3A2%7D`, header: header, want: callbackRequest{Code: "c", State: "s"}},
		"two users":        {method: "POST", body: `code=c&state=s&user=%7B%7D&user=%7B%7D`, header: header, says: "the parameter user occurs more than once"},
		"a user that is too long": {
			method: "POST", body: `code=c&state=s&user=%7B%22a%22%3A%22` + strings.Repeat("a", maxUser) + `%22%7D`, header: header, want: callbackRequest{Code: "c", State: "s"},
		},
		"a session that is too long": {method: "GET", query: "code=c&state=s&session_state=" + strings.Repeat("a", maxSessionState+1), header: header, want: callbackRequest{Code: "c", State: "s"}},
		"posted as JSON":             {method: "POST", body: "{}", header: http.Header{"Content-Type": {"application/json"}}, says: "application/x-www-form-urlencoded"},
		"two codes":                  {method: "GET", query: "code=c&code=d", header: header, says: "the parameter code occurs more than once"},
		"two states":                 {method: "GET", query: "state=c&state=c", header: header, says: "the parameter state occurs more than once"},
		"two of another one":         {method: "GET", query: "code=c&x=1&x=2", header: header, want: callbackRequest{Code: "c"}},
		"a semicolon":                {method: "GET", query: "code=c;state=s", header: header, says: "semicolon"},
	} {
		c, err := parseCallback(tc.method, tc.query, tc.header, tc.body)
		if tc.says != "" {
			require.ErrorContains(t, err, tc.says, name)
			requireWellFormed(t, err)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, tc.want, c, name)
	}
}

// RFC 9207 section 2.4: an IdP that always names itself does so.
func TestAnIdPThatLeavesOutItsName(t *testing.T) {
	g := newSealedGateway(t)
	m := must.Have(discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_response_iss_parameter_supported":true}`)))(t)
	g.Policy = g.withMetadata(m)
	state := g.begin().Get("state")
	require.ErrorContains(t, g.called(state, "c").Err, "does not say which identity provider it is from")
	response := must.Have(g.takeCallback(g.s, callbackRequest{Code: "c", State: state, Issuer: "https://idp.example"}))(t)
	require.NoError(t, response.Err)
	require.Same(t, m, g.idp.Metadata())
}

func TestErrorsOfTheIdPByTheirCodes(t *testing.T) {
	for code, want := range map[string]struct {
		code  oauth.Code
		words string
	}{
		"access_denied": {oauth.AccessDenied, "words"}, "interaction_required": {oauth.InteractionRequired, "words"}, "login_required": {oauth.LoginRequired, "words"},
		"consent_required": {oauth.ConsentRequired, "words"}, "account_selection_required": {oauth.AccountSelectionRequired, "words"},
		"unmet_authentication_requirements": {oauth.UnmetAuthentication, "words"},
		"invalid_request":                   {oauth.InvalidRequest, ""}, "unauthorized_client": {oauth.UnauthorizedClient, ""}, "unsupported_response_type": {oauth.UnsupportedResponseType, ""},
		"invalid_scope": {oauth.InvalidScope, ""}, "temporarily_unavailable": {oauth.TemporarilyUnavailable, ""},
		"server_error": {oauth.ServerError, ""}, "AADSTS50011": {oauth.ServerError, ""}, "invalid_client": {oauth.ServerError, ""},
	} {
		e := oauth.AsError(idpError(callbackRequest{Error: code, ErrorDescription: "words"}, false))
		require.Equal(t, want.code, e.Code, code)
		require.Equal(t, want.words, e.Detail, code)
		own := oauth.AsError(idpError(callbackRequest{Error: code, ErrorDescription: "words"}, true))
		require.Equal(t, code == "invalid_scope", own.Description != e.Description, code)
	}
}

// What one site has sealed, another one with the same keys opens only if it has the same
// IdP, callback, public URL, replay store and rules for what is exchanged, and if the
// client may do the same at both. What does not count is what a request says.
func TestWhatAnotherSiteHasSealed(t *testing.T) {
	site := func(with ...func(*Config)) *sealedGateway {
		return newSealedGateway(t, append([]func(*Config){func(c *Config) { c.Clients = c.Clients[:1] }}, with...)...)
	}
	first := site()
	state := first.begin().Get("state")
	code := location(t, first.called(state, "idp-code").Response).Query().Get("code")
	form := func(c *Config) *ClientConfig { return &c.Clients[0] }
	for name, tc := range map[string]struct {
		with func(*Config)
		same bool
	}{
		"the same": {func(*Config) {}, true},
		"another client besides": {func(c *Config) {
			c.Clients = append(c.Clients, ClientConfig{ID: "new", RedirectURIs: []string{"https://new.example/cb"}})
		}, true},
		"a longer timeout": {func(c *Config) {
			c.Callback = &CallbackConfig{LoginTimeout: 2 * time.Hour}
		}, true},
		"the client's name":              {func(c *Config) { form(c).Name = "App" }, true},
		"the authentication by its name": {func(c *Config) { form(c).AuthMethods = []string{AuthNone} }, true},
		"another IdP":                    {func(c *Config) { c.AuthURL = "https://idp.example/other" }, false},
		"another path":                   {func(c *Config) { c.Callback = &CallbackConfig{Path: "/cb"} }, false},
		"another public URL":             {func(c *Config) { c.PublicURL = "https://other.example" }, false},
		"another replay store":           {func(c *Config) { c.Replay = "another" }, false},
		"rotation":                       {func(c *Config) { c.Rotation = &rotation.Config{} }, false},
		"the default by its name":        {func(c *Config) { c.Nonce = NonceOptional }, true},
		"parameters nonce":               {func(c *Config) { c.Nonce = NonceRequired }, false},
		"step_up":                        {stepsUp, false},
		"another issuer":                 {func(c *Config) { c.Issuer = "https://idp.example/" }, false},
		"more audiences":                 {func(c *Config) { form(c).Audiences = []string{"https://api.example"} }, false},
		"more scopes":                    {func(c *Config) { form(c).Scopes = []string{"openid"} }, false},
		"another authentication":         {func(c *Config) { form(c).AuthMethods = []string{"none", "client_secret_basic"} }, false},
		"consent":                        {func(c *Config) { form(c).Consent = true }, false},
		"another client at the IdP":      {func(c *Config) { form(c).IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} }, false},
	} {
		second := site(tc.with)
		_, err := second.takeCallback(sealer{Keys: first.s.Keys, Now: first.now, Callback: first.s.Callback}, callbackRequest{Code: "idp-code", State: state})
		require.Equal(t, tc.same, err == nil, "%s: %v", name, err)
		_, _, err = second.open(code)
		require.Equal(t, tc.same, err == nil, "%s: %v", name, err)
		if !tc.same {
			require.Contains(t, err.Error(), "this gateway did not issue the code", name)
		}
	}
	internal := site()
	internal.s.Callback = "http://gateway.internal:8080/oauth/callback"
	_, _, err := internal.open(code)
	require.NoError(t, err, "the token endpoint may be reached by another name")
	_, err = internal.takeCallback(internal.s, callbackRequest{Code: "idp-code", State: state})
	require.Error(t, err, "the callback may not")
}
