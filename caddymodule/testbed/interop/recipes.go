package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
)

// recipe is a block of caddymodule/RECIPES.md and the identity provider that it is for.
type recipe struct {
	// name is the heading of the section.
	name    string
	profile func(...testidp.Client) testidp.Behavior
	// vendor are the addresses in the block that stand for those of the profile.
	vendor map[string]func(*testidp.Server) string
	scope  string
	params map[string]string // of authorization requests
	lacks  []string
	// oauthOnly: there are no ID tokens.
	oauthOnly bool
	// auth is how the client authenticates; "" for an IdP that takes both.
	auth testidp.AuthMethod
}

// recipes are all of them, in the order of the document.
func recipes() []recipe {
	const openid = "openid profile email offline_access"
	return []recipe{
		{
			name: anyIdP, scope: openid, auth: testidp.ClientSecretBasic,
			profile: func(clients ...testidp.Client) testidp.Behavior {
				return testidp.Behavior{
					Clients: clients, VerifiesPKCE: true, RequiresPKCE: true, SingleUse: true, ChecksClient: true, ChecksRedirectURI: true,
					SendsIssuer: true, RefreshTokens: true, ReturnTo: []string{"post_logout_redirect_uri"},
				}
			},
			vendor: map[string]func(*testidp.Server) string{anyIssuer: (*testidp.Server).IssuerURL},
		},
		{
			name: "Google", scope: "openid email profile",
			profile: testidp.Google, params: map[string]string{"access_type": "offline", "prompt": "consent"},
			vendor: map[string]func(*testidp.Server) string{"https://accounts.google.com": (*testidp.Server).IssuerURL},
		},
		{
			name: "Microsoft Entra ID", scope: openid, profile: testidp.Entra,
			vendor: map[string]func(*testidp.Server) string{"https://login.microsoftonline.com": (*testidp.Server).URL},
		},
		{
			name: "Okta", scope: openid, auth: testidp.ClientSecretBasic, profile: testidp.Okta,
			vendor: map[string]func(*testidp.Server) string{"https://example.okta.com": (*testidp.Server).URL},
		},
		{
			name: "Amazon Cognito", scope: "openid email profile", profile: testidp.Cognito,
			vendor: map[string]func(*testidp.Server) string{
				"https://cognito-idp.eu-west-1.amazonaws.com": func(s *testidp.Server) string { return s.HostURL(testidp.IssuerHost) },
			},
		},
		{
			name: "GitHub", scope: "read:user", auth: testidp.ClientSecretPost, profile: testidp.GitHub, oauthOnly: true, lacks: []string{"refresh"},
			vendor: map[string]func(*testidp.Server) string{
				"https://github.com":     (*testidp.Server).URL,
				"https://api.github.com": func(s *testidp.Server) string { return s.HostURL(testidp.UserInfoHost) },
			},
		},
	}
}

// recipeIdP is the provider of a recipe, whose gateway runs the recipe's block.
//
// With lists, its client has lists of what it asks for.
func recipeIdP(r recipe, lists bool) IdP {
	return IdP{Name: "recipe: " + r.name, start: func(_ context.Context, e *environment) (*runningIdP, error) {
		server, err := r.startServer(e)
		if err != nil {
			return nil, err
		}
		block, err := recipeBlock(e, r.name)
		if err != nil {
			return nil, err
		}
		if block, err = r.filledIn(e, server, block); err != nil {
			return nil, err
		}
		if lists {
			bounds := "scope " + r.scope + "\n"
			if len(r.params) > 0 {
				bounds += "parameter " + strings.Join(slices.Sorted(maps.Keys(r.params)), " ") + "\n"
			}
			block = strings.Replace(block, "redirect_uri ", bounds+"redirect_uri ", 1)
		}
		behavior := r.profile()
		return &runningIdP{
			issuer: server.IssuerURL(), jwksURI: server.HostURL(testidp.KeysHost) + behavior.Path(testidp.PathKeys),
			recipe: block, clientID: recipeClient, scope: r.scope, username: "ada",
			params: r.params, lacks: r.lacks, oauthOnly: r.oauthOnly, hints: !r.oauthOnly, algorithm: "ES256",
		}, nil
	}}
}

// The client of a recipe at its provider.
const recipeClient, recipeSecret = "5f9YqR7o3sKq2Wb1", "only-the-gateway-knows-it"

// startServer starts the provider.
func (r *recipe) startServer(e *environment) (*testidp.Server, error) {
	server, err := testidp.Start(r.profile(testidp.Client{
		ID: recipeClient, RedirectURIs: []string{e.callbackURL()}, ReturnTo: []string{e.browser.returnTo()}, Auth: r.auth, Secret: recipeSecret,
	}))
	if err == nil {
		e.whenClosed(func() { server.Close() })
	}
	return server, err
}

// filledIn is a block with the addresses of this run.
func (r *recipe) filledIn(e *environment, server *testidp.Server, block string) (string, error) {
	for address, actual := range r.vendor {
		if !strings.Contains(block, address) {
			return "", fmt.Errorf("the block of %s does not name %s", r.name, address)
		}
		block = strings.ReplaceAll(block, address, actual(server))
	}
	return strings.NewReplacer(
		"https://app.example.com/callback", e.browser.redirectURI(), "https://app.example.com/", e.browser.returnTo(),
		"{env.CLIENT_ID}", recipeClient, "{env.CLIENT_SECRET}", recipeSecret,
	).Replace(block), nil
}

// anyIdP is the section whose block is that of the table's rows, too, and its issuer.
const anyIdP, anyIssuer = "Any IdP with OpenID Connect", "https://idp.example.com"

// recipeRows are the IdPs of the table below that block: name, address, and what stands below callback.
var recipeRows = regexp.MustCompile("(?m)^\\| ([^|`]+) \\| `(https://[^`|]+)` \\| (?:`([^`|]+)` )?\\| ")

// recipeBlock is what stands in the site of a section's Caddyfile, or what a row makes of it.
func recipeBlock(e *environment, name string) (string, error) {
	file := filepath.Join(e.clients, "..", "..", "..", "RECIPES.md")
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for _, row := range recipeRows.FindAllStringSubmatch(string(source), -1) {
		if row[1] == name {
			block, err := recipeBlock(e, anyIdP)
			return strings.NewReplacer(anyIssuer, row[2], "\n\t\tcallback\n", "\n\t\tcallback\n\t\t"+row[3]+"\n").Replace(block), err
		}
	}
	document, err := doctest.ReadFile(file)
	if err != nil {
		return "", err
	}
	for _, b := range document.Blocks {
		if b.Language == "caddyfile" && b.Section == name {
			site, ok := strings.CutPrefix(b.Code, "login.example.com {\n")
			if site, closed := strings.CutSuffix(site, "\n}\n"); ok && closed {
				return site, nil
			}
		}
	}
	return "", fmt.Errorf("RECIPES.md has no block for %s", name)
}

// asRecipe is the only registration of a recipe: the one that it says.
func asRecipe() []Registration { return []Registration{{Name: "as in RECIPES.md", callback: true}} }
