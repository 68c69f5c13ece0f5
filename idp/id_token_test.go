package idp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// signingSet is signing keys that may be away.
type signingSet struct {
	*signing.Keys
	away bool
}

func (s *signingSet) Current(context.Context) (*signing.Keys, error) {
	if s.away {
		return nil, context.DeadlineExceeded
	}
	return s.Keys, nil
}

// ownKey is the gateway's, which takes long to make; otherKey is another gateway's.
var ownKey, otherKey = sync.OnceValues(func() (*signing.Key, error) {
	return signing.Make(gatewayURL, "https://idp.example", time.Unix(1_800_000_000, 0))
}), sync.OnceValues(func() (*signing.Key, error) {
	return signing.Make(gatewayURL, "https://idp.example", time.Unix(1_800_000_000, 0))
})

func ownKeys(t testing.TB) *signing.Keys { return signingKeysOf(t, ownKey) }

func signingKeysOf(t testing.TB, key func() (*signing.Key, error)) *signing.Keys {
	made := must.Have(key())(t)
	return must.Have(signing.Kept(gatewayURL, []*signing.Key{made}))(t)
}

// provider is a client of a gateway that is its issuer, before an OpenID Provider that answers what a test says.
type provider struct {
	*agent
	// verifier is that of the last login, logins how many there were.
	verifier pkce.Verifier
	logins   int
}

func issuing(c *Config) {
	c.Discover, c.PublicURL = true, gatewayURL
	for i := range c.Clients {
		c.Clients[i].IdPClient = &IdPClientConfig{ID: "gateway", Secret: idpSecret}
	}
	c.Clients[1].IDTokenAlgorithm = signing.ES256
}

// idpSecret is the gateway's at the IdP.
const idpSecret = "a secret of more than thirty-two bytes"

func newProvider(t testing.TB, with ...func(*Config)) *provider {
	p := &provider{agent: newClient(newServed(t, append([]func(*Config){issuing}, with...)...)), verifier: testVerifier}
	m := openIDProvider()
	m.IDTokenAlgorithms, m.SubjectTypes = []string{"ES256", "HS256"}, []string{"pairwise"}
	at := func(path string) *url.URL { return &url.URL{Scheme: "https", Host: "idp.example", Path: path} }
	m.AuthorizationEndpoint, m.TokenEndpoint, m.UserInfoEndpoint, m.EndSessionEndpoint, m.JWKSURI = at("/authorize"), at("/token"), at("/userinfo"), at("/end"), at("/keys")
	p.metadata.now = m
	p.asks, p.info = []string{"scope", "openid email", "nonce", "client-nonce"}, `{"sub":"user-1","of":"the IdP"}`
	p.claims, p.person = map[string]any{}, map[string]any{
		"name": "Ada", "email": "ada@example.org", "email_verified": "true", "groups": []string{"secret"}, "address": map[string]any{"country": "GB"},
		"auth_time": 1_799_999_000, "acr": "loa2", "amr": []string{"pwd", "otp"}, "sid": "idp-session", "azp": "gateway",
	}
	p.sign = func(claims map[string]any) string {
		return p.keys.Sign(claims, map[string]any{"typ": "JWT", "jwk": nil})
	}
	return p
}

// logIn is the client's code after a login, with a code of the IdP and a verifier of its own.
func (p *provider) logIn(with ...string) string {
	p.t.Helper()
	p.logins++
	p.verifier, p.code = pkce.Verifier(testVerifier+strconv.Itoa(p.logins)), fmt.Sprint("idp-code-", p.logins)
	return p.agent.logIn(append([]string{"code_challenge", string(p.verifier.S256())}, with...)...)
}

// redeem is the result of a token request with the code of the last login; with replaces parameters.
func (p *provider) redeem(code string, with ...string) *Result {
	return p.do("POST", "/oauth/token", form(append([]string{"code", code, "code_verifier", string(p.verifier)}, with...)...))
}

// granted are the tokens that a client gets, and the claims of its ID token.
func (p *provider) granted(result *Result) (g granted, claims map[string]any) {
	p.t.Helper()
	require.Equal(p.t, 200, result.Status, string(result.Body))
	g = decoded[granted](p.t, result.Body)
	if g.IDToken != "" {
		claims = decoded[map[string]any](p.t, must.Have(p.signing.Verify(g.IDToken, p.sealed.now))(p.t))
	}
	return g, claims
}

func (p *provider) tokens(with ...string) (granted, map[string]any) {
	p.t.Helper()
	return p.granted(p.redeem(p.logIn(with...)))
}

