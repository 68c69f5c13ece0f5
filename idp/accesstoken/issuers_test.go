package accesstoken_test

import (
	"net/http"
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
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

const otherURL = "https://other.example"

func jwtType(key signingKey) map[jose.HeaderKey]any {
	return map[jose.HeaderKey]any{"typ": "JWT", "kid": key.id}
}

// RFC 8725 section 3.8: a token is held to the keys of its issuer, and its sub is a name there.
func TestSeveralIssuers(t *testing.T) {
	staff, partners := newIssuer(t, newES256(t, "k1")), newIssuer(t, newES256(t, "k1"))
	third := newIssuer(t, newES256(t, "k3"))
	configs := []accesstoken.Config{staff.config(issuerURL, ""), partners.config(otherURL, "partners:"), third.config("https://third.example", "third:")}
	configs[1].Clients = []string{"app"}
	configs[2].Scopes = []string{"admin"}
	v, err := accesstoken.New(configs...)
	require.NoError(t, err)
	ofPartners := func(with ...any) string { return partners.token(t, append([]any{"iss", otherURL}, with...)...) }
	key := func(i *issuer) signingKey { return i.keys[0] }

	one, other := accepted(t, v, staff.token(t)), accepted(t, v, ofPartners())
	require.Equal(t, []string{"u1", "u1"}, []string{one.Subject, one.Claim("sub")})
	require.Equal(t, []string{"partners:u1", "partners:u1"}, []string{other.Subject, other.Claim("sub")})
	require.Equal(t, []string{"u1", "partners:u1", otherURL}, []string{one.Claims().Text("sub"), other.Claims().Text("sub"), other.Claims().Text("iss")}, "also for rules by tool")
	require.Equal(t, []string{"", ""}, []string{accepted(t, v, ofPartners("sub", "")).Subject, accepted(t, v, ofPartners("sub", nil)).Claim("sub")}, "nobody has a name")
	padded := accepted(t, v, ofPartners("sub", "u1 "))
	require.Equal(t, []string{"partners:u1 ", "", ""}, []string{padded.Subject, padded.Claim("sub"), padded.Claims().Text("sub")}, "who trims it names somebody else")
	accepted(t, v, ofPartners("iss", otherURL+"/"))
	require.EqualValues(t, 0, third.fetches.Load(), "nobody has asked for its keys")

	for name, test := range map[string]struct {
		token, reason string
		status        int
	}{
		"one's key signs the other's name":        {sign(t, key(partners), staff.claims(), nil), "signature", 401},
		"and the reverse":                         {sign(t, key(staff), partners.claims("iss", otherURL), nil), "signature", 401},
		"a key that only another issuer has":      {sign(t, key(third), staff.claims(), nil), "does not publish", 401},
		"the sub of a user of the other":          {staff.token(t, "sub", "partners:u1"), "users of another issuer", 401},
		"in another case":                         {staff.token(t, "sub", "Partners:u1"), "users of another issuer", 401},
		"with the third one's":                    {staff.token(t, "sub", "third:u1"), "users of another issuer", 401},
		"the rule of another issuer on clients":   {ofPartners("client_id", "app2"), "client that may not", 401},
		"that of another issuer on scopes":        {third.token(t, "iss", "https://third.example"), "", 403},
		"an issuer that nobody knows":             {staff.token(t, "iss", "https://evil.example"), "not accepted here", 401},
		"one whose name begins like it":           {staff.token(t, "iss", issuerURL+"x"), "not accepted here", 401},
		"none":                                    {staff.token(t, "iss", nil), "who has issued it", 401},
		"two":                                     {rawToken(t, key(staff), `{"iss":"`+otherURL+`","iss":"`+issuerURL+`"}`), "who has issued it", 401},
		"a list":                                  {staff.token(t, "iss", []string{issuerURL}), "who has issued it", 401},
		"in another case, which is another claim": {staff.token(t, "iss", nil, "ISS", issuerURL), "who has issued it", 401},
		"claims in another encoding":              {"eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0=.AA", "who has issued it", 401},
		"no JWT":                                  {"opaque", "not a signed JWT", 401},
		"too long":                                {"eyJ" + string(make([]byte, accesstoken.MaxToken)) + ".a.b", "longer", 401},
	} {
		t.Run(name, func(t *testing.T) { rejected(t, v, test.token, test.status, test.reason) })
	}
}

// A subject of one issuer is none of another, whatever is written.
func TestIssuersThatDoNotGoTogether(t *testing.T) {
	i := newIssuer(t)
	opaque := i.config(otherURL, "b:")
	opaque.Opaque = new(accesstoken.Introspection)
	for name, test := range map[string]struct {
		configs []accesstoken.Config
		reason  string
	}{
		"two without a prefix":       {[]accesstoken.Config{i.config(issuerURL, ""), i.config(otherURL, "")}, "the same sub in two issuers is two users"},
		"the same prefix":            {[]accesstoken.Config{i.config(issuerURL, "a:"), i.config(otherURL, "a:")}, "the same sub in two issuers is two users"},
		"a prefix of a prefix":       {[]accesstoken.Config{i.config(issuerURL, "a:"), i.config(otherURL, "A:b:")}, "the same sub in two issuers is two users"},
		"and the reverse":            {[]accesstoken.Config{i.config(issuerURL, "a:b:"), i.config(otherURL, "a:")}, "the same sub in two issuers is two users"},
		"one issuer twice":           {[]accesstoken.Config{i.config(issuerURL, "a:"), i.config("https://idp.example", "b:")}, "is there twice"},
		"tokens that name no issuer": {[]accesstoken.Config{i.config(issuerURL, "a:"), opaque}, "do not say whose they are"},
		"a prefix with a space":      {[]accesstoken.Config{i.config(issuerURL, "a: ")}, "printable ASCII without spaces"},
		"an algorithm of the public": {[]accesstoken.Config{{Issuer: issuerURL, Audiences: []string{audience}, Algorithms: []string{"HS256"}, Keys: opaque.Keys}}, "alg HS256 is not a signature"},
		"anybody's identity token":   {[]accesstoken.Config{{Issuer: issuerURL, Audiences: []string{audience}, IdentityTokens: true, Keys: opaque.Keys}}, "identity_tokens needs audience and claim"},
		"one for anybody": {[]accesstoken.Config{{
			Issuer: issuerURL, Clients: []string{"app"}, IdentityTokens: true, Keys: opaque.Keys, Claims: []users.Claim{{Path: "a", Values: []string{"b"}}},
		}}, "identity_tokens needs audience and claim"},
		"a claim without values": {[]accesstoken.Config{{Issuer: issuerURL, Audiences: []string{audience}, Keys: opaque.Keys, Claims: []users.Claim{{Path: "ref"}}}}, "claim ref needs a name and at least one value"},
	} {
		_, err := accesstoken.New(test.configs...)
		require.ErrorContains(t, err, test.reason, name)
	}
	_, err := accesstoken.New(i.config(issuerURL, "a:"), i.config(otherURL, "b:"), i.config("https://third.example", ""))
	require.NoError(t, err)
}

// Tokens as the documentation of their issuers has them.
func TestIdentityTokens(t *testing.T) {
	i := newIssuer(t)
	now := i.now().Unix()
	claims := func(with ...any) map[string]any {
		return i.claims(append([]any{"scope", nil, "client_id", nil, "jti", nil}, with...)...)
	}
	github := func(with ...any) map[string]any {
		return claims(append([]any{
			"sub", "repo:octo-org/octo-repo:ref:refs/heads/main", "ref", "refs/heads/main", "repository", "octo-org/octo-repo", "repository_id", "74", "repository_owner_id", "65",
			"event_name", "push", "ref_type", "branch", "runner_environment", "github-hosted", "nbf", now,
		}, with...)...)
	}
	isRepository := []users.Claim{{Path: "repository_id", Values: []string{"74", "75"}}, {Path: "ref", Values: []string{"refs/heads/main"}}}
	isReader := []users.Claim{{Path: "kubernetes.io.namespace", Values: []string{"shop"}}, {Path: "kubernetes.io.serviceaccount.name", Values: []string{"reader"}}}
	account := func(namespace string) map[string]any {
		return claims("aud", []string{audience}, "sub", "system:serviceaccount:"+namespace+":reader",
			"kubernetes.io", map[string]any{"namespace": namespace, "serviceaccount": map[string]any{"name": "reader", "uid": "14ee"}})
	}
	is := func(path, value string) []users.Claim { return []users.Claim{{Path: path, Values: []string{value}}} }
	anonymous := claims("provider_id", "anonymous", "firebase", map[string]any{"sign_in_provider": "anonymous"})
	firebase := claims("user_id", "u1", "auth_time", now, "firebase", map[string]any{"sign_in_provider": "google.com", "identities": map[string]any{}})
	supabase := claims("role", "authenticated", "is_anonymous", false, "amr", []map[string]any{{"method": "password", "timestamp": now}})
	google := claims("azp", audience, "email", "ci@p.iam.gserviceaccount.com", "email_verified", true)
	for name, test := range map[string]struct {
		claims map[string]any
		rules  []users.Claim
		status int // 0: passes
		reason string
	}{
		"GitHub Actions":                             {github(), isRepository, 0, ""},
		"a fork's repository":                        {github("repository_id", "666", "sub", "repo:mallory/octo-repo:ref:refs/heads/main"), isRepository, 403, "another value"},
		"a branch that anybody may push":             {github("ref", "refs/heads/feature"), isRepository, 403, ""},
		"the id of another claim":                    {github("repository_id", nil, "repository_owner_id", "74"), isRepository, 403, "does not say, or has not verified: repository_id"},
		"for somebody else":                          {github("aud", "https://github.com/octo-org"), isRepository, 401, "another resource server"},
		"expired":                                    {github("exp", now-61), isRepository, 401, "expired"},
		"a service account of Kubernetes":            {account("shop"), isReader, 0, ""},
		"of another namespace":                       {account("other"), isReader, 403, ""},
		"a secret of a service account, without end": {claims("aud", nil, "exp", nil, "kubernetes.io/serviceaccount/namespace", "shop"), isReader, 401, "when it expires"},
		"Firebase":                                   {firebase, is("firebase.sign_in_provider", "google.com"), 0, ""},
		"an anonymous user of Firebase":              {anonymous, is("firebase.sign_in_provider", "google.com"), 403, ""},
		"Supabase":                                   {supabase, is("is_anonymous", "false"), 0, ""},
		"Cloudflare Access":                          {claims("type", "app", "aud", []string{audience}, "email", "a@example.com", "identity_nonce", "n"), is("type", "app"), 0, ""},
		"its token of the whole account":             {claims("type", "org", "aud", []string{audience}), is("type", "app"), 403, ""},
		"an account of Google Cloud":                 {google, is("email", "ci@p.iam.gserviceaccount.com"), 0, ""},
		"an address that nobody has verified":        {claims("email", "ci@p.iam.gserviceaccount.com"), is("email", "ci@p.iam.gserviceaccount.com"), 403, "has not verified: email"},
		"an access token, too":                       {i.claims("repository_id", "74", "ref", "refs/heads/main"), isRepository, 0, ""},
		"an ID token of a login, by its nonce":       {github("nonce", "n"), isRepository, 401, "ID token"},
		"by the hash of its access token":            {github("at_hash", "h"), isRepository, 401, "ID token"},
		"by its kind":                                {github("token_use", "id"), isRepository, 401, "ID token"},
		"a logout token":                             {github("events", map[string]any{}), isRepository, 401, "another purpose"},
		"one that is bound to a key":                 {github("cnf", map[string]string{"jkt": "x"}), isRepository, 401, "bound to a key"},
		"a condition on a claim that is an object":   {github("ref", map[string]string{"x": "refs/heads/main"}), isRepository, 403, ""},
	} {
		t.Run(name, func(t *testing.T) {
			raw := sign(t, i.keys[0], test.claims, jwtType(i.keys[0]))
			with := func(accept bool) *accesstoken.Verifier {
				return i.verifier(t, func(c *accesstoken.Config) { c.IdentityTokens, c.Claims = accept, test.rules })
			}
			if test.status == 0 {
				accepted(t, with(true), raw)
				return
			}
			rejected(t, with(true), raw, test.status, test.reason)
		})
	}
	raw := sign(t, i.keys[0], github(), jwtType(i.keys[0]))
	rejected(t, i.verifier(t, func(c *accesstoken.Config) { c.Claims = isRepository }), raw, http.StatusUnauthorized, "ID token")
}

func TestAlgorithmsOfAnIssuer(t *testing.T) {
	ec, rsa := newES256(t, "k1"), newRS256(t, "k2")
	i := newIssuer(t, ec, rsa)
	v := i.verifier(t, func(c *accesstoken.Config) { c.Algorithms = []string{"ES256"} })
	accepted(t, v, sign(t, ec, i.claims(), nil))
	rejected(t, v, sign(t, rsa, i.claims(), nil), 401, "another algorithm")
	accepted(t, i.verifier(t, nil), sign(t, rsa, i.claims(), nil))
}

const (
	gatewayURL = "https://login.example.com"
	serverURL  = "https://mcp.example.com/mcp"
)

// gateway seals tokens of its own.
type gateway struct {
	*clock
	keys *seal.Keys
}

func newGateway(t testing.TB) *gateway {
	g := &gateway{clock: newClock()}
	var err error
	g.keys, err = seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, g.now)
	require.NoError(t, err)
	return g
}

