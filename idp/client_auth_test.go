package idp

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// keySet is a client's key. away: it can't be had.
type keySet struct {
	*dpoptest.Key
	away bool
}

func (k *keySet) Ready(context.Context) error {
	if k.away {
		return jwks.ErrUnavailable
	}
	return nil
}

func (k *keySet) Verify(_ context.Context, signed *jose.JSONWebSignature) error {
	if k.away {
		return jwks.ErrUnavailable
	}
	if _, err := signed.Verify(k.Public.Key); err != nil {
		return jwks.ErrSignature
	}
	return nil
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

const clientSecret = "a+secret/of 16 %41 or more"

// withSecret and withKey have the clients authenticate at the gateway.
func withSecret(c *Config) {
	c.PublicURL = gatewayURL
	for i := range c.Clients {
		c.Clients[i].AuthMethods = []string{AuthSecretBasic, AuthSecretPost}
		c.Clients[i].SecretHashes = []string{hashOf("the former one"), hashOf(c.Clients[i].ID + clientSecret)}
	}
}

func withKey(keys map[string]*keySet) func(*Config) {
	return func(c *Config) {
		c.PublicURL = gatewayURL
		for i := range c.Clients {
			keys[c.Clients[i].ID] = &keySet{Key: dpoptest.NewKey()}
			c.Clients[i].AuthMethods, c.Clients[i].Keys = []string{AuthPrivateKeyJWT}, keys[c.Clients[i].ID]
		}
	}
}

// Whoever has a code or a refresh token of a public client gets in. With a secret he needs that.
func TestSecretsOfClients(t *testing.T) {
	public := newAgent(t, true)
	require.Equal(t, 200, public.renew(public.tokens().RefreshToken).Status, "a stolen refresh token of a public client")

	a := newAgent(t, true, withSecret)
	good := "app" + clientSecret
	refresh := refreshForm("app", a.answer(a.do("POST", "/oauth/token", form("code", a.logIn(), "client_secret", good))).RefreshToken)
	sent := a.sent[len(a.sent)-1]
	require.NotContains(t, sent.form.Encode()+sent.Header.Get("Authorization"), url.QueryEscape(clientSecret))
	require.Equal(t, basicHeader("gateway", "s3cret"), sent.Header.Get("Authorization"), "the IdP gets the gateway's own")
	for _, secret := range []string{good, "the former one"} {
		require.Equal(t, 200, a.do("POST", "/oauth/token", refresh+"&client_secret="+url.QueryEscape(secret)).Status)
		require.Equal(t, 200, a.do("POST", "/oauth/token", refresh, "Authorization", basicHeader("app", secret)).Status)
		plain := "Basic " + base64.StdEncoding.EncodeToString([]byte("app:"+secret))
		require.Equal(t, 200, a.do("POST", "/oauth/token", refresh, "Authorization", plain).Status, "not encoded, as curl and Python's requests send it")
	}

	calls := len(a.sent)
	for name, tt := range map[string]struct{ more, authorization string }{
		"none":                                  {},
		"an empty one":                          {"&client_secret=", ""},
		"a wrong one":                           {"&client_secret=wrong", ""},
		"a part of it":                          {"&client_secret=" + url.QueryEscape(good[:len(good)-1]), ""},
		"its hash":                              {"&client_secret=" + hashOf(good), ""},
		"another client's":                      {"&client_secret=" + url.QueryEscape("single"+clientSecret), ""},
		"a wrong one in the header":             {"", basicHeader("app", "wrong")},
		"an empty one in the header":            {"", basicHeader("app", "")},
		"both":                                  {"&client_secret=" + url.QueryEscape(good), basicHeader("app", good)},
		"that of another client, as itself":     {"", basicHeader("single", "single"+clientSecret)},
		"an assertion, which it has no key for": {"&client_assertion_type=" + url.QueryEscape(clients.AssertionTypeJWT) + "&client_assertion=a.b.c", ""},
	} {
		header := []string{}
		if tt.authorization != "" {
			header = append(header, "Authorization", tt.authorization)
		}
		for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
			content := refresh + tt.more
			if path == "/oauth/revoke" {
				content = strings.Replace(content, "refresh_token=", "token=", 1)
			}
			result := a.do("POST", path, content, header...)
			require.Contains(t, []string{"invalid_client", "invalid_request"}, result.Decision.Outcome, "%s: %s", name, result.Body)
		}
	}
	require.Len(t, a.sent, calls, "the IdP hears nothing of it")
}

