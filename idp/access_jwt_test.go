package idp

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// elsewhere is a resource whose server knows the gateway's keys alone.
const elsewhere = "https://API.example.com/v1/"

func withJWTs(c *Config) {
	c.Parameters = ""
	c.Resources = []ResourceConfig{{
		URI: elsewhere, Tokens: JWTTokens, Scopes: []ScopeConfig{{Name: "read"}}, DefaultScopes: []string{"read"},
		Introspection: &IntrospectionConfig{ClientID: "server-a", ClientSecret: "hQ7vX2mK9pL4wN8rT5yB3zD6-server-a"},
	}}
}

// resourceServer checks tokens by what the gateway publishes.
func (p *provider) resourceServer(audience string) *accesstoken.Verifier {
	p.t.Helper()
	now := func() time.Time { return p.sealed.now }
	published, err := p.signing.Public(signing.Algorithms(), now())
	require.NoError(p.t, err)
	path := filepath.Join(p.t.TempDir(), "keys.json")
	require.NoError(p.t, os.WriteFile(path, published, 0o600))
	keys, err := jwks.InFile(path, now, nil)
	require.NoError(p.t, err)
	v, err := accesstoken.New(accesstoken.Config{Issuer: gatewayURL, Audiences: []string{audience}, Keys: keys, Now: now})
	require.NoError(p.t, err)
	return v
}

// RFC 9068.
func TestAccessTokensForResourceServersElsewhere(t *testing.T) {
	p := newProvider(t, withJWTs, rotating)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	signed, err := jose.ParseSignedCompact(g.AccessToken, []jose.SignatureAlgorithm{jose.RS256})
	require.NoError(t, err)
	require.Equal(t, "at+jwt", signed.Signatures[0].Protected.ExtraHeaders["typ"])
	var claims map[string]any
	require.NoError(t, json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &claims))
	inside, _ := claims["gateway_token"].(string)
	delete(claims, "gateway_token")
	require.Len(t, claims["jti"], 22)
	delete(claims, "jti")
	require.Equal(t, map[string]any{
		"iss": gatewayURL, "sub": "user-1", "aud": elsewhere, "client_id": "app", "scope": "openid read",
		"iat": float64(p.sealed.now.Unix()), "exp": float64(p.sealed.now.Unix() + 600), "acr": "loa2", "amr": []any{"pwd", "otp"}, "auth_time": 1_799_999_000.0,
	}, claims, "the audience as it is written")
	token, err := p.resourceServer(elsewhere).Verify(t.Context(), g.AccessToken)
	require.NoError(t, err)
	require.Equal(t, []string{"user-1", "app"}, []string{token.Subject, token.ClientID})
	_, err = p.resourceServer("https://api.example.com").Verify(t.Context(), g.AccessToken)
	require.ErrorContains(t, err, "another resource server")
	_, err = p.resourceServer("app").Verify(t.Context(), g.IDToken)
	require.ErrorContains(t, err, "ID token", "also of a server that is called as the client is")

	sent := len(p.sent)
	info := p.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.AccessToken)
	require.JSONEq(t, `{"sub":"user-1"}`, string(info.Body))
	for _, not := range []string{g.IDToken, seal.AccessTokenPrefix + inside, inside, g.AccessToken[:len(g.AccessToken)-4] + "AAAA"} {
		require.Equal(t, http.StatusUnauthorized, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+not).Status, not)
	}
	for parameter, code := range map[string]oauth.Code{"id_token_hint": oauth.LoginRequired, "login_hint": oauth.InvalidRequest} {
		to := p.authorize(parameter, g.AccessToken, "resource", elsewhere, "scope", "openid read").Header.Get("Location")
		require.Contains(t, to, "https://app.example/cb?", parameter)
		require.Contains(t, to, "error="+string(code), parameter)
	}
	ask := func() string { return string((&agent{served: p.served}).ask("server-a", g.AccessToken).Body) }
	require.Contains(t, ask(), `"active":true`)
	require.Len(t, p.sent, sent, "the IdP hears nothing of it")

	require.Equal(t, 200, p.do("POST", "/oauth/revoke", revocationForm("app", g.AccessToken)).Status)
	require.JSONEq(t, `{"active":false}`, ask(), "its login has ended")
	for _, of := range p.sent {
		require.NotContains(t, of.form.Encode()+of.Header.Get("Authorization"), g.AccessToken)
	}
	p.sealed.pass(time.Hour)
	require.Equal(t, http.StatusUnauthorized, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+g.AccessToken).Status, "too old")
}

