package protectmcp

import (
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// flags are those of the command, parsed.
func flags(t *testing.T, arguments ...string) caddycmd.Flags {
	t.Helper()
	cmd := new(cobra.Command)
	addFlags(cmd)
	require.NoError(t, cmd.ParseFlags(arguments))
	return caddycmd.Flags{FlagSet: cmd.Flags()}
}

var complete = []string{"--idp", "https://accounts.google.com", "--client-id", "abc", "--from", "mcp.example.com/mcp", "--to", "localhost:3000"}

func TestTheCommandStandsForACaddyfile(t *testing.T) {
	site, err := newSite(flags(t, append(complete, "--scope", "read", "--scope", "write", "--allow", "claude,cursor", "--allow-domain", "example.com,example.net", "--allow-email", "ada@example.org")...))
	require.NoError(t, err)
	require.Equal(t, `{
	grace_period 30s
}

https://mcp.example.com {
	protect_mcp https://mcp.example.com/mcp https://accounts.google.com {
		idp_client abc {env.CLIENT_SECRET}
		scope read
		scope write
		allow claude cursor
		users {
			domain example.com example.net
		}
		users {
			email ada@example.org
		}
	}
	reverse_proxy localhost:3000
}
`, site.caddyfile())
	_, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(site.caddyfile()), nil)
	require.NoError(t, err)
	require.Empty(t, warnings)
}

func TestWhatTheCommandRefuses(t *testing.T) {
	for says, arguments := range map[string][]string{
		"--idp is required":               complete[2:],
		"--to is required":                complete[:6],
		"has a character that no":         append(complete[:7:7], "localhost:3000 {\n}"),
		"is not an address such as":       append(complete[:5:5], "mcp.example.com?x", "--to", "localhost:3000"),
		"https://user@mcp.example.com is": append(complete[:5:5], "user@mcp.example.com", "--to", "localhost:3000"),
	} {
		_, err := newSite(flags(t, arguments...))
		require.ErrorContains(t, err, says)
	}
}
