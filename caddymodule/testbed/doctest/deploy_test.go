package doctest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// The Caddyfile in containers loads with the variables of the manifest and of the secret.
func TestTheCaddyfileInContainersLoads(t *testing.T) {
	const deploy = root + "/caddymodule/deploy/"
	manifest, err := os.ReadFile(deploy + "kubernetes.yaml")
	require.NoError(t, err)
	variables := regexp.MustCompile(`\{name: ([A-Z_]+), value: "?([^"}]+)"?\}`).FindAllStringSubmatch(string(manifest), -1)
	require.Len(t, variables, 4)
	for _, variable := range variables {
		t.Setenv(variable[1], variable[2])
	}
	for name, value := range map[string]string{
		"PUBLIC_URL": "https://login.example.com", "AUTH_URL": "https://idp.example.com", "CLIENT_ID": "a", "CLIENT_SECRET": "b",
		"REDIRECT_URIS": "https://app.example.com/cb", "SEALING_KEY": "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE=",
	} {
		t.Setenv(name, value)
	}
	caddyfile, err := os.ReadFile(deploy + "Caddyfile")
	require.NoError(t, err)
	adapted, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt(caddyfile, map[string]any{"filename": filepath.Join(deploy, "Caddyfile")})
	require.NoError(t, err)
	require.Empty(t, warnings)
	config := new(caddy.Config)
	require.NoError(t, json.Unmarshal(adapted, config))
	require.NoError(t, caddy.Validate(config))
}
