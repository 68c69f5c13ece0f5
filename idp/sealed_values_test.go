package idp

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// What one kind of sealed value is for, no other one is.
func TestNoSealedValueIsTakenForAnother(t *testing.T) {
	a := newAgent(t, true, rotating)
	code := a.logIn()
	tokens := newAgent(t, true, rotating).tokens() // of another node
	bare := strings.TrimPrefix(tokens.AccessToken, seal.AccessTokenPrefix)
	for name, value := range map[string]string{"an access token": tokens.AccessToken, "without its prefix": bare} {
		for _, result := range []*Result{
			a.redeem(value), a.renew(value), a.do("POST", "/oauth/token", form("client_id", value, "code", code)),
			a.do("GET", "/authorize?"+authorizeOpenly+"&id_token_hint="+tokens.AccessToken, ""),
		} {
			require.Contains(t, []int{400, 401}, result.Status, "%s: %s", name, result.Body)
		}
	}
	for name, value := range map[string]string{"a code": code, "a refresh token": tokens.RefreshToken} {
		for _, token := range []string{value, seal.AccessTokenPrefix + value} {
			_, err := gatewaytoken.Open(t.Context(), seal.Static(a.sealed.s.Keys), gatewayURL, token, a.sealed.now)
			require.Equal(t, oauth.InvalidToken, oauth.AsError(err).Code, name)
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", token).Body), name)
		}
	}
	a.answer(a.redeem(code))
}

// The IdP gets no access token of the gateway's, whether it is good, of another gateway,
// or of a key that was retired, and in whatever way it comes.
func TestTheIdPGetsNoTokenOfTheGateways(t *testing.T) {
	for _, with := range []func(*Config){func(*Config) {}, rotating, func(c *Config) {
		c.Callback, c.Resources, c.PublicURL = nil, nil, ""
		c.Endpoints = map[Endpoint]string{Revoke: "/revoke"}
	}} {
		good := newAgent(t, true).tokens().AccessToken
		foreign := gatewaytoken.Token{Issuer: "https://other.example.com", Issued: time.Unix(1_800_000_000, 0), Expires: time.Unix(1_800_003_600, 0)}
		for _, token := range []string{
			good, good[:len(good)-1] + "A", foreign.Seal(testKeys(t, time.Now, "k")), foreign.Seal(testKeys(t, time.Now, "x")), seal.AccessTokenPrefix,
		} {
			a := newAgent(t, true, with)
			a.sealed.t = t
			basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("app:"+token))
			escaped := url.QueryEscape(strings.Replace(token, "igat", "%69gat", 1))
			for _, result := range []*Result{
				a.do("GET", "/userinfo", "", "Authorization", "Bearer "+token),
				a.do("GET", "/userinfo?schema="+token, "", "Authorization", "Bearer at"),
				a.do("POST", "/oauth/revoke", revocationForm("app", token)),
				a.do("POST", "/oauth/revoke", revocationForm("app", token, "token_type_hint", "refresh_token")),
				a.do("POST", "/oauth/token", refreshForm("app", token)),
				a.do("POST", "/oauth/token", form("code", token)),
				a.do("POST", "/oauth/token", form("code_verifier", token)),
				a.do("POST", "/oauth/token", form("client_secret", token)),
				a.do("POST", "/oauth/token", form(), "Authorization", basic),
				a.do("GET", "/authorize?"+authorizeOpenly+"&id_token_hint="+token, ""),
				a.do("GET", "/authorize?"+authorizeOpenly+"&login_hint="+escaped, ""),
				a.do("GET", "/v2/logout?client_id=app&id_token_hint="+token, ""),
			} {
				require.NotContains(t, result.Header.Get("Location"), seal.AccessTokenPrefix)
				require.NotContains(t, string(result.Body), token)
			}
			for _, sent := range a.sent {
				require.NotContains(t, sent.URL.String()+sent.form.Encode()+strings.Join(sent.Header["Authorization"], ""), seal.AccessTokenPrefix)
			}
		}
	}
}

