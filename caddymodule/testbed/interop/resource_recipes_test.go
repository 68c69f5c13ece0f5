package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

const mcpServer = "https://mcp.example.com/mcp"

// resourceRecipe is a row of the table of MCP servers in RECIPES.md.
type resourceRecipe struct {
	block string // the section whose block it is added to
	// profile replaces that of the section.
	profile func(...testidp.Client) testidp.Behavior
	// registered is what somebody sets up at the provider.
	registered func(*testidp.Behavior)
	// scope is what the provider grants, told what the client learns of it.
	scope, told string
	// audience is that of the provider's access token, "" if the client gets the gateway's.
	audience  string
	refreshes bool
}

func resourceRecipes() map[string]resourceRecipe {
	scopes := func(names ...string) func(*testidp.Behavior) {
		return func(b *testidp.Behavior) { b.Scopes = append(b.Scopes, names...) }
	}
	const any = "Any IdP with OpenID Connect"
	return map[string]resourceRecipe{
		"Microsoft Entra ID": {
			registered: scopes("openid", "profile", "email", "offline_access", "api://"+recipeClient+"/mcp.read"),
			scope:      "api://" + recipeClient + "/mcp.read offline_access openid", told: "offline_access mcp.read", refreshes: true,
		},
		"Google": {scope: "openid email", told: "mcp.read", refreshes: true},
		"Okta": {
			registered: func(b *testidp.Behavior) {
				scopes("mcp.read")(b)
				b.Audience = func(string) string { return mcpServer }
			},
			scope: "mcp.read offline_access openid", told: "offline_access mcp.read", audience: mcpServer, refreshes: true,
		},
		"Auth0": {
			block: any, profile: testidp.Auth0, registered: func(b *testidp.Behavior) { b.Targets = []string{mcpServer} },
			scope: "mcp.read offline_access openid", told: "offline_access mcp.read", audience: mcpServer, refreshes: true,
		},
		"Amazon Cognito": {
			registered: scopes(mcpServer + "/read"),
			scope:      mcpServer + "/read openid", told: "mcp.read", audience: mcpServer, refreshes: true,
		},
		"Keycloak": {
			block: any, profile: testidp.Keycloak, registered: func(b *testidp.Behavior) { b.Targets = []string{mcpServer} },
			scope: "mcp.read openid", told: "mcp.read", audience: mcpServer, refreshes: true,
		},
		"GitHub": {scope: "read:user", told: "mcp.read"},
		"authentik": {
			block: any, profile: testidp.Authentik,
			scope: "mcp.read offline_access openid", told: "offline_access mcp.read", refreshes: true,
		},
	}
}

// Each row of the table logs a client of the Model Context Protocol in: it spells the
// server as it likes, asks for no scope, and sends resource everywhere.
func TestRecipesForResources(t *testing.T) {
	rows, want := resourceRows(t), resourceRecipes()
	require.Len(t, rows, len(want))
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, want, name)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			var server *testidp.Server
			e, running, err := start(ctx, IdP{Name: name, start: func(_ context.Context, e *environment) (*runningIdP, error) {
				var block string
				var err error
				server, block, err = want[name].start(e, name, row)
				return &runningIdP{recipe: block, username: "ada"}, err
			}})
			require.NoError(t, err)
			defer e.close()
			require.NoError(t, startGateway(ctx, e, running, asRecipe()[0]))
			e.browser.reset()
			require.NoError(t, fail.Try(func() { requireLoginForResource(ctx, t, e, server, want[name]) }))
		})
	}
}

// resourceLines are the lines of a row.
type resourceLines struct{ inside, beside []string }

// resourceRows are those of the table.
func resourceRows(t *testing.T) map[string]resourceLines {
	source, err := os.ReadFile("../../RECIPES.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(source), "\n## MCP servers")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	code := regexp.MustCompile("`([^`]+)`")
	lines := func(cell string) (all []string) {
		for _, span := range code.FindAllStringSubmatch(cell, -1) {
			all = append(all, span[1])
		}
		return all
	}
	rows := make(map[string]resourceLines)
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[1]) == "IdP" {
			continue
		}
		rows[strings.TrimSpace(cells[1])] = resourceLines{lines(cells[2]), lines(cells[3])}
	}
	return rows
}

// start starts the provider of a row, and is the gateway's block for it.
func (r resourceRecipe) start(e *environment, name string, lines resourceLines) (*testidp.Server, string, error) {
	section := cmp.Or(r.block, name)
	i := slices.IndexFunc(recipes(), func(base recipe) bool { return base.name == section })
	if i < 0 {
		return nil, "", fmt.Errorf("there is no recipe %s", section)
	}
	base := recipes()[i]
	if r.profile != nil {
		base.profile = r.profile
	}
	if profile := base.profile; r.registered != nil {
		base.profile = func(clients ...testidp.Client) testidp.Behavior {
			b := profile(clients...)
			r.registered(&b)
			return b
		}
	}
	server, err := base.startServer(e)
	if err != nil {
		return nil, "", err
	}
	block, err := recipeBlock(e, section)
	if err != nil {
		return nil, "", err
	}
	const callback = "\t\tcallback\n"
	if !strings.Contains(block, callback) {
		return nil, "", fmt.Errorf("the block of %s has no callback", section)
	}
	added := callback + "public_url " + e.gatewayURL() + "\n" + strings.Join(lines.beside, "\n") + "\nresource " + mcpServer + " {\n" + strings.Join(lines.inside, "\n") + "\n}\n"
	block, err = base.filledIn(e, server, strings.Replace(block, callback, added, 1))
	return server, block, err
}

// requireLoginForResource logs in and renews as an MCP client does.
func requireLoginForResource(ctx context.Context, t *testing.T, e *environment, server *testidp.Server, want resourceRecipe) {
	t.Helper()
	client := resourceClient{id: recipeClient, redirectURI: e.browser.redirectURI(), resource: "HTTPS://MCP.example.com/mcp/"}
	token := client.logIn(ctx, e, e.browser.current)
	require.Equal(t, want.told, token.Scope)
	require.Empty(t, token.IDToken, "the client asked for none")
	requireIssued(t, server, want, token.AccessToken)
	require.Equal(t, want.refreshes, token.RefreshToken != "")
	if !want.refreshes {
		return
	}
	client.resource = mcpServer
	renewed, err := client.refresh(ctx, e, token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, want.told, renewed.Scope)
	requireIssued(t, server, want, renewed.AccessToken)
	client.resource = "https://other.example.com"
	_, err = client.refresh(ctx, e, token.RefreshToken)
	require.ErrorContains(t, err, "invalid_target")
}

// requireIssued holds a token to what the provider says of it.
func requireIssued(t *testing.T, server *testidp.Server, want resourceRecipe, accessToken string) {
	t.Helper()
	issued := server.Issued()
	last := issued[len(issued)-1]
	require.Equal(t, want.scope, last.Scope)
	require.Equal(t, want.audience != "", accessToken == last.AccessToken)
	if want.audience == "" {
		return
	}
	parts := strings.Split(accessToken, ".")
	require.Len(t, parts, 3)
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	var claims struct {
		Audience []string `json:"aud"`
	}
	require.NoError(t, json.Unmarshal(payload, &claims))
	require.Equal(t, []string{want.audience}, claims.Audience)
}
