package accesstoken_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestAGoodToken(t *testing.T) {
	for name, key := range map[string]signingKey{"ES256": newES256(t, "k1"), "RS256": newRS256(t, "k1"), "no kid": newES256(t, "")} {
		i := newIssuer(t, key)
		token := accepted(t, i.verifier(t, nil), i.token(t, "https://example.com/roles", []string{"admin", "dev"}, "email_verified", true,
			"realm_access", map[string]any{"roles": []string{"a", "b"}}))
		require.Equal(t, "u1", token.Subject, name)
		require.Equal(t, "app", token.ClientID)
		require.Equal(t, []string{"read", "write"}, token.Scopes)
		require.Equal(t, i.now().Add(24*time.Hour), token.Expires)
		for path, want := range map[string]string{
			"sub": "u1", "scope": "read write", "https://example.com/roles": "admin,dev", "realm_access.roles": "a,b",
			"realm_access": "", "email_verified": "true", "none": "", "sub.none": "", "realm_access.none": "", "": "",
		} {
			require.Equal(t, want, token.Claim(path), path)
		}
	}
}

// What every issuer's access tokens look like, from their documentation.
func TestAccessTokensOfIssuers(t *testing.T) {
	i := newIssuer(t)
	typ := func(value string) map[jose.HeaderKey]any { return map[jose.HeaderKey]any{"typ": value} }
	for name, test := range map[string]struct {
		claims map[string]any
		change func(*accesstoken.Config)
	}{
		"Auth0":                 {claims: i.claims("client_id", nil, "aud", []string{audience, issuerURL + "userinfo"}, "azp", "app", "scope", "openid profile", "jti", nil)},
		"Auth0 without scopes":  {claims: i.claims("client_id", nil, "azp", "app", "scope", nil, "gty", "client-credentials")},
		"Keycloak":              {claims: i.claims("client_id", nil, "aud", []string{"account", audience}, "azp", "app", "typ", "Bearer", "acr", "1")},
		"Okta":                  {claims: i.claims("client_id", nil, "cid", "app", "scope", nil, "scp", []string{"read", "write"}, "ver", 1)},
		"Entra ID, version 2":   {claims: i.claims("client_id", nil, "azp", "app", "scope", nil, "scp", "read write", "ver", "2.0", "nbf", i.now().Unix())},
		"Entra ID, application": {claims: i.claims("client_id", nil, "appid", "app", "scope", nil, "roles", []string{"Data.Read"})},
		"Hydra":                 {claims: i.claims("scope", nil, "scp", []string{"read"}, "ext", map[string]any{}, "nbf", i.now().Unix())},
		"Cognito, which names no audience": {
			claims: i.claims("aud", nil, "token_use", "access", "client_id", "app"),
			change: func(c *accesstoken.Config) { c.Audiences, c.Clients = nil, []string{"app"} },
		},
	} {
		token := accepted(t, i.verifier(t, test.change), sign(t, i.keys[0], test.claims, typ("JWT")))
		require.True(t, token.ClientID == "app", name)
	}
}

