package attacks

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// partner is an issuer whose tokens the API takes beside the gateway's own.
const partner = "https://login.partner.example"

// issuers are gateways that are issuers, what takes their tokens, and an attacker's keys.
type issuers struct {
	t   *testing.T
	env *env // of the IdP alone
	idp *testidp.Server
	// own is the gateway whose tokens the API takes, sibling a site with its storage, stranger a
	// gateway with its own.
	own, sibling, stranger string
	// keys are the public ones of all issuers, and those that own had before.
	keys               map[string]jose.JSONWebKey
	partner, attackers jose.SigningKey
	retired            *tokens // that own has signed with a key that it has no more
	verifier           string  // of the last login at a gateway
}

// scope is that of logins that get an ID token, and an access token for the API.
const scope = "openid read"

// idpClientID is a gateway's at the IdP.
const idpClientID = "gateway"

// newIssuers starts them; options are those of own and stranger.
func newIssuers(t *testing.T, options ...string) *issuers {
	i := &issuers{t: t, keys: make(map[string]jose.JSONWebKey)}
	idp := testidp.Run(t, testidp.Behavior{})
	i.idp, i.env = idp, &env{ctx: t.Context(), idp: idp, client: newClient()}
	var callbacks []string
	for _, base := range []*string{&i.own, &i.sibling, &i.stranger} {
		address := testgateway.NewAddress(t)
		*base = "http://" + address
		callbacks = append(callbacks, *base+callbackPath)
	}
	idp.Change(func(b *testidp.Behavior) {
		b.Clients = []testidp.Client{{ID: idpClientID, Secret: "s3cret", RedirectURIs: callbacks}}
		b.SingleUse, b.ChecksClient, b.ChecksRedirectURI, b.RefreshTokens, b.ResponseModes = true, true, true, true, []string{"query"}
	})
	i.makeKeys()
	folder := t.TempDir()
	i.retire(folder)
	shared := strings.Join(options, "\n\t")
	i.start(i.own, folder, i.gateway(i.own, shared)+i.api(folder))
	i.start(i.sibling, folder, i.gateway(i.sibling, ""))
	i.start(i.stranger, t.TempDir(), i.gateway(i.stranger, shared))
	for _, base := range []string{i.own, i.sibling, i.stranger, idp.URL()} {
		i.learnKeys(base)
	}
	return i
}

func (i *issuers) start(base, storage, site string) *testgateway.Gateway {
	i.t.Helper()
	g := must.Have(testgateway.Start(testgateway.Config{Address: strings.TrimPrefix(base, "http://"), Storage: storage, Site: site}))(i.t)
	i.t.Cleanup(func() { _ = g.Stop() })
	return g
}

// learnKeys has whoever knows all issuers know what one publishes now.
func (i *issuers) learnKeys(base string) {
	var set jose.JSONWebKeySet
	require.NoError(i.t, json.Unmarshal([]byte(i.env.get(base+testidp.PathKeys).body), &set))
	require.NotEmpty(i.t, set.Keys)
	for _, key := range set.Keys {
		i.keys[key.KeyID] = key
	}
}

// retire has own sign with a key that it has no more afterwards.
func (i *issuers) retire(folder string) {
	g := i.start(i.own, folder, i.gateway(i.own, "signing_key "+strings.Join(writeSigningKeys(i.t, folder), " "))+i.api(folder))
	i.learnKeys(i.own)
	i.retired = i.logIn(i.own, victim, "app", appRedirect, scope)
	status, user := (&shown{token: i.retired.AccessToken}).show(i.t, i.own, "")
	require.Equal(i.t, []any{http.StatusOK, victim}, []any{status, user}, "while it signed")
	require.NoError(i.t, g.Stop())
}

// writeSigningKeys makes an RSA key and one on P-256, in files.
func writeSigningKeys(t *testing.T, folder string) (files []string) {
	rsaKey := must.Have(rsa.GenerateKey(rand.Reader, 2048))(t)
	ecKey := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	for name, key := range map[string]any{"rsa.pem": rsaKey, "ec.pem": ecKey} {
		der := must.Have(x509.MarshalPKCS8PrivateKey(key))(t)
		file := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
		files = append(files, file)
	}
	return files
}

