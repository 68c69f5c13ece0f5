package idp

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

const (
	ownIdP     = "https://idp.example"
	partner    = "https://partner.example"
	kubernetes = "https://cluster.example"
)

// withDirectGrants has three clients that authenticate and no user logs in with, and issuers that
// are trusted: the gateway's own IdP, a partner's, and a platform.
func withDirectGrants(c *Config) {
	c.Issuer = ownIdP
	machine := func(id string) ClientConfig {
		return ClientConfig{ID: id, AuthMethods: []string{AuthSecretBasic, AuthSecretPost}, SecretHashes: []string{hashOf(id + clientSecret)}}
	}
	desk, other, reports := machine("desk"), machine("other"), machine("reports")
	reports.ClientCredentials, reports.Scopes = true, []string{"read"}
	c.Clients = append(c.Clients, desk, other, reports)
	c.Trust = []trust.Rule{
		{Issuer: ownIdP, Purpose: trust.IDJAG, Clients: []string{"desk", "other"}},
		{Issuer: partner + "/", Purpose: trust.IDJAG, Clients: []string{"desk"}, Scopes: []string{"read"}, Claims: []users.Claim{{Path: "groups", Values: []string{"guests"}}}},
		{Issuer: kubernetes, Purpose: trust.Workload, Claims: []users.Claim{{Path: "kubernetes.io.namespace", Values: []string{"prod"}}}, Scopes: []string{"write"}},
		{Issuer: kubernetes, Purpose: trust.Workload, Claims: []users.Claim{{Path: "repository_id", Values: []string{"42"}}, {Path: "ref", Values: []string{"refs/heads/main"}}}, Scopes: []string{"read"}},
	}
}

func replacedClaims(claims, with map[string]any) map[string]any {
	maps.Copy(claims, with)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

func oauthState() string { return NewReference() + NewReference() }

// signed is an assertion, signed by its issuer.
func (a *agent) signed(typ any, claims map[string]any) string {
	issuer, _ := claims["iss"].(string)
	key := a.issuers[strings.TrimSuffix(issuer, "/")]
	if key == nil {
		key = a.issuers[ownIdP]
	}
	return key.Sign(claims, map[string]any{"typ": typ, "jwk": nil})
}

func (a *agent) present(assertion, clientID string, with ...string) *Result {
	q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {assertion}}
	var header []string
	if clientID != "" {
		header = []string{"Authorization", basicHeader(clientID, clientID+clientSecret)}
	}
	return a.do("POST", "/oauth/token", replaced(q, with), header...)
}

// direct is the access token of a response to a direct grant.
func (a *agent) direct(result *Result) *gatewaytoken.Token {
	a.t.Helper()
	require.Equal(a.t, "no-store", result.Header.Get("Cache-Control"))
	require.Equal(a.t, "application/json", result.Header.Get("Content-Type"))
	g := a.answer(result)
	require.Empty(a.t, g.RefreshToken+g.IDToken, "a direct grant gives neither")
	token := must.Have(gatewaytoken.Open(a.t.Context(), seal.Static(a.sealed.s.Keys), gatewayURL, g.AccessToken, a.sealed.now))(a.t)
	require.Equal(a.t, g.Scope, token.Scope)
	require.Equal(a.t, a.sealed.now.Add(time.Duration(g.ExpiresIn)*time.Second).Unix(), token.Expires.Unix())
	return token
}

// of are other claims, by names and values.
func of(with ...any) func(*agent) map[string]any {
	return func(*agent) map[string]any { return pairs(with) }
}

// A machine's name is nobody else's: RFC 9700 section 4.15.
func TestNoUserHasTheNameOfAMachine(t *testing.T) {
	for _, sub := range []string{"client:reports", "workload:" + kubernetes + "#x", partner + "#user-1", "client:"} {
		a := newAgent(t, true, withDirectGrants)
		a.claims["sub"] = sub
		result := a.do("POST", "/oauth/token", form("code", a.logIn()))
		require.Contains(t, string(result.Body), `"error":"access_denied"`, sub)
	}
	a := newAgent(t, true, withDirectGrants)
	a.claims["sub"] = "https://somebody.example/#me"
	require.Equal(t, 200, a.do("POST", "/oauth/token", form("code", a.logIn())).Status, "a URL as a name, as of Solid")
}