// clientAssertion is a client assertion; with replaces claims, and typ and crit of its header, nil removes one.
func clientAssertion(a *agent, key *dpoptest.Key, clientID string, with ...any) string {
	now := a.sealed.now
	return signedJWT(key, "JWT", map[string]any{
		"iss": clientID, "sub": clientID, "aud": gatewayURL, "jti": rand.Text(), "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(),
	}, with)
}

// signedJWT is a JWT with these claims, some replaced.
func signedJWT(key *dpoptest.Key, typ string, claims map[string]any, with []any) string {
	header := map[string]any{"typ": typ, "jwk": nil, "kid": "k1"}
	replacedClaims(claims, pairs(with))
	for _, name := range []string{"typ", "crit"} {
		if value, ok := pairs(with)[name]; ok {
			header[name] = value
			delete(claims, name)
		}
	}
	return key.Sign(claims, header)
}

// pairs are claims by names and values.
func pairs(with []any) map[string]any {
	claims := make(map[string]any)
	for pair := range slices.Chunk(with, 2) {
		claims[pair[0].(string)] = pair[1]
	}
	return claims
}

func asserted(content, assertion string) string {
	return content + "&client_assertion_type=" + url.QueryEscape(clients.AssertionTypeJWT) + "&client_assertion=" + assertion
}

