package uris

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllowedURIs(t *testing.T) {
	a, err := ParseAllowed(append(Published(), "https://app.example/cb", "windsurf:", "zed://", "com.example.app:/cb", "https://consent.example/redirect/*"))
	require.NoError(t, err)
	for uri, kept := range map[string]bool{
		"http://127.0.0.1/": true, "http://127.0.0.1:1/a/b?c=d": true, "http://[::1]:9/cb": true, "http://localhost/callback": true, "https://localhost:8443/cb": true,
		"https://app.example/cb": true, "com.example.app:/cb": true, "windsurf://oauth/callback": true, "windsurf:/x": true,
		"https://claude.ai/api/mcp/auth_callback": true, "https://claude.com/api/mcp/auth_callback": true,
		"https://chatgpt.com/connector_platform_oauth_redirect": true, "https://chatgpt.com/connector/oauth/Ab3-_9": true,
		"https://vscode.dev/redirect": true, "cursor://anysphere.cursor-mcp/oauth/callback": true,

		"https://consent.example/redirect/cr1a2-5fconnector_x": true, "https://consent.example/redirect/": false, "https://consent.example/redirect/a/b": false,
		"https://consent.example/redirect/..": false, "https://consent.example/redirect/a.b": false, "https://consent.example/redirect/%61": false,
		"https://consent.example/redirect/a?b": false, "https://consent.example/redirect/a#b": false, "https://consent.example/redirect/a;b": false,
		"https://consent.example/Redirect/a": false, "https://consent.example.evil/redirect/a": false, "https://evil/redirect/a": false,
		"https://consent.example/redirect/a@evil": false, "https://consent.example/redirect\\a": false, "https://consent.example/redirect/*": false,

		"": false, "https://evil.example/cb": false, "https://app.example/cb/": false, "https://app.example/cb?x=y": false, "https://APP.example/cb": false,
		"http://app.example/cb": false, "http://127.0.0.2/": false, "http://localhost.evil.example/": false, "http://127.0.0.1.evil.example/": false,
		"http://localhost@evil.example/": false, "http://user@localhost/": false, "http://localhost/#fragment": false, "http://localhost/#": false,
		"javascript:alert(1)": false, "JavaScript:alert(1)": false, "javascript://localhost/%0aalert(1)": false, "data:text/html,x": false, "vbscript:x": false,
		"file:///etc/passwd": false, "blob:https://localhost/x": false, "about:blank": false, "view-source:http://localhost/": false,
		"vscode://evil/cb": false, "cursor://evil/cb": false, "com.example.app:/other": false, "com.example.other:/cb": false,
		"WINDSURF://oauth": false, "windsurfer://oauth": false, "windsurf://user@host/cb": false, "windsurf://host/cb#x": false, "windsurf:// x": false,
		"https://chatgpt.com/connector/oauth/": false, "https://chatgpt.com/connector/oauth/a/b": false, "https://chatgpt.com/connector/oauth/..": false,
		"https://chatgpt.com/connector/oauth/a?x": false, "https://chatgpt.com/connector/oauth/%2e%2e": false, "https://chatgpt.com/connector/oauth/*": false,
		"https://claude.ai/api/mcp/auth_callback#x": false, "https://claude.ai.evil.example/api/mcp/auth_callback": false,
	} {
		require.Equal(t, kept, a.MayRegister(uri), uri)
	}
	require.True(t, a.Has("zed:x"))
	require.False(t, a.Has("http://localhost:1/x"), "it needs no allowance")
}

func TestEntriesThatAllowTooMuch(t *testing.T) {
	for entry, says := range map[string]string{
		"cursr": "is not a known client; use chatgpt, clau", "javascript:alert(1)": "has a scheme that browsers run", "data:": "has a scheme that browsers run",
		"https:": "is every address of the web", "http://": "is every address of the web", "https://*.example/cb": "has a *", "https://a.example/*/cb": "has a *", "https://a.example/cb*": "has a *", "https://a.example/**": "has a *",
		"https://a.example?*": "has a *", "https://a.example/?x=/*": "has a *", "https://*/": "has a *", "https://*": "has a *", "http://localhost/*": "has a *", "app://x/*": "has a *",
		"https://u@a.example/*": "has a *", "https:///*": "has a *", "http://app.example/cb": "must be https",
		"CURSOR:": "has no scheme in lower case", ":x": "has no scheme", "1x:": "has no scheme", "https://app.example/cb#x": "has a fragment", "vscode://a b": "has a character",
	} {
		_, err := ParseAllowed([]string{entry})
		require.ErrorContains(t, err, "allow "+entry+" "+says)
	}
}