// token is a good token, but for what change changes.
func (g *gateway) token(change func(*gatewaytoken.Token)) string {
	token := gatewaytoken.Token{
		Issuer: gatewayURL, Resource: serverURL, Subject: "user-1", ClientID: "agent", Scope: "mcp.read mcp.write",
		Issued: g.now(), Expires: g.now().Add(time.Hour),
	}
	if change != nil {
		change(&token)
	}
	return token.Seal(g.keys)
}

func (g *gateway) verifier(t testing.TB, change func(*accesstoken.Config)) *accesstoken.Verifier {
	config := accesstoken.Config{Issuer: gatewayURL, Audiences: []string{serverURL}, Gateway: seal.Static(g.keys), Now: g.now}
	if change != nil {
		change(&config)
	}
	v, err := accesstoken.New(config)
	require.NoError(t, err)
	return v
}

func TestATokenOfAGateway(t *testing.T) {
	g := newGateway(t)
	for _, written := range []struct{ issuer, audience string }{
		{gatewayURL, serverURL}, {gatewayURL + "/", serverURL + "/"}, {gatewayURL, "HTTPS://MCP.example.com/mcp"},
	} {
		v := g.verifier(t, func(c *accesstoken.Config) { c.Issuer, c.Audiences = written.issuer, []string{written.audience} })
		token := accepted(t, v, g.token(func(t *gatewaytoken.Token) { t.Upstream = "idp-access" }))
		require.Equal(t, "user-1", token.Subject)
		require.Equal(t, "agent", token.ClientID)
		require.Equal(t, []string{"mcp.read", "mcp.write"}, token.Scopes)
		require.Equal(t, "idp-access", token.Upstream)
		for claim, want := range map[string]string{
			"sub": "user-1", "client_id": "agent", "aud": serverURL, "iss": gatewayURL, "scope": "mcp.read mcp.write", "upstream": "", "email": "",
		} {
			require.Equal(t, want, token.Claim(claim), claim)
		}
	}
}

