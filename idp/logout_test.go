package idp

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestLogoutsThatAreRejected(t *testing.T) {
	none := func(c *Config) { c.LogoutProtocol = NoLogout }
	cognito := func(c *Config) { c.LogoutProtocol = CognitoLogout }
	for name, tc := range map[string]struct {
		query, says string
		with        func(*Config)
	}{
		"a broken escape": {"client_id=app&x=%zz", "percent", func(*Config) {}},
		"another client's page": {"client_id=server&returnTo=https://app.example/bye", "not one that is registered", func(c *Config) {
			registered(c)
			c.Clients[1].ReturnTo = []string{"https://server.example/bye"}
		}},
		"two pages":                      {"returnTo=https://a.example/&post_logout_redirect_uri=https://b.example/", "mean the same and differ", func(*Config) {}},
		"a client outside ASCII":         {"client_id=%C3%A4", "client_id must be printable ASCII", func(*Config) {}},
		"no client for Cognito":          {"returnTo=https://a.example/", "client_id is missing", cognito},
		"a page that nobody else checks": {"returnTo=https://a.example/", "with endpoint logout none nobody else checks it", none},
	} {
		_, err := testPolicy(t, tc.with).parseLogout(tc.query)
		require.ErrorContains(t, err, tc.says, name)
		requireWellFormed(t, err)
	}
	p := testPolicy(t, none)
	out, err := p.parseLogout("client_id=app")
	require.NoError(t, err)
	require.Empty(t, out.logoutURL(p), "there is no page to go to")
	out, err = p.parseLogout("state=s")
	require.NoError(t, err)
	require.Empty(t, out.logoutURL(p), "nor for a state")
	p = testPolicy(t, none, func(c *Config) {
		registered(c)
		c.Clients[0].ReturnTo = []string{"https://app.example/bye?x=1"}
	})
	out, err = p.parseLogout("client_id=app&state=s&returnTo=https%3A%2F%2Fapp.example%2Fbye%3Fx%3D1")
	require.NoError(t, err)
	require.Equal(t, "https://app.example/bye?x=1&state=s", out.logoutURL(p))
	p = testPolicy(t, none, registered)
	for state, want := range map[string]string{"": "https://app.example/bye", "&state=s": "https://app.example/bye?state=s"} {
		out, err = p.parseLogout("client_id=app&returnTo=https://app.example/bye" + state)
		require.NoError(t, err)
		require.Equal(t, want, out.logoutURL(p))
		require.Equal(t, "app", out.Registered)
	}
}

// OpenID Connect RP-Initiated Logout 1.0 section 2.
func TestHintsOfALogout(t *testing.T) {
	const hints = "id_token_hint=a.b.c&logout_hint=ada&ui_locales=de&state=s"
	for protocol, want := range map[LogoutProtocol]string{
		Auth0Logout:       "https://idp.example/v2/logout?client_id=app&" + hints,
		RPInitiatedLogout: "https://idp.example/v2/logout?client_id=app&" + hints,
		CognitoLogout:     "https://idp.example/v2/logout?client_id=app",
		NoLogout:          "",
	} {
		p := testPolicy(t, func(c *Config) { c.LogoutProtocol = protocol })
		out, err := p.parseLogout("client_id=app&" + hints)
		require.NoError(t, err)
		require.Equal(t, want, out.logoutURL(p), protocol)
	}
}

func TestALogoutThroughTheGateway(t *testing.T) {
	result := newServed(t).do("GET", "/v2/logout?client_id=app&returnTo=https://app.example/", "")
	require.Equal(t, http.StatusFound, result.Status)
	require.Equal(t, "https://idp.example/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F", result.Header.Get("Location"))
	none := newServed(t, func(c *Config) { c.LogoutProtocol = NoLogout })
	require.Contains(t, string(none.do("GET", "/v2/logout", "").Body), "Logged out of the app")
	require.Equal(t, oauth.InvalidRequest, none.do("GET", "/v2/logout?x=%zz", "").Decision.Refusal.Code)
}