// No identity header comes of a machine, wherever a token is read.
func TestAMachineIsNoUserWhereTokensAreRead(t *testing.T) {
	a := newAgent(t, false, withDirectGrants)
	verifier := must.Have(accesstoken.New(accesstoken.Config{
		Issuer: gatewayURL, Audiences: []string{serverA}, Gateway: seal.Static(a.sealed.s.Keys), Now: func() time.Time { return a.sealed.now },
	}))(t)
	read := func(result *Result) *accesstoken.Token {
		return must.Have(verifier.Verify(t.Context(), a.answer(result).AccessToken))(t)
	}
	for _, machine := range []*accesstoken.Token{
		read(a.present(a.signed(nil, a.workload(nil)), "")),
		read(a.do("POST", "/oauth/token", "grant_type=client_credentials", "Authorization", basicHeader("reports", "reports"+clientSecret))),
	} {
		require.Empty(t, machine.Claim("sub"))
		require.Empty(t, machine.Subject)
		require.NotEmpty(t, machine.Claim("client_id"))
		require.NotEmpty(t, machine.ClientID)
	}
	user := read(a.present(a.signed(idJAGType, a.idJAG(nil)), "desk"))
	require.Equal(t, "user-1", user.Claim("sub"))
}

func TestWithoutTrustTheGrantIsUnknown(t *testing.T) {
	a := newAgent(t, false)
	for _, grant := range []string{string(grants.Assertion), "client_credentials"} {
		result := a.do("POST", "/oauth/token", url.Values{"grant_type": {grant}, "client_id": {"app"}, "assertion": {"x"}}.Encode())
		require.Contains(t, string(result.Body), "unsupported_grant_type")
	}
}

func TestTrustThatDoesNotLoad(t *testing.T) {
	for name, tc := range map[string]struct {
		with func(*Config)
		says string
	}{
		"a workload without a claim":   {func(c *Config) { c.Trust[2].Claims = nil }, "trust https://cluster.example: workload needs a claim"},
		"a claim of every token":       {func(c *Config) { c.Trust[2].Claims[0].Path = "aud" }, "claim aud says nothing of whose an assertion is"},
		"a claim without values":       {func(c *Config) { c.Trust[2].Claims[0].Values = nil }, "needs a name and at least one value"},
		"a workload with a client":     {func(c *Config) { c.Trust[2].Clients = []string{"desk"} }, "workload and client"},
		"for nothing":                  {func(c *Config) { c.Trust[0].Purpose = "" }, "needs id_jag, for assertions about users, or workload"},
		"an issuer that is none":       {func(c *Config) { c.Trust[0].Issuer = "idp" }, "trust idp: the issuer"},
		"the gateway itself":           {func(c *Config) { c.Trust[0].Issuer = gatewayURL }, "this is the gateway itself"},
		"a scope that is none":         {func(c *Config) { c.Trust[0].Scopes = []string{"a b"} }, "scope a b is not a scope name"},
		"two sets of keys":             {func(c *Config) { c.Trust[3].JWKS = "keys.json" }, "different jwks"},
		"a client that there is not":   {func(c *Config) { c.Trust[0].Clients = []string{"nobody"} }, "trust: client nobody has no block in which it authenticates here"},
		"a public client":              {func(c *Config) { c.Trust[0].Clients = []string{"app"} }, "trust: client app has no block"},
		"a client that can do nothing": {func(c *Config) { c.Clients[3].ID = "idle"; c.Trust[0].Clients = c.Trust[0].Clients[:1] }, "client idle: needs at least one redirect_uri, or client_credentials, or a trust"},
		"no resource with own tokens":  {func(c *Config) { c.Resources = nil; c.Clients[4].ClientCredentials = false }, "trust needs a resource"},
		"users of an IdP whose issuer is not known": {func(c *Config) {
			c.AuthURL, c.Issuer, c.Users = ownIdP+"/oauth2", "", []users.Rule{{Emails: []string{"ada@example.org"}}}
		}, "users and trust with id_jag: say which issuer is the identity provider's own"},
		"client_credentials for nothing": {func(c *Config) { c.Resources = nil; c.Trust = nil }, "client_credentials needs a resource"},
		"client_credentials of a public client": {func(c *Config) {
			c.Clients[0].ClientCredentials = true
		}, "client app: client_credentials needs token_endpoint_auth"},
	} {
		t.Run(name, func(t *testing.T) {
			config := Config{AuthURL: ownIdP, Parameters: OAuthParameters, Callback: &CallbackConfig{}, Clients: []ClientConfig{
				{ID: "app", RedirectURIs: []string{"https://app.example/cb"}}, {ID: "single", RedirectURIs: []string{"https://single.example/cb"}},
			}}
			withOwnTokens(&config)
			withDirectGrants(&config)
			_, err := NewPolicy(config)
			require.NoError(t, err)
			tc.with(&config)
			_, err = NewPolicy(config)
			require.ErrorContains(t, err, tc.says)
		})
	}
}

