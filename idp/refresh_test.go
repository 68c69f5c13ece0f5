package idp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// refreshForm is a refresh by a client; with replaces parameters, "-" removes one.
func refreshForm(clientID, token string, with ...string) string {
	return replaced(url.Values{"grant_type": {"refresh_token"}, "client_id": {clientID}, "refresh_token": {token}}, with)
}

func rotating(c *Config) {
	c.Rotation = &rotation.Config{Grace: 30 * time.Second, Idle: 24 * time.Hour}
}

// kept are the families in the store, nil without rotation.
func (g *sealedGateway) kept() *rotation.Families {
	if g.rotation == nil {
		return nil
	}
	return g.families(g.store)
}

// newFamily is that of a new login.
func newFamily() (f rotation.Family) {
	_, _ = rand.Read(f[:])
	return f
}

// granted is a client's refresh token after a token response of the IdP.
func (g *sealedGateway) granted(clientID string, grant *refreshGrant, body string) string {
	g.t.Helper()
	sealed, err := g.sealBody(g.t.Context(), g.kept(), g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find(clientID)}, family: newFamily()}, grant, []byte(body))
	require.NoError(g.t, err)
	answer, ok := upstream.ReadToken(sealed)
	require.True(g.t, ok)
	return must.Have(answer.RefreshTokenText())(g.t)
}

// refresh is a refresh by a client: what goes to the IdP.
func (g *sealedGateway) refresh(clientID, token string) (url.Values, *refreshGrant, error) {
	g.t.Helper()
	r := must.Have(g.parseToken("", formHeader(), refreshForm(clientID, token)))(g.t)
	grant, err := r.openRefreshGrant(g.Policy, g.s)
	if err != nil {
		return nil, nil, err
	}
	if g.rotation != nil {
		if grant.lease, err = g.kept().Take(g.t.Context(), g.s.Keys, *grant.opened.Place); err != nil {
			return nil, nil, refreshError(err)
		}
		grant.token = grant.lease.Token()
	}
	call := must.Have(r.tokenCall(g.Policy, nil, grant, "", g.now))(g.t)
	sent := must.Have(url.ParseQuery(string(call.Body)))(g.t)
	return sent, grant, nil
}

const grantedByIdP = `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh","custom":{"a":[1,2.50]},"expires_in":60}`

func TestAClientGetsASealedRefreshToken(t *testing.T) {
	g := newSealedGateway(t)
	token := g.granted("app", nil, grantedByIdP)
	require.NotContains(t, token, "idp-refresh")
	require.True(t, syntax.Base64URL.Holds(token))
	sent, grant, err := g.refresh("app", token)
	require.NoError(t, err)
	require.Equal(t, url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {"idp-refresh"}}, sent)
	require.Empty(t, g.granted("app", grant, `{"access_token":"at","token_type":"Bearer"}`), "an IdP that sends none: the client keeps its own")
	next := g.granted("app", grant, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh-2"}`)
	sent, _, err = g.refresh("app", next)
	require.NoError(t, err)
	require.Equal(t, "idp-refresh-2", sent.Get("refresh_token"))
}

func TestTheRestOfATokenResponseStaysAsItIs(t *testing.T) {
	g := newSealedGateway(t)
	sealed := must.Have(g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(grantedByIdP)))(t)
	before, after, found := strings.Cut(grantedByIdP, "idp-refresh")
	require.True(t, found)
	require.True(t, strings.HasPrefix(string(sealed), before), string(sealed))
	require.True(t, strings.HasSuffix(string(sealed), after), string(sealed))
	without := `{"access_token":"at", "token_type":"Bearer"}`
	same := must.Have(g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(without)))(t)
	require.Equal(t, without, string(same))
	without = `{"access_token":"at","token_type":"Bearer","refresh_token":null}`
	same = must.Have(g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(without)))(t)
	require.Equal(t, without, string(same), "null is none")
	any := newSealedGateway(t, func(c *Config) { c.Clients = nil })
	without = `{"access_token":"at","token_type":"Bearer", "id_token":"x.y.z"}`
	same = must.Have(any.sealBody(t.Context(), nil, any.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("who")}}, nil, []byte(without)))(t)
	require.Equal(t, without, string(same), "of a client that nobody registers")
	_, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":7}`))
	require.ErrorContains(t, err, "not a string")
	require.Equal(t, 502, oauth.AsError(err).Status)
}