// Each attack is an assertion that is well signed by somebody, and good somewhere.
func TestAssertionsOfClients(t *testing.T) {
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys))
	own, other := keys["app"].Key, keys["single"].Key
	assertion := func(with ...any) string { return clientAssertion(a, own, "app", with...) }
	granted := a.answer(a.do("POST", "/oauth/token", asserted(form("code", a.logIn()), assertion())))
	refresh := refreshForm("app", granted.RefreshToken)
	send := func(assertion string) *Result { return a.do("POST", "/oauth/token", asserted(refresh, assertion)) }
	for _, good := range []string{
		assertion(), assertion("aud", []string{gatewayURL}), assertion("typ", nil), assertion("typ", "client-authentication+jwt"), assertion("iat", nil),
		assertion("exp", a.sealed.now.Add(clients.MaxAssertion).Unix()), assertion("nbf", a.sealed.now.Unix()), assertion("exp", a.sealed.now.Add(-time.Minute).Unix()),
	} {
		require.Equal(t, 200, send(good).Status)
	}
	require.Empty(t, a.sent[len(a.sent)-1].form.Get("client_assertion"))

	unnamed := strings.Replace(refresh, "client_id=app", "", 1)
	require.NotContains(t, unnamed, "client_id")
	require.Equal(t, 200, a.do("POST", "/oauth/token", asserted(unnamed, assertion())).Status, "client_id is optional: RFC 7521 section 4.2")
	require.Equal(t, "app", a.do("POST", "/oauth/token", asserted(unnamed, assertion())).Decision.ClientID)
	for _, other := range []string{clientAssertion(a, other, "app"), clientAssertion(a, own, "single"), assertion("sub", "nobody"), assertion("sub", nil), "a.b.c", "x"} {
		require.NotEqual(t, string(Passed), a.do("POST", "/oauth/token", asserted(unnamed, other)).Decision.Outcome)
	}
	used := assertion()
	require.Equal(t, 200, send(used).Status)
	calls := len(a.sent)
	symmetric := (&dpoptest.Key{Algorithm: jose.HS256, Private: []byte(strings.Repeat("k", 32))})
	parts := strings.Split(assertion(), ".")
	for name, tt := range map[string]struct{ assertion, says string }{
		"used before":                 {used, "used before"},
		"of another client":           {clientAssertion(a, other, "single"), "iss and sub"},
		"another client's key":        {clientAssertion(a, other, "app"), "not signed with a key of the client"},
		"another client as issuer":    {assertion("iss", "single"), "iss and sub"},
		"another client as subject":   {assertion("sub", "single"), "iss and sub"},
		"no issuer":                   {assertion("iss", nil), "iss and sub"},
		"for the IdP":                 {assertion("aud", "https://idp.example"), "aud"},
		"for the token endpoint":      {assertion("aud", gatewayURL+"/oauth/token"), "aud"},
		"for another gateway":         {assertion("aud", "https://login2.example.com"), "aud"},
		"for two":                     {assertion("aud", []string{gatewayURL, "https://evil.example"}), "aud"},
		"for nobody":                  {assertion("aud", nil), "aud"},
		"for the issuer with a slash": {assertion("aud", gatewayURL+"/"), "aud"},
		"no jti":                      {assertion("jti", nil), "jti"},
		"no exp":                      {assertion("exp", nil), "exp"},
		"expired":                     {assertion("exp", a.sealed.now.Add(-2*time.Minute).Unix()), "expired"},
		"good for a day":              {assertion("exp", a.sealed.now.Add(24*time.Hour).Unix()), "five minutes"},
		"not yet":                     {assertion("nbf", a.sealed.now.Add(time.Hour).Unix()), "future"},
		"made in the future":          {assertion("iat", a.sealed.now.Add(time.Hour).Unix()), "future"},
		"a DPoP proof":                {assertion("typ", "dpop+jwt"), "typ"},
		"an access token":             {assertion("typ", "at+jwt"), "typ"},
		"alg none":                    {unsignedJWT(parts[1]), "asymmetric signature"},
		"alg HS256":                   {clientAssertion(a, symmetric, "app"), "asymmetric signature"},
		"no signature":                {parts[0] + "." + parts[1] + ".", "not signed"},
		"altered":                     {parts[0] + "." + strings.Split(assertion("sub", "app"), ".")[1] + "." + parts[2], "not signed"},
		"not a JWT":                   {"x", "asymmetric signature"},
		"a list":                      {own.Sign([]int{1}, map[string]any{"typ": "JWT", "jwk": nil}), "can't be read"},
	} {
		result := send(tt.assertion)
		require.Equal(t, "invalid_client", result.Decision.Outcome, "%s: %s", name, result.Body)
		require.Equal(t, 401, result.Status)
		require.Contains(t, string(result.Body), tt.says, name)
	}
	require.Equal(t, 401, a.do("POST", "/oauth/token", refresh).Status, "without any")
	require.Equal(t, 401, a.do("POST", "/oauth/token", refresh+"&client_secret=x").Status)
	require.Equal(t, 401, a.do("POST", "/oauth/revoke", "client_id=app&token="+granted.RefreshToken).Status)
	require.Equal(t, "invalid_client", a.do("POST", "/oauth/revoke", asserted("client_id=app&token="+granted.RefreshToken, used)).Decision.Outcome, "used at another endpoint")
	require.Len(t, a.sent, calls, "the IdP hears nothing of it")

	keys["app"].away = true
	require.Equal(t, 503, send(assertion()).Status)
	keys["app"].away = false
	a.assertions = replay.NewOnce(failingStore{a.sealed.store}, 1, dpop.Remember, a.parts.Now)
	result := send(assertion())
	require.Equal(t, 503, result.Status)
	require.Equal(t, ClaimFailed, result.Incidents[0].Kind)
}

// unsignedJWT has claims, and alg none.
func unsignedJWT(payload string) string { return "eyJhbGciOiJub25lIn0." + payload + "." }

