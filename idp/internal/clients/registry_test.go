package clients

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

// registryWith is a registry for a configuration, with clients if that has none.
func registryWith(t testing.TB, c Config) *Registry {
	t.Helper()
	if c.Clients == nil {
		c.Clients = clientsWith(nil, nil)
	}
	return must.Have(New(c))(t)
}

// clientsWith are two clients, each with what the gateway is at the IdP for it; nil: itself.
func clientsWith(app, single *IdPClientConfig) []ClientConfig {
	return []ClientConfig{
		{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: app},
		{ID: "single", RedirectURIs: []string{"https://single.example/cb"}, IdPClient: single},
	}
}

func TestWhichClientsAreKnown(t *testing.T) {
	r := registryWith(t, Config{})
	require.Equal(t, "app", r.Find("app").LogName())
	require.Empty(t, r.Find("made up").LogName(), "what clients make up belongs into no log")
	require.True(t, r.MayUse(r.Find("app")))
	require.False(t, r.MayUse(r.Find("made up")))
	open := must.Have(New(Config{}))(t)
	require.True(t, open.MayUse(open.Find("made up")), "any, if none is registered")
	require.Empty(t, open.Find("made up").LogName())
}

func TestIdsAtTheIdP(t *testing.T) {
	r := registryWith(t, Config{Clients: clientsWith(&IdPClientConfig{ID: "gateway", Secret: "s"}, nil)})
	require.Equal(t, "gateway", r.Find("app").IDAtIdP())
	require.Equal(t, "single", r.Find("single").IDAtIdP())
	require.Equal(t, "stranger", r.Find("stranger").IDAtIdP())
}

func TestWhetherOnlyTheGatewayCanRedeemCodes(t *testing.T) {
	secret := &IdPClientConfig{ID: "gateway", Secret: "s"}
	require.False(t, registryWith(t, Config{}).KeepsSecrets(), "the clients' codes are good without the gateway")
	require.True(t, registryWith(t, Config{Clients: clientsWith(secret, secret)}).KeepsSecrets())
	require.True(t, registryWith(t, Config{Clients: clientsWith(secret, secret)[:1]}).KeepsSecrets())
	require.False(t, registryWith(t, Config{Clients: clientsWith(nil, secret)}).KeepsSecrets(), "all of them, or it is worth nothing")
	none := must.Have(New(Config{}))(t)
	require.False(t, none.KeepsSecrets())
}