func (i *issuers) makeKeys() {
	for id, key := range map[string]*jose.SigningKey{"partner-1": &i.partner, "attackers-1": &i.attackers} {
		private := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(i.t)
		*key = jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: private, KeyID: id}}
	}
	partners := i.partner.Key.(jose.JSONWebKey)
	i.keys["partner-1"] = partners.Public()
}

// gateway is an issuer with an API, a client that the victim uses and one of the attacker's.
func (i *issuers) gateway(base, options string) string {
	return fmt.Sprintf(`
identity_gateway %[1]s {
	parameters oauth
	discover
	callback
	public_url %[2]s
	replay memory
	%[5]s
	resource %[2]s/api {
		scope read
		default_scope read
		tokens jwt
	}
	resource %[2]s/other {
		scope read
		default_scope read
		tokens jwt
	}
	client app {
		redirect_uri %[3]s
		idp_client gateway {
			secret s3cret
		}
	}
	client attackers-app {
		redirect_uri %[4]s
		idp_client gateway {
			secret s3cret
		}
		id_token_alg ES256
	}
}
`, i.idp.URL(), base, appRedirect, ownRedirect, options)
}

// api is what own's site protects: it says who it was asked by.
func (i *issuers) api(folder string) string {
	file := filepath.Join(folder, "partner.json")
	set := must.Have(json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{i.keys["partner-1"]}}))(i.t)
	require.NoError(i.t, os.WriteFile(file, set, 0o600))
	return fmt.Sprintf(`
require_token /api {
	audience %[1]s/api
	token_from cookie __Host-token
	issuer %[1]s
	issuer %[2]s {
		prefix partner:
		jwks_uri %[3]s
	}
	header X-User sub
}
respond /api "{header.X-User}"
`, i.own, partner, file)
}

func (i *issuers) logIn(base, user, clientID, redirectURI, scope string) *tokens {
	i.t.Helper()
	return i.redeem(base, i.code(base, user, clientID, redirectURI, scope, nil), clientID, redirectURI)
}

// code is that of a login; more are parameters.
func (i *issuers) code(base, user, clientID, redirectURI, scope string, more url.Values) string {
	i.t.Helper()
	last := i.env.visit(user, at(base, authorizePath, i.request(base, user, clientID, redirectURI, scope, more))).last()
	require.Equal(i.t, redirectURI, last.String())
	return last.params.Get("code")
}

func (i *issuers) request(base, user, clientID, redirectURI, scope string, more url.Values) url.Values {
	i.verifier = oauth2.GenerateVerifier()
	q := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {scope}, "state": {"s"}, "nonce": {"n-of-" + user},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(i.verifier)}, "code_challenge_method": {"S256"},
	}
	if strings.Contains(scope, "read") {
		q.Set("resource", base+"/api")
	}
	maps.Copy(q, more)
	return q
}

func (i *issuers) redeem(base, code, clientID, redirectURI string) *tokens {
	return i.env.post(base+tokenPath, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "code_verifier": {i.verifier}, "code": {code},
	}, nil)
}

// claims are those of an access token for the API, or of an ID token for app, with others; nil leaves one out.
func (i *issuers) claims(with map[string]any) map[string]any {
	now := time.Now()
	claims := map[string]any{
		"iss": i.own, "sub": victim, "aud": i.own + "/api", "client_id": "app", "scope": "read", "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	}
	maps.Copy(claims, with)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

func (i *issuers) sign(key jose.SigningKey, claims map[string]any, header map[jose.HeaderKey]any) string {
	i.t.Helper()
	options := &jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"typ": "at+jwt"}}
	maps.Copy(options.ExtraHeaders, header)
	signer := must.Have(jose.NewSigner(key, options))(i.t)
	payload := must.Have(json.Marshal(claims))(i.t)
	signed := must.Have(signer.Sign(payload))(i.t)
	return must.Have(signed.CompactSerialize())(i.t)
}

func named(key jose.SigningKey, kid string) jose.SigningKey {
	key.Key = jose.JSONWebKey{Key: key.Key.(jose.JSONWebKey).Key, KeyID: kid}
	return key
}