// How long it is remembered that an assertion was used is as long as it can be good.
func TestAssertionsAreRememberedLongEnough(t *testing.T) {
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys))
	refresh := refreshForm("app", a.answer(a.do("POST", "/oauth/token", asserted(form("code", a.logIn()), clientAssertion(a, keys["app"].Key, "app")))).RefreshToken)
	longest := clientAssertion(a, keys["app"].Key, "app", "exp", a.sealed.now.Add(clients.MaxAssertion+2*time.Minute).Unix())
	require.Equal(t, 200, a.do("POST", "/oauth/token", asserted(refresh, longest)).Status)
	for range 10 {
		a.sealed.pass(time.Minute)
		require.Equal(t, 401, a.do("POST", "/oauth/token", asserted(refresh, longest)).Status)
	}
}

func TestBadCredentialsOfClients(t *testing.T) {
	idpClient := &IdPClientConfig{ID: "gateway", Secret: "s"}
	key := &keySet{Key: dpoptest.NewKey()}
	for says, c := range map[string]ClientConfig{
		"what follows client_secret_basic or client_secret_post must be the SHA-256": {SecretHashes: []string{"secret"}, AuthMethods: []string{AuthSecretBasic}, IdPClient: idpClient},
		"needs idp_client":        {SecretHashes: []string{hashOf("x")}, AuthMethods: []string{AuthSecretBasic}},
		"lets anybody do without": {SecretHashes: []string{hashOf("x")}, AuthMethods: []string{AuthSecretBasic, AuthNone}, IdPClient: idpClient},
		"token_endpoint_auth client_secret_basic or client_secret_post and the SHA-256 of a secret need one another": {SecretHashes: []string{hashOf("x")}, AuthMethods: []string{AuthPrivateKeyJWT}, Keys: key, IdPClient: idpClient},
		"token_endpoint_auth private_key_jwt and its keys (jwks) need one another":                                   {SecretHashes: []string{hashOf("x")}, AuthMethods: []string{AuthSecretBasic, AuthPrivateKeyJWT}, IdPClient: idpClient},
		"private_key_jwt needs public_url":                     {Keys: key, AuthMethods: []string{AuthPrivateKeyJWT}, IdPClient: idpClient},
		"is missing: behind its method":                        {AuthMethods: []string{AuthSecretPost}, IdPClient: idpClient},
		"par with token_endpoint_auth needs idp_client":        {AuthMethods: []string{AuthSecretPost}, Push: oauth.Required},
		"client app: par with token_endpoint_auth needs idp_c": {AuthMethods: []string{AuthNone, AuthPrivateKeyJWT}, Push: oauth.Optional},
	} {
		c.ID, c.RedirectURIs = "app", []string{"https://app.example/cb"}
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Clients: []ClientConfig{c}})
		require.ErrorContains(t, err, says)
	}
	_, err := NewPolicy(Config{AuthURL: "https://idp.example", PublicURL: gatewayURL, Clients: []ClientConfig{{
		ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Keys: key, AuthMethods: []string{AuthPrivateKeyJWT}, IdPClient: idpClient,
	}}})
	require.ErrorContains(t, err, "needs callback")
}

// Nothing but what a key of the client has signed authenticates it.
func FuzzClientAssertion(f *testing.F) {
	keys := make(map[string]*keySet)
	a := newAgent(f, true, withKey(keys))
	good := clientAssertion(a, keys["app"].Key, "app")
	parts := strings.Split(good, ".")
	for _, seed := range []string{good, unsignedJWT(parts[1]), parts[0] + ".." + parts[2], "..", "", good + "=", clientAssertion(a, keys["single"].Key, "app")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, assertion string) {
		r := &clients.Auth{Party: a.Policy().registry.Find("app"), Method: AuthPrivateKeyJWT, Assertion: assertion, AssertionType: clients.AssertionTypeJWT}
		flow := &flow{gateway: a.Gateway, policy: a.Policy(), r: a.request("POST", "/oauth/token", "")}
		if err := flow.authenticateClient(r); err == nil && !strings.HasPrefix(assertion, parts[0]+"."+parts[1]+".") {
			t.Fatal("accepted what was not signed")
		}
	})
}

