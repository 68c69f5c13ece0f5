package idp

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// resources are two of them, and what else a gateway in front of MCP servers has.
func resources(change ...func(*Config)) func(*Config) {
	return func(c *Config) {
		c.Parameters = ""
		c.Resources = []ResourceConfig{
			{
				URI:           "https://mcp.example.com/mcp",
				Scopes:        []ScopeConfig{{Name: "mcp.read", AtIdP: []string{"api://app/mcp.read"}}, {Name: "mcp.write", AtIdP: []string{"api://app/mcp.read", "api://app/mcp.write"}}},
				DefaultScopes: []string{"mcp.read", "offline_access"},
			},
			{URI: "https://other.example.com/", Scopes: []ScopeConfig{{Name: "read"}}, Indicator: PassIndicator},
			{URI: "https://third.example.com/a?b=c/", Indicator: AudienceIndicator, Audience: "urn:third"},
		}
		for i := range c.Resources {
			c.Resources[i].Tokens = IdPTokens
		}
		for _, with := range change {
			with(c)
		}
	}
}

// RFC 8707 section 2, RFC 3986 section 6.2.2.1: what names the resource
// https://mcp.example.com/mcp, and what only looks like it.
func TestTheNamesOfAResource(t *testing.T) {
	p := newSealedGateway(t, resources()).Policy
	for uri, found := range map[string]string{
		"https://mcp.example.com/mcp":       "https://mcp.example.com/mcp",
		"HTTPS://MCP.Example.COM/mcp":       "https://mcp.example.com/mcp",
		"https://mcp.example.com/mcp/":      "https://mcp.example.com/mcp",
		"https://other.example.com":         "https://other.example.com/",
		"https://third.example.com/a?b=c/":  "https://third.example.com/a?b=c/",
		"https://third.example.com/a?b=c":   "",
		"https://third.example.com/a/?b=c/": "",
		"https://mcp.example.com/MCP":       "",
		"https://mcp.example.com/mcp//":     "",
		"https://mcp.example.com//mcp":      "",
		"https://mcp.example.com/./mcp":     "",
		"https://mcp.example.com/a/../mcp":  "",
		"https://mcp.example.com/%6dcp":     "",
		"https://mcp.example.com/mcp%2f":    "",
		"https://mcp.example.com/mcp?":      "",
		"https://mcp.example.com/mcp?a=b":   "",
		"https://mcp.example.com/mcp#":      "",
		"https://mcp.example.com/mcp#a":     "",
		"https://mcp.example.com/mcp;a":     "",
		"https://mcp.example.com/mcp/tools": "",
		"https://mcp.example.com":           "",
		"https://mcp.example.com:443/mcp":   "",
		"https://mcp.example.com:8443/mcp":  "",
		"https://mcp.example.com:/mcp":      "",
		"https://mcp.example.com./mcp":      "",
		"https://mcp.example.com../mcp":     "",
		"https://mcp%2eexample.com/mcp":     "",
		"https://mcp.example.com%2f/mcp":    "",
		"https://mcp。example.com/mcp":       "",
		"https://user@mcp.example.com/mcp":  "",
		"https://@mcp.example.com/mcp":      "",
		"https://mcp.example.com@evil/mcp":  "",
		"https://evil/mcp.example.com/mcp":  "",
		"https:/mcp.example.com/mcp":        "",
		"https:mcp.example.com/mcp":         "",
		"https:\\\\mcp.example.com\\mcp":    "",
		"http://mcp.example.com/mcp":        "",
		"//mcp.example.com/mcp":             "",
		"mcp.example.com/mcp":               "",
		" https://mcp.example.com/mcp":      "",
		"https://mcp.example.com/mcp ":      "",
		"":                                  "",
	} {
		got := ""
		if r := p.findResource(uri); r != nil {
			got = r.uri
		}
		require.Equal(t, found, got, uri)
	}
}

// login is the code of a client for an authorization request.
func (g *sealedGateway) login(with ...string) string {
	g.t.Helper()
	return location(g.t, g.called(g.begin(with...).Get("state"), "idp-code").Response).Query().Get("code")
}

// RFC 8707 section 2.2: a code is for the resource of its login.
func TestACodeIsForTheResourceOfItsLogin(t *testing.T) {
	g := newSealedGateway(t, resources())
	const mcp, other = "https://mcp.example.com/mcp", "https://other.example.com"
	for name, tc := range map[string]struct {
		login, token string
		sent         []string
		says         string
	}{
		"the same":                 {login: other, token: other, sent: []string{"https://other.example.com/"}},
		"the same, spelled":        {login: other, token: "HTTPS://other.example.com/", sent: []string{"https://other.example.com/"}},
		"left out at /token":       {login: other, sent: []string{"https://other.example.com/"}},
		"left out at both":         {},
		"left out at /authorize":   {token: mcp},
		"the one that is dropped":  {login: mcp, token: mcp},
		"another":                  {login: mcp, token: other, says: "not the one of the login"},
		"another than the default": {token: other, says: "not the one of the login"},
		"one that nobody knows":    {login: mcp, token: "https://evil.example", says: "may ask for"},
	} {
		t.Run(name, func(t *testing.T) {
			code := g.login("resource", tc.login, "scope", "openid")
			with := []string{"resource", tc.token}
			if tc.token == "" {
				with = nil
			}
			redemption, request, err := g.open(code, with...)
			if tc.says != "" {
				require.ErrorContains(t, err, tc.says)
				require.Equal(t, InvalidTarget, AsError(err).Code)
				return
			}
			require.NoError(t, err)
			call, err := g.tokenCall(request, redemption, nil, "", g.now)
			require.NoError(t, err)
			sent, err := url.ParseQuery(string(call.Form))
			require.NoError(t, err)
			require.Equal(t, tc.sent, sent["resource"])
			require.Empty(t, sent["audience"])
		})
	}
}