func atHashOf(accessToken string) string {
	sum := sha256.Sum256([]byte(accessToken))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// OpenID Connect Core 1.0 section 2.
func TestAnIDTokenOfTheGatewaysOwn(t *testing.T) {
	p := newProvider(t)
	g, claims := p.tokens()
	require.Equal(t, map[string]any{
		"iss": gatewayURL, "sub": "user-1", "aud": "app", "nonce": "client-nonce", "at_hash": atHashOf(g.AccessToken),
		"exp": float64(p.sealed.now.Unix() + 600), "iat": float64(p.sealed.now.Unix()), "auth_time": 1_799_999_000.0,
		"acr": "loa2", "amr": []any{"pwd", "otp"}, "sid": "idp-session", "name": "Ada", "email": "ada@example.org", "email_verified": true,
	}, claims, "no azp, and nothing that no claim of the list is")
	require.Equal(t, "idp-access", g.AccessToken)

	_, claims = p.tokens("nonce", "")
	require.NotContains(t, claims, "nonce", "a client without one gets an ID token (section 3.1.3.3)")
	require.True(t, strings.HasPrefix(p.nonce, ownNoncePrefix), "the IdP's has one all the same")

	for _, no := range []any{"yes", "1", "t", "TRUE", 1, json.RawMessage("null"), []bool{true}, json.RawMessage("1e400")} {
		p.claims["email_verified"], p.claims["name"], p.claims["updated_at"] = no, map[string]any{"first": "Ada"}, json.RawMessage("1e400")
		_, claims = p.tokens()
		require.NotContains(t, claims, "email_verified", no)
		require.NotContains(t, claims, "name")
		require.NotContains(t, claims, "updated_at", "which no client could read")
	}
	p.claims["updated_at"] = "2026-11-29T10:00:00Z" // Auth0
	_, claims = p.tokens()
	require.Equal(t, "2026-11-29T10:00:00Z", claims["updated_at"])
	p.token["expires_in"] = 1 << 20
	_, claims = p.tokens()
	require.EqualValues(t, p.sealed.now.Unix()+3600, claims["exp"])

	g, claims = p.tokens("scope", "email")
	require.Empty(t, g.IDToken, "a client that does not ask for openid gets none")
	require.Nil(t, claims)
}

// Several clients of one registration at the IdP each have ID tokens of their own.
func TestClientsOfOneRegistrationHaveIDTokensOfTheirOwn(t *testing.T) {
	p := newProvider(t)
	code := p.logIn("client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1")
	g, claims := p.granted(p.redeem(code, "client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"))
	require.Equal(t, "single", claims["aud"])
	signed, err := jose.ParseSignedCompact(g.IDToken, []jose.SignatureAlgorithm{jose.ES256})
	require.NoError(t, err, "id_token_alg ES256")
	require.Equal(t, "JWT", signed.Signatures[0].Protected.ExtraHeaders["typ"])
}

// The attacker has whatever the IdP or the browser lets him have: the IdP's ID token is held to the
// login in full, and nothing is issued otherwise (section 3.1.3.7).
func TestTheIdPsIDTokenIsVerifiedInFull(t *testing.T) {
	claims := func(name string, value any) func(*provider) {
		return func(p *provider) { p.claims[name] = value }
	}
	by := func(algorithm jose.SignatureAlgorithm, key any) func(*provider) {
		return func(p *provider) {
			p.sign = func(claims map[string]any) string {
				return signedBy(p.t, algorithm, key, "", must.Have(json.Marshal(claims))(p.t))
			}
		}
	}
	for name, tc := range map[string]struct {
		change func(*provider)
		says   string // "": it is good
	}{
		"good":                   {func(*provider) {}, ""},
		"another issuer":         {claims("iss", "https://other.example"), "another issuer"},
		"another client's":       {claims("aud", "other"), "audience"},
		"several audiences":      {func(p *provider) { p.claims["aud"], p.claims["azp"] = []string{"gateway", "other"}, nil }, "alone"},
		"another party":          {claims("azp", "other"), "alone"},
		"expired":                {claims("exp", 1_700_000_000), "expired"},
		"another login's nonce":  {claims("nonce", ownNoncePrefix+"x"), "nonce"},
		"the client's nonce":     {claims("nonce", "client-nonce"), "nonce"},
		"no nonce":               {claims("nonce", nil), "nonce"},
		"no user":                {claims("sub", ""), "who the user is"},
		"none":                   {func(p *provider) { p.claims = nil }, "no ID token"},
		"a key of somebody else": {func(p *provider) { p.keys.away = false; by(jose.ES256, mustES256())(p) }, "not signed with a key"},
		"HS256 by the secret":    {by(jose.HS256, []byte(idpSecret)), ""},
		"HS256 by another":       {by(jose.HS256, []byte(strings.Repeat("x", 32))), "not signed with the secret"},
		"HS512":                  {by(jose.HS512, []byte(strings.Repeat("x", 64))), "not signed by an algorithm"},
		"an algorithm of nobody": {func(p *provider) { p.metadata.now.IDTokenAlgorithms = []string{"RS256"} }, "not signed by an algorithm"},
		"no signature":           {func(p *provider) { p.sign = unsigned }, "not signed by an algorithm"},
		"HS256 that nobody promises": {func(p *provider) {
			p.metadata.now.IDTokenAlgorithms = []string{"ES256"}
			by(jose.HS256, []byte(idpSecret))(p)
		}, "not signed by an algorithm"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t)
			tc.change(p)
			result := p.redeem(p.logIn())
			if tc.says == "" {
				p.granted(result)
				return
			}
			require.NotEqual(t, 200, result.Status, string(result.Body))
			require.Contains(t, string(result.Body), tc.says)
			require.NotContains(t, string(result.Body), "idp-access")
		})
	}
}