// A client that makes any number of assertions fills what it may have of the replay store, not
// what the codes of others need.
func TestAFloodOfAssertions(t *testing.T) {
	const capacity, each, flood = 100, 10, 200
	for name, tt := range map[string]struct{ each, status int }{"without a bound": {flood, 503}, "": {each, 200}} {
		keys := make(map[string]*keySet)
		a := newAgent(t, true, withKey(keys))
		a.assertions = replay.NewOnce(replay.NewMemory(capacity, a.parts.Now), tt.each, dpop.Remember, a.parts.Now)
		for range flood {
			a.do("POST", "/oauth/token", asserted(refreshForm("single", "x"), clientAssertion(a, keys["single"].Key, "single")))
		}
		result := a.do("POST", "/oauth/token", asserted(form("code", a.logIn()), clientAssertion(a, keys["app"].Key, "app")))
		require.Equal(t, tt.status, result.Status, "%s: %s", name, result.Body)
	}
	// Users who open what was pushed use up requests, not the client's assertions.
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys), pushingHere(oauth.Required), func(c *Config) { c.Clients[0].Consent = true })
	a.assertions = replay.NewOnce(replay.NewMemory(capacity, a.parts.Now), each, dpop.Remember, a.parts.Now)
	for n := range each + 1 {
		query := a.sealed.ownQuery(a.sealed.s, login.RequestURI{Until: a.sealed.now.Add(login.RequestLifetime)}, "app", pushForm())
		require.Equal(t, n < each, a.do("GET", "/authorize?"+query, "").Status == 302)
	}
	require.NotEmpty(t, a.push(asserted(pushForm(), clientAssertion(a, keys["app"].Key, "app"))))
}

// slowStore is one whose caller is gone before it answers.
type slowStore struct{ replay.Store }

func (slowStore) Claim(ctx context.Context, _ replay.Key, _ time.Duration) (replay.Claim, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A client could otherwise have the operator alarmed, at each request that it breaks off.
func TestAClientThatLeavesIsNoFailureOfTheStore(t *testing.T) {
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys))
	redeem := asserted(form("code", a.logIn()), clientAssertion(a, keys["app"].Key, "app"))
	r := a.request("POST", "/oauth/token", redeem)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r.Request = r.WithContext(ctx)
	for _, store := range []struct{ codes, assertions replay.Store }{
		{a.sealed.store, slowStore{}}, {slowStore{}, a.sealed.store},
	} {
		a.parts.Replay, a.assertions = store.codes, replay.NewOnce(store.assertions, 1, dpop.Remember, a.parts.Now)
		r.Body = a.request("POST", "/oauth/token", redeem).Body
		result := a.Serve(r)
		require.Equal(t, 503, result.Status, string(result.Body))
		require.Empty(t, result.Incidents)
	}
}

// FAPI 2.0 Security Profile section 5.3.2.1: ten seconds are no reason to reject a JWT, more than
// sixty are.
func TestHowFarAheadAClientsClockMayBe(t *testing.T) {
	keys := make(map[string]*keySet)
	a := newAgent(t, true, withKey(keys))
	for ahead, good := range map[time.Duration]bool{10 * time.Second: true, time.Minute: true, time.Minute + time.Second: false} {
		at := a.sealed.now.Add(ahead).Unix()
		for _, claim := range []string{"iat", "nbf"} {
			result := a.do("POST", "/oauth/token", asserted(refreshForm("app", "x"), clientAssertion(a, keys["app"].Key, "app", claim, at)))
			require.Equal(t, good, result.Decision.Outcome != string(oauth.InvalidClient), string(result.Body))
		}
	}
}

