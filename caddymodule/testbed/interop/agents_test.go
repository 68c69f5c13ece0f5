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
	var metadata struct {
		Scopes []string `json:"scopes_supported"`
	}
	if err := fetchJSON(ctx, http.MethodGet, e.gatewayURL()+"/.well-known/oauth-authorization-server", "", nil, &metadata); err != nil {
		return false, err
	}
	var registered struct {
		ClientID     string   `json:"client_id"`
		Secret       string   `json:"client_secret"`
		RedirectURIs []string `json:"redirect_uris"`
		AuthMethod   string   `json:"token_endpoint_auth_method"`
	}
	if err := fetchJSON(ctx, http.MethodPost, e.gatewayURL()+"/oauth/register", "application/json", a.Registration, &registered); err != nil {
		return false, err
	}
	var asked struct {
		RedirectURIs []string `json:"redirect_uris"`
	}
	if err := json.Unmarshal(a.Registration, &asked); err != nil {
		return false, err
	}
	if !slices.Equal(registered.RedirectURIs, asked.RedirectURIs) || registered.Secret != "" || registered.AuthMethod != "none" {
		return false, fmt.Errorf("registered as %+v", registered)
	}
	scope := strings.NewReplacer("{scopes}", "", "{server_scopes}", strings.Join(metadata.Scopes, " ")).Replace(a.Scope)
	redirectURI := strings.ReplaceAll(a.RedirectURI, "{port}", "50123")
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	query := url.Values{
		"response_type": {"code"}, "client_id": {registered.ClientID}, "redirect_uri": {redirectURI}, "state": {state},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	for name, value := range a.Authorize {
		query.Set(name, value)
	}
	if scope != "" {
		query.Set("scope", scope)
	}
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {registered.ClientID}, "redirect_uri": {redirectURI}, "code_verifier": {verifier}}
	if a.Resource {
		query.Set("resource", mcpServer)
		form.Set("resource", mcpServer)
	}
	browser := e.browser.newBrowser()
	browser.until = redirectURI
	arrived, err := browser.visit(ctx, e.gatewayURL()+"/authorize?"+query.Encode())
	if err != nil {
		return false, err
	}
	response, err := url.ParseQuery(arrived.Params)
	if err != nil || response.Get("state") != state || response.Get("code") == "" || response.Get("iss") != e.gatewayURL() {
		return false, fmt.Errorf("the browser ended at %s", arrived.URL)
	}
	form.Set("code", response.Get("code"))
	var token struct {
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		Scope        string `json:"scope"`
	}
	if err := a.post(ctx, e, form, &token); err != nil {
		return false, err
	}
	if !slices.Contains(strings.Fields(token.Scope), "mcp.read") {
		return false, fmt.Errorf("the token has the scope %q", token.Scope)
	}
	if token.RefreshToken == "" {
		return false, nil
	}
	for range 2 {
		form = url.Values{"grant_type": {"refresh_token"}, "client_id": {registered.ClientID}, "refresh_token": {token.RefreshToken}}
		if a.Resource {
			form.Set("resource", mcpServer)
		}
		if a.RefreshScope && scope != "" {
			form.Set("scope", scope)
		}
		before := token
		if err := a.post(ctx, e, form, &token); err != nil {
			return false, fmt.Errorf("refresh: %w", err)
		}
		if token.RefreshToken == before.RefreshToken || token.AccessToken == before.AccessToken {
			return false, fmt.Errorf("nothing was renewed")
		}
	}
	return true, nil
}

func (a *agent) post(ctx context.Context, e *environment, form url.Values, into any) error {
	return fetchJSON(ctx, http.MethodPost, e.gatewayURL()+"/oauth/token", "application/x-www-form-urlencoded", []byte(form.Encode()), into)
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