// Whoever has all that is published, and tokens of his own, makes none.
func TestAccessTokensThatTheGatewayHasNotSigned(t *testing.T) {
	p := newProvider(t, withJWTs)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	server, now := p.resourceServer(elsewhere), p.sealed.now
	accepted := func(token string) []bool {
		_, err := server.Verify(t.Context(), token)
		return []bool{err == nil, p.do("GET", "/userinfo", "", "Authorization", "Bearer "+token).Status == 200}
	}
	require.Equal(t, []bool{true, true}, accepted(g.AccessToken))
	parts := strings.Split(g.AccessToken, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	header := func(h string) string { return base64.RawURLEncoding.EncodeToString([]byte(h)) }
	published, err := p.signing.Public(signing.Algorithms(), now)
	require.NoError(t, err)
	var set jose.JSONWebKeySet
	require.NoError(t, json.Unmarshal(published, &set))
	kid := set.Keys[0].KeyID
	hmac := func(secret []byte) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: secret, KeyID: kid}}, (&jose.SignerOptions{}).WithType("at+jwt"))
		require.NoError(t, err)
		made, err := signer.Sign(payload)
		require.NoError(t, err)
		token, err := made.CompactSerialize()
		require.NoError(t, err)
		return token
	}
	key, err := json.Marshal(set.Keys[0])
	require.NoError(t, err)
	foreign, err := signingKeysOf(t, otherKey).SignAccessToken(payload, now)
	require.NoError(t, err)
	idToken, err := p.signing.Sign(signing.RS256, payload, now)
	require.NoError(t, err)
	for name, token := range map[string]string{
		"an ID token":                          g.IDToken,
		"HMAC with the published key":          hmac(key),
		"HMAC with all that is published":      hmac(published),
		"alg none":                             header(`{"alg":"none","typ":"at+jwt"}`) + "." + parts[1] + ".",
		"the signature of another header":      header(`{"alg":"PS256","kid":"`+kid+`.ps256","typ":"at+jwt"}`) + "." + parts[1] + "." + parts[2],
		"other claims":                         parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(payload), "user-1", "user-2", 1))) + "." + parts[2],
		"another gateway of the same name":     foreign,
		"its own JWK in the header":            header(`{"alg":"RS256","typ":"at+jwt","jwk":`+string(key)+`}`) + "." + parts[1] + "." + parts[2],
		"what only the gateway can read of it": seal.AccessTokenPrefix + insideOf(t, payload),
	} {
		require.Equal(t, []bool{false, false}, accepted(token), name)
	}
	require.False(t, accepted(idToken)[1], "the typ of an ID token")
	require.False(t, func() bool {
		_, err := p.signing.VerifyAccessToken(idToken, now)
		return err == nil
	}())
}

// Another gateway's is good at its resource servers, whoever sends it.
func TestTheIdPGetsNoJWTOfAnotherGateway(t *testing.T) {
	p := newProvider(t, withJWTs)
	p.token["scope"] = "openid read"
	g, _ := p.tokens("scope", "openid read", "resource", elsewhere)
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(g.AccessToken, ".")[1])
	require.NoError(t, err)
	var tokens []string
	for _, issuer := range []string{`"iss":"https://other.example.com"`, `"iss":7`, `"iss":"","iss":""`, `"no":""`} {
		forged := strings.Replace(string(payload), `"iss":"`+gatewayURL+`"`, issuer, 1)
		foreign, err := signingKeysOf(t, otherKey).SignAccessToken([]byte(forged), p.sealed.now)
		require.NoError(t, err)
		tokens = append(tokens, foreign)
	}
	for name, a := range map[string]*served{
		"an issuer":        p.served,
		"one that is none": newAgent(t, true).served,
		"one without callback": newAgent(t, true, func(c *Config) {
			c.Callback, c.Resources, c.PublicURL = nil, nil, ""
			c.Endpoints = map[Endpoint]string{Revoke: "/revoke"}
		}).served,
	} {
		for _, foreign := range tokens {
			before := len(a.sent)
			require.Equal(t, http.StatusUnauthorized, a.do("GET", "/userinfo", "", "Authorization", "Bearer "+foreign).Status, name)
			require.Equal(t, http.StatusOK, a.do("POST", "/oauth/revoke", revocationForm("app", foreign)).Status, name)
			require.Len(t, a.sent, before, name)
		}
	}
}

func insideOf(t *testing.T, payload []byte) string {
	var c map[string]any
	require.NoError(t, json.Unmarshal(payload, &c))
	return c[gatewaytoken.InsideClaim].(string)
}

func TestMistakesInTokensThatAreJWTs(t *testing.T) {
	for says, change := range map[string]func(*Config){
		"tokens jwt can't have upstream_token or exchange": func(c *Config) { c.Resources[0].UpstreamToken = true },
		"tokens jwt needs the gateway to be the issuer":    func(c *Config) { c.IDTokens, c.Clients[1].IDTokenAlgorithm = IdPIDTokens, "" },
		"can't be the id of a client":                      func(c *Config) { c.Clients[0].ID = elsewhere },
		"tokens opaque is unknown":                         func(c *Config) { c.Resources[0].Tokens = "opaque" },
	} {
		c := Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}, {ID: "single", RedirectURIs: []string{"https://single.example/cb"}},
		}}
		issuing(&c)
		withJWTs(&c)
		change(&c)
		_, err := NewPolicy(c)
		require.ErrorContains(t, err, says)
	}
}