// byCertificate has the clients authenticate by a certificate of an authority that names them.
func byCertificate(c *Config) {
	for i := range c.Clients {
		c.Clients[i].AuthMethods = []string{AuthTLS}
		c.Clients[i].CertificateName = CertificateName{Kind: clientcert.SANDNS, Value: c.Clients[i].ID + ".example"}
	}
}

// certificateBound binds the clients' tokens to their certificates.
func certificateBound(c *Config) {
	for i := range c.Clients {
		c.Clients[i].CertificateBound = true
	}
}

// connected is what the server knows of a connection with a certificate.
func connected(t testing.TB, mode tls.ClientAuthType, trusted *clientcerttest.Authority, shown tls.Certificate) *clientcert.Certificate {
	t.Helper()
	state := must.Have(clientcerttest.Connect(mode, trusted.Pool(), shown))(t)
	return clientcert.Of(state)
}

func named(clientID string) x509.Certificate {
	return x509.Certificate{Subject: pkix.Name{CommonName: clientID}, DNSNames: []string{clientID + ".example"}}
}

func (a *agent) over(c *clientcert.Certificate, path, content string, header ...string) *Result {
	r := a.request("POST", path, content, header...)
	r.Certificate = c
	return a.Serve(r)
}

// RFC 8705 section 2.1. Each attack has something that is good elsewhere.
func TestCertificatesOfClients(t *testing.T) {
	a := newAgent(t, true, byCertificate)
	trusted, other := clientcerttest.NewAuthority("trusted"), clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	granted := a.answer(a.over(own, "/oauth/token", form("code", a.logIn())))
	require.Equal(t, "Bearer", granted.TokenType)
	require.Zero(t, a.opened(granted.AccessToken).Certificate)
	require.Equal(t, basicHeader("gateway", "s3cret"), a.sent[len(a.sent)-1].Header.Get("Authorization"), "the IdP gets the gateway's own")
	refresh := refreshForm("app", granted.RefreshToken)
	renewed := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	require.Equal(t, 200, a.over(renewed, "/oauth/token", refresh).Status, "another certificate of the client, as it gets one each year")

	calls := len(a.sent)
	for name, tt := range map[string]struct {
		shown         *clientcert.Certificate
		content, says string
		header        []string
	}{
		"none":                              {says: "the connection has none"},
		"another client's":                  {shown: connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("single"))), says: "not this client's"},
		"another client's, and its id":      {shown: own, content: refreshForm("single", granted.RefreshToken), says: "not this client's"},
		"not verified":                      {shown: connected(t, tls.RequestClientCert, trusted, trusted.Issue(named("app"))), says: "not verified"},
		"required, and not verified":        {shown: connected(t, tls.RequireAnyClientCert, trusted, trusted.Issue(named("app"))), says: "not verified"},
		"self-signed":                       {shown: connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app"))), says: "not verified"},
		"another authority's":               {shown: connected(t, tls.RequestClientCert, trusted, other.Issue(named("app"))), says: "not verified"},
		"the name in the subject alone":     {shown: connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(x509.Certificate{Subject: pkix.Name{CommonName: "app.example"}})), says: "not this client's"},
		"in a field that a proxy would set": {header: []string{"X-SSL-Client-Cert", "x", "X-Forwarded-Tls-Client-Cert", "x", "Client-Cert", ":x:"}, says: "the connection has none"},
		"a secret":                          {shown: own, content: refresh + "&client_secret=x", says: "authentication method client_secret_post"},
		"an assertion":                      {shown: own, content: asserted(refresh, "a.b.c"), says: "authentication method private_key_jwt"},
	} {
		for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
			content := tt.content
			content = cmp.Or(content, refresh)
			if path == "/oauth/revoke" {
				content = strings.Replace(content, "refresh_token=", "token=", 1)
			}
			result := a.over(tt.shown, path, content, tt.header...)
			require.Equal(t, "invalid_client", result.Decision.Outcome, "%s: %s", name, result.Body)
			require.Equal(t, 401, result.Status, name)
			require.Contains(t, string(result.Body), tt.says, name)
		}
	}
	require.Len(t, a.sent, calls, "the IdP hears nothing of it")
	a.requireRejected(a.over(own, "/oauth/revoke", "client_id=app&token="+granted.RefreshToken), oauth.UnsupportedTokenType, "")
}

