package idp

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const (
	gatewayURL = "https://login.example.com"
	serverA    = "https://a.example.com/mcp"
	serverB    = "https://b.example.com"
)

// withOwnTokens are two resources with tokens of the gateway's own, and agents that use
// them as one client of the IdP.
func withOwnTokens(c *Config) {
	c.Parameters, c.PublicURL = "", gatewayURL
	c.Resources = []ResourceConfig{
		{
			URI: serverA, Scopes: []ScopeConfig{{Name: "read"}, {Name: "write"}}, DefaultScopes: []string{"read", "write"},
			Introspection: &IntrospectionConfig{ClientID: "server-a", ClientSecret: "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a"},
		},
		{URI: serverB, Scopes: []ScopeConfig{{Name: "read"}}, Introspection: &IntrospectionConfig{ClientID: "server-b", ClientSecret: "hQ7vX2mK9pL4wN8rT5yB3zD6-server-b"}},
	}
	for i := range c.Clients {
		c.Clients[i].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s3cret"}
	}
}

// agent is an agent at a gateway whose IdP answers what a test says.
type agent struct {
	*served
	asks  []string // parameters of its authorization requests
	code  string   // the IdP's
	nonce string   // of the last login
	// claims are those of the ID token in the next token response, besides iss, sub, aud, exp, nonce and those of
	// person; nil: it has none. One that is nil is left out.
	claims, person map[string]any
	// sign makes ID tokens.
	sign func(claims map[string]any) string
	// token are members of the next token response; one that is nil is left out.
	token map[string]any
	// info is the user info.
	info       string
	infoStatus int // 0: the connection ends
	// exchange answers what is no grant of a login; nil: the same as one.
	exchange func(url.Values) (*http.Response, error)
}

// newAgent is an agent of [withOwnTokens], before an OpenID Provider or another IdP.
func newAgent(t testing.TB, openID bool, with ...func(*Config)) *agent {
	a := newClient(newServed(t, append([]func(*Config){withOwnTokens}, with...)...))
	a.asks = []string{"resource", serverA}
	if openID {
		m := openIDProvider()
		m.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
		a.use(a.sealed.withMetadata(m))
		a.claims = map[string]any{}
	}
	return a
}

// newClient has the IdP of a gateway answer what the fields of agent say.
func newClient(s *served) *agent {
	a := &agent{served: s, infoStatus: 200, code: "idp-code", sign: unsigned}
	a.token = map[string]any{"access_token": "idp-access", "token_type": "bearer", "expires_in": 600, "refresh_token": "idp-refresh"}
	a.respond(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/userinfo" {
			if a.infoStatus == 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return idpResponse(a.infoStatus, a.info), nil
		}
		if form := a.sent[len(a.sent)-1].form; a.exchange != nil && strings.HasPrefix(form.Get("grant_type"), "urn:") {
			return a.exchange(form)
		}
		answer := replacedClaims(map[string]any{}, a.token)
		if a.claims != nil {
			claims := map[string]any{"iss": "https://idp.example", "sub": "user-1", "aud": "gateway", "exp": a.sealed.now.Add(time.Minute).Unix(), "nonce": a.nonce}
			answer["id_token"] = a.sign(replacedClaims(replacedClaims(claims, a.person), a.claims))
		}
		return idpResponse(200, string(must.Have(json.Marshal(answer))(a.t))), nil
	})
	return a
}

func (a *agent) use(p *Policy) { a.sealed.Policy, a.configured = p, p }

// logIn is the code of a login; with are parameters of the authorization request.
func (a *agent) logIn(with ...string) string {
	a.t.Helper()
	return a.calledBack(a.begun(with...))
}

// authorize is the result of an authorization request; with replaces parameters.
func (a *agent) authorize(with ...string) *Result {
	return a.do("GET", "/authorize?"+loginQuery(append(slices.Clone(a.asks), with...)...), "")
}

// begun is the state of a login at the IdP.
func (a *agent) begun(with ...string) string {
	a.t.Helper()
	begun := a.authorize(with...)
	require.Equal(a.t, http.StatusFound, begun.Status, string(begun.Body))
	at := must.Have(url.Parse(begun.Header.Get("Location")))(a.t)
	require.Empty(a.t, at.Query().Get("error"), at)
	a.nonce = at.Query().Get("nonce")
	return at.Query().Get("state")
}