// Whoever knows the nonce of a victim's login can do nothing with it: what binds the IdP's code is
// the gateway's.
func TestAVictimsNonceIsOfNoUse(t *testing.T) {
	p := newProvider(t)
	p.logIn("nonce", "victims") // the victim's, whose code of the IdP the attacker has stolen
	stolen := p.nonce
	attackers := p.logIn("nonce", "victims")
	p.nonce = stolen // what the IdP's ID token has for the victim's code
	p.refuses(p.redeem(attackers), oauth.ServerError, "nonce is not this login's")
	result := p.authorize("nonce", stolen)
	require.Contains(t, result.Header.Get("Location"), "error=invalid_request", "which goes to no IdP")
	require.Contains(t, p.authorize("nonce", strings.Repeat("n", 257)).Header.Get("Location"), "error=invalid_request")
	_, claims := p.tokens("nonce", strings.Repeat("n", 256))
	require.Len(t, claims["nonce"], 256)
}

// Keys that can't be had leave code and refresh token unspent.
func TestWithoutKeysNothingIsSpent(t *testing.T) {
	p := newProvider(t)
	code := p.logIn()
	for _, away := range []*bool{&p.keys.away, &p.signing.away} {
		*away = true
		require.Equal(t, http.StatusServiceUnavailable, p.redeem(code).Status)
		*away = false
	}
	require.Empty(t, p.sent)
	g, _ := p.granted(p.redeem(code))
	p.keys.away = true
	require.Equal(t, http.StatusServiceUnavailable, p.renew(g.RefreshToken).Status)
	require.Len(t, p.sent, 1)
	p.keys.away = false
	p.granted(p.renew(g.RefreshToken))
}

// OpenID Connect Core 1.0 section 12.2.
func TestTheIDTokenOfARefresh(t *testing.T) {
	for _, with := range [][]func(*Config){nil, {rotating}} {
		p := newProvider(t, with...)
		g, first := p.tokens()
		p.sealed.pass(time.Minute)
		p.claims = map[string]any{"nonce": nil, "auth_time": 1_800_000_001, "acr": "loa1", "name": "Ada Lovelace", "sid": "another"}
		p.token["refresh_token"], p.token["access_token"] = nil, "idp-access-2"
		g, second := p.granted(p.renew(g.RefreshToken))
		for _, same := range []string{"iss", "sub", "aud", "auth_time", "acr", "amr", "sid", "gateway_login"} {
			require.Equal(t, first[same], second[same], same)
		}
		require.EqualValues(t, p.sealed.now.Unix(), second["iat"])
		require.Equal(t, atHashOf("idp-access-2"), second["at_hash"])
		require.Equal(t, "Ada Lovelace", second["name"])
		require.NotContains(t, second, "nonce")
		if g.RefreshToken == "" {
			continue
		}
		p.claims = nil
		g, none := p.granted(p.renew(g.RefreshToken))
		require.Nil(t, none, "the IdP has said nothing new")
		p.claims = map[string]any{"nonce": nil, "sub": "user-2"}
		p.refuses(p.renew(g.RefreshToken), oauth.InvalidGrant, "another user")
	}
}

// The clients of an issuer know OpenID Connect, and nothing of the contract.
func TestWhatClientsOfAnIssuerSend(t *testing.T) {
	for name, test := range map[string]struct {
		with func(*Config)
		host string
	}{
		"the gateway issues ID tokens": {func(c *Config) { c.Parameters = "" }, "idp.example"},
		"the IdP does":                 {func(c *Config) { c.Parameters, c.IDTokens, c.Clients[1].IDTokenAlgorithm = "", IdPIDTokens, "" }, "app.example"},
		"contract":                     {func(c *Config) { c.Parameters = ContractParameters }, "app.example"},
	} {
		t.Run(name, func(t *testing.T) {
			begun := newProvider(t, test.with).authorize()
			require.Equal(t, http.StatusFound, begun.Status, string(begun.Body))
			at := must.Have(url.Parse(begun.Header.Get("Location")))(t)
			require.Equal(t, test.host, at.Host, at)
		})
	}
}

// The gateway's own access token and its ID token are not taken for each other.
func TestOwnTokensWithAnIDToken(t *testing.T) {
	p := newProvider(t, func(c *Config) {
		c.Parameters = ""
		c.Resources = []ResourceConfig{{URI: serverA, Scopes: []ScopeConfig{{Name: "read"}}, DefaultScopes: []string{"read"}}}
	})
	p.token["scope"] = "openid read"
	g, claims := p.tokens("scope", "openid read", "resource", serverA)
	require.Equal(t, atHashOf(g.AccessToken), claims["at_hash"])
	require.Equal(t, "app", claims["aud"])

	get := func(token string) *Result { return p.do("GET", "/userinfo", "", "Authorization", "Bearer "+token) }
	info := get(g.AccessToken)
	require.Equal(t, 200, info.Status, string(info.Body))
	require.JSONEq(t, `{"sub":"user-1"}`, string(info.Body), "from its seal: the IdP is not asked")
	p.token["scope"] = "read"
	other, _ := p.tokens("scope", "read", "resource", serverA)
	require.Equal(t, http.StatusForbidden, get(other.AccessToken).Status, "without openid")
	sent := len(p.sent)
	require.Equal(t, http.StatusUnauthorized, get(g.AccessToken[:len(g.AccessToken)-2]).Status)
	require.Len(t, p.sent, sent)
	require.Equal(t, http.StatusUnauthorized, get(g.IDToken).Status, "an ID token is no access token")
	require.Len(t, p.sent, sent, "and the IdP does not hear of it")
	p.sealed.pass(time.Hour)
	require.Equal(t, http.StatusUnauthorized, get(g.AccessToken).Status, "too old")
}