// Nor anything else that the gateway has sealed, where a token of the IdP's would be sent on. The
// IdP's own reach it.
func TestTheIdPGetsNothingThatIsSealed(t *testing.T) {
	keys := make(map[string]*keySet)
	passing := func(c *Config) {
		withKey(keys)(c)
		c.Endpoints = map[Endpoint]string{Revoke: "/revoke"}
		c.Resources = append(c.Resources, ResourceConfig{URI: "https://c.example.com/", Tokens: IdPTokens})
	}
	for _, with := range []func(*Config){passing, func(c *Config) { passing(c); rotating(c) }} {
		a := newAgent(t, true, with)
		s := a.sealed.s
		altered := func(sealed string) string { return sealed[:len(sealed)-4] + "AAAA" }
		code := a.logIn("resource", serverA)
		refresh := a.answer(a.do("POST", "/oauth/token", asserted(form("code", code), clientAssertion(a, keys["app"].Key, "app")))).RefreshToken
		values := map[string]string{
			"a refresh token": refresh, "another one, altered": altered(refresh), "a code": code, "a code, altered": altered(code), "a nonce": a.dpopNonce(),
			"a state":                     s.Keys.Seal("state", "", []byte("state")),
			"a page":                      s.Keys.Seal("consent", "", []byte("page")),
			"a request_uri":               a.sealed.codec.SealRequest(s.Keys, login.RequestURI{}, "client_id=app"),
			"a client id":                 s.Keys.SealLasting("client id", "", []byte("client")),
			"an access token in capitals": "IGAT_" + strings.TrimPrefix((&gatewaytoken.Token{}).Seal(s.Keys), seal.AccessTokenPrefix),
			"a code after another prefix": "igat_" + code,
		}
		for name, value := range values {
			values[name+", escaped"] = strings.NewReplacer("A", "%41", ":", "%3a", "_", "%5F").Replace(value)
			values[name+", escaped twice"] = strings.NewReplacer("A", "%2541", ":", "%253a", "_", "%255F").Replace(value)
		}
		a.sent = nil
		revoke := func(token string) *Result {
			return a.do("POST", "/oauth/revoke", asserted(revocationForm("app", token), clientAssertion(a, keys["app"].Key, "app")))
		}
		for name, value := range values {
			a.do("GET", "/userinfo", "", "Authorization", "Bearer "+value)
			hint := "id_token_hint=" + url.QueryEscape(value)
			for _, target := range []string{"/authorize?" + authorizeOpenly + "&" + hint, "/v2/logout?client_id=app&" + hint} {
				require.NotContains(t, a.do("GET", target, "").Header.Get("Location"), "idp.example", name)
			}
			if !strings.Contains(name, "a refresh token") || strings.Contains(name, "escaped") { // which is the one to revoke
				require.Equal(t, 200, revoke(value).Status, name)
			}
			require.Empty(t, a.sent, name)
		}
		a.do("GET", "/userinfo", "", "Authorization", "Bearer idp-access-"+strings.Repeat("x", 64))
		require.Equal(t, 200, revoke("idp-access-"+strings.Repeat("x", 64)).Status)
		require.Equal(t, 200, revoke(refresh).Status)
		require.Len(t, a.sent, 3)
	}
}

// Whoever registers may ask for revocations. Of an agent whose tokens are all the gateway's own
// none of anything else reaches the IdP, with the gateway's secret.
func TestARevocationOfATokenThatNoAgentHas(t *testing.T) {
	resourceOfIdP := func(c *Config) { c.Resources[1].Tokens, c.Resources[1].Introspection = IdPTokens, nil }
	for name, tt := range map[string]struct {
		with  func(*Config)
		asked int
	}{
		"tokens gateway":          {func(*Config) {}, 0},
		"and rotating":            {rotating, 0},
		"a resource of the IdP's": {resourceOfIdP, 1},
		"of another client":       {func(c *Config) { resourceOfIdP(c); c.Clients[0].Audiences = []string{serverA} }, 0},
	} {
		a := newAgent(t, true, tt.with, func(c *Config) { c.Endpoints = map[Endpoint]string{Revoke: "/revoke"} })
		refresh := a.tokens().RefreshToken
		a.sent = nil
		for _, hint := range []string{"", hintAccessToken, hintRefreshToken} {
			for _, token := range []string{"made-up", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"} {
				require.Equal(t, 200, a.do("POST", "/oauth/revoke", revocationForm("app", token, "token_type_hint", hint)).Status, name)
			}
		}
		require.Len(t, a.sent, 6*tt.asked, name)
		a.sent = nil
		require.Equal(t, 200, a.do("POST", "/oauth/revoke", revocationForm("app", refresh)).Status, name)
		require.Len(t, a.sent, 1, name)
		require.Equal(t, "idp-refresh", a.sent[0].form.Get("token"), name)
	}
}

func TestUserInfoSaysWhatATokenOfTheGatewaysIsFor(t *testing.T) {
	a := newAgent(t, true)
	result := a.do("GET", "/userinfo", "", "Authorization", "Bearer "+a.tokens().AccessToken)
	a.refuses(result, oauth.InvalidToken, "for its resource server only")
	require.Equal(t, 401, result.Status)
	require.Contains(t, result.Header.Get("WWW-Authenticate"), `error="invalid_token"`)
}