func TestTokensThatAreRejected(t *testing.T) {
	i := newIssuer(t)
	key := i.keys[0]
	typ := func(value string) map[jose.HeaderKey]any { return map[jose.HeaderKey]any{"typ": value} }
	at := func(d time.Duration) int64 { return i.now().Add(d).Unix() }
	stranger := newES256(t, "k1")
	for name, test := range map[string]struct{ token, reason string }{
		"another issuer":                   {i.token(t, "iss", "https://evil.example"), "another issuer"},
		"an issuer with a longer name":     {i.token(t, "iss", issuerURL+"x"), "another issuer"},
		"no issuer":                        {i.token(t, "iss", nil), "another issuer"},
		"another audience":                 {i.token(t, "aud", "https://other.example"), "another resource server"},
		"other audiences":                  {i.token(t, "aud", []string{"a", audience + "/", ""}), "another resource server"},
		"no audience":                      {i.token(t, "aud", nil), "another resource server"},
		"expired":                          {i.token(t, "exp", at(-time.Minute)), "expired"},
		"expired in 1970":                  {i.token(t, "exp", -1), "expired"},
		"no expiry":                        {i.token(t, "exp", nil), "when it expires"},
		"an expiry that is a string":       {i.token(t, "exp", "never"), "can't be read"},
		"not valid yet":                    {i.token(t, "nbf", at(time.Minute+time.Second)), "not valid yet"},
		"not valid before the year 10^300": {i.token(t, "nbf", 1e300), "not valid yet"},
		"a subject that is a number":       {i.token(t, "sub", 1), "can't be read"},
		"an audience that is a number":     {i.token(t, "aud", 1), "can't be read"},
		"a number among the audiences":     {i.token(t, "aud", []any{audience, 1}), "can't be read"},
		"a scope that is a number":         {i.token(t, "scope", 1), "can't be read"},
		"a number among the scopes":        {i.token(t, "scp", []any{"read", 1}), "can't be read"},
		"bound to a DPoP key":              {i.token(t, "cnf", map[string]string{"jkt": "x"}), "bound to a key"},
		"bound to a certificate":           {i.token(t, "cnf", map[string]string{"x5t#S256": "x"}), "bound to a key"},
		"another key with the same name":   {sign(t, stranger, i.claims(), nil), "signature"},
		"a key in the header":              {sign(t, stranger, i.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: stranger.private.Public()}}), "signature"},
		"the URL of a key in the header":   {sign(t, stranger, i.claims(), map[jose.HeaderKey]any{"jku": "https://evil.example/keys"}), "signature"},
		"a critical extension":             {sign(t, key, i.claims(), map[jose.HeaderKey]any{"crit": []string{"x"}, "x": 1}), "signature"},
		"an ID token":                      {sign(t, key, i.claims("scope", nil, "client_id", nil, "aud", []string{audience}, "azp", audience, "email", "a@example.com"), typ("JWT")), "ID token"},
		"an ID token with a nonce":         {sign(t, key, i.claims("nonce", "n"), typ("JWT")), "ID token"},
		"an ID token with an empty nonce":  {sign(t, key, i.claims("nonce", json.RawMessage("null")), typ("JWT")), "ID token"},
		"an ID token with at_hash":         {sign(t, key, i.claims("at_hash", "h"), typ("JWT")), "ID token"},
		"an ID token with c_hash":          {sign(t, key, i.claims("c_hash", "h"), typ("JWT")), "ID token"},
		"an ID token without azp":          {sign(t, key, i.claims("scope", nil, "client_id", nil), typ("JWT")), "ID token"},
		"an ID token of Keycloak":          {sign(t, key, i.claims("typ", "ID"), typ("JWT")), "ID token"},
		"an ID token of Cognito":           {sign(t, key, i.claims("token_use", "id"), typ("JWT")), "ID token"},
		"a refresh token of Keycloak":      {sign(t, key, i.claims("typ", "Refresh"), typ("JWT")), "another purpose"},
		"a logout token":                   {sign(t, key, i.claims("events", map[string]any{}), typ("JWT")), "another purpose"},
		"a logout token by its type":       {sign(t, key, i.claims(), typ("logout+jwt")), "typ"},
		"a DPoP proof":                     {sign(t, key, i.claims(), typ("dpop+jwt")), "typ"},
		"not a JWT":                        {"opaque", "not a signed JWT"},
		"an encrypted JWT":                 {"eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", "not a signed JWT"},
		"too long":                         {"eyJ" + strings.Repeat("a", accesstoken.MaxToken) + ".a.b", "longer than"},
		"longer by one byte":               {strings.Repeat("a", accesstoken.MaxToken+1), "longer than 16384 bytes"},
		"as long as can be":                {strings.Repeat("a", accesstoken.MaxToken), "not a signed JWT"},
		"an empty signature":               {i.token(t)[:strings.LastIndex(i.token(t), ".")+1], "signature"},
		"no claims":                        {rawToken(t, key, "null"), "can't be read"},
		"claims in a list":                 {rawToken(t, key, "[]"), "can't be read"},
		"a claim twice":                    {rawToken(t, key, `{"iss":"https://evil.example","iss":"`+issuerURL+`"}`), "can't be read"},
		"deep JSON":                        {rawToken(t, key, strings.Repeat(`[`, 5000)+strings.Repeat(`]`, 5000)), "can't be read"},
		"deep JSON in a claim":             {rawToken(t, key, `{"x":`+strings.Repeat(`[`, 6000)), "can't be read"},
		"invalid UTF-8":                    {rawToken(t, key, "{\"sub\":\"\xff\"}"), "can't be read"},
	} {
		t.Run(name, func(t *testing.T) {
			v := i.verifier(t, nil)
			accepted(t, v, i.token(t))
			rejected(t, v, test.token, http.StatusUnauthorized, test.reason)
		})
	}
}