// id_token_hint (OpenID Connect Core 1.0 section 3.1.2.1). The attacker wants a login of somebody
// else's to pass for that of the hint, or to learn from prompt=none who is logged in.
func TestALoginIsHeldToTheUserOfItsHint(t *testing.T) {
	p := newProvider(t)
	g, _ := p.tokens()
	code := p.logIn("client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1")
	others, _ := p.granted(p.redeem(code, "client_id", "single", "redirect_uri", "https://single.example/cb?tenant=1"))
	p.sealed.pass(30 * 24 * time.Hour) // it has expired long ago
	p.claims["auth_time"] = nil

	begun := p.authorize("id_token_hint", g.IDToken, "prompt", "none")
	require.NotContains(t, begun.Header.Get("Location"), "id_token_hint", "which the IdP does not know")
	_, claims := p.tokens("id_token_hint", g.IDToken)
	require.Equal(t, "user-1", claims["sub"])
	p.claims["sub"] = "user-2"
	p.refuses(p.redeem(p.logIn("id_token_hint", g.IDToken)), oauth.LoginRequired, "not the one of id_token_hint")
	p.claims["sub"] = nil

	foreign := must.Have(signingKeysOf(t, otherKey).Sign(signing.RS256, []byte(`{"iss":"`+gatewayURL+`","sub":"user-1","aud":"app"}`), p.sealed.now))(t)
	elsewhere := must.Have(p.signing.Sign(signing.RS256, []byte(`{"iss":"https://other.example","sub":"user-1","aud":"app"}`), p.sealed.now))(t)
	for name, hint := range map[string]string{
		"another client's": others.IDToken, "another gateway's": foreign, "of a site with the same storage": elsewhere,
		"the IdP's": p.sign(map[string]any{"iss": "https://idp.example", "sub": "user-1", "aud": "app"}),
		"unsigned":  unsigned(map[string]any{"iss": gatewayURL, "sub": "user-1", "aud": "app"}),
		"altered":   g.IDToken[:len(g.IDToken)-4] + "AAAA", "a refresh token": g.RefreshToken, "text": "ada@example.org",
	} {
		to := p.authorize("id_token_hint", hint, "prompt", "none").Header.Get("Location")
		require.Contains(t, to, "https://app.example/cb?", name)
		require.Contains(t, to, "error=login_required", name)
	}
	p.sealed.pass(100 * 24 * time.Hour)
	_, err := p.signing.Verify(g.IDToken, p.sealed.now)
	require.NoError(t, err, "no other key has signed since")
}

// OpenID Connect RP-Initiated Logout 1.0 section 2.
func TestALogoutByAnIDTokenOfTheGatewaysOwn(t *testing.T) {
	p := newProvider(t, rotating)
	g, claims := p.tokens()
	require.NotEmpty(t, claims["gateway_login"])
	p.sealed.pass(2 * time.Hour)
	refreshed, _ := p.granted(p.renew(g.RefreshToken))

	result := p.do("GET", "/v2/logout?client_id=single&id_token_hint="+g.IDToken, "")
	require.Equal(t, http.StatusBadRequest, result.Status, "the token is another client's")
	p.granted(p.renew(refreshed.RefreshToken))

	result = p.do("GET", "/v2/logout?id_token_hint="+g.IDToken, "")
	require.Equal(t, http.StatusFound, result.Status)
	to := must.Have(url.Parse(result.Header.Get("Location")))(t)
	require.Equal(t, "https://idp.example/end", to.Scheme+"://"+to.Host+to.Path)
	require.Equal(t, url.Values{"client_id": {"gateway"}}, to.Query(), "what the IdP knows")
	p.refuses(p.renew(refreshed.RefreshToken), oauth.InvalidGrant, "")

	idps := p.sign(map[string]any{"iss": "https://idp.example", "sub": "user-1"})
	require.Contains(t, p.do("GET", "/v2/logout?id_token_hint="+idps, "").Header.Get("Location"), "id_token_hint=", "from before the gateway was the issuer")
	require.NotContains(t, p.do("GET", "/v2/logout?id_token_hint="+g.IDToken[:len(g.IDToken)-4]+"AAAA", "").Header.Get("Location"), "id_token_hint")
}

func TestAuth0IsToldWhichSession(t *testing.T) {
	p := newProvider(t)
	p.metadata.now.Issuer = "https://tenant.eu.auth0.com/"
	p.claims["iss"] = p.metadata.now.Issuer
	g, _ := p.tokens()
	to := p.do("GET", "/v2/logout?id_token_hint="+g.IDToken, "").Header.Get("Location")
	require.Contains(t, to, "logout_hint=idp-session")
}

