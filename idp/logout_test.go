package idp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogoutsThatAreRejected(t *testing.T) {
	none := func(c *Config) { c.LogoutProtocol = NoLogout }
	cognito := func(c *Config) { c.LogoutProtocol = CognitoLogout }
	for name, tc := range map[string]struct {
		query, says string
		with        func(*Config)
	}{
		"two pages":                      {"returnTo=https://a.example/&post_logout_redirect_uri=https://b.example/", "mean the same and differ", func(*Config) {}},
		"a client outside ASCII":         {"client_id=%C3%A4", "client_id must be printable ASCII", func(*Config) {}},
		"no client for Cognito":          {"returnTo=https://a.example/", "client_id is missing", cognito},
		"a page that nobody else checks": {"returnTo=https://a.example/", "with logout_protocol none nobody else checks it", none},
	} {
		_, err := testPolicy(t, tc.with).ParseLogout(tc.query)
		require.ErrorContains(t, err, tc.says, name)
		requireWellFormed(t, err)
	}
	p := testPolicy(t, none)
	out, err := p.ParseLogout("client_id=app")
	require.NoError(t, err)
	require.Empty(t, p.LogoutURL(&out), "there is no page to go to")
	p = testPolicy(t, none, registered)
	for state, want := range map[string]string{"": "https://app.example/bye", "&state=s": "https://app.example/bye?state=s"} {
		out, err = p.ParseLogout("client_id=app&returnTo=https://app.example/bye" + state)
		require.NoError(t, err)
		require.Equal(t, want, p.LogoutURL(&out))
		require.Equal(t, "app", out.Registered)
	}
}