// rawToken signs a payload that need not be claims.
func rawToken(t testing.TB, key signingKey, payload string) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: key.algorithm, Key: jose.JSONWebKey{Key: key.private, KeyID: key.id}}, nil)
	require.NoError(t, err)
	signed, err := signer.Sign([]byte(payload))
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

// RFC 8725 sections 2.1 and 3.1.
func TestAlgorithmsThatAreNoSignatures(t *testing.T) {
	i := newIssuer(t, newRS256(t, "k1"))
	v := i.verifier(t, nil)
	accepted(t, v, i.token(t))
	payload, err := json.Marshal(i.claims())
	require.NoError(t, err)
	part := base64.RawURLEncoding.EncodeToString
	for _, alg := range []string{"none", "None", "NONE", ""} {
		rejected(t, v, part([]byte(`{"alg":"`+alg+`","typ":"at+jwt"}`))+"."+part(payload)+".", http.StatusUnauthorized, "signature")
	}
	rejected(t, v, part([]byte(`{"typ":"at+jwt"}`))+"."+part(payload)+".", http.StatusUnauthorized, "signature")

	// HMAC with what everybody knows as the secret: the public key, in every encoding.
	public := i.keys[0].private.Public()
	der, err := x509.MarshalPKIXPublicKey(public)
	require.NoError(t, err)
	jwk, err := json.Marshal(jose.JSONWebKey{Key: public})
	require.NoError(t, err)
	pemBytes := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	for _, secret := range [][]byte{der, pemBytes, bytes.TrimSpace(pemBytes), jwk} {
		for _, alg := range []jose.SignatureAlgorithm{jose.HS256, jose.HS512} {
			signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: secret, KeyID: "k1"}}, (&jose.SignerOptions{}).WithType("at+jwt"))
			require.NoError(t, err)
			signed, err := signer.Sign(payload)
			require.NoError(t, err)
			token, err := signed.CompactSerialize()
			require.NoError(t, err)
			rejected(t, v, token, http.StatusUnauthorized, "signature")
		}
	}
}

func TestClocksMayBeApart(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	accepted(t, v, i.token(t, "exp", i.now().Add(-59*time.Second).Unix()))
	accepted(t, v, i.token(t, "nbf", i.now().Add(60*time.Second).Unix()))
	rejected(t, v, i.token(t, "exp", i.now().Add(-60*time.Second).Unix()), http.StatusUnauthorized, "expired")
	rejected(t, v, i.token(t, "nbf", i.now().Add(61*time.Second).Unix()), http.StatusUnauthorized, "not valid yet")
}

func TestTypeAndScopesAndClients(t *testing.T) {
	i := newIssuer(t)
	strict := i.verifier(t, func(c *accesstoken.Config) { c.Types = []string{"at+jwt"} })
	accepted(t, strict, i.token(t))
	accepted(t, strict, sign(t, i.keys[0], i.claims(), map[jose.HeaderKey]any{"typ": "application/AT+JWT"}))
	rejected(t, strict, sign(t, i.keys[0], i.claims(), map[jose.HeaderKey]any{"typ": "JWT"}), http.StatusUnauthorized, "typ")

	scoped := i.verifier(t, func(c *accesstoken.Config) { c.Scopes = []string{"read", "admin"} })
	rejected(t, scoped, i.token(t), http.StatusForbidden, "scope")
	rejected(t, scoped, i.token(t, "scope", "readadmin"), http.StatusForbidden, "scope")
	rejected(t, scoped, i.token(t, "scope", nil), http.StatusForbidden, "scope")
	accepted(t, scoped, i.token(t, "scope", "admin other read"))
	accepted(t, scoped, i.token(t, "scope", nil, "scp", []string{"admin", "read"}))

	clients := i.verifier(t, func(c *accesstoken.Config) { c.Clients = []string{"app"} })
	accepted(t, clients, i.token(t))
	rejected(t, clients, i.token(t, "client_id", "other"), http.StatusUnauthorized, "client")
	rejected(t, clients, i.token(t, "client_id", "other", "azp", "app"), http.StatusUnauthorized, "client")
}

