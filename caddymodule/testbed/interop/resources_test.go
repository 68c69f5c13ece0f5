package interop

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
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
			block: anyIdP, profile: testidp.Auth0, registered: func(b *testidp.Behavior) { b.Targets = []string{mcpServer} },
			scope: "mcp.read offline_access openid", told: "offline_access mcp.read", audience: mcpServer, refreshes: true,
		},
		"Amazon Cognito": {
			registered: scopes(mcpServer + "/read"),
			scope:      mcpServer + "/read openid", told: "mcp.read", audience: mcpServer, refreshes: true,
		},
		"Keycloak": {
			block: anyIdP, profile: testidp.Keycloak, registered: func(b *testidp.Behavior) { b.Targets = []string{mcpServer} },
			scope: "mcp.read openid", told: "mcp.read", audience: mcpServer, refreshes: true,
		},
		"GitHub": {scope: "read:user", told: "mcp.read"},
		"authentik": {
			block: anyIdP, profile: testidp.Authentik,
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
			want, known := want[name]
			require.True(t, known)
			e := newEnvironment(t)
			server, block := want.start(t, e, name, row)
			e.startGateway(t, &runningIdP{recipe: block}, asRecipe)
			client := resourceClient{id: recipeClient, redirectURI: e.browser.redirectURI(), resource: "HTTPS://MCP.example.com/mcp/"}
			token := client.logIn(t, e)
			require.Equal(t, want.told, token.Scope)
			require.Empty(t, token.IDToken, "the client asked for none")
			requireIssued(t, server, want, token.AccessToken)
			require.Equal(t, want.refreshes, token.RefreshToken != "")
			if !want.refreshes {
				return
			}
			client.resource = mcpServer
			renewed, refusal := client.refresh(t, e, token.RefreshToken)
			require.Empty(t, refusal)
			require.Equal(t, want.told, renewed.Scope)
			requireIssued(t, server, want, renewed.AccessToken)
			client.resource = "https://other.example.com"
			_, refusal = client.refresh(t, e, token.RefreshToken)
			require.Contains(t, refusal, "invalid_target")
		})
	}
}

// A server that calls an API for its users has the IdP's token for that, of each login and each refresh.
func TestATokenForAnAPIBehind(t *testing.T) {
	const api = "https://ledger.example.com"
	e := newEnvironment(t)
	lines := resourceLines{inside: []string{"scope mcp.read", "default_scope mcp.read", "exchange " + api + " ledger.read"}}
	server, block := resourceRecipe{block: anyIdP, profile: testidp.Keycloak}.start(t, e, "Keycloak", lines)
	e.startGateway(t, &runningIdP{recipe: block}, asRecipe)
	client := resourceClient{id: recipeClient, redirectURI: e.browser.redirectURI(), resource: mcpServer}
	tokens := client.logIn(t, e)
	for range 2 {
		issued := server.Issued()
		exchanged, ofLogin := issued[len(issued)-1], issued[len(issued)-2]
		require.Equal(t, [2]string{api, "ledger.read"}, [2]string{exchanged.Audience, exchanged.Scope})
		require.Equal(t, [2]string{exchanged.User, ""}, [2]string{ofLogin.User, ofLogin.Audience})
		for _, token := range []string{exchanged.AccessToken, ofLogin.AccessToken} {
			require.NotContains(t, tokens.AccessToken, token)
		}
		var refusal string
		tokens, refusal = client.refresh(t, e, tokens.RefreshToken)
		require.Empty(t, refusal)
	}
}

