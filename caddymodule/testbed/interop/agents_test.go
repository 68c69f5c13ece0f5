package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/doctest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

var update = flag.Bool("update", false, "write the table of agents into RECIPES.md")

// agent is what a program that people use sends, as its makers document it or others have
// recorded it.
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

func readAgents(t *testing.T) (agents []agent) {
	content, err := os.ReadFile("../../../idp/testdata/agents.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &agents))
	return agents
}

// agentIdPs are the columns of the table.
var agentIdPs = []string{"Microsoft Entra ID", "Google", "Okta", "Auth0", "Amazon Cognito", "Keycloak", "GitHub", "authentik"}

// Each agent logs in at each identity provider of RECIPES.md, with the lines that stand
// there, and renews twice. The table there says so.
func TestAgentsAtIdentityProviders(t *testing.T) {
	agents, rows, outcome := readAgents(t), resourceRows(t), make(map[string]map[string]string)
	for _, name := range agentIdPs {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			recipe := resourceRecipes()[name]
			var server *testidp.Server
			e, running, err := start(ctx, IdP{Name: name, start: func(_ context.Context, e *environment) (*runningIdP, error) {
				var block string
				var err error
				server, block, err = recipe.start(e, name, rows[name])
				return &runningIdP{recipe: asProtectMCP(agents, block), username: "ada"}, err
			}})
			require.NoError(t, err)
			defer e.close()
			require.NoError(t, startGateway(ctx, e, running, asRecipe()[0]))
			outcome[name] = make(map[string]string)
			var mu sync.Mutex
			var all sync.WaitGroup
			for _, a := range agents { // at a time: each has a user who reads the page
				all.Go(func() {
					refreshes, err := a.logIn(ctx, e)
					if !assert.NoError(t, err, a.Name) {
						return
					}
					assert.Equal(t, recipe.refreshes, refreshes, a.Name)
					mu.Lock()
					defer mu.Unlock()
					outcome[name][a.Name] = map[bool]string{true: "passed", false: "passed, no refresh"}[refreshes]
				})
			}
			all.Wait()
			require.Len(t, server.Issued(), len(agents)*map[bool]int{true: 3, false: 1}[recipe.refreshes])
		})
	}
	if !t.Failed() {
		doctest.RequireTable(t, "../../RECIPES.md", "<!-- The table of agents, which a test writes with -update. -->\n\n", agentTable(agents, outcome), "\n<!-- The end of the table. -->", *update)
	}
}

// asProtectMCP has the gateway of a recipe take agents that it has never seen.
func asProtectMCP(agents []agent, block string) string {
	var allowed []string
	for _, a := range agents {
		if a.Allow != "" {
			allowed = append(allowed, a.Allow)
		}
	}
	before, client, _ := strings.Cut(block, "\t\tclient "+recipeClient)
	_, credentials, _ := strings.Cut(client, "idp_client ")
	credentials, _, _ = strings.Cut(credentials, "}\n")
	return before + "rotate_refresh\ndynamic_clients {\nregistration\nallow " + strings.Join(allowed, " ") + "\nidp_client " + credentials + "}\n}\n}\n"
}