// RFC 9700 section 2.3, RFC 8707: a token is for one resource server, one gateway and the
// scopes in it. Each is first shown to be good where it belongs.
func TestWhereATokenOfAGatewayIsNoGood(t *testing.T) {
	g := newGateway(t)
	i := newIssuer(t)
	anotherKey := newGateway(t)
	var err error
	anotherKey.keys, err = seal.NewKeys([][]byte{[]byte(strings.Repeat("x", 32))}, anotherKey.now)
	require.NoError(t, err)
	good := g.token(nil)
	accepted(t, g.verifier(t, nil), good)
	for name, tc := range map[string]struct {
		token string
		at    func(*accesstoken.Config)
		after time.Duration
		code  oauth.Code
		says  string
	}{
		"at another server":               {token: good, at: func(c *accesstoken.Config) { c.Audiences = []string{"https://b.example.com"} }, code: oauth.InvalidToken, says: "for another resource server"},
		"at a server below":               {token: good, at: func(c *accesstoken.Config) { c.Audiences = []string{serverURL + "/tools"} }, code: oauth.InvalidToken, says: "for another resource server"},
		"at a server of another gateway":  {token: good, at: func(c *accesstoken.Config) { c.Issuer = "https://other.example.com" }, code: oauth.InvalidToken, says: "another gateway's"},
		"for a scope that it has not":     {token: good, at: func(c *accesstoken.Config) { c.Scopes = []string{"mcp.read", "mcp.admin"} }, code: oauth.InsufficientScope, says: "does not have the scope"},
		"of an agent that may not":        {token: good, at: func(c *accesstoken.Config) { c.Clients = []string{"another agent"} }, code: oauth.InvalidToken, says: "may not use this resource server"},
		"after its time":                  {token: good, after: time.Hour, code: oauth.InvalidToken, says: "has expired"},
		"after the keys' longest time":    {token: good, after: 50 * time.Hour, code: oauth.InvalidToken, says: "too old"},
		"of who has other keys":           {token: anotherKey.token(nil), code: oauth.InvalidToken, says: "another gateway's"},
		"the IdP's, for the same server":  {token: i.token(t, "aud", serverURL), code: oauth.InvalidToken, says: "the identity provider's are not accepted here"},
		"a JWT in the gateway's name":     {token: i.token(t, "aud", serverURL, "iss", gatewayURL), code: oauth.InvalidToken, says: "leave tokens gateway out here"},
		"the IdP's that is inside of one": {token: "idp-access", code: oauth.InvalidToken, says: "the identity provider's are not accepted here"},
		"longer than any":                 {token: "igat_" + strings.Repeat("A", accesstoken.MaxToken), code: oauth.InvalidToken, says: "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			v := g.verifier(t, tc.at)
			g.advance(tc.after)
			defer g.advance(-tc.after)
			_, err := v.Verify(t.Context(), tc.token)
			require.ErrorContains(t, err, tc.says)
			require.Equal(t, tc.code, oauth.AsError(err).Code)
		})
	}
	_, err = i.verifier(t, func(c *accesstoken.Config) { c.Audiences = []string{serverURL} }).Verify(t.Context(), good)
	require.Equal(t, oauth.InvalidToken, oauth.AsError(err).Code, "nor is it a JWT of the IdP's")
}

func TestAGatewaysTokensAreOpenedByItsKeysAlone(t *testing.T) {
	g := newGateway(t)
	for says, change := range map[string]func(*accesstoken.Config){
		"audience is missing: name": func(c *accesstoken.Config) { c.Audiences, c.Clients = nil, []string{"agent"} },
		"opened by its keys alone":  func(c *accesstoken.Config) { c.Opaque = new(accesstoken.Introspection) },
		"prefix is of no use":       func(c *accesstoken.Config) { c.Prefix = "staff:" },
		"audience api: the URI":     func(c *accesstoken.Config) { c.Audiences = []string{"api"} },
		"opened by its keys alone;": func(c *accesstoken.Config) { c.Keys = new(jwks.Keys) },
	} {
		config := accesstoken.Config{Issuer: gatewayURL, Audiences: []string{serverURL}, Gateway: seal.Static(g.keys)}
		change(&config)
		_, err := accesstoken.New(config)
		require.ErrorContains(t, err, says)
	}
}
