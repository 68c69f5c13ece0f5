package identity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
)

// The command itself is tested in package check: what it provisions goes with its process.
func TestEachProviderOfAConfigurationIsCheckedOnce(t *testing.T) {
	t.Setenv("TEST_IDENTITY_IDP", "https://a.example")
	targets, err := configuredTargets([]byte(`{"apps": {"http": [
		{"handler": "identity_gateway", "auth_url": "{env.TEST_IDENTITY_IDP}"},
		{"handler": "subroute", "routes": [{"handler": "identity_gateway", "auth_url": "https://a.example/", "discover": true, "transport": {}}]},
		{"handler": "identity_gateway", "auth_url": "https://b.example"},
		{"handler": "identity_gateway", "auth_url": "https://c.example/.well-known/openid-configuration"}
	]}}`))
	require.NoError(t, err)
	require.Equal(t, []check.Target{
		{URL: "https://a.example", NeedsMetadata: true, Note: "the option transport is not tried: this asks the provider directly"},
		{URL: "https://b.example"},
		{URL: "https://c.example/.well-known/openid-configuration", NeedsMetadata: true},
	}, targets)

	for config, says := range map[string]string{
		`{"apps": {}}`: "the configuration has no identity_gateway",
		`{"handler": "identity_gateway", "auth_url": "{env.TEST_IDENTITY_NONE}"}`: "auth_url: ",
		`{`: "unexpected end of JSON input",
	} {
		_, err := configuredTargets([]byte(config))
		require.ErrorContains(t, err, says)
	}
	require.EqualError(t, failure("\x1b[2J", err), "␛[2J: <nil>")
}
