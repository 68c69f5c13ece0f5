package accesstoken_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

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
		"audience is missing":       func(c *accesstoken.Config) { c.Audiences = nil },
		"opened by its keys alone":  func(c *accesstoken.Config) { c.Opaque = new(accesstoken.Introspection) },
		"audience api: the URI":     func(c *accesstoken.Config) { c.Audiences = []string{"api"} },
		"opened by its keys alone;": func(c *accesstoken.Config) { c.Keys = new(jwks.Keys) },
	} {
		config := accesstoken.Config{Issuer: gatewayURL, Audiences: []string{serverURL}, Gateway: seal.Static(g.keys)}
		change(&config)
		_, err := accesstoken.New(config)
		require.ErrorContains(t, err, says)
	}
}