func TestARefreshTokenIsItsClientsOnly(t *testing.T) {
	g := newSealedGateway(t)
	token := g.granted("app", nil, grantedByIdP)
	for name, tc := range map[string]struct{ client, token, says string }{
		"another client":     {"single", token, "issued to another client"},
		"the IdP's own":      {"app", "idp-refresh", "did not issue the refresh token"},
		"a letter more":      {"app", token + "A", "did not issue the refresh token"},
		"a code":             {"app", location(t, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code"), "did not issue"},
		"of another gateway": {"app", newSealedGateway(t, func(c *Config) { c.AuthURL = "https://other.example" }).granted("app", nil, grantedByIdP), "did not issue"},
	} {
		_, _, err := g.refresh(tc.client, tc.token)
		require.ErrorContains(t, err, tc.says, name)
		require.Equal(t, oauth.InvalidGrant, oauth.AsError(err).Code, name)
		require.NotContains(t, err.Error(), tc.token)
	}
	_, _, err := g.open(token)
	require.ErrorContains(t, err, "did not issue the code", "nor is a refresh token a code")
}

func TestARefreshTokenIsOfOneRegistration(t *testing.T) {
	token := newSealedGateway(t).granted("app", nil, grantedByIdP)
	registered := newSealedGateway(t, func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} })
	_, _, err := registered.refresh("app", token)
	require.ErrorContains(t, err, "another registration")
}

func TestARefreshTokenOutlivesItsMasterByOneUse(t *testing.T) {
	g := newSealedGateway(t)
	token := g.granted("app", nil, grantedByIdP)
	g.pass(400 * 24 * time.Hour)
	rolled := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("n", 32)), []byte(strings.Repeat("k", 32))}, func() time.Time { return g.now }))(t)
	g.s.Keys = rolled
	_, grant, err := g.refresh("app", token)
	require.NoError(t, err)
	replaced := g.granted("app", grant, `{"access_token":"at","token_type":"Bearer"}`)
	require.NotEmpty(t, replaced, "the client gets one of the new key, although the IdP sends none")
	g.s.Keys = must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("n", 32))}, func() time.Time { return g.now }))(t)
	sent, _, err := g.refresh("app", replaced)
	require.NoError(t, err)
	require.Equal(t, "idp-refresh", sent.Get("refresh_token"))
	_, _, err = g.refresh("app", token)
	require.ErrorIs(t, err, seal.ErrUnknownKey)
}