// calledBack is the client's code of a login with which the browser comes back from the IdP.
func (a *agent) calledBack(state string) string {
	a.t.Helper()
	called := a.do("GET", "/oauth/callback?code="+a.code+"&state="+url.QueryEscape(state), "")
	require.Equal(a.t, http.StatusSeeOther, called.Status, string(called.Body))
	back := must.Have(url.Parse(called.Header.Get("Location")))(a.t)
	require.Equal(a.t, gatewayURL, back.Query().Get("iss"), "the issuer of the agent's tokens is the gateway")
	return back.Query().Get("code")
}

// granted is a response of the token endpoint.
type granted struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"`
	Scope        string `json:"scope"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	// Of an error:
	Error       oauth.Code `json:"error"`
	Description string     `json:"error_description"`
}

func (a *agent) answer(result *Result) granted {
	a.t.Helper()
	require.Equal(a.t, 200, result.Status, string(result.Body))
	require.NotContains(a.t, string(result.Body), "idp-access", "nothing of the IdP's reaches the agent")
	require.NotContains(a.t, string(result.Body), "idp-refresh")
	return decoded[granted](a.t, result.Body)
}

// tokens are those of a whole login.
func (a *agent) tokens(with ...string) granted {
	a.t.Helper()
	return a.answer(a.redeem(a.logIn(with...)))
}

func (a *agent) renew(token string, with ...string) *Result {
	return a.do("POST", "/oauth/token", refreshForm("app", token, with...))
}

func (a *agent) opened(token string) *gatewaytoken.Token {
	a.t.Helper()
	return must.Have(gatewaytoken.Open(a.t.Context(), seal.Static(a.sealed.s.Keys), gatewayURL, token, a.sealed.now))(a.t)
}

// refuses checks that a response is an error, and that it says so.
func (a *agent) refuses(result *Result, code oauth.Code, says string) {
	a.t.Helper()
	e := decoded[granted](a.t, result.Body)
	require.Equal(a.t, code, e.Error, string(result.Body))
	require.Contains(a.t, e.Description, says)
	require.Empty(a.t, e.AccessToken)
}

// A client gets no more than its own list has: not by leaving scope out, so that the resource's default
// takes its place, and not by a refresh token from before a list was made smaller.
func TestTheListsOfAClientHoldInEachLogin(t *testing.T) {
	reading := func(c *Config) { c.Clients[0].Scopes = []string{"read"} }
	a := newAgent(t, true, reading)
	got := a.tokens()
	require.Equal(t, "read", got.Scope)
	require.Equal(t, "read", a.opened(got.AccessToken).Scope)

	for name, tt := range map[string]struct {
		smaller func(*Config)
		want    string // "" if the refresh is refused
	}{
		"as it was":              {nil, "read write"},
		"the client's scopes":    {reading, "read"},
		"the resource's scopes":  {func(c *Config) { c.Resources[0].Scopes, c.Resources[0].DefaultScopes = c.Resources[0].Scopes[:1], nil }, "read"},
		"the client's resources": {func(c *Config) { c.Clients[0].Audiences = []string{serverB} }, ""},
	} {
		a := newAgent(t, true)
		got := a.tokens()
		require.Equal(t, "read write", got.Scope, name)
		a.configured = newAgent(t, true, tt.smaller).configured
		if result := a.renew(got.RefreshToken); tt.want == "" {
			a.refuses(result, oauth.InvalidGrant, "log in again")
		} else {
			require.Equal(t, tt.want, a.answer(result).Scope, name)
		}
	}
}

func TestAnAgentGetsATokenOfTheGatewaysOwn(t *testing.T) {
	a := newAgent(t, true)
	a.token["custom"], a.token["scope"] = "of the IdP", "openid read write"
	got := a.tokens()
	require.Equal(t, granted{AccessToken: got.AccessToken, TokenType: "Bearer", ExpiresIn: 600, Scope: "read write", RefreshToken: got.RefreshToken}, got)
	token := a.opened(got.AccessToken)
	require.Equal(t, &gatewaytoken.Token{
		Issuer: gatewayURL, Resource: serverA, Subject: "user-1", ClientID: "app", Scope: "read write",
		Issued: a.sealed.now, Expires: a.sealed.now.Add(10 * time.Minute), ID: token.ID, LoginID: token.LoginID,
	}, token)
	require.Len(t, token.LoginID, 10)
	require.Len(t, a.sent, 1, "the IdP was asked for its token, and for nothing else")
}

func TestHowLongAnAccessTokenIsGood(t *testing.T) {
	for said, want := range map[any]int{nil: 3600, 60: 60, 3600: 3600, 86400: 3600, "120": 120, 1.5: 1, 1e300: 3600} {
		a := newAgent(t, true)
		a.token["expires_in"] = said
		require.Equal(t, want, a.tokens().ExpiresIn, said)
	}
	for _, said := range []any{0, -1, "soon", true, []int{1}, "", 0.5} {
		a := newAgent(t, true)
		a.token["expires_in"] = said
		if said == "" {
			require.Equal(t, 3600, a.tokens().ExpiresIn)
			continue
		}
		a.refuses(a.redeem(a.logIn()), oauth.ServerError, "expires_in is not a positive number")
	}
}

// OpenID Connect Core 1.0 section 3.1.3.7. Whoever can put another ID token into the
// answer, by a code of another login or another client, or has the IdP's clock wrong,
// becomes nobody here.
func TestWhoTheUserIsByTheIDToken(t *testing.T) {
	for name, tc := range map[string]struct {
		claims map[string]any
		says   string
	}{
		"the login's":                     {claims: map[string]any{}},
		"for the gateway and another one": {claims: map[string]any{"aud": []string{"gateway", "x"}, "azp": "gateway"}},
		"of another issuer":               {claims: map[string]any{"iss": "https://evil.example"}, says: "another issuer"},
		"of an issuer with a slash":       {claims: map[string]any{"iss": "https://idp.example/"}, says: "another issuer"},
		"of nobody":                       {claims: map[string]any{"iss": nil}, says: "another issuer"},
		"for another client":              {claims: map[string]any{"aud": "other"}, says: "another client's"},
		"for several, to none of them":    {claims: map[string]any{"aud": []string{"gateway", "x"}}, says: "not for gateway alone"},
		"for several, to another one":     {claims: map[string]any{"aud": []string{"gateway", "x"}, "azp": "x"}, says: "not for gateway alone"},
		"given to another client":         {claims: map[string]any{"azp": "x"}, says: "not for gateway alone"},
		"of another login":                {claims: map[string]any{"nonce": "identity-gateway.x"}, says: "another login's"},
		"without a nonce":                 {claims: map[string]any{"nonce": nil}, says: "another login's"},
		"expired":                         {claims: map[string]any{"exp": 1_799_999_000}, says: "expired"},
		"that never expires":              {claims: map[string]any{"exp": nil}, says: "expired"},
		"that expires some day":           {claims: map[string]any{"exp": "tomorrow"}, says: "can't be read"},
		"without a user":                  {claims: map[string]any{"sub": nil}, says: "does not say who the user is"},
		"with an empty user":              {claims: map[string]any{"sub": ""}, says: "does not say who the user is"},
		"with a user who is a number":     {claims: map[string]any{"sub": 7}, says: "can't be read"},
		"with a user with a line break":   {claims: map[string]any{"sub": "user\n1"}, says: "does not say who the user is"},
		"with an endless user":            {claims: map[string]any{"sub": strings.Repeat("u", 256)}, says: "does not say who the user is"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true)
			a.claims = tc.claims
			result := a.redeem(a.logIn())
			if tc.says == "" {
				require.Equal(t, "user-1", a.opened(a.answer(result).AccessToken).Subject)
				return
			}
			a.refuses(result, oauth.ServerError, tc.says)
		})
	}
	a := newAgent(t, true)
	a.claims = nil
	a.refuses(a.redeem(a.logIn()), oauth.ServerError, "sent no ID token")
}

// What goes wrong with the user's name is the operator's to know.
func TestAnIdPWithoutUserInfo(t *testing.T) {
	a := newAgent(t, false)
	p := *a.sealed.Policy
	idp := must.Have(upstream.New(upstream.Config{
		AuthURL: "https://idp.example", Discover: true, BindsLogins: true, Endpoints: map[Endpoint]string{Authorize: Authorize.Path(), Token: Token.Path()},
	}))(t)
	p.idp = idp.WithMetadata(new(discovery.Metadata), false)
	a.use(&p)
	a.refuses(a.redeem(a.logIn()), oauth.ServerError, "has no userinfo endpoint")
}

func TestGooglesIssuerMayLackItsScheme(t *testing.T) {
	p := testPolicy(t, registered).withMetadata(&discovery.Metadata{Issuer: "https://accounts.google.com"})
	require.True(t, p.idp.IsIssuer("https://accounts.google.com"))
	require.True(t, p.idp.IsIssuer("accounts.google.com"))
	require.False(t, testPolicy(t, registered).withMetadata(openIDProvider()).idp.IsIssuer("idp.example"))
}

func TestWhoTheUserIsByUserInfo(t *testing.T) {
	for name, tc := range map[string]struct {
		status              int
		info, subject, says string
	}{
		"OpenID Connect":         {200, `{"sub":"user-1","id":"x"}`, "user-1", ""},
		"GitHub":                 {200, `{"login":"octocat","id":583231,"name":"The \u0000 Octocat"}`, "583231", ""},
		"an id of letters":       {200, `{"id":"a1-b_2"}`, "a1-b_2", ""},
		"a number in two forms":  {200, `{"id":5.8e5}`, "", "does not say who the user is"},
		"a negative number":      {200, `{"id":-7}`, "-7", ""},
		"text with escapes":      {200, `{"id":"\u0061"}`, "", "does not say who the user is"},
		"no user":                {200, `{"name":"n"}`, "", "does not say who the user is"},
		"null":                   {200, `{"id":null}`, "", "does not say who the user is"},
		"true":                   {200, `{"id":true}`, "", "does not say who the user is"},
		"an object":              {200, `{"id":{}}`, "", "does not say who the user is"},
		"a sub that is a number": {200, `{"sub":7}`, "", "no sub and no id"},
		"two of them":            {200, `{"id":1,"id":2}`, "", "no sub and no id"},
		"no JSON":                {200, `<html>`, "", "no sub and no id"},
		"an error":               {401, `{"error":"x"}`, "", "responded with an error"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false)
			a.info, a.infoStatus = tc.info, tc.status
			result := a.redeem(a.logIn())
			asked := a.sent[len(a.sent)-1]
			require.Equal(t, "GET https://idp.example/userinfo", asked.Method+" "+asked.URL.String())
			require.Equal(t, "Bearer idp-access", asked.Header.Get("Authorization"))
			require.NotEmpty(t, asked.Header.Get("User-Agent"), "GitHub rejects requests without one")
			if tc.says != "" {
				a.refuses(result, oauth.ServerError, tc.says)
				return
			}
			require.Equal(t, tc.subject, a.opened(a.answer(result).AccessToken).Subject)
		})
	}
}

// The agent may send openid and a nonce or not; whose the login is has to be known anyhow.
func TestWhoGetsTheIDToken(t *testing.T) {
	own := func(c *Config) {
		c.Clients[0].IdPClient.ID = "app"
	}
	for name, tc := range map[string]struct {
		with  func(*Config)
		ask   []string
		gets  bool
		nonce string // of the IdP's request; "" for the gateway's own
	}{
		"who asks for nothing":                {with: own},
		"who asks for openid":                 {with: own, ask: []string{"scope", "openid read"}},
		"who sends a nonce":                   {with: own, ask: []string{"nonce", "n"}},
		"who asks for openid with a nonce":    {with: own, ask: []string{"scope", "openid read", "nonce", "n"}, gets: true, nonce: "n"},
		"whose ID tokens would be another's":  {with: func(*Config) {}, ask: []string{"scope", "openid read", "nonce", "n"}},
		"whose ID tokens would be for others": {with: func(c *Config) { c.Clients[1].IdPClient.ID, c.Clients[0].IdPClient.ID = "single", "single" }, ask: []string{"scope", "openid read", "nonce", "n"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, tc.with)
			idpClient := a.sealed.registry.Find("app").IDAtIdP()
			a.claims = map[string]any{"aud": idpClient}
			if tc.gets {
				r := must.Have(a.sealed.parseAuthorize(loginQuery(tc.ask...)))(t)
				require.False(t, r.ownOpenID)
				a.nonce = tc.nonce
				code := location(t, a.sealed.called(mustQuery(t, r.authorizeURL(a.sealed.Policy, a.sealed.s)).Get("state"), "idp-code").Response).Query().Get("code")
				require.NotEmpty(t, a.answer(a.redeem(code)).IDToken)
				return
			}
			got := a.tokens(tc.ask...)
			require.True(t, strings.HasPrefix(a.nonce, ownNoncePrefix), a.nonce)
			require.Empty(t, got.IDToken)
			require.Equal(t, "user-1", a.opened(got.AccessToken).Subject)
		})
	}
}

func mustQuery(t testing.TB, raw string) url.Values {
	u := must.Have(url.Parse(raw))(t)
	return u.Query()
}

func TestARefreshIsOfTheUserWhoLoggedIn(t *testing.T) {
	for _, with := range []func(*Config){rotating, func(*Config) {}} {
		for name, tc := range map[string]struct {
			openID     bool
			claims     map[string]any
			info, says string
			status     int
			code       oauth.Code // "" if it is granted
		}{
			"the same":                          {openID: true, claims: map[string]any{"nonce": nil}},
			"no ID token":                       {openID: true},
			"another user":                      {openID: true, claims: map[string]any{"sub": "user-2"}, code: oauth.InvalidGrant, says: "another user"},
			"another issuer's user":             {openID: true, claims: map[string]any{"iss": "https://evil.example"}, code: oauth.ServerError, says: "another issuer"},
			"another client's user":             {openID: true, claims: map[string]any{"aud": "other"}, code: oauth.ServerError, says: "not for gateway alone"},
			"an old ID token":                   {openID: true, claims: map[string]any{"exp": 1}, code: oauth.ServerError, says: "expired"},
			"the same, by user info":            {info: `{"id":7}`, status: 200},
			"another user, by user info":        {info: `{"id":8}`, status: 200, code: oauth.InvalidGrant, says: "another user"},
			"a user info that does not respond": {status: 500, code: oauth.TemporarilyUnavailable, says: "does not say at the moment who the user is"},
		} {
			t.Run(name, func(t *testing.T) {
				a := newAgent(t, tc.openID, with)
				a.info = `{"id":7}`
				first := a.tokens()
				a.claims, a.info, a.infoStatus, a.token["refresh_token"] = tc.claims, tc.info, tc.status, "idp-refresh-2"
				result := a.renew(first.RefreshToken)
				if tc.code != "" {
					a.refuses(result, tc.code, tc.says)
					if tc.code != oauth.InvalidGrant && a.families != nil {
						calls := len(a.sent)
						a.claims, a.info, a.infoStatus = nil, `{"id":7}`, 200
						a.sealed.pass(time.Minute) // beyond the grace
						a.answer(a.renew(first.RefreshToken))
						require.Equal(t, "idp-refresh-2", a.sent[calls].form.Get("refresh_token"), "what the IdP gave was not lost")
					}
					return
				}
				got := a.answer(result)
				require.Equal(t, a.opened(first.AccessToken).Subject, a.opened(got.AccessToken).Subject)
				require.NotEmpty(t, got.RefreshToken)
			})
		}
	}
}

// RFC 6749 section 6: less than the login's scope may be asked for, more never.
func TestTheScopeOfARefresh(t *testing.T) {
	a := newAgent(t, true)
	whole := a.tokens()
	require.Equal(t, "read write", whole.Scope)
	got := a.answer(a.renew(whole.RefreshToken, "scope", "read"))
	require.Equal(t, "read", got.Scope)
	require.Equal(t, "read", a.opened(got.AccessToken).Scope)
	a.token["scope"] = "read write" // an IdP that takes no notice
	require.Equal(t, "read", a.answer(a.renew(whole.RefreshToken, "scope", "read")).Scope)
	got = a.answer(a.renew(got.RefreshToken))
	require.Equal(t, "read write", got.Scope, "the refresh token is still for all of it")

	a = newAgent(t, true)
	narrow := a.tokens("scope", "read")
	require.Equal(t, "read", narrow.Scope)
	a.refuses(a.renew(narrow.RefreshToken, "scope", "read write"), oauth.InvalidScope, "not granted in the login")
	a.refuses(a.renew(narrow.RefreshToken, "scope", "admin"), oauth.InvalidScope, "does not have")
	a.token["scope"] = "read write"
	require.Equal(t, "read", a.answer(a.renew(narrow.RefreshToken)).Scope, "what the IdP adds is nothing to the agent")
}

func TestARefreshTokenOfOneAgentIsNoGoodForAnother(t *testing.T) {
	a := newAgent(t, true)
	token := a.tokens().RefreshToken
	a.refuses(a.do("POST", "/oauth/token", refreshForm("single", token)), oauth.InvalidGrant, "another client")
	a.refuses(a.renew(token, "resource", serverB), oauth.InvalidTarget, "not the one of the login")
	a.answer(a.renew(token, "resource", serverA))
}

// A refresh token of a time in which the agent got the IdP's own tokens names no user.
func TestARefreshTokenFromBeforeTheGatewaysTokens(t *testing.T) {
	before := newAgent(t, true, func(c *Config) {
		c.Resources[0].Tokens, c.Resources[0].Introspection = IdPTokens, nil
	})
	old := decoded[granted](t, before.redeem(before.logIn()).Body)
	require.Equal(t, "idp-access", old.AccessToken)
	a := newAgent(t, true)
	a.refuses(a.renew(old.RefreshToken), oauth.InvalidGrant, "log in again")
}

// The IdP's token is in the agent's where the resource server needs it, and can be read
// by nobody on the way.
func TestTheIdPsTokenInside(t *testing.T) {
	for _, upstream := range []bool{false, true} {
		a := newAgent(t, true, func(c *Config) { c.Resources[0].UpstreamToken = upstream })
		a.token["access_token"] = strings.Repeat("idp-access.", 100)
		token := a.tokens().AccessToken
		raw := must.Have(base64.RawURLEncoding.DecodeString(strings.TrimPrefix(token, seal.AccessTokenPrefix)))(t)
		require.NotContains(t, string(raw), "idp-access")
		require.NotContains(t, string(raw), "user-1")
		if !upstream {
			require.Less(t, len(token), 260)
			require.Empty(t, a.opened(token).Upstream)
			continue
		}
		require.Equal(t, a.token["access_token"], a.opened(token).Upstream)
		require.Less(t, len(token), 1750)
	}
}

// RFC 7009: the login ends, the access token itself when its time is over.
func TestRevokingATokenEndsItsLogin(t *testing.T) {
	for _, which := range []string{"access", "refresh"} {
		a := newAgent(t, true, rotating)
		got := a.tokens()
		token := got.AccessToken
		if which == "refresh" {
			token = got.RefreshToken
		}
		a.refuses(a.do("POST", "/oauth/revoke", revocationForm("single", token)), oauth.InvalidGrant, "another client")
		require.Contains(t, string(a.ask("server-a", got.AccessToken).Body), `"active":true`)
		require.Equal(t, 200, a.do("POST", "/oauth/revoke", revocationForm("app", token)).Status)
		a.refuses(a.renew(got.RefreshToken), oauth.InvalidGrant, "revoked")
		require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", got.AccessToken).Body), "who asks knows at once")
		require.Equal(t, "user-1", a.opened(got.AccessToken).Subject, "who does not ask takes it until it expires")
		require.Equal(t, 200, a.do("POST", "/oauth/revoke", revocationForm("app", token)).Status, "it is over")
		a.sealed.pass(time.Hour)
		require.Equal(t, 200, a.do("POST", "/oauth/revoke", revocationForm("app", got.AccessToken)).Status, "so is what has expired")
	}
	a := newAgent(t, true)
	a.refuses(a.do("POST", "/oauth/revoke", revocationForm("app", a.tokens().AccessToken)), oauth.UnsupportedTokenType, "revoke the refresh token")
}

func TestALoginThatIsNotRecordedGetsAnAccessTokenAlone(t *testing.T) {
	a := newAgent(t, true, rotating)
	a.families = a.sealed.families(failing{a.sealed.store})
	got := a.tokens()
	require.Empty(t, got.RefreshToken)
	require.Equal(t, "user-1", a.opened(got.AccessToken).Subject)
}

func TestMistakesInWhatAResourceSaysOfItsTokens(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"tokens mine is unknown; use gateway, jwt or idp":                     func(c *Config) { c.Resources[0].Tokens = "mine" },
		"needs public_url, which is the issuer":                               func(c *Config) { c.PublicURL = "" },
		"tokens idp needs no upstream_token":                                  func(c *Config) { c.Resources[1].Tokens = IdPTokens },
		"the secret must be printable ASCII":                                  func(c *Config) { c.Resources[0].Introspection.ClientSecret = strings.Repeat("\u00e4", 32) },
		"the secret has 5 bytes; it needs at least 32":                        func(c *Config) { c.Resources[0].Introspection.ClientSecret = "short" },
		"the secret has 16 bytes; it needs at least 32":                       func(c *Config) { c.Resources[0].Introspection.ClientSecret = "passwordpassword" },
		"the secret can be guessed: it has about 25 bits":                     func(c *Config) { c.Resources[0].Introspection.ClientSecret = strings.Repeat("password", 4) },
		"the client id must be printable ASCII":                               func(c *Config) { c.Resources[0].Introspection.ClientID = "" },
		"server-a is the id of https://a.example.com/mcp, too; each resource": func(c *Config) { c.Resources[1].Introspection.ClientID = "server-a" },
	}, withOwnTokens)
}

func stepsUp(c *Config) { c.StepUp = true }

// OpenID Connect Core 1.0 section 3.1.3.7, steps 12 and 13. Whoever alters what is asked for on
// its way to the IdP gets the user a login by the IdP that is less than that; each response is
// one that passes without the option.
func TestALoginIsHeldToWhatItAskedFor(t *testing.T) {
	const began = 1_800_000_000
	at := func(ago int64) string { return `"auth_time":` + strconv.FormatInt(began-ago, 10) }
	const acr, age = "acr_values", "max_age"
	skew := int64(seal.Skew.Seconds())
	for name, tc := range map[string]struct {
		asks   []string
		claims string // "-" for no ID token
		says   string // "" if the login is what was asked for
	}{
		"nothing asked, nothing said":  {nil, ``, ""},
		"the one asked for":            {[]string{acr, "phr"}, `"acr":"phr"`, ""},
		"one of several":               {[]string{acr, "phrh phr"}, `"acr":"phr"`, ""},
		"a weaker one":                 {[]string{acr, "phr"}, `"acr":"1"`, "another acr"},
		"none":                         {[]string{acr, "phr"}, ``, "another acr, or none"},
		"an empty one":                 {[]string{acr, "phr"}, `"acr":""`, "another acr"},
		"null":                         {[]string{acr, "phr"}, `"acr":null`, "another acr"},
		"a list":                       {[]string{acr, "phr"}, `"acr":["phr"]`, "another acr"},
		"all of them in one":           {[]string{acr, "phr phrh"}, `"acr":"phr phrh"`, "another acr"},
		"a part of it":                 {[]string{acr, "phrh"}, `"acr":"phr"`, "another acr"},
		"in capitals":                  {[]string{acr, "phr"}, `"acr":"PHR"`, "another acr"},
		"no ID token":                  {[]string{acr, "phr", "scope", "read", "nonce", ""}, "-", "another acr, or none"},
		"just now":                     {[]string{age, "600"}, at(0), ""},
		"within the age":               {[]string{age, "600"}, at(600), ""},
		"by a clock that is behind":    {[]string{age, "600"}, at(600 + skew), ""},
		"too long ago":                 {[]string{age, "600"}, at(600 + skew + 1), "longer ago than max_age"},
		"after the login began":        {[]string{age, "0"}, at(-30), ""},
		"before it began":              {[]string{age, "0"}, at(skew + 1), "longer ago than max_age"},
		"with a fraction":              {[]string{age, "600"}, at(10) + ".5", ""},
		"not said when":                {[]string{age, "600"}, ``, "does not say when"},
		"said in words":                {[]string{age, "600"}, `"auth_time":"` + strconv.Itoa(began) + `"`, "does not say when"},
		"said out of range":            {[]string{age, "600"}, `"auth_time":1e300`, "does not say when"},
		"the ID token's own time":      {[]string{age, "600"}, `"iat":` + strconv.Itoa(began), "does not say when"},
		"an age before all time":       {[]string{age, "2147483647"}, at(1_000_000_000), ""},
		"such an age, and not said":    {[]string{age, "2147483647"}, ``, "does not say when"},
		"no ID token, an age":          {[]string{age, "600", "scope", "read", "nonce", ""}, "-", "does not say when"},
		"both":                         {[]string{acr, "phr", age, "600"}, `"acr":"phr",` + at(0), ""},
		"the right one, but old":       {[]string{acr, "phr", age, "600"}, `"acr":"phr",` + at(6000), "longer ago than max_age"},
		"just now, but the weaker one": {[]string{acr, "phr", age, "600"}, `"acr":"1",` + at(0), "another acr"},
		"more than was asked for":      {nil, `"acr":"phr",` + at(6000), ""},
		"nonsense, but nothing asked":  {nil, `"acr":1,"auth_time":"x"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := func(with ...func(*Config)) (upstream.Outcome, error) {
				g := newSealedGateway(t, with...)
				require.Equal(t, int64(began), g.now.Unix())
				asked := g.begin(tc.asks...)
				g.pass(50 * time.Minute) // the user takes his time
				grant, _ := g.opened(location(t, g.called(asked.Get("state"), "c").Response).Query().Get("code"))
				body := `{"access_token":"a","token_type":"Bearer"}`
				if tc.claims != "-" {
					body = tokenWith(strings.TrimSuffix(`{"aud":"app","nonce":"client-nonce",`+tc.claims, ",")+`}`, "")
				}
				return outcomeOf(g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(body)}, grant))
			}
			_, err := answer()
			require.NoError(t, err)
			outcome, err := answer(stepsUp)
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, upstream.Granted, outcome)
				return
			}
			require.Equal(t, upstream.Unclear, outcome, "the code stays claimed")
			requireRejected(t, err, oauth.UnmetAuthentication, 400, tc.says)
		})
	}
}