// RFC 6749 section 4.4, RFC 9700 section 4.15.
func TestAClientActsForItself(t *testing.T) {
	a := newAgent(t, false, withDirectGrants)
	ask := func(client string, with ...string) *Result {
		return a.do("POST", "/oauth/token", replaced(url.Values{"grant_type": {"client_credentials"}}, with), "Authorization", basicHeader(client, client+clientSecret))
	}
	token := a.direct(ask("reports"))
	require.Equal(t, "client:reports", token.Subject)
	require.Equal(t, "reports", token.ClientID)
	require.Equal(t, "read", token.Scope, "of the default what the client may have")
	require.Equal(t, "", a.direct(ask("reports", "resource", serverB)).Scope)
	require.Equal(t, "read", a.direct(ask("reports", "resource", serverB, "scope", "read")).Scope)
	for name, tc := range map[string]struct {
		result *Result
		code   oauth.Code
	}{
		"a scope that it may not have": {ask("reports", "scope", "write"), oauth.InvalidScope},
		"a scope that there is not":    {ask("reports", "scope", "admin"), oauth.InvalidScope},
		"a resource that there is not": {ask("reports", "resource", "https://elsewhere.example"), oauth.InvalidTarget},
		"without the option":           {ask("desk"), oauth.UnauthorizedClient},
		"with a wrong secret":          {a.do("POST", "/oauth/token", "grant_type=client_credentials", "Authorization", basicHeader("reports", "wrong")), oauth.InvalidClient},
		"a public client":              {a.do("POST", "/oauth/token", "grant_type=client_credentials&client_id=app"), oauth.UnauthorizedClient},
		"a login with it":              {a.do("GET", "/authorize?response_type=code&client_id=reports&redirect_uri=https%3A%2F%2Fapp.example%2Fcb", ""), oauth.InvalidRequest},
	} {
		require.Contains(t, string(tc.result.Body), string(tc.code), name)
	}
	require.Empty(t, a.sent)
}

// workload is a token of a platform.
func (a *agent) workload(with map[string]any) map[string]any {
	return replacedClaims(map[string]any{
		"iss": kubernetes, "sub": "system:serviceaccount:prod:deployer", "aud": []string{gatewayURL + "/oauth/token"},
		"iat": a.sealed.now.Unix(), "exp": a.sealed.now.Add(10 * time.Minute).Unix(), "kubernetes.io": map[string]any{"namespace": "prod"},
	}, with)
}

// MCP, Workload Identity Federation: no client, no user, and the token as often as it likes.
func TestAWorkloadBuysTokensWithItsOwn(t *testing.T) {
	for name, tc := range map[string]struct {
		typ     any
		claims  map[string]any
		request []string
		scope   string
		expires time.Duration
	}{
		"a service account of Kubernetes":        {scope: "write"},
		"with typ":                               {typ: "JWT", scope: "write"},
		"for the issuer":                         {claims: map[string]any{"aud": gatewayURL}, scope: "write"},
		"a CI job, whose id is a number":         {claims: map[string]any{"kubernetes.io": nil, "repository_id": 42, "ref": "refs/heads/main"}, scope: "read"},
		"two rules hold":                         {claims: map[string]any{"repository_id": "42", "ref": "refs/heads/main"}, scope: "read write"},
		"two rules hold, and it asks for less":   {claims: map[string]any{"repository_id": "42", "ref": "refs/heads/main"}, request: []string{"scope", "read"}, scope: "read"},
		"it asks for more":                       {request: []string{"scope", "read write"}, scope: "write"},
		"its token is good for a day":            {claims: map[string]any{"exp": 1_800_086_400}, scope: "write", expires: time.Hour},
		"a client_id, which some libraries send": {request: []string{"client_id", "whatever"}, scope: "write"},
		"what it says of a scope is not for us":  {claims: map[string]any{"scope": []string{"read"}, "resource": 7, "client_id": 7, "jti": 7}, scope: "write"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants)
			assertion := a.signed(tc.typ, a.workload(tc.claims))
			for range 3 {
				result := a.present(assertion, "", tc.request...)
				token := a.direct(result)
				require.Equal(t, "workload:"+kubernetes+"#system:serviceaccount:prod:deployer", token.Subject)
				require.Equal(t, token.Subject, token.ClientID)
				require.Equal(t, tc.scope, token.Scope)
				require.Equal(t, serverA, token.Resource)
				tc.expires = cmp.Or(tc.expires, 10*time.Minute)
				require.Equal(t, a.sealed.now.Add(tc.expires).Unix(), token.Expires.Unix(), "it ends with the workload's own")
			}
		})
	}
}