// logIn registers, logs in, and renews twice if it can.
func (a *agent) logIn(ctx context.Context, e *environment) (refreshes bool, err error) {
	defer fail.Catch(&err)
	var metadata struct {
		Scopes []string `json:"scopes_supported"`
	}
	fail.Check(fetchJSON(ctx, http.MethodGet, e.gatewayURL()+"/.well-known/oauth-authorization-server", "", nil, &metadata))
	var registered struct {
		ClientID     string   `json:"client_id"`
		Secret       string   `json:"client_secret"`
		RedirectURIs []string `json:"redirect_uris"`
		AuthMethod   string   `json:"token_endpoint_auth_method"`
	}
	fail.Check(fetchJSON(ctx, http.MethodPost, e.gatewayURL()+"/oauth/register", "application/json", a.Registration, &registered))
	var asked struct {
		RedirectURIs []string `json:"redirect_uris"`
	}
	fail.Check(json.Unmarshal(a.Registration, &asked))
	if !slices.Equal(registered.RedirectURIs, asked.RedirectURIs) || registered.Secret != "" || registered.AuthMethod != "none" {
		fail.Now("registered as %+v", registered)
	}
	scope := strings.NewReplacer("{scopes}", "", "{server_scopes}", strings.Join(metadata.Scopes, " ")).Replace(a.Scope)
	client := resourceClient{id: registered.ClientID, redirectURI: strings.ReplaceAll(a.RedirectURI, "{port}", "50123"), scope: scope, more: a.Authorize}
	if a.Resource {
		client.resource = mcpServer
	}
	token := client.logIn(ctx, e, e.browser.newBrowser())
	if !slices.Contains(strings.Fields(token.Scope), "mcp.read") {
		fail.Now("the token has the scope %q", token.Scope)
	}
	if token.RefreshToken == "" {
		return false, nil
	}
	if !a.RefreshScope {
		client.scope = ""
	}
	for range 2 {
		renewed := fail.Must(client.refresh(ctx, e, token.RefreshToken))
		if token.RefreshToken == renewed.RefreshToken || token.AccessToken == renewed.AccessToken {
			fail.Now("nothing was renewed")
		}
		token = renewed
	}
	return true, nil
}

// resourceClient is a public client of an MCP server.
type resourceClient struct {
	id, redirectURI, scope string
	resource               string            // "" if it names none
	more                   map[string]string // of its authorization requests
}

// resourceTokens are what it gets.
type resourceTokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	Scope        string `json:"scope"`
}

// logIn has the user of a browser log in and allow it.
func (c *resourceClient) logIn(ctx context.Context, e *environment, b *browser) resourceTokens {
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	query := url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {c.redirectURI}, "state": {state},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	for name, value := range c.more {
		query.Set(name, value)
	}
	b.until = c.redirectURI
	arrived := fail.Must(b.visit(ctx, e.gatewayURL()+"/authorize?"+c.names(query).Encode()))
	response := fail.Must(url.ParseQuery(arrived.Params))
	if response.Get("state") != state || response.Get("code") == "" || response.Get("iss") != e.gatewayURL() {
		fail.Now("the browser ended at %s", arrived.URL)
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {c.id}, "redirect_uri": {c.redirectURI}, "code_verifier": {verifier}, "code": {response.Get("code")},
	}
	if c.resource != "" {
		form.Set("resource", c.resource)
	}
	return fail.Must(c.post(ctx, e, form))
}

func (c *resourceClient) refresh(ctx context.Context, e *environment, token string) (resourceTokens, error) {
	return c.post(ctx, e, c.names(url.Values{"grant_type": {"refresh_token"}, "client_id": {c.id}, "refresh_token": {token}}))
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

func (c *resourceClient) post(ctx context.Context, e *environment, form url.Values) (tokens resourceTokens, err error) {
	err = fetchJSON(ctx, http.MethodPost, e.gatewayURL()+"/oauth/token", "application/x-www-form-urlencoded", []byte(form.Encode()), &tokens)
	return tokens, err
}

func fetchJSON(ctx context.Context, method, address, contentType string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		var refusal bytes.Buffer
		_, _ = refusal.ReadFrom(response.Body)
		return fmt.Errorf("%s: %s %s", address, response.Status, &refusal)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// agentTable is the table as Markdown.
func agentTable(agents []agent, outcome map[string]map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | `allow` | %s |\n|---|---|%s\n", strings.Join(agentIdPs, " | "), strings.Repeat("---|", len(agentIdPs)))
	for _, a := range agents {
		allow := ""
		if a.Allow != "" {
			allow = "`" + a.Allow + "`"
		}
		fmt.Fprintf(&b, "| %s | %s |", a.Name, allow)
		for _, name := range agentIdPs {
			fmt.Fprintf(&b, " %s |", cmp.Or(outcome[name][a.Name], "FAILED"))
		}
		b.WriteString("\n")
	}
	return b.String()
}
