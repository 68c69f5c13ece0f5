package interop

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
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
	auth string
}

// recipes are all of them, in the order of the document.
func recipes() []recipe {
	return []recipe{
		{
			name: anyIdP, scope: scope, auth: "client_secret_basic",
			profile: func(clients ...testidp.Client) testidp.Behavior {
				return testidp.Behavior{
					Clients: clients, VerifiesPKCE: true, RequiresPKCE: true, SingleUse: true, ChecksClient: true, ChecksRedirectURI: true,
					SendsIssuer: true, RefreshTokens: true, ReturnTo: "post_logout_redirect_uri",
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
			name: "Microsoft Entra ID", scope: scope, profile: testidp.Entra,
			vendor: map[string]func(*testidp.Server) string{"https://login.microsoftonline.com": (*testidp.Server).URL},
		},
		{
			name: "Okta", scope: scope, auth: "client_secret_basic", profile: testidp.Okta,
			vendor: map[string]func(*testidp.Server) string{"https://example.okta.com": (*testidp.Server).URL},
		},
		{
			name: "Amazon Cognito", scope: "openid email profile", profile: testidp.Cognito,
			vendor: map[string]func(*testidp.Server) string{
				"https://cognito-idp.eu-west-1.amazonaws.com": func(s *testidp.Server) string { return s.HostURL(testidp.IssuerHost) },
			},
		},
		{
			name: "GitHub", scope: "read:user", auth: "client_secret_post", profile: testidp.GitHub, oauthOnly: true, lacks: []string{"refresh"},
			vendor: map[string]func(*testidp.Server) string{
				"https://github.com":     (*testidp.Server).URL,
				"https://api.github.com": func(s *testidp.Server) string { return s.HostURL(testidp.UserInfoHost) },
			},
		},
	}
}

const document = root + "/caddymodule/RECIPES.md"

// Each block of RECIPES.md logs in, as it stands there, and with lists of what its client
// asks for, at an identity provider that behaves as its vendor documents it.
func TestRecipes(t *testing.T) {
	for _, r := range recipes() {
		for name, lists := range map[string]bool{r.name: false, r.name + ", with lists": true} {
			t.Run(name, func(t *testing.T) {
				e := newEnvironment(t)
				server := r.startServer(t, e)
				block := r.filledIn(t, e, server, recipeBlock(t, r.name))
				if lists {
					bounds := "scope " + r.scope + "\n"
					if len(r.params) > 0 {
						bounds += "parameter " + strings.Join(slices.Sorted(maps.Keys(r.params)), " ") + "\n"
					}
					block = strings.Replace(block, "redirect_uri ", bounds+"redirect_uri ", 1)
				}
				behavior := r.profile()
				running := &runningIdP{recipe: block, issuer: server.IssuerURL(), jwksURI: server.HostURL(testidp.KeysHost) + behavior.Path(testidp.PathKeys)}
				s := e.session(running, asRecipe, "login", "userinfo", "refresh", "logout")
				s.ClientID, s.Scope, s.AuthParams, s.Lacks = recipeClient, r.scope, r.params, append(s.Lacks, r.lacks...)
				s.OAuthOnly, s.Hints, s.IDTokenAlgorithm = r.oauthOnly, !r.oauthOnly, "ES256"
				e.try(t, running, asRecipe, standardClients(), s)
			})
		}
	}
}

// A recipe that no test runs would rot.
func TestEveryRecipeIsRun(t *testing.T) {
	var documented, run []string
	for _, b := range blocks(t) {
		if b.Section != "Tokens of workloads and of other services" { // which no login brings: requiretoken runs it
			documented = append(documented, b.Section)
		}
	}
	for _, row := range rows(t) {
		documented = append(documented, row[1])
	}
	for _, r := range recipes() {
		run = append(run, r.name)
	}
	require.ElementsMatch(t, run, documented)
}

// The client of a recipe at its provider.
const recipeClient, recipeSecret = "5f9YqR7o3sKq2Wb1", "only-the-gateway-knows-it"

// asRecipe is the only registration of a recipe: the one that it says.
var asRecipe = registration{callback: true}

func (r *recipe) startServer(t *testing.T, e *environment) *testidp.Server {
	server := testidp.Run(t, r.profile(testidp.Client{
		ID: recipeClient, RedirectURIs: []string{e.callbackURL()}, ReturnTo: []string{e.browser.returnTo()}, Auth: r.auth, Secret: recipeSecret,
	}))
	return server
}

// filledIn is a block with the addresses of this run.
func (r *recipe) filledIn(t *testing.T, e *environment, server *testidp.Server, block string) string {
	for address, actual := range r.vendor {
		require.Contains(t, block, address)
		block = strings.ReplaceAll(block, address, actual(server))
	}
	return strings.NewReplacer(
		"https://app.example.com/callback", e.browser.redirectURI(), "https://app.example.com/", e.browser.returnTo(),
		"{env.CLIENT_ID}", recipeClient, "{env.CLIENT_SECRET}", recipeSecret,
	).Replace(block)
}

// anyIdP is the section whose block is that of the table's rows, too, and its issuer.
const anyIdP, anyIssuer = "Any IdP with OpenID Connect", "https://idp.example.com"

// rows are the IdPs of the table below that block: name, address, and what stands below callback.
func rows(t *testing.T) [][]string {
	source := must.Have(os.ReadFile(document))(t)
	return regexp.MustCompile("(?m)^\\| ([^|`]+) \\| `(https://[^`|]+)` \\| (?:`([^`|]+)` )?\\| ").FindAllStringSubmatch(string(source), -1)
}

// blocks are the Caddyfiles of the document.
func blocks(t *testing.T) []doctest.Block {
	d := must.Have(doctest.ReadFile(document))(t)
	return slices.DeleteFunc(d.Blocks, func(b doctest.Block) bool { return b.Language != "caddyfile" })
}

// recipeBlock is what stands in the site of a section's Caddyfile, or what a row makes of it.
func recipeBlock(t *testing.T, name string) string {
	for _, row := range rows(t) {
		if row[1] == name {
			return strings.NewReplacer(anyIssuer, row[2], "\n\t\tcallback\n", "\n\t\tcallback\n\t\t"+row[3]+"\n").Replace(recipeBlock(t, anyIdP))
		}
	}
	for _, b := range blocks(t) {
		if site, ok := strings.CutPrefix(b.Code, "login.example.com {\n"); ok && b.Section == name {
			return strings.TrimSuffix(site, "\n}\n")
		}
	}
	t.Fatal("RECIPES.md has no block for " + name)
	return ""
}