func TestAWorkloadThatIsRefused(t *testing.T) {
	job := func(pairs ...any) func(*agent) map[string]any {
		return of(append([]any{"kubernetes.io", nil, "repository_id", "42", "repository", "company/app", "ref", "refs/heads/main"}, pairs...)...)
	}
	for name, tc := range map[string]struct {
		claims          func(*agent) map[string]any
		typ             any
		request, header []string
		code            oauth.Code
		says            string
	}{
		"of another namespace":               {claims: of("kubernetes.io", map[string]any{"namespace": "dev"}), says: "kubernetes.io.namespace"},
		"a namespace that says it is":        {claims: of("kubernetes.io", nil, "namespace", "prod"), says: "kubernetes.io.namespace"},
		"of a fork":                          {claims: job("repository_id", "43"), says: "repository_id"},
		"of a repository that took the name": {claims: job("repository_id", "99"), says: "repository_id"},
		"of a branch":                        {claims: job("ref", "refs/pull/7/merge"), says: "ref"},
		"of a branch with a longer name":     {claims: job("ref", "refs/heads/main2"), says: "ref"},
		"for somebody else":                  {claims: of("aud", "https://kubernetes.default.svc"), says: "aud of assertion must be this gateway's token endpoint"},
		"for somebody else, too":             {claims: of("aud", []string{gatewayURL, "https://kubernetes.default.svc"}), says: "alone"},
		"expired":                            {claims: func(a *agent) map[string]any { return map[string]any{"exp": a.sealed.now.Unix()} }, says: "expired"},
		"an ID token of a login":             {claims: of("nonce", "n"), says: "is an ID token or logout token"},
		"a logout token":                     {claims: of("events", map[string]any{}), says: "is an ID token or logout token"},
		"as an access token":                 {typ: "at+jwt", says: "another kind of JWT"},
		"from an issuer trusted for users":   {claims: of("iss", ownIdP), says: "not trusted here for tokens of workloads"},
		"with a client's secret":             {request: []string{"client_id", "desk", "client_secret", "x"}, code: oauth.InvalidRequest, says: "leave out client authentication"},
		"with a client's header":             {header: []string{"Authorization", basicHeader("desk", "x")}, code: oauth.InvalidRequest, says: "leave out client authentication"},
		"with a proof":                       {header: []string{"Dpop", "x"}, code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a resource that there is not":       {request: []string{"resource", "https://elsewhere.example"}, code: oauth.InvalidTarget, says: "resource is not one"},
		"a scope that it may not have":       {request: []string{"scope", "read"}, says: "no scope is left"},
		"a scope that is none":               {request: []string{"scope", "a\"b"}, code: oauth.InvalidScope, says: "scope"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants)
			var with map[string]any
			if tc.claims != nil {
				with = tc.claims(a)
			}
			q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {a.signed(tc.typ, a.workload(with))}}
			result := a.do("POST", "/oauth/token", replaced(q, tc.request), tc.header...)
			tc.code = cmp.Or(tc.code, oauth.InvalidGrant)
			require.Contains(t, string(result.Body), `"error":"`+string(tc.code)+`"`)
			require.Contains(t, string(result.Body), tc.says)
			require.Nil(t, result.Issued)
		})
	}
}

const idJAGType = "oauth-id-jag+jwt"

// idJAG is a good one, with other claims in the place of those named; nil leaves one out.
func (a *agent) idJAG(with map[string]any) map[string]any {
	return replacedClaims(map[string]any{
		"iss": ownIdP, "sub": "user-1", "aud": gatewayURL, "client_id": "desk", "jti": oauthState(), "resource": serverA, "scope": "read write",
		"iat": a.sealed.now.Unix(), "exp": a.sealed.now.Add(5 * time.Minute).Unix(),
	}, with)
}