// What counts is what the IdP is sent: an operator's own parameter takes the place of a client's.
func TestWhatALoginAsksFor(t *testing.T) {
	g := newSealedGateway(t, stepsUp, func(c *Config) { c.AuthorizeParameters = map[string]string{"acr_values": "phr phrh"} })
	pending := must.Have(g.codec.OpenPending(g.s.Keys, g.s.Callback, g.begin("acr_values", "1", "max_age", "60").Get("state")))(t)
	require.Equal(t, login.StepUp{ACR: "phr phrh", Since: g.now.Add(-time.Minute)}, pending.StepUp)

	g = newSealedGateway(t, stepsUp)
	for name, tc := range map[string]struct{ parameter, value, says string }{
		"an age in words":    {"max_age", "an hour", "max_age must be a number"},
		"an age below zero":  {"max_age", "-1", "max_age must be a number"},
		"an age with a sign": {"max_age", "+1", "max_age must be a number"},
		"a part of a second": {"max_age", "1.5", "max_age must be a number"},
		"an age in hex":      {"max_age", "0x10", "max_age must be a number"},
		"an endless age":     {"max_age", "99999999999", "max_age must be a number"},
		"too long values":    {"acr_values", strings.Repeat("a", login.MaxAuthentication+1), "at most 512 bytes"},
		"values in no ASCII": {"acr_values", "é", "printable ASCII"},
	} {
		_, err := g.parseAuthorize(query(tc.parameter, tc.value))
		requireRejected(t, err, oauth.InvalidRequest, 400, tc.says, name)
		_, err = newSealedGateway(t).parseAuthorize(query(tc.parameter, tc.value))
		require.NoError(t, err, "%s: without the option it is the IdP's business", name)
	}
}

