package check_test

import (
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

func requireAdapts(t *testing.T, block string) {
	adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(block), map[string]any{"filename": "Caddyfile"})
	require.NoError(t, err, block)
	require.Contains(t, string(adapted), `"discover":true`)
	for _, warning := range warnings {
		require.NotContains(t, warning.Message, "not formatted", block)
	}
}

func TestTheBlockFollowsFromTheMetadata(t *testing.T) {
	for methods, want := range map[string]string{
		``: "secret {env.CLIENT_SECRET}",
		`,"token_endpoint_auth_methods_supported":["client_secret_post"]`:     "secret {env.CLIENT_SECRET}",
		`,"token_endpoint_auth_methods_supported":["private_key_jwt","none"]`: "private_key_jwt {env.CLIENT_KEY_FILE}",
		`,"token_endpoint_auth_methods_supported":["none"]`:                   "return_to https://app.example.com/\n\t\t}",
	} {
		m, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example"`+methods+`}`))
		require.NoError(t, err)
		block := check.Block("https://idp.example", m)
		require.Contains(t, block, want)
		requireAdapts(t, block)
	}
}