// Entra ID signs an account out without asking which one, if it is told the login_hint of its ID token.
func TestEntraIsToldWhichAccount(t *testing.T) {
	p := newProvider(t)
	p.metadata.now.Issuer = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0"
	p.claims["iss"], p.claims["login_hint"] = p.metadata.now.Issuer, "O.Ciox"
	g, claims := p.tokens()
	require.Equal(t, "O.Ciox", claims["login_hint"])
	p.claims["nonce"] = nil
	renewed, _ := p.granted(p.renew(g.RefreshToken))
	for _, hint := range []string{g.IDToken, renewed.IDToken} {
		to := p.do("GET", "/v2/logout?id_token_hint="+hint, "").Header.Get("Location")
		require.Contains(t, to, "logout_hint=O.Ciox")
		require.NotContains(t, to, "id_token_hint")
		to = p.do("GET", "/v2/logout?logout_hint=mine&id_token_hint="+hint, "").Header.Get("Location")
		require.Contains(t, to, "logout_hint=mine")
		require.NotContains(t, to, "Ciox")
	}
	delete(p.claims, "nonce")
	for _, none := range []any{nil, 7, strings.Repeat("x", maxClaim+1)} {
		p.claims["login_hint"] = none
		g, claims := p.tokens()
		require.NotContains(t, claims, "login_hint")
		require.NotContains(t, p.do("GET", "/v2/logout?id_token_hint="+g.IDToken, "").Header.Get("Location"), "logout_hint")
	}
	elsewhere := newProvider(t)
	elsewhere.claims["login_hint"] = "ada@example.org"
	_, claims = elsewhere.tokens()
	require.NotContains(t, claims, "login_hint", "another IdP's")
}

// RFC 8414, OpenID Connect Discovery 1.0: one issuer, whichever document a client reads.
func TestMetadataOfTheIssuer(t *testing.T) {
	p := newProvider(t)
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		result := p.do("GET", path, "")
		require.Equal(t, 200, result.Status)
		d := decoded[map[string]any](t, result.Body)
		for name, want := range map[string]any{
			"issuer": gatewayURL, "jwks_uri": gatewayURL + "/.well-known/jwks.json", "userinfo_endpoint": gatewayURL + "/userinfo",
			"end_session_endpoint": gatewayURL + "/v2/logout", "subject_types_supported": []any{"pairwise"},
			"id_token_signing_alg_values_supported": []any{"RS256", "ES256"}, "authorization_response_iss_parameter_supported": true,
			"claims_parameter_supported": false, // OpenID Connect Core 1.0 section 5.5
		} {
			require.Equal(t, want, d[name], name)
		}
		require.Contains(t, d["claims_supported"], "email_verified")
		require.Contains(t, d["scopes_supported"], "openid")
	}
	result := p.do("GET", "/.well-known/jwks.json", "")
	require.Equal(t, 200, result.Status)
	require.Equal(t, "max-age=300", result.Header.Get("Cache-Control"))
	require.Contains(t, string(result.Body), `"alg":"RS256"`)
	require.Contains(t, string(result.Body), `"alg":"ES256"`)
	require.NotContains(t, string(result.Body), "PS256", "which no client asks for")
	require.NotContains(t, string(result.Body), `"d":`)
	p.signing.away = true
	require.Equal(t, http.StatusServiceUnavailable, p.do("GET", "/.well-known/jwks.json", "").Status)

	old := must.Have(NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: gatewayURL + "/sub", Callback: &CallbackConfig{}, Discover: true}))(t)
	for path, want := range map[string]metadataDocument{
		"/sub/.well-known/oauth-authorization-server": oauthMetadata, "/.well-known/oauth-authorization-server/sub": oauthMetadata,
		"/.well-known/oauth-authorization-server": oauthMetadata, "/sub/.well-known/jwks.json": publicKeys, "/.well-known/jwks.json": publicKeys,
		"/.well-known/jwks.json/": noMetadata,
	} {
		require.Equal(t, want, old.metadataAt(path), path)
	}
}

// A host of the IdP's own has its name, and its keys.
func TestAnIssuerThatHasTheNameOfTheGateway(t *testing.T) {
	p := newProvider(t)
	p.metadata.now.Issuer = gatewayURL + "/"
	p.claims = nil
	require.Nil(t, p.do("GET", "/.well-known/jwks.json", ""), "the next handler's")
	require.Contains(t, p.authorize().Header.Get("Location"), "error=invalid_scope", "a shared registration, whose ID tokens are the IdP's")
	for _, change := range []func(*Config){func(c *Config) { c.IDTokens = IdPIDTokens }, func(c *Config) { c.FrontChannel = ProxyFrontChannel }} {
		c := Config{AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: &CallbackConfig{}, PublicURL: gatewayURL, Discover: true}
		change(&c)
		policy := must.Have(NewPolicy(c))(t)
		require.False(t, policy.SignsIDTokens())
	}
}