// RFC 9068 section 2.2.1: an access token of the gateway's own says how its user has logged in.
// A refresh is no new login, whatever the IdP's ID token says then.
func TestAnAccessTokenSaysHowTheUserHasLoggedIn(t *testing.T) {
	for name, with := range map[string]func(*Config){"that rotates": rotating, "that stays": func(*Config) {}} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, true, with)
			at := a.sealed.now.Add(-time.Minute)
			a.claims = map[string]any{"acr": "phr", "amr": []string{"pwd", "hwk"}, "auth_time": at.Unix()}
			got := a.tokens()
			for range 2 {
				token := a.opened(got.AccessToken)
				require.Equal(t, "phr", token.ACR)
				require.Equal(t, []string{"pwd", "hwk"}, token.AMR)
				require.Equal(t, at, token.AuthTime)
				require.Contains(t, string(token.Claims()), `,"acr":"phr","amr":["pwd","hwk"],"auth_time":`+strconv.FormatInt(at.Unix(), 10)+`,`)
				a.sealed.pass(time.Hour)
				a.claims = map[string]any{"acr": "phrh", "amr": []string{"face"}, "auth_time": a.sealed.now.Unix(), "nonce": nil}
				got = a.answer(a.do("POST", "/oauth/token", refreshForm("app", got.RefreshToken)))
			}
		})
	}
	a := newAgent(t, true)
	a.claims = map[string]any{"acr": "a b", "amr": []string{"pwd hwk"}, "auth_time": "today"}
	token := a.opened(a.tokens().AccessToken)
	require.Empty(t, token.ACR+strings.Join(token.AMR, ""), "one value that looks like two")
	require.True(t, token.AuthTime.IsZero())
	require.NotContains(t, string(token.Claims()), "auth_time")
}