// rsaKey is what own publishes for RS256.
func (i *issuers) rsaKey() jose.JSONWebKey {
	var set jose.JSONWebKeySet
	require.NoError(i.t, json.Unmarshal([]byte(i.env.get(i.own+testidp.PathKeys).body), &set))
	for _, key := range set.Keys {
		if key.Algorithm == string(jose.RS256) {
			return key
		}
	}
	i.t.Fatal("own publishes no key for RS256")
	return jose.JSONWebKey{}
}

// publicPEM is a published key as a PEM file has it, the secret of the classic confusion of algorithms.
func publicPEM(t *testing.T, key jose.JSONWebKey) []byte {
	der := must.Have(x509.MarshalPKIXPublicKey(key.Key))(t)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func (i *issuers) unsignedToken(alg string) string {
	payload := must.Have(json.Marshal(i.claims(nil)))(i.t)
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"`+alg+`","typ":"at+jwt"}`)) + "." + encode(payload) + "."
}

// hmacToken is one by HMAC with a public key.
func (i *issuers) hmacToken(secret []byte) string {
	return i.sign(jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: secret, KeyID: i.rsaKey().KeyID}}, i.claims(nil), nil)
}

// attackersKey is the public one.
func (i *issuers) attackersKey() jose.JSONWebKey {
	key := i.attackers.Key.(jose.JSONWebKey)
	return key.Public()
}

// forged is a token by the attacker's key, with members of its header that lead to it.
func (i *issuers) forged(header map[jose.HeaderKey]any) string {
	return i.sign(i.attackers, i.claims(nil), header)
}

// serveAttackersKeys is where such members lead.
func (i *issuers) serveAttackersKeys(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/keys" {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{i.attackersKey()}})
		return
	}
	private := i.attackers.Key.(jose.JSONWebKey).Key.(*ecdsa.PrivateKey)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// relabeled is a token by ES256 whose header says RS256.
func (i *issuers) relabeled() string {
	token := strings.Split(i.forged(map[jose.HeaderKey]any{"jwk": i.attackersKey()}), ".")
	decoded := must.Have(base64.RawURLEncoding.DecodeString(token[0]))(i.t)
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(strings.Replace(string(decoded), "ES256", "RS256", 1))) + "." + token[1]
	sum, signature := sha256.Sum256([]byte(signed)), make([]byte, 64)
	r, s, err := ecdsa.Sign(rand.Reader, i.attackers.Key.(jose.JSONWebKey).Key.(*ecdsa.PrivateKey), sum[:])
	require.NoError(i.t, err)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signed + "." + encode(signature)
}

func (i *issuers) naive() *naiveRelyingParty {
	return &naiveRelyingParty{keys: i.keys, secret: publicPEM(i.t, i.rsaKey())}
}

// shown is a request to an API.
type shown struct {
	token  string // in Authorization, unless it is in the cookie
	cookie []string
	method string
	header http.Header
}

// tokenAttack is one on an API that takes tokens of two issuers, also from a cookie. It succeeds where
// the API takes the request for one of a user.
type tokenAttack struct {
	shown
	user   string // whom the attacker wants to be taken for
	honest bool   // this is no attack, and the API says who it is
	status int
}

// A token is good for what it was made for. Each attack succeeds at an API that takes whatever an
// issuer has signed.
func TestTokensAreTakenForNoOthers(t *testing.T) {
	i := newIssuers(t)
	naive := httptest.NewServer(i.naive())
	t.Cleanup(naive.Close)
	victims := i.logIn(i.own, victim, "app", appRedirect, scope)
	attackersOwn := i.logIn(i.own, attacker, "app", appRedirect, scope)
	sibling := i.logIn(i.sibling, victim, "app", appRedirect, scope)
	stranger := i.logIn(i.stranger, victim, "app", appRedirect, scope)
	for _, got := range []*tokens{victims, attackersOwn, sibling, stranger} {
		got.require("after an honest login")
	}
	keys := httptest.NewServer(http.HandlerFunc(i.serveAttackersKeys))
	t.Cleanup(keys.Close)
	bearer := func(token string) shown { return shown{token: token} }
	ofPartner := map[string]any{"iss": partner}
	page := func(origin string) shown {
		return shown{cookie: []string{victims.AccessToken}, method: "POST", header: http.Header{"Origin": {origin}}}
	}
	socket := func(origin ...string) shown {
		return shown{cookie: []string{victims.AccessToken}, header: http.Header{"Origin": origin, "Upgrade": {"websocket"}, "Connection": {"Upgrade"}}}
	}
	for name, a := range map[string]tokenAttack{
		"the victim's own":                   {shown: bearer(victims.AccessToken), user: victim, honest: true, status: 200},
		"a partner's user":                   {shown: bearer(i.sign(i.partner, i.claims(ofPartner), nil)), user: "partner:" + victim, honest: true, status: 200},
		"a form of the app's own page":       {shown: page(i.own), user: victim, honest: true, status: 200},
		"a WebSocket of the app's own page":  {shown: socket(i.own), user: victim, honest: true, status: 200},
		"the sub of a partner's user":        {shown: bearer(i.sign(i.partner, i.claims(ofPartner), nil)), user: victim, status: 200},
		"a partner's user with the prefix":   {shown: bearer(i.sign(i.partner, i.claims(map[string]any{"iss": partner, "sub": "partner:" + victim}), nil)), user: "partner:" + victim, status: 200},
		"an own user with the prefix":        {shown: bearer(i.logIn(i.own, "partner:"+victim, "app", appRedirect, scope).AccessToken), user: "partner:" + victim, status: 401},
		"a partner's key, and own iss":       {shown: bearer(i.sign(i.partner, i.claims(nil), nil)), user: victim, status: 401},
		"the same, and own kid":              {shown: bearer(i.sign(named(i.partner, i.rsaKey().KeyID), i.claims(nil), nil)), user: victim, status: 401},
		"an issuer that nobody knows":        {shown: bearer(i.sign(i.partner, i.claims(map[string]any{"iss": "https://evil.example"}), nil)), user: victim, status: 401},
		"a retired key":                      {shown: bearer(i.retired.AccessToken), user: victim, status: 401},
		"alg none":                           {shown: bearer(i.unsignedToken("none")), user: victim, status: 401},
		"alg nOnE":                           {shown: bearer(i.unsignedToken("nOnE")), user: victim, status: 401},
		"HMAC with the published key":        {shown: bearer(i.hmacToken(publicPEM(t, i.rsaKey()))), user: victim, status: 401},
		"ES256, and RS256 in the header":     {shown: bearer(i.relabeled()), user: victim, status: 401},
		"his key in the header":              {shown: bearer(i.forged(map[jose.HeaderKey]any{"jwk": i.attackersKey()})), user: victim, status: 401},
		"the address of his keys":            {shown: bearer(i.forged(map[jose.HeaderKey]any{"jku": keys.URL + "/keys"})), user: victim, status: 401},
		"the address of his certificate":     {shown: bearer(i.forged(map[jose.HeaderKey]any{"x5u": keys.URL + "/certificate"})), user: victim, status: 401},
		"an ID token of the app":             {shown: bearer(victims.IDToken), user: victim, status: 401},
		"an ID token of his own app":         {shown: bearer(i.logIn(i.own, victim, "attackers-app", ownRedirect, "openid").IDToken), user: victim, status: 401},
		"an ID token of the IdP":             {shown: bearer(i.idpToken(victim)), user: victim, status: 401},
		"a token of a site with one storage": {shown: bearer(sibling.AccessToken), user: victim, status: 401},
		"a token of another gateway":         {shown: bearer(stranger.AccessToken), user: victim, status: 401},
		"a token for another API":            {shown: bearer(i.sign(i.partner, i.claims(map[string]any{"iss": partner, "aud": "https://api.partner.example"}), nil)), user: victim, status: 401},
		"a token for another API of its own": {shown: bearer(i.redeem(i.own, i.code(i.own, victim, "app", appRedirect, scope, url.Values{"resource": {i.own + "/other"}}), "app", appRedirect).AccessToken), user: victim, status: 401},
		"a form of another site":             {shown: page("https://evil.example"), user: victim, status: 403},
		"a form without an origin":           {shown: page("null"), user: victim, status: 403},
		"a form of a subdomain":              {shown: page("http://evil." + strings.TrimPrefix(i.own, "http://")), user: victim, status: 403},
		"a form of another port":             {shown: page(i.sibling), user: victim, status: 403},
		"a form of a host that begins so":    {shown: page(i.own + ".evil.example"), user: victim, status: 403},
		"a WebSocket of another site":        {shown: socket("https://evil.example"), user: victim, status: 403},
		"a WebSocket without an origin":      {shown: socket(), user: victim, status: 403},
		"the victim's cookie and a token":    {shown: shown{cookie: []string{victims.AccessToken}, token: attackersOwn.AccessToken}, user: victim, status: 400},
		"a second cookie, of a subdomain":    {shown: shown{cookie: []string{attackersOwn.AccessToken, victims.AccessToken}}, user: attacker, status: 400},
		"a cookie that a subdomain may set":  {shown: shown{header: http.Header{"Cookie": {"token=" + attackersOwn.AccessToken + "; __Host-token=" + victims.AccessToken}}}, user: attacker, status: 200},
		"the same, with white space before":  {shown: shown{header: http.Header{"Cookie": {"token=" + attackersOwn.AccessToken + "; \u2000__Host-token=" + attackersOwn.AccessToken + "; __Host-token=" + victims.AccessToken}}}, user: attacker, status: 400},
	} {
		t.Run(name, func(t *testing.T) {
			status, user := a.show(t, naive.URL, "token")
			require.Equal(t, http.StatusOK, status)
			require.True(t, a.honest || user == a.user, "it proves nothing, because it fails at the naive API, for which it is %s", user)
			status, user = a.show(t, i.own, "__Host-token")
			require.Equal(t, a.status, status, user)
			require.Equal(t, a.honest, status == http.StatusOK && user == a.user, user)
		})
	}
}

// show sends the request to an API, which has its cookie by a name.
func (s *shown) show(t *testing.T, base, cookie string) (status int, user string) {
	t.Helper()
	method := s.method
	if method == "" {
		method = http.MethodGet
	}
	request := must.Have(http.NewRequestWithContext(t.Context(), method, base+"/api", nil))(t)
	maps.Copy(request.Header, s.header)
	request.Header.Set("X-User", "admin")
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	for _, value := range s.cookie {
		request.AddCookie(&http.Cookie{Name: cookie, Value: value})
	}
	return answerTo(t, request)
}

// idpToken is an ID token that the IdP has given the gateway of a user.
func (i *issuers) idpToken(user string) string {
	got := i.redeemAtIdP(i.idpCode(user))
	got.require("from the IdP")
	return got.IDToken
}

// idpCode is the IdP's code of a login for the gateway, which that has not begun.
func (i *issuers) idpCode(user string) string {
	return i.fetchedCode(user, at(i.idp.URL(), testidp.PathAuthorize, requestAtIdP(idpClientID, i.own+callbackPath, "openid", "")))
}

func (i *issuers) redeemAtIdP(code string) *tokens {
	return i.env.exchangeAtIdP(url.Values{
		"grant_type": {"authorization_code"}, "client_id": {idpClientID}, "client_secret": {"s3cret"}, "redirect_uri": {i.own + callbackPath}, "code": {code},
	})
}

func (i *issuers) fetchedCode(user, address string) string {
	return must.Have(i.env.browser(user).visitUntil(address, hop.hasCode).withCode())(i.t).params.Get("code")
}

// notTheClients are tokens of the victim that are none of app's ID tokens. A relying party that takes
// whatever an issuer has signed takes them, too.
func (i *issuers) notTheClients(victims *tokens) map[string]string {
	return map[string]string{
		"of another client":               i.logIn(i.own, victim, "attackers-app", ownRedirect, "openid").IDToken,
		"of a site with the same storage": i.logIn(i.sibling, victim, "app", appRedirect, "openid").IDToken,
		"of another gateway":              i.logIn(i.stranger, victim, "app", appRedirect, "openid").IDToken,
		"of the IdP":                      i.idpToken(victim),
		"an access token":                 victims.AccessToken,
		"without a signature":             i.unsignedToken("none"),
		"HMAC with the published key":     i.hmacToken(publicPEM(i.t, i.rsaKey())),
		"a key in the header":             i.forged(map[jose.HeaderKey]any{"jwk": i.attackersKey()}),
	}
}

// An ID token is good for the client that asked for it. Each attack succeeds at a client that takes
// whatever an issuer has signed, and not at one that is given the gateway's URL and its own id.
func TestIDTokensAreTakenForNoOthers(t *testing.T) {
	i := newIssuers(t)
	naive := i.naive()
	app := must.Have(oidc.NewProvider(t.Context(), i.own))(t).Verifier(&oidc.Config{ClientID: "app"})
	victims := i.logIn(i.own, victim, "app", appRedirect, scope)
	victims.require("after an honest login")
	shown := i.notTheClients(victims)
	shown["its own"], shown["of a retired key"] = victims.IDToken, i.retired.IDToken
	for name, token := range shown {
		user, ok := naive.user(token)
		require.Equal(t, []any{victim, true}, []any{user, ok}, "%s: it proves nothing, because it fails at the naive client", name)
		_, err := app.Verify(t.Context(), token)
		require.Equal(t, name == "its own", err == nil, "%s: %v", name, err)
	}
}

// One key may be that of two gateways, whose operator has copied the file: each is an issuer of its own, and
// takes nothing of the other's, for the same client, user and kid.
func TestAnotherGatewayWithTheSameSigningKey(t *testing.T) {
	i := newIssuers(t, "signing_key "+strings.Join(writeSigningKeys(t, t.TempDir()), " "))
	naive := i.naive()
	provider := must.Have(oidc.NewProvider(t.Context(), i.own))(t)
	app := provider.Verifier(&oidc.Config{ClientID: "app"})
	asked := 0
	i.idp.Change(func(b *testidp.Behavior) {
		b.Routes = func(path string) string {
			if path == testidp.PathUserInfo {
				asked++
			}
			return path
		}
	})
	for base, honest := range map[string]bool{i.own: true, i.stranger: false} {
		got := i.logIn(base, victim, "app", appRedirect, scope)
		got.require("after a login")
		for _, token := range []string{got.IDToken, got.AccessToken} {
			user, ok := naive.user(token)
			require.Equal(t, []any{victim, true}, []any{user, ok}, "it proves nothing, because it fails at the naive client")
		}
		status, _ := (&shown{token: got.AccessToken}).show(t, i.own, "")
		require.Equal(t, honest, status == http.StatusOK)
		_, err := app.Verify(t.Context(), got.IDToken)
		require.Equal(t, honest, err == nil, "%v", err)
		r := i.env.newGet(i.own + "/userinfo")
		r.Header.Set("Authorization", "Bearer "+got.AccessToken)
		require.Equal(t, honest, i.env.send(i.env.client, r).status == http.StatusOK)
		hinted := url.Values{"prompt": {"none"}, "id_token_hint": {got.IDToken}}
		require.Equal(t, honest, i.code(i.own, victim, "app", appRedirect, "openid", hinted) != "")
	}
	require.Zero(t, asked, "the IdP is not asked about tokens of a gateway")
}

// A login without a page (prompt=none) is held to the user of its hint, which only the client's own ID
// token is. Each attack succeeds at an IdP that does not look at hints.
func TestHintsOfSomebodyElse(t *testing.T) {
	i := newIssuers(t)
	victims := i.logIn(i.own, victim, "app", appRedirect, scope)
	victims.require("after an honest login")
	try := func(name, user, hint string, honest bool) {
		more := url.Values{"prompt": {"none"}, "id_token_hint": {hint}, "client_id": {idpClientID}, "redirect_uri": {i.own + callbackPath}}
		atIdP := i.fetchedCode(user, at(i.idp.URL(), authorizePath, i.request(i.idp.URL(), user, "app", appRedirect, "openid", more)))
		require.NotEmpty(t, atIdP, "%s: it proves nothing, because it fails at the IdP", name)
		got := &tokens{}
		if code := i.code(i.own, user, "app", appRedirect, "openid", url.Values{"prompt": {"none"}, "id_token_hint": {hint}}); code != "" {
			got = i.redeem(i.own, code, "app", appRedirect)
			require.True(t, honest || got.Error == "login_required", "%s: %+v", name, got)
		}
		require.Equal(t, honest, got.AccessToken != "", "%s: %+v", name, got)
	}
	try("his own", victim, victims.IDToken, true)
	try("of another user", attacker, victims.IDToken, false)
	for name, hint := range i.notTheClients(victims) {
		try(name, victim, hint, false)
	}
}

// While the IdP's keys can't be had, no code is spent. A gateway that asks for tokens first, and for keys
// then, has none afterwards.
func TestKeysThatAreDownSpendNoCode(t *testing.T) {
	i := newIssuers(t)
	down := func(path string) string {
		if path == testidp.PathKeys {
			return "/down"
		}
		return path
	}
	naive := func(code string) string {
		token := i.redeemAtIdP(code)
		if i.env.get(i.idp.URL()+testidp.PathKeys).status != http.StatusOK {
			return ""
		}
		return token.AccessToken
	}
	code := i.code(i.own, victim, "app", appRedirect, "openid", nil)
	naively := i.idpCode(victim)
	i.idp.Change(func(b *testidp.Behavior) { b.Routes = down })
	require.Empty(t, naive(naively))
	got := i.redeem(i.own, code, "app", appRedirect)
	require.Equal(t, http.StatusServiceUnavailable, got.status, "%+v", got)
	i.idp.Change(func(b *testidp.Behavior) { b.Routes = nil })
	require.Empty(t, naive(naively), "the naive gateway can log its user in all the same")
	i.redeem(i.own, code, "app", appRedirect).require("with keys")
}

// Two nodes without a common storage are one issuer by the same signing_key: a login may change nodes at each
// step. Nodes that make their own keys are two.
func TestTwoNodesWithoutCommonStorage(t *testing.T) {
	folder := t.TempDir()
	for name, options := range map[string]string{"naive": "", "signing_key": "sealing_key " + oldKey + "\n\tsigning_key " + strings.Join(writeSigningKeys(t, folder), " ")} {
		i := &issuers{t: t, keys: make(map[string]jose.JSONWebKey)}
		address := testgateway.NewAddress(t)
		i.own = "http://" + address
		i.idp = testidp.Run(t, testidp.Behavior{Clients: []testidp.Client{{ID: idpClientID, Secret: "s3cret", RedirectURIs: []string{i.own + callbackPath}}}})
		i.env = &env{ctx: t.Context(), idp: i.idp, client: newClient(), base: i.own}
		i.env.client.Transport.(*http.Transport).DialContext = i.env.dial
		for _, at := range []string{i.own, ""} {
			i.env.nodes = append(i.env.nodes, i.start(at, t.TempDir(), i.gateway(i.own, options)))
		}
		at := func(node int32) *issuers {
			i.env.front.Store(node)
			return i
		}
		response := at(0).env.browser(victim).visitUntil(i.own+authorizePath+"?"+i.request(i.own, victim, "app", appRedirect, "openid", nil).Encode(), hop.hasCode)
		called := at(1).env.get(response.last().link()).leadsTo()
		if options == "" {
			require.Nil(t, called, "each has keys of its own for what it seals")
			token := at(0).logIn(i.own, victim, "app", appRedirect, "openid").IDToken
			at(1).learnKeys(i.own)
			_, ok := i.naive().user(token)
			require.False(t, ok, "and for what it signs: the naive setup proves nothing")
			continue
		}
		require.NotNil(t, called, name)
		got := at(0).redeem(i.own, called.params.Get("code"), "app", appRedirect)
		got.require("after a login at both nodes")
		at(1).learnKeys(i.own)
		user, ok := i.naive().user(got.IDToken)
		require.Equal(t, []any{victim, true}, []any{user, ok}, "a client that has asked the other node for keys")
	}
}