func TestMistakesInIDTokens(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"id_tokens gateway needs callback": func(c *Config) { c.Discover, c.IDTokens = false, GatewayIDTokens; c.Clients[1].IDTokenAlgorithm = "" },
		"id_token_alg needs ID tokens":     func(c *Config) { c.IDTokens = IdPIDTokens },
		"id_tokens own is unknown":         func(c *Config) { c.IDTokens = "own" },
		"id_token_alg none is unknown":     func(c *Config) { c.Clients[0].IDTokenAlgorithm = "none" },
	}, issuing)
}

func unsigned(claims map[string]any) string {
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(payload) + "."
}

func mustES256() any { return dpoptest.NewKey().Private }

func TestIDTokens(t *testing.T) {
	idToken := func(claims string) string {
		return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"}`
	}
	secret := func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} }
	without := `{"access_token":"a","token_type":"Bearer"}`
	requires := func(c *Config) { c.Nonce = NonceRequired }
	for name, tc := range map[string]struct {
		nonce, body, says string
		scope             string // "" stands for openid
		with              func(*Config)
	}{
		"the login's":                               {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`)},
		"another login's":                           {nonce: "n", body: idToken(`{"aud":"app","nonce":"m"}`), says: "nonce is not this login's"},
		"none, where the login had one":             {nonce: "n", body: idToken(`{"aud":"app"}`), says: "nonce is not this login's"},
		"empty, where the login had one":            {nonce: "n", body: idToken(`{"aud":"app","nonce":""}`), says: "nonce is not this login's"},
		"one, where the login had none":             {body: idToken(`{"aud":"app","nonce":"n"}`), says: "the login had none"},
		"none, where the login had none":            {body: idToken(`{"aud":"app"}`)},
		"twice":                                     {nonce: "n", body: idToken(`{"aud":"app","nonce":"m","nonce":"n"}`), says: "can't be read"},
		"a number":                                  {nonce: "1", body: idToken(`{"aud":"app","nonce":1}`), says: "can't be read"},
		"several audiences":                         {nonce: "n", body: idToken(`{"aud":["https://api.example","app"],"nonce":"n"}`)},
		"another client's":                          {nonce: "n", body: idToken(`{"aud":"other","nonce":"n"}`), says: "another client's"},
		"several other clients'":                    {nonce: "n", body: idToken(`{"aud":["other","App"],"nonce":"n"}`), says: "another client's"},
		"nobody's":                                  {nonce: "n", body: idToken(`{"nonce":"n"}`), says: "another client's"},
		"the gateway's own at the IdP":              {nonce: "n", body: idToken(`{"aud":"gateway","nonce":"n"}`), with: secret},
		"the client's, which the IdP does not know": {nonce: "n", body: idToken(`{"aud":"app","nonce":"n"}`), with: secret, says: "audience is not gateway"},
		"an audience that is a number":              {nonce: "n", body: idToken(`{"aud":1,"nonce":"n"}`), says: "can't be read"},
		"no ID token":                               {nonce: "n", body: without, says: "sent no ID token"},
		"no ID token, no nonce":                     {body: without, says: "sent no ID token"},
		"no ID token, a nonce only":                 {scope: "read", nonce: "n", body: without, says: "leave out the scope openid and nonce"},
		"no ID token, openid among others":          {scope: "read openid", body: without, says: "sent no ID token"},
		"no ID token, none asked for":               {scope: "read", body: without},
		"no ID token, openid in capitals":           {scope: "OpenID", body: without},
		"none asked for, but required":              {scope: "read", nonce: "n", body: without, with: requires, says: "parameters nonce asks for one"},
		"null, none asked for":                      {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`},
		"an empty string, none asked for":           {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":""}`},
		"an empty string":                           {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":""}`, says: "sent no ID token"},
		"not a string, none asked for":              {scope: "read", body: `{"access_token":"a","token_type":"Bearer","id_token":false}`, says: "not a string"},
		"another login's, none asked for":           {scope: "read", body: idToken(`{"aud":"app","nonce":"m"}`), says: "the login had none"},
		"no ID token, though required":              {nonce: "n", body: without, with: requires, says: "sent no ID token"},
		"encrypted":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b.c.d.e"}`, says: "encrypted"},
		"empty, where the login had none":           {body: idToken(`{"aud":"app","nonce":""}`)},
		"not base64url":                             {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.!.c"}`, says: "not a JWT"},
		"not a JWT":                                 {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":"a.b"}`, says: "not a JWT"},
		"not a string":                              {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":{}}`, says: "not a string"},
		"null":                                      {nonce: "n", body: `{"access_token":"a","token_type":"Bearer","id_token":null}`, says: "sent no ID token"},
		"a name that hides behind escapes":          {nonce: "n", body: strings.Replace(idToken(`{"aud":"app","nonce":"m"}`), "id_token", `id\u005ftoken`, 1), says: "nonce is not this login's"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, tc.with)
			grant, _ := g.opened(location(t, g.called(g.begin("nonce", tc.nonce, "scope", cmp.Or(tc.scope, "openid")).Get("state"), "c").Response).Query().Get("code"))
			outcome, err := outcomeOf(g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tc.body)}, grant))
			if tc.says == "" {
				require.NoError(t, err)
				require.Equal(t, upstream.Granted, outcome)
				return
			}
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, upstream.Unclear, outcome, "the code stays claimed")
			require.Equal(t, http.StatusBadGateway, oauth.AsError(err).Status)
			require.Equal(t, "OpenID Connect Core 1.0 section 3.1.3.7", oauth.AsError(err).Source)
		})
	}
	_, err := newSealedGateway(t, requires).parseAuthorize(strings.ReplaceAll(newSealedGateway(t).begin("nonce", "").Encode(), "oauth%2Fcallback", "x"))
	require.Error(t, err)
}