// Keycloak's own token exchange (version 2 of it, RFC 8693): the server gets a token for the API alone,
// of a login and of its refresh.
func TestATokenExchangeAtKeycloak(t *testing.T) {
	if !*all {
		t.Skip("make interop tries this")
	}
	e := newEnvironment(t)
	keycloak := startKeycloak(t, e)
	server := e.gatewayURL() + "/mcp"
	e.startGateway(t, &runningIdP{recipe: strings.NewReplacer(
		"{idp}", keycloak.issuer, "{gateway}", e.gatewayURL(), "{server}", server, "{app}", e.browser.redirectURI(),
		"{client}", exchangingClient, "{api}", exchangeAPI, "{trust}", e.trustCertificate(),
	).Replace(`identity_gateway {idp} {
	discover
	public_url {gateway}
	callback
	resource {server} {
		scope mcp.read openid
		default_scope mcp.read
		exchange {api}
	}
	client app {
		redirect_uri {app}
		idp_client {client} {
			secret {client}
		}
	}
	{trust}
}
require_token /mcp {gateway} {server} {
	tokens gateway
	resource {server}
	upstream_token X-Upstream-Token
}
respond /mcp {http.request.header.X-Upstream-Token}`)}, registration{})
	client := resourceClient{id: "app", redirectURI: e.browser.redirectURI(), resource: server}
	tokens := client.logIn(t, e)
	for range 2 {
		request := must.Have(http.NewRequestWithContext(t.Context(), http.MethodGet, server, nil))(t)
		request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
		response := must.Have(http.DefaultClient.Do(request))(t)
		var inside bytes.Buffer
		must.Have(inside.ReadFrom(response.Body))(t)
		require.NoError(t, response.Body.Close())
		token, err := jwt.ParseSigned(inside.String(), []jose.SignatureAlgorithm{jose.RS256})
		require.NoError(t, err, inside.String())
		var claims jwt.Claims
		require.NoError(t, token.UnsafeClaimsWithoutVerification(&claims))
		require.Equal(t, jwt.Audience{exchangeAPI}, claims.Audience)
		var refusal string
		tokens, refusal = client.refresh(t, e, tokens.RefreshToken)
		require.Empty(t, refusal)
	}
}

// agent is what a program that people use sends, as its makers document it or others have recorded it.
type agent struct {
	Name string `json:"name"`
	// Allow is the name in `allow` without which it may not register its redirect URI.
	Allow string `json:"allow"`
	// RedirectURI is that of its logins, with {port} for one that it chooses each time.
	RedirectURI string `json:"redirect_uri"`
	// Scope has {scopes} for those that the MCP server says it has (here none), and
	// {server_scopes} for those of the authorization server.
	Scope        string            `json:"scope"`
	Authorize    map[string]string `json:"authorize"`
	Resource     bool              `json:"resource"`
	RefreshScope bool              `json:"refresh_scope"` // it asks for the scope of the login again
	Registration json.RawMessage   `json:"registration"`
}

// Each agent registers, logs in, and renews twice where there are refresh tokens, with the lines of each row.
func TestAgents(t *testing.T) {
	var agents []agent
	content := must.Have(os.ReadFile(root + "/idp/testdata/agents.json"))(t)
	require.NoError(t, json.Unmarshal(content, &agents))
	var allowed []string
	for _, a := range agents {
		if a.Allow != "" {
			allowed = append(allowed, a.Allow)
		}
	}
	rows := resourceRows(t)
	for name, recipe := range resourceRecipes() {
		t.Run(name, func(t *testing.T) {
			e := newEnvironment(t)
			_, block := recipe.start(t, e, name, rows[name])
			before, client, _ := strings.Cut(block, "\t\tclient "+recipeClient)
			_, credentials, _ := strings.Cut(client, "idp_client ")
			credentials, _, _ = strings.Cut(credentials, "}\n")
			e.startGateway(t, &runningIdP{
				recipe: before + "rotate_refresh\ndynamic_clients {\nregistration\nallow " + strings.Join(allowed, " ") + "\nidp_client " + credentials + "}\n}\n}\n",
			}, asRecipe)
			for _, a := range agents {
				t.Run(a.Name, func(t *testing.T) { a.run(t, e, recipe.refreshes) })
			}
		})
	}
}

func (a *agent) run(t *testing.T, e *environment, refreshes bool) {
	var metadata struct {
		Scopes []string `json:"scopes_supported"`
	}
	require.Empty(t, fetchJSON(t, http.MethodGet, e.gatewayURL()+"/.well-known/oauth-authorization-server", "", nil, &metadata))
	type registration struct {
		ClientID     string   `json:"client_id"`
		Secret       string   `json:"client_secret"`
		RedirectURIs []string `json:"redirect_uris"`
		AuthMethod   string   `json:"token_endpoint_auth_method"`
	}
	var asked, registered registration
	require.NoError(t, json.Unmarshal(a.Registration, &asked))
	require.Empty(t, fetchJSON(t, http.MethodPost, e.gatewayURL()+"/oauth/register", "application/json", a.Registration, &registered))
	require.Equal(t, registration{ClientID: registered.ClientID, RedirectURIs: asked.RedirectURIs, AuthMethod: "none"}, registered)
	client := resourceClient{
		id: registered.ClientID, redirectURI: strings.ReplaceAll(a.RedirectURI, "{port}", "50123"), more: a.Authorize,
		scope: strings.NewReplacer("{scopes}", "", "{server_scopes}", strings.Join(metadata.Scopes, " ")).Replace(a.Scope),
	}
	if a.Resource {
		client.resource = mcpServer
	}
	token := client.logIn(t, e)
	require.Contains(t, strings.Fields(token.Scope), "mcp.read")
	require.Equal(t, refreshes, token.RefreshToken != "")
	if !refreshes {
		return
	}
	if !a.RefreshScope {
		client.scope = ""
	}
	for range 2 {
		renewed, refusal := client.refresh(t, e, token.RefreshToken)
		require.Empty(t, refusal)
		require.NotEqual(t, token.RefreshToken, renewed.RefreshToken)
		require.NotEqual(t, token.AccessToken, renewed.AccessToken)
		token = renewed
	}
}