// RFC 8705 section 2.2: the certificate itself is known, and no authority counts.
func TestSelfSignedCertificatesOfClients(t *testing.T) {
	shown, next := clientcerttest.SelfSigned(named("app")), clientcerttest.SelfSigned(named("app"))
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.RequestClientCert, trusted, shown)
	a := newAgent(t, true, func(c *Config) {
		c.Clients[0].AuthMethods = []string{AuthSelfSignedTLS}
		for _, one := range []tls.Certificate{shown, next} {
			thumbprint := connected(t, tls.RequestClientCert, trusted, one).Thumbprint()
			c.Clients[0].CertificateHashes = append(c.Clients[0].CertificateHashes, hex.EncodeToString(thumbprint[:]))
		}
	})
	granted := a.answer(a.over(own, "/oauth/token", form("code", a.logIn())))
	refresh := refreshForm("app", granted.RefreshToken)
	require.Equal(t, 200, a.over(connected(t, tls.RequireAnyClientCert, trusted, next), "/oauth/token", refresh).Status)
	for name, shown := range map[string]*clientcert.Certificate{
		"none": nil, "of the same name": connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app"))),
		"an authority's": connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app"))),
	} {
		require.Equal(t, "invalid_client", a.over(shown, "/oauth/token", refresh).Decision.Outcome, name)
	}
}

// The endpoint for pushed requests asks as the token endpoint does.
func TestPushedRequestsByCertificate(t *testing.T) {
	a := newAgent(t, true, byCertificate, pushingHere(oauth.Required))
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	require.Equal(t, 201, a.over(own, "/oauth/par", pushForm()).Status)
	require.Equal(t, 401, a.over(nil, "/oauth/par", pushForm()).Status)
	require.Equal(t, 401, a.over(connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("single"))), "/oauth/par", pushForm()).Status)
}

// A thief has the refresh token of a public client, and a certificate of his own. Where nothing
// is bound he gets in (RFC 8705 section 4).
func TestAStolenRefreshTokenWithoutItsCertificate(t *testing.T) {
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app")))
	thief := connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app")))
	for name, with := range map[string][]func(*Config){"that stays": nil, "that rotates": {rotating}} {
		t.Run(name, func(t *testing.T) {
			unbound := newAgent(t, true, with...)
			granted := unbound.answer(unbound.over(own, "/oauth/token", form("code", unbound.logIn())))
			require.Zero(t, unbound.opened(granted.AccessToken).Certificate)
			require.Equal(t, 200, unbound.over(thief, "/oauth/token", refreshForm("app", granted.RefreshToken)).Status, "the thief gets in")

			a := newAgent(t, true, append(with, certificateBound)...)
			code := form("code", a.logIn())
			a.requireRejected(a.over(nil, "/oauth/token", code), oauth.InvalidRequest, "the connection has none")
			granted = a.answer(a.over(own, "/oauth/token", code))
			require.Equal(t, "Bearer", granted.TokenType, "RFC 8705 section 3")
			require.Equal(t, own.Thumbprint(), a.opened(granted.AccessToken).Certificate)
			require.Contains(t, string(a.ask("server-a", granted.AccessToken).Body), `"cnf":{"x5t#S256":"`+own.Thumbprint().String()+`"}`)
			refresh := refreshForm("app", granted.RefreshToken)
			calls := len(a.sent)
			a.requireRejected(a.over(nil, "/oauth/token", refresh), oauth.InvalidRequest, "the connection has none")
			a.requireRejected(a.over(thief, "/oauth/token", refresh), oauth.InvalidGrant, "another TLS certificate")
			require.Len(t, a.sent, calls)
			renewed := a.answer(a.over(own, "/oauth/token", refresh))
			require.Equal(t, own.Thumbprint(), a.opened(renewed.AccessToken).Certificate)
			a.requireRejected(a.over(thief, "/oauth/token", refreshForm("app", renewed.RefreshToken)), oauth.InvalidGrant, "another TLS certificate")
		})
	}

	// A refresh token from before is bound from then on.
	a := newAgent(t, true)
	before := a.tokens().RefreshToken
	a.use(a.sealed.Policy.withMetadata(a.sealed.idp.Metadata()))
	a.sealed.Policy.registry.Find("app").Client.CertificateBound = true
	a.token["refresh_token"] = nil
	bound := a.answer(a.over(own, "/oauth/token", refreshForm("app", before))).RefreshToken
	require.NotEmpty(t, bound)
	a.requireRejected(a.over(thief, "/oauth/token", refreshForm("app", bound)), oauth.InvalidGrant, "another TLS certificate")
	a.sealed.Policy.registry.Find("app").Client.CertificateBound = false
	a.requireRejected(a.over(nil, "/oauth/token", refreshForm("app", bound)), oauth.InvalidGrant, "another TLS certificate")
}