// openIDProvider is metadata as OpenID Connect Discovery 1.0 section 3 asks for it.
func openIDProvider() *discovery.Metadata {
	return &discovery.Metadata{Issuer: "https://idp.example", Scopes: []string{"openid", "read"}, IDTokenAlgorithms: []string{"RS256"}}
}

// A login that asks for no ID token gets one towards an OpenID Provider, with a nonce of
// the gateway's own.
func TestAnOpenIDProviderIsAskedForAnIDToken(t *testing.T) {
	for name, tc := range map[string]struct {
		metadata     *discovery.Metadata
		scope, nonce string
		with         func(*Config)
		asked        string // the scope that the IdP is asked for
		own          bool   // and a nonce of the gateway's own
	}{
		"a scope":                  {metadata: openIDProvider(), scope: "read", asked: "read openid", own: true},
		"several":                  {metadata: openIDProvider(), scope: "read write", asked: "read write openid", own: true},
		"one that only looks like": {metadata: openIDProvider(), scope: "openid2 OpenID", asked: "openid2 OpenID openid", own: true},
		"a nonce, without openid":  {metadata: openIDProvider(), scope: "read", nonce: "n", asked: "read openid", own: true},
		"openid, without a nonce":  {metadata: openIDProvider(), scope: "read openid", asked: "read openid"},
		"openid and a nonce":       {metadata: openIDProvider(), scope: "openid", nonce: "n", asked: "openid"},
		"no scope: the IdP's own":  {metadata: openIDProvider()},
		"a list that lacks openid": {metadata: openIDProvider(), scope: "read", with: func(c *Config) { c.Clients[0].Scopes = []string{"read"} }, asked: "read openid", own: true},
		"IDs of others": {metadata: openIDProvider(), scope: "read", asked: "read openid", own: true, with: func(c *Config) {
			for i := range c.Clients {
				c.Clients[i].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"}
			}
		}},
		"no list of scopes":           {metadata: &discovery.Metadata{IDTokenAlgorithms: []string{"RS256"}}, scope: "read", asked: "read openid", own: true},
		"an IdP that has no openid":   {metadata: &discovery.Metadata{IDTokenAlgorithms: []string{"RS256"}, Scopes: []string{"read"}}, scope: "read", asked: "read"},
		"one that signs no ID tokens": {metadata: &discovery.Metadata{Scopes: []string{"openid"}}, scope: "read", asked: "read"},
		"one that says nothing":       {metadata: new(discovery.Metadata), scope: "read", asked: "read"},
		"no discovery":                {scope: "read", asked: "read"},
		"no discovery, but a nonce":   {scope: "read", nonce: "n", asked: "read"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, tc.with)
			if tc.metadata != nil {
				tc.metadata.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
				g.Policy = g.withMetadata(tc.metadata)
			}
			first, second := g.begin("scope", tc.scope, "nonce", tc.nonce), g.begin("scope", tc.scope, "nonce", tc.nonce)
			require.Equal(t, tc.asked, first.Get("scope"))
			require.LessOrEqual(t, len(first["nonce"]), 1)
			require.LessOrEqual(t, len(first.Get("state")), 300, "some IdPs bound the length of state")
			if !tc.own {
				require.Equal(t, tc.nonce, first.Get("nonce"))
				return
			}
			require.Regexp(t, `^identity-gateway\.[A-Z2-7]{26}$`, first.Get("nonce"))
			require.NotEqual(t, first.Get("nonce"), second.Get("nonce"))

			mine := `{"aud":"` + g.registry.Find("app").IDAtIdP() + `","nonce":"` + first.Get("nonce") + `"}`
			for response, says := range map[string]string{
				tokenWith(mine, ""): "",
				tokenWith(`{"aud":"`+g.registry.Find("app").IDAtIdP()+`","nonce":"`+second.Get("nonce")+`"}`, ""): "nonce is not this login's",
				tokenWith(`{"aud":"`+g.registry.Find("app").IDAtIdP()+`"}`, ""):                                   "nonce is not this login's",
				tokenWith(`{"aud":"other","nonce":"`+first.Get("nonce")+`"}`, ""):                                 "another client's",
				`{"access_token":"a","token_type":"Bearer"}`:                                                      "allow the client that scope there",
			} {
				grant, request := g.opened(location(t, g.called(first.Get("state"), "c").Response).Query().Get("code"))
				require.True(t, request.ownOpenID)
				_, err := g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(response)}, grant)
				requireError(t, err, says)
			}
		})
	}
}

func tokenWith(claims, more string) string {
	return `{"access_token":"a","token_type":"Bearer","id_token":"e30.` + base64.RawURLEncoding.EncodeToString([]byte(claims)) + `.c2ln"` + more + `}`
}