func TestALongRefreshTokenFitsIntoARequest(t *testing.T) {
	g := newSealedGateway(t)
	raw := strings.Repeat("r", 16<<10)
	token := g.granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"`+raw+`"}`)
	require.Less(t, len(refreshForm("app", token)), 32<<10)
	sent, _, err := g.refresh("app", token)
	require.NoError(t, err)
	require.Equal(t, raw, sent.Get("refresh_token"))
	require.Less(t, len(g.granted("app", nil, grantedByIdP)), 128, "a short one stays short")
}

// rotatingIdP numbers the refresh tokens that it gives.
type rotatingIdP struct {
	g     *sealedGateway
	given int
}

func newRotatingIdP(t *testing.T, with ...func(*Config)) *rotatingIdP {
	return &rotatingIdP{g: newSealedGateway(t, append([]func(*Config){rotating}, with...)...)}
}

func (i *rotatingIdP) logIn(clientID string) string { return i.grant(clientID, nil) }

func (i *rotatingIdP) grant(clientID string, grant *refreshGrant) string {
	i.g.t.Helper()
	i.given++
	return i.g.granted(clientID, grant, fmt.Sprintf(`{"access_token":"at","token_type":"Bearer","refresh_token":"idp-%d"}`, i.given))
}

func (i *rotatingIdP) refresh(token string) (string, error) {
	i.g.t.Helper()
	sent, grant, err := i.g.refresh("app", token)
	if err != nil {
		return "", err
	}
	require.Equal(i.g.t, fmt.Sprintf("idp-%d", i.given), sent.Get("refresh_token"))
	return i.grant("app", grant), nil
}

func (i *rotatingIdP) mustRefresh(token string) string {
	i.g.t.Helper()
	return must.Have(i.refresh(token))(i.g.t)
}

func TestARotatingToken(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	require.Less(t, len(first), 128)
	require.Len(t, i.g.granted("app", nil, `{"access_token":"a","token_type":"Bearer","refresh_token":"`+strings.Repeat("x", 999)+`"}`), len(first),
		"it says nothing of the IdP's")
	i.g.pass(time.Hour)
	_, _, err := i.g.refresh("single", first)
	require.ErrorContains(t, err, "another client")
	second := i.mustRefresh(first)
	i.g.pass(time.Hour)
	_, err = i.refresh(first)
	require.ErrorContains(t, err, "was replaced and used again, so that its login has ended here")
	_, err = i.refresh(second)
	require.ErrorContains(t, err, "replaced, revoked or not used for too long; log in again")
}

// Several sites may share an IdP, its keys and a client. What one has given is good at a
// site only that has the same addresses, as far as they are configured, and the same rule.
func TestARefreshTokenIsGoodAtItsSiteOnly(t *testing.T) {
	here := func(rotates bool) func(*Config) {
		return func(c *Config) {
			c.Callback, c.PublicURL = new(CallbackConfig), "https://here.example"
			if rotates {
				rotating(c)
			}
		}
	}
	for name, there := range map[string]func(*Config){
		"another callback path": func(c *Config) { c.Callback.Path = "/other" },
		"another public_url":    func(c *Config) { c.PublicURL = "https://there.example" },
		"no public_url":         func(c *Config) { c.PublicURL = "" },
		"another rule": func(c *Config) {
			if c.Rotation != nil {
				c.Rotation = nil
			} else {
				rotating(c)
			}
		},
	} {
		for _, rotates := range []bool{false, true} {
			first := newSealedGateway(t, here(rotates))
			token := first.granted("app", nil, grantedByIdP)
			first.pass(time.Hour)
			second := newSealedGateway(t, here(rotates), there)
			second.store, second.now = first.store, first.now
			_, _, err := second.refresh("app", token)
			require.ErrorContains(t, err, "did not issue the refresh token", "%s, %t", name, rotates)
			_, _, err = second.revoke("app", token)
			require.ErrorIs(t, err, seal.ErrInvalid, "%s, %t: a stranger's token, for the IdP to judge", name, rotates)
			_, _, err = first.refresh("app", token)
			require.NoError(t, err)
			if rotates && second.rotation != nil {
				opened, _, err := first.codec.OpenRefreshToken(first.s.Keys, token)
				require.NoError(t, err)
				_, err = second.kept().Find(t.Context(), second.s.Keys, opened.Place.Family)
				require.ErrorIs(t, err, rotation.ErrForeign, "nor does it open what the store has")
			}
		}
	}
}

func TestALoginThatCantBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newSealedGateway(t, rotating)
		body, err := g.sealBody(t.Context(), g.families(failing{}), g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(grantedByIdP))
		require.ErrorIs(t, err, errNotRecorded)
		require.Contains(t, string(body), `"access_token":"at"`, "the user is logged in all the same")
		require.NotContains(t, string(body), "refresh")
	})
}

func TestWhatIsSaidOfARefresh(t *testing.T) {
	require.NoError(t, refreshError(nil))
	for cause, want := range map[error]struct {
		code              oauth.Code
		retryAfter, words string
	}{
		rotation.ErrOver:                             {oauth.InvalidGrant, "", "was replaced, revoked or not used for too long"},
		rotation.ErrForeign:                          {oauth.InvalidGrant, "", "was replaced, revoked or not used for too long"},
		&rotation.Ended{Why: rotation.ErrReused}:     {oauth.InvalidGrant, "", "replaced and used again"},
		&rotation.Ended{Why: rotation.ErrRolledBack}: {oauth.InvalidGrant, "", "has lost where the refresh tokens"},
		&rotation.Ended{Why: rotation.ErrLoggedOut}:  {oauth.InvalidGrant, "", "the login has ended"},
		rotation.ErrBusy:                             {oauth.TemporarilyUnavailable, "2", "another refresh of this login is under way"},
		rotation.ErrCrowded:                          {oauth.TemporarilyUnavailable, "1", "too many refreshes of this login wait"},
		replay.ErrFull:                               {oauth.TemporarilyUnavailable, "60", "too many logins"},
		rotation.ErrStore:                            {oauth.TemporarilyUnavailable, "5", "can't tell at the moment"},
	} {
		err := refreshError(cause)
		require.ErrorIs(t, err, cause)
		require.ErrorContains(t, err, want.words)
		require.Equal(t, want.code, oauth.AsError(err).Code)
		require.Equal(t, want.retryAfter, oauth.AsError(err).RetryAfter)
		if errors.Is(cause, rotation.ErrStore) || errors.Is(cause, replay.ErrFull) {
			require.NotContains(t, err.Error(), cause.Error(), "which is for the log")
			require.Equal(t, 503, oauth.AsError(err).Status)
		}
	}
}

func FuzzReplaceMembers(f *testing.F) {
	f.Add(`{"access_token":"a","refresh_token":"r"}`, "s")
	f.Add(`{"refresh_token":null}`, "")
	f.Add(`{"x":{"refresh_token":"inner"}}`, "s")
	f.Fuzz(func(t *testing.T, object, value string) {
		if v := jsontext.Value(object); v.Kind() != '{' || !v.IsValid() {
			return
		}
		out, err := jsonobject.Replace([]byte(object), jsonobject.Member{Name: "refresh_token", Value: value})
		if err != nil {
			return
		}
		if v := jsontext.Value(out); v.Kind() != '{' || !v.IsValid() {
			t.Fatalf("%s becomes %s", object, out)
		}
	})
}

// atGitHub is an agent with an OAuth app at GitHub, whose tokens don't expire.
func atGitHub(t *testing.T, with ...func(*Config)) *agent {
	a := newAgent(t, false, append([]func(*Config){gitHub}, with...)...)
	a.token = map[string]any{"access_token": "idp-access", "token_type": "bearer", "scope": "read,write"}
	a.info = `{"id":7,"name":"Ada"}`
	granting := a.idp
	a.respond(func(r *http.Request) (*http.Response, error) {
		switch {
		case r.URL.Host != "api.github.com":
			return granting(r)
		case a.infoStatus == 0:
			return nil, io.ErrUnexpectedEOF
		}
		require.Equal(t, "Bearer idp-access", r.Header.Get("Authorization"))
		return idpResponse(a.infoStatus, a.info), nil
	})
	return a
}

func gitHub(c *Config) {
	c.AuthURL, c.LogoutProtocol = "https://github.com", NoLogout
	c.Endpoints = map[Endpoint]string{Authorize: "/login/oauth/authorize", Token: "/login/oauth/access_token", UserInfo: "https://api.github.com/user"}
}

// askedAt are the addresses at the IdP that were asked since the last call.
func (a *agent) askedAt() (addresses []string) {
	for _, sent := range a.sent {
		addresses = append(addresses, sent.URL.Host+sent.URL.Path)
	}
	a.sent = nil
	return addresses
}

// A refresh asks GitHub whose the token is, and nothing else. The IdP's token is never seen.
func TestARefreshOfAnAccessTokenThatDoesNotExpire(t *testing.T) {
	for name, with := range map[string]func(*Config){"that stays": func(*Config) {}, "that rotates": rotating} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, with, func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "name"}} })
			g := a.tokens()
			require.Equal(t, 3600, g.ExpiresIn)
			a.askedAt()
			for _, called := range []string{"Ada", "Ada L.", "Ada K."} {
				a.sealed.pass(time.Hour)
				a.info = `{"id":7,"name":"` + called + `"}`
				next := a.answer(a.renew(g.RefreshToken))
				require.Equal(t, []string{"api.github.com/user"}, a.askedAt())
				require.Equal(t, [2]any{"read write", 3600}, [2]any{next.Scope, next.ExpiresIn})
				token := a.opened(next.AccessToken)
				require.Equal(t, "7", token.Subject)
				require.Contains(t, string(token.Claims()), strconv.Quote(called), "each refresh asks again")
				require.Equal(t, name == "that rotates", next.RefreshToken != "" && next.RefreshToken != g.RefreshToken)
				if next.RefreshToken != "" {
					g = next
				}
			}
			require.Equal(t, "read", a.answer(a.renew(g.RefreshToken, "scope", "read")).Scope, "less than was granted")
			a.refuses(a.renew(g.RefreshToken, "scope", "admin"), oauth.InvalidScope, "")
			a.askedAt()

			for says, refused := range map[string]struct {
				info               string
				infoStatus, status int
				code               oauth.Code
			}{
				"log in again":           {`{"message":"Bad credentials"}`, 401, 400, oauth.InvalidGrant},
				"another user":           {`{"id":8,"name":"Ada"}`, 200, 400, oauth.InvalidGrant},
				"does not say at":        {`{}`, 500, 503, oauth.TemporarilyUnavailable},
				"at the moment":          {``, 0, 503, oauth.TemporarilyUnavailable},
				"does not say whose":     {`{"message":"Sorry. Your account was suspended."}`, 403, 502, oauth.ServerError},
				"does not say who":       {`{}`, 200, 502, oauth.ServerError},
				"no sub and no id":       {`[]`, 200, 502, oauth.ServerError},
				"the user is; try again": {`{}`, 429, 503, oauth.TemporarilyUnavailable},
			} {
				a.info, a.infoStatus = refused.info, refused.infoStatus
				result := a.renew(g.RefreshToken)
				a.refuses(result, refused.code, says)
				require.Equal(t, refused.status, result.Status)
				require.Equal(t, []string{"api.github.com/user"}, a.askedAt())
				require.Nil(t, result.Issued)
				require.NotContains(t, fmt.Sprintf("%+v", result), "idp-access")
			}
			a.info, a.infoStatus = `{"id":7}`, 200
			a.answer(a.renew(g.RefreshToken))
			if name == "that stays" {
				return
			}
			a.sealed.pass(time.Second)
			require.NoError(t, a.Gateway.End(t.Context(), rotation.OfUser, "7"))
			a.askedAt()
			a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "has ended")
			require.Empty(t, a.askedAt())
		})
	}
}

// Whoever has the sealed token gets nothing for it anywhere else, and the IdP hears nothing of it.
func TestWhereARefreshTokenOfAnAccessTokenIsNoGood(t *testing.T) {
	for name, with := range map[string]func(*Config){"that stays": func(*Config) {}, "that rotates": rotating} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, with)
			code := a.logIn()
			g := a.answer(a.redeem(code))
			a.askedAt()
			a.refuses(a.do("POST", "/oauth/token", refreshForm("single", g.RefreshToken)), oauth.InvalidGrant, "issued to another client")
			a.refuses(a.redeem(g.RefreshToken), oauth.InvalidGrant, "")
			a.refuses(a.renew(g.AccessToken), oauth.InvalidRequest, "one of the gateway's own access tokens")
			a.refuses(a.renew(code), oauth.InvalidGrant, "did not issue the refresh token")
			a.refuses(a.renew("idp-access"), oauth.InvalidGrant, "did not issue the refresh token")
			require.Equal(t, 401, a.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.RefreshToken).Status)
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", g.RefreshToken).Body))
			require.Empty(t, a.askedAt())

			revoked := a.do("POST", "/oauth/revoke", url.Values{"client_id": {"app"}, "token": {g.RefreshToken}}.Encode())
			if name == "that stays" {
				a.refuses(revoked, oauth.UnsupportedTokenType, "no revocation endpoint")
				a.answer(a.renew(g.RefreshToken))
				return
			}
			require.Equal(t, 200, revoked.Status, string(revoked.Body))
			a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "log in again")
			require.Empty(t, a.askedAt())
		})
	}
	g := atGitHub(t).tokens()
	for name, with := range map[string]func(*Config){
		"tokens of the IdP since": passedThrough,
		"without resources since": withoutResources,
		"another IdP since":       func(c *Config) { c.AuthURL, c.Endpoints = "https://idp.example", nil },
	} {
		a := atGitHub(t, with)
		a.refuses(a.renew(g.RefreshToken), oauth.InvalidGrant, "log in again")
		require.Empty(t, a.askedAt(), name)
	}
}

// A client without idp_client authenticates at GitHub's token endpoint, which such a refresh does not
// ask: a thief's secret would do as well as its own.
func TestNoRefreshOfAnAccessTokenWhereOnlyTheIdPChecksTheClient(t *testing.T) {
	authenticates := func(methods ...string) func(*Config) {
		return func(c *Config) { c.Clients[0].IdPClient, c.Clients[0].AuthMethods = nil, methods }
	}
	a := atGitHub(t, authenticates(AuthSecretPost))
	g := a.answer(a.do("POST", "/oauth/token", form("code", a.logIn(), "client_secret", "its own")))
	require.NotEmpty(t, g.AccessToken)
	require.Empty(t, g.RefreshToken)

	g = atGitHub(t, authenticates()).tokens()
	require.NotEmpty(t, g.RefreshToken, "of a public client")
	since := atGitHub(t, authenticates(AuthNone, AuthSecretPost))
	since.refuses(since.renew(g.RefreshToken, "client_secret", "a thief's"), oauth.InvalidGrant, "log in again")
	require.Empty(t, since.askedAt())
	since.answer(since.renew(g.RefreshToken))
}

// What expires, or has a refresh token, is renewed with that alone; what an app gets itself, not here.
func TestAnAccessTokenIsNoRefreshTokenElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		with  func(*Config)
		token map[string]any
		renew bool
	}{
		"one that expires":   {func(*Config) {}, map[string]any{"expires_in": 28800}, false},
		"of a GitHub App":    {func(*Config) {}, map[string]any{"expires_in": 28800, "refresh_token": "idp-refresh"}, true},
		"with a refresh one": {func(*Config) {}, map[string]any{"refresh_token": "idp-refresh"}, true},
		"the IdP's tokens":   {passedThrough, nil, false},
		"of apps":            {withoutResources, nil, false},
		"of another IdP":     {func(c *Config) { c.AuthURL = "https://github.com.evil.example" }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := atGitHub(t, tt.with)
			for member, value := range tt.token {
				a.token[member] = value
			}
			g := a.given(a.redeem(a.logIn("scope", "read")))
			require.Equal(t, tt.renew, g.RefreshToken != "")
			if !tt.renew {
				return
			}
			a.askedAt()
			a.answer(a.renew(g.RefreshToken))
			require.Equal(t, "idp-refresh", a.sent[0].form.Get("refresh_token"))
			require.Equal(t, []string{"github.com/login/oauth/access_token", "api.github.com/user"}, a.askedAt())
		})
	}
}
