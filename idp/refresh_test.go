package idp

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
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

// granted is a client's refresh token after a token response of the IdP.
func (g *sealedGateway) granted(clientID string, renewal *refreshGrant, body string) string {
	g.t.Helper()
	sealed, err := g.sealBody(g.t.Context(), g.store, g.s, &tokenRequest{ClientID: clientID}, renewal, []byte(body))
	require.NoError(g.t, err)
	answer, ok := readToken(sealed)
	require.True(g.t, ok)
	token, err := answer.refreshToken()
	require.NoError(g.t, err)
	return token
}

// refresh is a refresh by a client: what goes to the IdP.
func (g *sealedGateway) refresh(clientID, token string) (url.Values, *refreshGrant, error) {
	g.t.Helper()
	r, err := g.parseToken("", formHeader(), refreshForm(clientID, token))
	require.NoError(g.t, err)
	renewal, err := g.openRefreshGrant(g.s, &r)
	if err != nil {
		return nil, nil, err
	}
	if g.Rotates() {
		if err := g.takeLease(g.t.Context(), g.store, g.s, renewal); err != nil {
			return nil, nil, err
		}
	}
	call, err := g.tokenCall(&r, nil, renewal, "", g.now)
	require.NoError(g.t, err)
	sent, err := url.ParseQuery(string(call.Form))
	require.NoError(g.t, err)
	return sent, renewal, nil
}

const grantedByIdP = `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh","custom":{"a":[1,2.50]},"expires_in":60}`

func TestAClientGetsASealedRefreshToken(t *testing.T) {
	g := newSealedGateway(t)
	token := g.granted("app", nil, grantedByIdP)
	require.NotContains(t, token, "idp-refresh")
	require.True(t, syntax.Base64URL.Holds(token))
	sent, renewal, err := g.refresh("app", token)
	require.NoError(t, err)
	require.Equal(t, url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {"idp-refresh"}}, sent)
	require.Empty(t, g.granted("app", renewal, `{"access_token":"at","token_type":"Bearer"}`), "an IdP that sends none: the client keeps its own")
	next := g.granted("app", renewal, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh-2"}`)
	sent, _, err = g.refresh("app", next)
	require.NoError(t, err)
	require.Equal(t, "idp-refresh-2", sent.Get("refresh_token"))
}

func TestTheRestOfATokenResponseStaysAsItIs(t *testing.T) {
	g := newSealedGateway(t)
	sealed, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(grantedByIdP))
	require.NoError(t, err)
	before, after, found := strings.Cut(grantedByIdP, "idp-refresh")
	require.True(t, found)
	require.True(t, strings.HasPrefix(string(sealed), before), string(sealed))
	require.True(t, strings.HasSuffix(string(sealed), after), string(sealed))
	without := `{"access_token":"at", "token_type":"Bearer"}`
	same, err := g.sealBody(t.Context(), nil, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same))
	without = `{"access_token":"at","token_type":"Bearer","refresh_token":null}`
	same, err = g.sealBody(t.Context(), nil, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same), "null is none")
	any := newSealedGateway(t, func(c *Config) { c.Clients = nil })
	without = `{"access_token":"at","token_type":"Bearer", "id_token":"x.y.z"}`
	same, err = any.sealBody(t.Context(), nil, any.s, &tokenRequest{ClientID: "who"}, nil, []byte(without))
	require.NoError(t, err)
	require.Equal(t, without, string(same), "of a client that nobody registers")
	_, err = g.sealBody(t.Context(), nil, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":7}`))
	require.ErrorContains(t, err, "not a string")
	require.Equal(t, 502, AsError(err).Status)
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
		require.Equal(t, InvalidGrant, AsError(err).Code, name)
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
	_, renewal, err := g.refresh("app", token)
	require.NoError(t, err)
	replaced := g.granted("app", renewal, `{"access_token":"at","token_type":"Bearer"}`)
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

func FuzzReplaceMembers(f *testing.F) {
	f.Add(`{"access_token":"a","refresh_token":"r"}`, "s")
	f.Add(`{"refresh_token":null}`, "")
	f.Add(`{"x":{"refresh_token":"inner"}}`, "s")
	f.Fuzz(func(t *testing.T, object, value string) {
		if !isObject([]byte(object)) {
			return
		}
		out, err := replaceMembers([]byte(object), member{"refresh_token", value})
		if err != nil {
			return
		}
		if !isObject(out) {
			t.Fatalf("%s becomes %s", object, out)
		}
	})
}
