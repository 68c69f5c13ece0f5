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

// several are two servers of one host.
var several = append(complete[:4:4], "--from", "mcp.example.com/files/mcp", "--to", "localhost:3000", "--from", "mcp.example.com/reports/mcp", "--to", "localhost:3001")

func TestTheCommandWithSeveralServers(t *testing.T) {
	site, err := newSite(flags(t, append(several[:12:12], "--scope", "/files/mcp=files.read", "--scope", "/files/mcp=files.write", "--scope", "urn:example:read=any", "--allow-domain", "example.com")...))
	require.NoError(t, err)
	require.Equal(t, `{
	grace_period 30s
}

https://mcp.example.com {
	protect_mcp https://accounts.google.com {
		idp_client abc {env.CLIENT_SECRET}
		scope urn:example:read=any
		users {
			domain example.com
		}
		server https://mcp.example.com/files/mcp {
			scope files.read
			scope files.write
		}
		server https://mcp.example.com/reports/mcp
	}
	reverse_proxy /files/mcp* localhost:3000
	reverse_proxy /reports/mcp* localhost:3001
}
`, site.caddyfile())
	_, err = site.adapt()
	require.NoError(t, err)

	site, err = newSite(flags(t, append(complete[:8:8], "--scope", "/mcp=read")...))
	require.NoError(t, err)
	require.Contains(t, site.caddyfile(), "\n\t\tscope read\n", "of one server, too")
}

func TestWhatTheCommandRefuses(t *testing.T) {
	for says, arguments := range map[string][]string{
		"--idp is required":               complete[2:],
		"--to is required":                complete[:6],
		"has a character that no":         append(complete[:7:7], "localhost:3000 {\n}"),
		"is not an address such as":       append(complete[:5:5], "mcp.example.com?x", "--to", "localhost:3000"),
		"https://user@mcp.example.com is": append(complete[:5:5], "user@mcp.example.com", "--to", "localhost:3000"),
		"2 --from and 1 --to":             several[:10],
		"is not at https://mcp.example":   append(several[:8:8], "--from", "other.example.com/mcp", "--to", "localhost:3001"),
		"the path of a --from before the scope, such as /files/mcp=read": append(several[:12:12], "--scope", "/mcp=read"),
		"such as /files/mcp=files.read":                                  append(several[:12:12], "--scope", "/file/mcp=files.read"),
		"is below the other":                                             append(several[:8:8], "--from", "mcp.example.com/files/mcp/more", "--to", "localhost:3001"),
		"needs a path of its own":                                        append(several[:8:8], "--from", "mcp.example.com", "--to", "localhost:3001"),
	} {
		site, err := newSite(flags(t, arguments...))
		if err == nil {
			_, err = site.adapt()
		}
		require.ErrorContains(t, err, says)
	}
}