// A client that authenticates may have another certificate tomorrow (RFC 8705 section 7.1). The
// access token is bound to the one of now, and to a key besides if the client proves one.
func TestBoundTokensOfConfidentialClients(t *testing.T) {
	a, key := newAgent(t, true, byCertificate, certificateBound, proving(oauth.Optional)), dpoptest.NewKey()
	trusted := clientcerttest.NewAuthority("trusted")
	first := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	second := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	granted := a.answer(a.over(first, "/oauth/token", form("code", a.logIn()), "DPoP", a.proof(key)))
	require.Equal(t, "DPoP", granted.TokenType)
	require.Contains(t, string(a.opened(granted.AccessToken).Claims()), `"cnf":{"jkt":"`+key.Thumbprint()+`","x5t#S256":"`+first.Thumbprint().String()+`"}`)
	renewed := a.answer(a.over(second, "/oauth/token", refreshForm("app", granted.RefreshToken)))
	require.Equal(t, second.Thumbprint(), a.opened(renewed.AccessToken).Certificate)
}

func TestBadCertificateRules(t *testing.T) {
	idpClient := &IdPClientConfig{ID: "gateway", Secret: "s"}
	name := CertificateName{Kind: clientcert.SANDNS, Value: "app.example"}
	for says, c := range map[string]ClientConfig{
		"token_endpoint_auth tls_client_auth and the name in its certificate need one another":              {CertificateName: name, IdPClient: idpClient},
		"token_endpoint_auth self_signed_tls_client_auth and the SHA-256 of a certificate need one another": {AuthMethods: []string{AuthSelfSignedTLS}},
		"client app: tls_client_auth: the subject must be":                                                  {CertificateName: CertificateName{Kind: clientcert.SubjectDN, Value: "app"}, AuthMethods: []string{AuthTLS}, IdPClient: idpClient},
		"client app: self_signed_tls_client_auth must be the SHA-256":                                       {CertificateHashes: []string{"x"}, AuthMethods: []string{AuthSelfSignedTLS}, IdPClient: idpClient},
		"needs idp_client":                 {CertificateName: name, AuthMethods: []string{AuthTLS}},
		"lets anybody do without":          {CertificateName: name, AuthMethods: []string{AuthTLS, AuthNone}, IdPClient: idpClient},
		"certificate_bound needs callback": {CertificateBound: true},
	} {
		c.ID, c.RedirectURIs = "app", []string{"https://app.example/cb"}
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Clients: []ClientConfig{c}})
		require.ErrorContains(t, err, says)
	}
}