func TestConfigurationsThatAreNotSafe(t *testing.T) {
	keys := jwks.New(jwks.At(issuerURL), http.DefaultClient, nil, nil)
	good := accesstoken.Config{Issuer: issuerURL, Audiences: []string{audience}, Keys: keys}
	for _, good.CacheTTL = range []time.Duration{0, time.Hour} {
		_, err := accesstoken.New(good)
		require.NoError(t, err)
	}
	for name, test := range map[string]struct {
		change func(*accesstoken.Config)
		reason string
	}{
		"no issuer":             {func(c *accesstoken.Config) { c.Issuer = "" }, "issuer is missing"},
		"no audience":           {func(c *accesstoken.Config) { c.Audiences = nil }, "audience is missing"},
		"an empty scope":        {func(c *accesstoken.Config) { c.Scopes = []string{""} }, `scope "" is not a scope`},
		"two scopes in one":     {func(c *accesstoken.Config) { c.Scopes = []string{"a b"} }, "several arguments"},
		"a long memory":         {func(c *accesstoken.Config) { c.CacheTTL = time.Hour + 1 }, "cache must be between 0 and 1h0m0s"},
		"a memory below zero":   {func(c *accesstoken.Config) { c.CacheTTL = -1 }, "cache must be between 0 and 1h0m0s"},
		"nothing to check with": {func(c *accesstoken.Config) { c.Keys = nil }, "neither keys"},
		"DPoP without proofs":   {func(c *accesstoken.Config) { c.DPoP = oauth.Optional }, "dpop needs what checks proofs"},
	} {
		config := good
		test.change(&config)
		_, err := accesstoken.New(config)
		require.ErrorContains(t, err, test.reason, name)
	}
}

// TestWhatTellsAccessTokensFromIDTokens: RFC 9068 section 4 has a type for that. Of the other JWTs, one of the
// claims that only access tokens have.
func TestWhatTellsAccessTokensFromIDTokens(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	plain := func(with ...any) map[string]any {
		return i.claims(append([]any{"client_id", nil, "scope", nil}, with...)...)
	}
	jwtType := map[jose.HeaderKey]any{"typ": "JWT"}
	accepted(t, v, sign(t, i.keys[0], plain(), nil)) // at+jwt
	rejected(t, v, sign(t, i.keys[0], plain(), jwtType), http.StatusUnauthorized, "ID token")
	for name, value := range map[string]any{
		"token_use": "access", "typ": "Bearer", "scope": "read", "scp": []string{"read"}, "client_id": "app", "cid": "app", "appid": "app", "azp": "app",
		"permissions": []string{}, "roles": []string{},
	} {
		_, err := v.Verify(t.Context(), sign(t, i.keys[0], plain(name, value), jwtType))
		require.NoError(t, err, name)
	}
}

func TestAVerifierHasTheTimeOfDay(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, func(c *accesstoken.Config) {
		c.Now, c.Keys = nil, jwks.New(jwks.At(i.server.URL), i.server.Client(), nil, nil)
	})
	accepted(t, v, i.token(t, "exp", time.Now().Add(time.Hour).Unix()))
	rejected(t, v, i.token(t, "exp", time.Now().Add(-time.Hour).Unix()), http.StatusUnauthorized, "expired")
}

func TestVerifiedTokensAreRememberedForAShortTime(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, func(c *accesstoken.Config) { c.CacheTTL = 2 * time.Minute })
	raw := i.token(t)
	first := accepted(t, v, raw)
	i.advance(2*time.Minute - time.Second)
	require.Same(t, first, accepted(t, v, raw))
	i.advance(time.Second)
	require.NotSame(t, first, accepted(t, v, raw))

	v = i.verifier(t, func(c *accesstoken.Config) { c.CacheTTL = time.Hour })
	expires := i.token(t, "exp", i.now().Add(10*time.Second).Unix())
	accepted(t, v, expires)
	i.advance(10*time.Second + accesstoken.ClockSkew)
	rejected(t, v, expires, http.StatusUnauthorized, "expired")
}