// draft-ietf-oauth-identity-assertion-authz-grant section 4.4.1: what the assertion says is what
// the client gets, for the user whom a login would have brought.
func TestAnIDJAGBuysATokenForItsUser(t *testing.T) {
	for name, tc := range map[string]struct {
		with                                    func(*Config)
		claims                                  map[string]any
		request                                 []string
		subject, resource, scope, client, given string
		authenticationTime                      int64
	}{
		"as it is":                              {subject: "user-1", scope: "read write"},
		"the issuer with a slash at the end":    {claims: map[string]any{"aud": gatewayURL + "/"}, subject: "user-1", scope: "read write"},
		"aud as a list":                         {claims: map[string]any{"aud": []string{gatewayURL}}, subject: "user-1", scope: "read write"},
		"the request asks for less":             {request: []string{"scope", "read"}, subject: "user-1", scope: "read"},
		"the request asks for more":             {claims: map[string]any{"scope": "read"}, request: []string{"scope", "read write admin"}, subject: "user-1", scope: "read"},
		"scopes of a login, too":                {claims: map[string]any{"scope": "openid read offline_access"}, request: []string{"scope", "openid offline_access"}, subject: "user-1", scope: "read"},
		"scopes that the resource has not":      {claims: map[string]any{"scope": "read admin"}, subject: "user-1", scope: "read"},
		"no scope: the default":                 {claims: map[string]any{"scope": nil}, subject: "user-1", scope: "read write"},
		"no scope, and another resource":        {claims: map[string]any{"scope": nil, "resource": serverB}, resource: serverB, subject: "user-1"},
		"no resource: the first":                {claims: map[string]any{"resource": nil}, subject: "user-1", scope: "read write"},
		"no resource: that of the request":      {claims: map[string]any{"resource": nil}, request: []string{"resource", serverB}, resource: serverB, subject: "user-1", scope: "read"},
		"resources, and one is ours":            {claims: map[string]any{"resource": []string{"https://elsewhere.example", serverB}}, resource: serverB, subject: "user-1", scope: "read"},
		"resources, and the request says which": {claims: map[string]any{"resource": []string{serverA, serverB}}, request: []string{"resource", serverB}, resource: serverB, subject: "user-1", scope: "read"},
		"the same sub at another issuer": {
			claims: map[string]any{"iss": partner + "/", "groups": []string{"guests", "others"}}, subject: partner + "#user-1", scope: "read",
		},
		"a client that may have less": {
			with:   func(c *Config) { c.Clients[2].Scopes = []string{"write"} },
			claims: nil, subject: "user-1", scope: "write",
		},
		"how the user has logged in, and who it is": {
			with:    func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "email"}} },
			claims:  map[string]any{"auth_time": 1_700_000_000, "email": "ada@example.org", "email_verified": true},
			subject: "user-1", scope: "read write", authenticationTime: 1_700_000_000, given: `"email":"ada@example.org"`,
		},
		"at another issuer nobody says that of this company's users": {
			with: func(c *Config) { c.TokenClaims = []users.GivenClaim{{Path: "email"}} },
			claims: map[string]any{
				"iss": partner, "groups": "guests", "auth_time": 1_700_000_000, "email": "ada@example.org", "email_verified": true,
			},
			subject: partner + "#user-1", scope: "read",
		},
		"a user who may come in": {
			with: func(c *Config) {
				c.Users = []users.Rule{{Claims: []users.Claim{{Path: "groups", Values: []string{"staff"}}}}}
			},
			claims:  map[string]any{"groups": []string{"staff"}},
			subject: "user-1", scope: "read write",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants, tc.with)
			result := a.present(a.signed(idJAGType, a.idJAG(tc.claims)), "desk", tc.request...)
			token := a.direct(result)
			require.Equal(t, tc.subject, token.Subject)
			require.Equal(t, "desk", token.ClientID)
			require.Equal(t, tc.scope, token.Scope)
			tc.resource = cmp.Or(tc.resource, serverA)
			require.Equal(t, tc.resource, token.Resource)
			require.Equal(t, a.sealed.now.Add(time.Hour).Unix(), token.Expires.Unix())
			require.Contains(t, string(token.Claims()), tc.given)
			if tc.given == "" {
				require.NotContains(t, string(token.Claims()), "email")
			}
			require.Equal(t, tc.authenticationTime != 0, !token.AuthTime.IsZero())
			require.Empty(t, a.sent, "the IdP hears nothing of it")
			require.Equal(t, string(grants.Assertion), result.Issued.Grant)
			require.Equal(t, token.LoginID, result.Decision.LoginID, "the log finds what the token was used for")
			require.NotEmpty(t, token.LoginID)
		})
	}
}

