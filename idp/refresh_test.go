package idp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// refreshForm is a refresh by a client; with replaces parameters, "-" removes one.
func refreshForm(clientID, token string, with ...string) string {
	q := url.Values{"grant_type": {"refresh_token"}, "client_id": {clientID}, "refresh_token": {token}}
	for i := 0; i < len(with); i += 2 {
		q.Set(with[i], with[i+1])
	}
	return q.Encode()
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
	token, err := answer.RefreshTokenText()
	require.NoError(g.t, err)
	return token
}

// refresh is a refresh by a client: what goes to the IdP.
func (g *sealedGateway) refresh(clientID, token string) (url.Values, *refreshGrant, error) {
	g.t.Helper()
	r, err := g.parseToken("", formHeader(), refreshForm(clientID, token))
	require.NoError(g.t, err)
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
	call, err := r.tokenCall(g.Policy, nil, grant, "", g.now)
	require.NoError(g.t, err)
	sent, err := url.ParseQuery(string(call.Body))
	require.NoError(g.t, err)
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
	sealed, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(grantedByIdP))
	require.NoError(t, err)
	before, after, found := strings.Cut(grantedByIdP, "idp-refresh")
	require.True(t, found)
	require.True(t, strings.HasPrefix(string(sealed), before), string(sealed))
	require.True(t, strings.HasSuffix(string(sealed), after), string(sealed))
	without := `{"access_token":"at", "token_type":"Bearer"}`
	same, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same))
	without = `{"access_token":"at","token_type":"Bearer","refresh_token":null}`
	same, err = g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same), "null is none")
	any := newSealedGateway(t, func(c *Config) { c.Clients = nil })
	without = `{"access_token":"at","token_type":"Bearer", "id_token":"x.y.z"}`
	same, err = any.sealBody(t.Context(), nil, any.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("who")}}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same), "of a client that nobody registers")
	_, err = g.sealBody(t.Context(), nil, g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":7}`))
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
	rolled, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("n", 32)), []byte(strings.Repeat("k", 32))}, func() time.Time { return g.now })
	require.NoError(t, err)
	g.s.Keys = rolled
	_, grant, err := g.refresh("app", token)
	require.NoError(t, err)
	replaced := g.granted("app", grant, `{"access_token":"at","token_type":"Bearer"}`)
	require.NotEmpty(t, replaced, "the client gets one of the new key, although the IdP sends none")
	g.s.Keys, err = seal.NewKeys([][]byte{[]byte(strings.Repeat("n", 32))}, func() time.Time { return g.now })
	require.NoError(t, err)
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
	next, err := i.refresh(token)
	require.NoError(i.g.t, err)
	return next
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
		body, err := g.sealBody(t.Context(), g.families(deaf{}), g.s, &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}}, nil, []byte(grantedByIdP))
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
	_, err := NewPolicy(Config{AuthURL: "https://idp.example", Rotation: &rotation.Config{}})
	require.ErrorContains(t, err, "needs callback")
	_, err = NewPolicy(Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Rotation: &rotation.Config{Grace: time.Hour}})
	require.ErrorContains(t, err, "rotate_refresh: grace")
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