// resourceClient is a public client of an MCP server.
type resourceClient struct {
	id, redirectURI, scope string
	resource               string            // "" if it names none
	more                   map[string]string // of its authorization requests
}

type resourceTokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	Scope        string `json:"scope"`
}

func (c *resourceClient) logIn(t *testing.T, e *environment) resourceTokens {
	t.Helper()
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	query := url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {c.redirectURI}, "state": {state},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	for name, value := range c.more {
		query.Set(name, value)
	}
	b := e.browser.newBrowser()
	b.until = c.redirectURI
	arrived := must.Have(b.visit(t.Context(), e.gatewayURL()+"/authorize?"+c.names(query).Encode()))(t)
	response := must.Have(url.ParseQuery(arrived.Params))(t)
	require.NotEmpty(t, response.Get("code"), arrived)
	require.Equal(t, state, response.Get("state"))
	require.Equal(t, e.gatewayURL(), response.Get("iss"))
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {c.id}, "redirect_uri": {c.redirectURI}, "code_verifier": {verifier}, "code": {response.Get("code")},
	}
	if c.resource != "" {
		form.Set("resource", c.resource)
	}
	tokens, refusal := c.post(t, e, form)
	require.Empty(t, refusal)
	return tokens
}

func (c *resourceClient) refresh(t *testing.T, e *environment, token string) (_ resourceTokens, refusal string) {
	return c.post(t, e, c.names(url.Values{"grant_type": {"refresh_token"}, "client_id": {c.id}, "refresh_token": {token}}))
}

// names adds what the client asks for.
func (c *resourceClient) names(q url.Values) url.Values {
	if c.scope != "" {
		q.Set("scope", c.scope)
	}
	if c.resource != "" {
		q.Set("resource", c.resource)
	}
	return q
}

func (c *resourceClient) post(t *testing.T, e *environment, form url.Values) (tokens resourceTokens, refusal string) {
	refusal = fetchJSON(t, http.MethodPost, e.gatewayURL()+"/oauth/token", "application/x-www-form-urlencoded", []byte(form.Encode()), &tokens)
	return tokens, refusal
}

// fetchJSON reads a response with a status of success into a value; refusal is the body of another.
func fetchJSON(t *testing.T, method, address, contentType string, body []byte, into any) (refusal string) {
	t.Helper()
	request := must.Have(http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body)))(t)
	request.Header.Set("Content-Type", contentType)
	response := must.Have(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	if response.StatusCode/100 == 2 {
		require.NoError(t, json.NewDecoder(response.Body).Decode(into))
		return ""
	}
	var b bytes.Buffer
	_, _ = b.ReadFrom(response.Body)
	return response.Status + " " + b.String()
}

// resourceLines are the lines of a row.
type resourceLines struct{ inside, beside []string }

// resourceRows are those of the table.
func resourceRows(t *testing.T) map[string]resourceLines {
	source := must.Have(os.ReadFile(document))(t)
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
func (r resourceRecipe) start(t *testing.T, e *environment, name string, lines resourceLines) (*testidp.Server, string) {
	section := cmp.Or(r.block, name)
	i := slices.IndexFunc(recipes(), func(base recipe) bool { return base.name == section })
	require.GreaterOrEqual(t, i, 0, "there is no recipe %s", section)
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
	server, block := base.startServer(t, e), recipeBlock(t, section)
	const callback = "\t\tcallback\n"
	require.Contains(t, block, callback)
	added := callback + "public_url " + e.gatewayURL() + "\n" + strings.Join(lines.beside, "\n") + "\nresource " + mcpServer + " {\n" + strings.Join(lines.inside, "\n") + "\n}\n"
	return server, base.filledIn(t, e, server, strings.Replace(block, callback, added, 1))
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
	token := must.Have(jwt.ParseSigned(accessToken, []jose.SignatureAlgorithm{jose.ES256}))(t)
	var claims jwt.Claims
	require.NoError(t, token.UnsafeClaimsWithoutVerification(&claims))
	require.Equal(t, jwt.Audience{want.audience}, claims.Audience)
}