func TestAnIDJAGThatIsRefused(t *testing.T) {
	inAnHour := func(a *agent, more time.Duration) int64 { return a.sealed.now.Add(time.Hour + more).Unix() }
	for name, tc := range map[string]struct {
		with    func(*Config)
		claims  func(*agent) map[string]any
		typ     any
		client  string // "-" for none
		request []string
		forged  func(a *agent, claims map[string]any) string
		code    oauth.Code
		says    string
	}{
		"for another gateway":                   {claims: of("aud", "https://other.example"), says: "aud of assertion must be this gateway's issuer, https://login.example.com, alone"},
		"for another gateway, too":              {claims: of("aud", []string{gatewayURL, "https://other.example"}), says: "alone"},
		"for the token endpoint":                {claims: of("aud", gatewayURL+"/oauth/token"), says: "aud of assertion"},
		"for nobody":                            {claims: of("aud", nil), says: "aud of assertion"},
		"another client's":                      {claims: of("client_id", "other"), says: "client_id of assertion is not the client that has authenticated"},
		"this client's, sent by another one":    {client: "other", says: "client_id of assertion"},
		"no client's":                           {claims: of("client_id", nil), says: "client_id of assertion"},
		"of a client that the trust leaves out": {client: "other", claims: of("iss", partner, "client_id", "other", "groups", "guests"), says: "not trusted for this client"},
		"from somebody":                         {claims: of("iss", "https://evil.example"), says: "the issuer of assertion is not trusted here for assertions about users"},
		"from an issuer that is trusted for workloads": {
			claims: of("iss", kubernetes, "kubernetes.io", map[string]any{"namespace": "prod"}),
			says:   "the issuer of assertion is not trusted here for assertions about users",
		},
		"an issuer that begins like one":        {claims: of("iss", ownIdP+".evil.example"), says: "not trusted"},
		"without its claims":                    {claims: of("iss", partner), says: "assertion has not the claims that the gateway's operator asks of this issuer (trust): groups"},
		"with other values":                     {claims: of("iss", partner, "groups", []string{"staff"}), says: "(trust): groups"},
		"for an unregistered resource":          {claims: of("resource", "https://elsewhere.example/mcp"), says: "resource of assertion is not one"},
		"for another resource than requested":   {request: []string{"resource", serverB}, says: "resource of assertion"},
		"for two resources":                     {claims: of("resource", []string{serverA, serverB}), says: "several resources"},
		"for a list of no resources":            {claims: of("resource", []string{}), says: "resource of assertion must be a URI"},
		"a resource that is a number":           {claims: of("resource", 7), says: "resource of assertion must be a URI"},
		"only scopes that the resource has not": {claims: of("scope", "admin"), says: "no scope is left"},
		"only other scopes than it has":         {claims: of("scope", "read"), request: []string{"scope", "write"}, says: "no scope is left"},
		"only unknown scopes asked for":         {request: []string{"scope", "admin"}, says: "no scope is left"},
		"a scope that the issuer may not give":  {claims: of("iss", partner, "groups", "guests", "scope", "write"), says: "no scope is left"},
		"a scope that is a list":                {claims: of("scope", []string{"read"}), says: "scope of assertion must be a string"},
		"good for more than an hour":            {claims: func(a *agent) map[string]any { return map[string]any{"exp": inAnHour(a, 2*time.Minute)} }, says: "good for more than an hour"},
		"expired":                               {claims: func(a *agent) map[string]any { return map[string]any{"exp": a.sealed.now.Unix()} }, says: "has expired"},
		"without an end":                        {claims: of("exp", nil), says: "does not say when it expires"},
		"an end that is no number":              {claims: of("exp", "tomorrow"), says: "can't be read"},
		"without a beginning":                   {claims: of("iat", nil), says: "does not say when it was made"},
		"from the future":                       {claims: func(a *agent) map[string]any { return map[string]any{"iat": a.sealed.now.Add(2 * time.Minute).Unix()} }, says: "from the future"},
		"not valid yet":                         {claims: func(a *agent) map[string]any { return map[string]any{"nbf": a.sealed.now.Add(2 * time.Minute).Unix()} }, says: "from the future"},
		"without an id":                         {claims: of("jti", nil), says: "needs a jti"},
		"an id that is empty":                   {claims: of("jti", ""), says: "needs a jti"},
		"an id that is long":                    {claims: of("jti", strings.Repeat("x", 257)), says: "needs a jti"},
		"without a user":                        {claims: of("sub", nil), says: "needs a sub"},
		"a user with control characters":        {claims: of("sub", "user-1\n"), says: "needs a sub"},
		"a user named as a machine":             {claims: of("sub", "client:reports"), says: "a name that this gateway has for something else"},
		"a user named as a partner's":           {claims: of("sub", partner+"#user-1"), says: "a name that this gateway has for something else"},
		"an ID token":                           {typ: "JWT", claims: of("aud", gatewayURL), says: "not trusted here for tokens of workloads"},
		"an ID token, without typ":              {typ: nil, says: "not trusted here for tokens of workloads"},
		"an access token":                       {typ: "at+jwt", says: "the typ of assertion is that of another kind of JWT"},
		"a client assertion":                    {typ: "client-authentication+jwt", says: "another kind of JWT"},
		"bound to a key that is not shown":      {claims: of("cnf", map[string]any{"jkt": dpoptest.NewKey().Thumbprint()}), code: oauth.InvalidDPoPProof, says: "bound to a key"},
		"bound to a certificate":                {claims: of("cnf", map[string]any{"x5t#S256": strings.Repeat("A", 43)}), says: "bound to something else than a key"},
		"bound to a key and more":               {claims: of("cnf", map[string]any{"jkt": strings.Repeat("A", 43), "x5t#S256": strings.Repeat("A", 43)}), says: "bound to something else"},
		"a user who may not come in": {
			with: func(c *Config) {
				c.Users = []users.Rule{{Claims: []users.Claim{{Path: "groups", Values: []string{"staff"}}}}}
			},
			claims: of("groups", []string{"guests"}), says: "this user may not come in",
		},
		"a user who may not come in, of an IdP that only auth_url names": {
			with: func(c *Config) {
				c.Issuer = ""
				c.Users = []users.Rule{{Claims: []users.Claim{{Path: "groups", Values: []string{"staff"}}}}}
			},
			claims: of("groups", []string{"guests"}), says: "this user may not come in",
		},
		"the same, with a slash at the end": {
			with: func(c *Config) {
				c.AuthURL, c.Issuer = ownIdP+"/", ""
				c.Users = []users.Rule{{Claims: []users.Claim{{Path: "groups", Values: []string{"staff"}}}}}
			},
			claims: of("iss", ownIdP+"/", "groups", []string{"guests"}), says: "this user may not come in",
		},
		"a user of whom it is not known": {
			with: func(c *Config) { c.Users = []users.Rule{{Domains: []string{"example.org"}}} },
			says: "does not say, or has not verified: email",
		},
		"unsigned": {forged: func(_ *agent, claims map[string]any) string {
			payload, _ := json.Marshal(claims)
			return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"oauth-id-jag+jwt"}`)) + "." + base64.RawURLEncoding.EncodeToString(payload) + "."
		}, says: "not a JWT with an asymmetric signature"},
		"signed with the public key as a secret": {forged: func(a *agent, claims map[string]any) string {
			public := must.Have(a.issuers[ownIdP].Public.MarshalJSON())(a.t)
			return signedBy(a.t, jose.HS256, public, idJAGType, must.Have(json.Marshal(claims))(a.t))
		}, says: "not a JWT with an asymmetric signature"},
		"signed by another issuer that is trusted": {forged: func(a *agent, claims map[string]any) string {
			return a.issuers[partner].Sign(claims, map[string]any{"typ": idJAGType, "jwk": nil})
		}, says: "not signed with a key of its issuer"},
		"signed with a key in its header": {forged: func(a *agent, claims map[string]any) string {
			return a.keys.Sign(claims, map[string]any{"typ": idJAGType})
		}, says: "not signed with a key of its issuer"},
		"nothing":                      {forged: func(*agent, map[string]any) string { return "" }, code: oauth.InvalidRequest, says: "assertion is missing"},
		"something else":               {forged: func(*agent, map[string]any) string { return "a.b.c" }, says: "not a JWT"},
		"without the client's secret":  {client: "-", request: []string{"client_id", "desk"}, code: oauth.InvalidClient, says: "authentication method none"},
		"with another client's secret": {client: "-", request: []string{"client_id", "desk", "client_secret", "other" + clientSecret}, code: oauth.InvalidClient, says: "secret is wrong"},
		"of a public client":           {client: "-", claims: of("client_id", "app"), request: []string{"client_id", "app"}, code: oauth.UnauthorizedClient, says: "for clients that authenticate"},
		"of nobody":                    {client: "-", code: oauth.InvalidRequest, says: "client_id is missing"},
		"a resource that takes IdP tokens": {
			with: func(c *Config) { c.Resources[1].Tokens, c.Resources[1].Introspection = IdPTokens, nil }, claims: of("resource", serverB),
			code: oauth.InvalidTarget, says: "takes the identity provider's tokens",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants, tc.with)
			var with map[string]any
			if tc.claims != nil {
				with = tc.claims(a)
			}
			typ, client := any(idJAGType), "desk"
			if tc.typ != nil || strings.Contains(name, "without typ") {
				typ = tc.typ
			}
			if tc.client == "-" {
				client = ""
			} else if tc.client != "" {
				client = tc.client
			}
			claims := a.idJAG(with)
			assertion := ""
			if tc.forged != nil {
				assertion = tc.forged(a, claims)
			} else {
				assertion = a.signed(typ, claims)
			}
			result := a.present(assertion, client, tc.request...)
			tc.code = cmp.Or(tc.code, oauth.InvalidGrant)
			require.Contains(t, string(result.Body), `"error":"`+string(tc.code)+`"`)
			require.Contains(t, string(result.Body), tc.says)
			require.Nil(t, result.Issued)
			require.Empty(t, a.sent, "the IdP hears nothing of it")
			if assertion != "" {
				require.NotContains(t, string(result.Body), assertion)
			}
		})
	}
}

// Two nodes with one store: an assertion is good once, until it has expired.
func TestAnIDJAGIsGoodOnceAtAllNodes(t *testing.T) {
	a := newAgent(t, false, withDirectGrants)
	second := must.Have(NewGateway(a.configured, a.parts))(t)
	nodes := []*Gateway{a.Gateway, second}
	claims := a.idJAG(map[string]any{"exp": a.sealed.now.Add(time.Hour).Unix()})
	request := func() Request {
		q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {a.signed(idJAGType, claims)}}
		return a.request("POST", "/oauth/token", q.Encode(), "Authorization", basicHeader("desk", "desk"+clientSecret))
	}
	require.Equal(t, 200, a.Serve(request()).Status)
	for a.sealed.now.Unix() < claims["exp"].(int64) {
		for _, node := range nodes {
			again := node.Serve(request())
			require.Contains(t, string(again.Body), "assertion was used before")
			require.Equal(t, "invalid_grant", again.Decision.Outcome)
		}
		a.sealed.pass(10 * time.Minute)
	}
	require.Contains(t, string(a.Serve(request()).Body), "expired")

	claims = a.idJAG(map[string]any{"jti": "one", "iss": ownIdP})
	require.Equal(t, 200, a.Serve(request()).Status)
	claims = a.idJAG(map[string]any{"jti": "one", "iss": partner, "groups": "guests"})
	require.Equal(t, 200, a.Serve(request()).Status, "the same jti of another issuer is another assertion")
	claims = a.idJAG(map[string]any{"jti": "two", "scope": "admin"})
	require.Equal(t, 400, a.Serve(request()).Status)
	claims["scope"] = "read"
	require.Equal(t, 200, a.Serve(request()).Status, "what was refused was not used")
}

// The store decides. While it can't, nobody gets a token.
func TestWithoutAStoreAnIDJAGBuysNothing(t *testing.T) {
	a := newAgent(t, false, withDirectGrants)
	parts := a.parts
	parts.Replay = failingStore{a.sealed.store}
	g := must.Have(NewGateway(a.configured, parts))(t)
	q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {a.signed(idJAGType, a.idJAG(nil))}}
	result := g.Serve(a.request("POST", "/oauth/token", q.Encode(), "Authorization", basicHeader("desk", "desk"+clientSecret)))
	require.Equal(t, http.StatusServiceUnavailable, result.Status)
	require.Len(t, result.Incidents, 1)

	a.issuers[ownIdP].away = true
	away := a.present(a.signed(idJAGType, a.idJAG(nil)), "desk")
	require.Equal(t, http.StatusServiceUnavailable, away.Status, "nor while the issuer's keys can't be had")
}

// A token that a thief has is of no use to him with a key (RFC 9449 section 5).
func TestAnIDJAGForAKey(t *testing.T) {
	a := newAgent(t, false, withDirectGrants, func(c *Config) { c.Clients[2].DPoP = oauth.Optional })
	key := &a.keys
	present := func(proof string, claims map[string]any) *Result {
		q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {a.signed(idJAGType, a.idJAG(claims))}}
		return a.do("POST", "/oauth/token", q.Encode(), "Authorization", basicHeader("desk", "desk"+clientSecret), "Dpop", proof)
	}
	proof := func() string {
		first := present(key.Proof("POST", gatewayURL+"/oauth/token", a.sealed.now, "", ""), nil)
		return key.Proof("POST", gatewayURL+"/oauth/token", a.sealed.now, "", first.Header.Get("Dpop-Nonce"))
	}
	bound := map[string]any{"cnf": map[string]any{"jkt": key.Thumbprint()}}
	result := present(proof(), bound)
	token := a.direct(result)
	require.Equal(t, key.Thumbprint(), token.Key.String())
	require.Equal(t, "DPoP", a.answer(result).TokenType)

	other := map[string]any{"cnf": map[string]any{"jkt": dpoptest.NewKey().Thumbprint()}}
	require.Contains(t, string(present(proof(), other).Body), "another key")
}
