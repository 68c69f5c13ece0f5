package idp

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
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
	token, err := gatewaytoken.Open(a.t.Context(), seal.Static(a.sealed.s.Keys), gatewayURL, g.AccessToken, a.sealed.now)
	require.NoError(a.t, err)
	require.Equal(a.t, g.Scope, token.Scope)
	require.Equal(a.t, a.sealed.now.Add(time.Duration(g.ExpiresIn)*time.Second).Unix(), token.Expires.Unix())
	return token
}

// of are other claims, by names and values.
func of(pairs ...any) func(*agent) map[string]any {
	claims := make(map[string]any)
	for i := 0; i < len(pairs); i += 2 {
		claims[pairs[i].(string)] = pairs[i+1]
	}
	return func(*agent) map[string]any { return claims }
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
	verifier, err := accesstoken.New(accesstoken.Config{
		Issuer: gatewayURL, Audiences: []string{serverA}, Gateway: seal.Static(a.sealed.s.Keys), Now: func() time.Time { return a.sealed.now },
	})
	require.NoError(t, err)
	read := func(result *Result) *accesstoken.Token {
		token, err := verifier.Verify(t.Context(), a.answer(result).AccessToken)
		require.NoError(t, err)
		return token
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

func TestTheMetadataNamesDirectGrants(t *testing.T) {
	read := func(with ...func(*Config)) (m struct {
		Grants   []string `json:"grant_types_supported"`
		Profiles []string `json:"authorization_grant_profiles_supported"`
	},
	) {
		a := newAgent(t, false, with...)
		require.NoError(t, json.Unmarshal(a.do("GET", "/.well-known/oauth-authorization-server", "").Body, &m))
		return m
	}
	none := read()
	require.Equal(t, []string{"authorization_code", "refresh_token"}, none.Grants)
	require.Nil(t, none.Profiles)
	all := read(withDirectGrants)
	require.Equal(t, []string{"authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_credentials"}, all.Grants)
	require.Equal(t, []string{"urn:ietf:params:oauth:grant-profile:id-jag"}, all.Profiles)
	workloads := read(withDirectGrants, func(c *Config) { c.Trust = c.Trust[2:]; c.Clients = c.Clients[:2] })
	require.Equal(t, []string{"authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, workloads.Grants)
	require.Nil(t, workloads.Profiles)
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
		"a workload without a claim":     {func(c *Config) { c.Trust[2].Claims = nil }, "trust https://cluster.example: workload needs a claim"},
		"a claim of every token":         {func(c *Config) { c.Trust[2].Claims[0].Path = "aud" }, "claim aud says nothing of whose an assertion is"},
		"a claim without values":         {func(c *Config) { c.Trust[2].Claims[0].Values = nil }, "needs a name and at least one value"},
		"a workload with a client":       {func(c *Config) { c.Trust[2].Clients = []string{"desk"} }, "workload and client"},
		"for nothing":                    {func(c *Config) { c.Trust[0].Purpose = "" }, "needs id_jag, for assertions about users, or workload"},
		"an issuer that is none":         {func(c *Config) { c.Trust[0].Issuer = "idp" }, "trust idp: the issuer"},
		"the gateway itself":             {func(c *Config) { c.Trust[0].Issuer = gatewayURL }, "this is the gateway itself"},
		"a scope that is none":           {func(c *Config) { c.Trust[0].Scopes = []string{"a b"} }, "scope a b is not a scope name"},
		"two sets of keys":               {func(c *Config) { c.Trust[3].JWKS = "keys.json" }, "different jwks"},
		"a client that there is not":     {func(c *Config) { c.Trust[0].Clients = []string{"nobody"} }, "trust: client nobody has no block in which it authenticates here"},
		"a public client":                {func(c *Config) { c.Trust[0].Clients = []string{"app"} }, "trust: client app has no block"},
		"a client that can do nothing":   {func(c *Config) { c.Clients[3].ID = "idle"; c.Trust[0].Clients = c.Trust[0].Clients[:1] }, "client idle: needs at least one redirect_uri, or client_credentials, or a trust"},
		"no resource with own tokens":    {func(c *Config) { c.Resources = nil; c.Clients[4].ClientCredentials = false }, "trust needs a resource"},
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