// Whoever has read a nonce of the gateway's own begins no login with it.
func TestNoClientSendsANonceOfTheGatewaysOwn(t *testing.T) {
	g := newSealedGateway(t)
	g.Policy = g.withMetadata(openIDProvider())
	own := g.begin("scope", "read", "nonce", "").Get("nonce")
	for _, scope := range []string{"openid read", "read", ""} {
		for _, nonce := range []string{own, "identity-gateway.x", "identity-gateway."} {
			r, err := g.parseAuthorize(query("scope", scope, "nonce", nonce))
			require.ErrorContains(t, err, "which only the gateway's own do")
			requireWellFormed(t, err)
			_, toClient := r.redirectError(oauth.AsError(err))
			require.True(t, toClient)
		}
		_, err := g.parseAuthorize(query("scope", scope, "nonce", "of identity-gateway."))
		require.NoError(t, err)
	}
	direct := testPolicy(t, registered, oauthRules).withMetadata(openIDProvider())
	r, err := direct.parseAuthorize(query("scope", "profile", "nonce", own))
	require.NoError(t, err, "without callback there are none")
	require.False(t, r.ownOpenID)
}

// What the gateway has asked for on its own does not reach the client, also after refreshes.
func TestTheGatewaysOwnIDTokenStaysHere(t *testing.T) {
	for _, rotates := range []bool{false, true} {
		g := newSealedGateway(t, func(c *Config) {
			if rotates {
				c.Rotation = &rotation.Config{}
			}
		})
		g.Policy = g.withMetadata(openIDProvider())
		sealed := func(r *tokenRequest, grant *refreshGrant, body string) string {
			b := must.Have(g.sealBody(t.Context(), g.kept(), g.s, r, grant, []byte(body)))(t)
			return string(b)
		}
		own := func(scope string) *tokenRequest {
			_, request := g.opened(location(t, g.called(g.begin("scope", scope, "nonce", "").Get("state"), "c").Response).Query().Get("code"))
			request.family = newFamily()
			return request
		}
		for scope, want := range map[string]string{
			`"read openid"`:       `,"scope":"read"`,
			`"openid read write"`: `,"scope":"read write"`,
			`"read openid2"`:      `,"scope":"read openid2"`,
			`"openid"`:            `,"scope":"openid"`, // nothing else was granted, which the client is to know
			`["read","openid"]`:   `,"scope":"read"`,
			`null`:                `,"scope":null`,
			`"read \u006fpenid"`:  `,"scope":"read"`,
		} {
			require.Equal(t, `{"access_token":"a","token_type":"Bearer"`+want+`}`, sealed(own("read"), nil, tokenWith("{}", `,"scope":`+scope)))
		}
		require.Equal(t, `{"access_token":"a","token_type":"Bearer"}`, sealed(own("read"), nil, tokenWith("{}", "")))
		whole := tokenWith("{}", `,"scope":"openid read"`)
		require.Equal(t, whole, sealed(own("openid read"), nil, whole), "the client's own")

		const refreshable = `,"scope":"read openid","refresh_token":"of the IdP"`
		for _, scope := range []string{"read", "openid read"} {
			answer := sealed(own(scope), nil, tokenWith("{}", refreshable))
			for range 3 {
				require.Equal(t, scope != "read", strings.Contains(answer, "id_token"), answer)
				require.Equal(t, scope != "read", strings.Contains(answer, "openid"), answer)
				read, ok := upstream.ReadToken([]byte(answer))
				require.True(t, ok)
				token := must.Have(read.RefreshTokenText())(t)
				g.pass(time.Hour)
				r := &tokenRequest{Auth: clients.Auth{Party: g.registry.Find("app")}, tokenForm: tokenForm{RefreshToken: token}}
				grant := must.Have(r.openRefreshGrant(g.Policy, g.s))(t)
				if rotates {
					grant.lease = must.Have(g.kept().Take(t.Context(), g.s.Keys, *grant.opened.Place))(t)
				}
				answer = sealed(r, grant, tokenWith("{}", refreshable))
			}
		}
	}
}

// An API client's walk is held to the same nonce.
func TestAWalkWithANonceOfTheGatewaysOwn(t *testing.T) {
	g := newSealedGateway(t)
	m := openIDProvider()
	m.AuthorizationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/authorize"}
	g.Policy = g.withMetadata(m)
	r := must.Have(g.parseAuthorize(query("scope", "read", "nonce", "", "prompt", "none")))(t)
	w := r.newSilentLogin(g.Policy, g.s)
	sent := w.url().Query()
	require.Equal(t, "read openid", sent.Get("scope"))
	result := must.Have(w.next(http.StatusFound, http.Header{"Location": {g.s.Callback + "?code=c&state=" + url.QueryEscape(sent.Get("state"))}}))(t)
	grant, _ := g.opened(result.Code)
	_, err := g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tokenWith(`{"aud":"app","nonce":"`+sent.Get("nonce")+`"}`, ""))}, grant)
	require.NoError(t, err)
	_, err = g.checkTokenResponse(Response{Status: 200, Header: http.Header{}, Body: []byte(tokenWith(`{"aud":"app","nonce":"other"}`, ""))}, grant)
	require.ErrorContains(t, err, "nonce is not this login's")
}
