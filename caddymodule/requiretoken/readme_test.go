package requiretoken_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
)

var caddyfiles = regexp.MustCompile("(?s)```caddyfile\n(.*?)```")

// Every configuration in README.md loads, but for the one that lists all options.
func TestTheCaddyfilesOfTheReadmeLoad(t *testing.T) {
	t.Setenv("CLIENT_SECRET", "secret")
	content, err := os.ReadFile("README.md")
	require.NoError(t, err)
	found := 0
	for _, match := range caddyfiles.FindAllStringSubmatch(string(content), -1) {
		if strings.Contains(match[1], "[<matcher>]") {
			continue
		}
		found++
		global := "{\n\tadmin off\n\tskip_install_trust\n\tstorage file_system " + t.TempDir() + "\n}\n"
		config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(global+match[1]), nil)
		require.NoError(t, err, match[1])
		parsed := new(caddy.Config)
		require.NoError(t, caddy.StrictUnmarshalJSON(config, parsed))
		require.NoError(t, caddy.Validate(parsed), match[1])
	}
	require.Equal(t, 3, found)
}