// Each token is one that passes where nothing is asked. RFC 9470 section 3: those that are not
// enough are 401, so that the client logs in anew.
func TestHowTheUserHasLoggedIn(t *testing.T) {
	i := newIssuer(t)
	ago := func(d time.Duration) int64 { return i.now().Add(-d).Unix() }
	strong := accesstoken.Authentication{ACR: []string{"phr", "phrh"}}
	fresh := accesstoken.Authentication{MaxAge: 10 * time.Minute}
	all := accesstoken.Authentication{ACR: []string{"phr"}, MaxAge: time.Hour}
	for name, tc := range map[string]struct {
		asked  accesstoken.Authentication
		claims []any
		says   string // "" if it is enough
	}{
		"the preferred acr":             {strong, []any{"acr", "phr"}, ""},
		"another acr of the list":       {strong, []any{"acr", "phrh"}, ""},
		"a weaker acr":                  {strong, []any{"acr", "1"}, "(acr)"},
		"no acr":                        {strong, nil, "(acr)"},
		"several acr in one":            {strong, []any{"acr", "phr phrh"}, "(acr)"},
		"a list of acr":                 {strong, []any{"acr", []string{"phr"}}, "(acr)"},
		"a number for acr":              {strong, []any{"acr", 1}, "(acr)"},
		"a fresh login":                 {fresh, []any{"auth_time", ago(9 * time.Minute)}, ""},
		"a login at the edge":           {fresh, []any{"auth_time", ago(10*time.Minute + accesstoken.ClockSkew)}, ""},
		"an old login":                  {fresh, []any{"auth_time", ago(10*time.Minute + accesstoken.ClockSkew + time.Second)}, "(auth_time)"},
		"a login of the future":         {fresh, []any{"auth_time", ago(-time.Hour)}, "(auth_time)"},
		"no time of the login":          {fresh, nil, "(auth_time)"},
		"the time as text":              {fresh, []any{"auth_time", "1800000000"}, "(auth_time)"},
		"the time of the token instead": {fresh, []any{"iat", ago(0)}, "(auth_time)"},
		"all of it":                     {all, []any{"acr", "phr", "auth_time", ago(time.Minute)}, ""},
		"all but one":                   {all, []any{"acr", "phr"}, "(auth_time)"},
	} {
		t.Run(name, func(t *testing.T) {
			token := i.token(t, tc.claims...)
			accepted(t, i.verifier(t, nil), token)
			v := i.verifier(t, func(c *accesstoken.Config) { c.Authentication = tc.asked })
			if tc.says == "" {
				accepted(t, v, token)
				return
			}
			_, err := v.Verify(t.Context(), token)
			require.Equal(t, oauth.InsufficientAuth, oauth.AsError(err).Code)
			require.Equal(t, http.StatusUnauthorized, oauth.AsError(err).Status)
			require.ErrorContains(t, err, tc.says)
		})
	}
}

// A token that was good becomes too old while its check is remembered.
func TestALoginGetsOldWhileItsTokenIsRemembered(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, func(c *accesstoken.Config) {
		c.Authentication.MaxAge, c.CacheTTL = time.Minute, time.Hour
	})
	token := i.token(t, "auth_time", i.now().Unix())
	accepted(t, v, token)
	i.advance(2*time.Minute + time.Second)
	_, err := v.Verify(t.Context(), token)
	require.ErrorContains(t, err, "(auth_time)")
}

// A gateway's own token says what the IdP's ID token said at its login.
func TestHowTheUserOfAGatewaysTokenHasLoggedIn(t *testing.T) {
	g := newGateway(t)
	v := g.verifier(t, func(c *accesstoken.Config) {
		c.Authentication = accesstoken.Authentication{ACR: []string{"phr"}, MaxAge: time.Minute}
	})
	strong := func(token *gatewaytoken.Token) {
		token.ACR, token.AuthTime = "phr", g.now()
	}
	_, err := v.Verify(t.Context(), g.token(strong))
	require.NoError(t, err)
	for says, weaker := range map[string]func(*gatewaytoken.Token){
		"(acr)":       func(token *gatewaytoken.Token) { token.ACR = "1" },
		"(auth_time)": func(token *gatewaytoken.Token) { token.AuthTime = g.now().Add(-time.Hour) },
	} {
		_, err := v.Verify(t.Context(), g.token(func(token *gatewaytoken.Token) {
			strong(token)
			weaker(token)
		}))
		require.Equal(t, oauth.InsufficientAuth, oauth.AsError(err).Code)
		require.ErrorContains(t, err, says)
	}
}

func TestBadAuthentications(t *testing.T) {
	for want, asked := range map[string]accesstoken.Authentication{
		"challenge":     {ACR: []string{"a b"}},
		"can stand":     {ACR: []string{`a"`}},
		"no value":      {ACR: []string{""}},
		"whole seconds": {MaxAge: time.Millisecond},
	} {
		_, err := accesstoken.New(accesstoken.Config{Issuer: issuerURL, Audiences: []string{audience}, Authentication: asked, Keys: new(jwks.Keys)})
		require.ErrorContains(t, err, want)
	}
}