// The agent's request is stepped up, too, by the ID token that the gateway asks for itself.
func TestTheLoginOfAnAgentIsHeldToWhatItAskedFor(t *testing.T) {
	a := newAgent(t, true, stepsUp)
	a.claims = map[string]any{"acr": "phr"}
	a.answer(a.redeem(a.logIn("acr_values", "phr")))
	a = newAgent(t, true, stepsUp)
	a.claims = map[string]any{"acr": "1"}
	result := a.redeem(a.logIn("acr_values", "phr"))
	require.Equal(t, http.StatusBadRequest, result.Status)
	require.Contains(t, string(result.Body), `"error":"unmet_authentication_requirements"`)
	require.NotContains(t, string(result.Body), "access_token")
}

// FuzzAuthentication: whatever an ID token says, what is sealed of it is read again as it was.
func FuzzAuthentication(f *testing.F) {
	for _, claims := range []string{`{"acr":"phr","amr":["hwk"],"auth_time":1}`, `{"acr":" ","amr":["a b",""],"auth_time":4294967296}`, `{"amr":[]}`, `[`} {
		f.Add([]byte(claims))
	}
	f.Fuzz(func(t *testing.T, claims []byte) {
		a := login.ReadAuthentication(claims)
		w := seal.NewWriter()
		a.Write(w)
		r := seal.NewReader(w.B)
		read := login.OpenAuthentication(r)
		require.False(t, r.Failed)
		require.Empty(t, r.Rest)
		require.Equal(t, a.ACR, read.ACR)
		require.Equal(t, strings.Join(a.AMR, " "), strings.Join(read.AMR, " "))
		require.Len(t, read.AMR, len(a.AMR))
		require.True(t, a.Time.Equal(read.Time))
	})
}