// FuzzAuthentication: whatever the claims are, only those that say what is asked for are enough.
func FuzzAuthentication(f *testing.F) {
	for _, claims := range []string{`{"acr":"phr"}`, `{"acr":["phr"]}`, `{"amr":"x","acr":null}`, `{"auth_time":1e400}`, `{"acr":"phr","amr":["hwk"],"auth_time":1}`} {
		f.Add([]byte(claims))
	}
	i := newIssuer(f)
	v := i.verifier(f, func(c *accesstoken.Config) { c.Authentication.ACR = []string{"phr"} })
	f.Fuzz(func(t *testing.T, raw []byte) {
		claims := make(map[string]any)
		if json.Unmarshal(raw, &claims) != nil {
			return
		}
		with := []any{}
		for _, name := range []string{"acr", "amr", "auth_time"} {
			if value, ok := claims[name]; ok {
				with = append(with, name, value)
			}
		}
		if token, err := v.Verify(t.Context(), i.token(t, with...)); (err == nil) != (claims["acr"] == "phr") {
			t.Fatalf("%s: %v, %v", raw, token, err)
		}
	})
}

// A key that was withdrawn is good for ten minutes more, and no longer.
func TestAKeyThatIsWithdrawn(t *testing.T) {
	k1, k2 := newES256(t, "k1"), newES256(t, "k2")
	i := newIssuer(t, k1)
	v := i.verifier(t, func(c *accesstoken.Config) { c.CacheTTL = time.Hour })
	token := i.token(t)
	accepted(t, v, token)
	i.rotate(k2)
	accepted(t, v, token)
	i.advance(10 * time.Minute)
	require.Eventually(t, func() bool {
		_, err := v.Verify(t.Context(), token)
		return err != nil
	}, 5*time.Second, 10*time.Millisecond, "the refresh in the background takes effect on what is remembered, too")
}

func TestTokensThatAreWrongOtherwiseFetchNothing(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	for n := range 50 {
		key := newES256(t, fmt.Sprint("unknown-", n))
		for _, with := range [][]any{{"aud", "other"}, {"iss", "other"}, {"exp", 1}} {
			_, err := v.Verify(t.Context(), sign(t, key, i.claims(with...), nil))
			require.Error(t, err)
		}
	}
	require.Zero(t, i.fetches.Load())
}

func TestSignaturesThatAreNotTheIssuers(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier(t, nil)
	accepted(t, v, i.token(t))
	rejected(t, v, sign(t, newES256(t, "k1"), i.claims(), nil), http.StatusUnauthorized, "the signature of the access token is wrong")
	rejected(t, v, sign(t, newES256(t, "k2"), i.claims(), nil), http.StatusUnauthorized, "does not publish")
	i.setDown(true)
	i.advance(24*time.Hour + time.Second)
	rejected(t, v, i.token(t), http.StatusServiceUnavailable, "keys of the issuer")
}

// RFC 8705 section 3: a thief has the token, and any certificate but the owner's. What is bound
// to nothing lets him in.
func TestTokensThatAreBoundToACertificate(t *testing.T) {
	connect := func(shown ...tls.Certificate) *tls.ConnectionState {
		state, err := clientcerttest.Connect(tls.RequestClientCert, nil, shown...)
		require.NoError(t, err)
		return state
	}
	owner, thief := connect(clientcerttest.SelfSigned(x509.Certificate{})), connect(clientcerttest.SelfSigned(x509.Certificate{}))
	i := newIssuer(t)
	bound := i.token(t, "cnf", map[string]string{"x5t#S256": clientcert.Of(owner).Thumbprint().String()})
	for name, v := range map[string]*accesstoken.Verifier{
		"alone":     i.verifier(t, func(*accesstoken.Config) {}),
		"with DPoP": i.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Optional, proofs(i.now, nil) }),
	} {
		verify := func(token string, over *tls.ConnectionState) error {
			r := &http.Request{Method: "GET", TLS: over, Header: http.Header{"Authorization": {"Bearer " + token}, "Client-Cert": {":x:"}}}
			_, err := v.VerifyRequest(t.Context(), r, "https://api.example/", nil)
			return err
		}
		require.NoError(t, verify(i.token(t), thief), name)
		require.NoError(t, verify(bound, owner), name)
		for what, over := range map[string]*tls.ConnectionState{"no TLS": nil, "no certificate": connect(), "the thief's": thief} {
			require.ErrorContains(t, verify(bound, over), "bound to a TLS certificate", "%s: %s", name, what)
		}
		_, err := v.Verify(t.Context(), bound)
		require.ErrorContains(t, err, "bound to a TLS certificate")
	}
}
