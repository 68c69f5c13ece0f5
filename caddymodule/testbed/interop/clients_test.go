package interop

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// client is a published application, which runs against a gateway.
type client struct {
	name string
	run  func(*testing.T, *environment, session)
	// standard clients work at every provider of a recipe.
	standard bool
}

// clients are those that know the gateway's endpoints.
var clients = []client{
	{"oauth2 + go-oidc", runGoClient, true},
	{"openid-client", nodeClient("openid-client.mjs"), true},
	{"pieces-os-client", nodeClient("pieces-os-client.cjs"), false},
	{"auth0-spa-js in Chromium", chromiumClient("auth0-spa-js.mjs"), false},
}

// session is what a client needs to know. Scripts get it as JSON.
type session struct {
	Gateway     string `json:"gateway"`
	Issuer      string `json:"issuer"`
	JWKSURI     string `json:"jwks_uri"`
	ClientID    string `json:"client_id"`
	SPAClientID string `json:"spa_client_id"`
	Secret      string `json:"client_secret,omitempty"`
	Scope       string `json:"scope"`
	Audience    string `json:"audience"`
	RedirectURI string `json:"redirect_uri"`
	ReturnTo    string `json:"return_to"`
	Browser     string `json:"browser"` // POST {"url": ...}: where a person's browser ends up
	SPAPort     int    `json:"spa_port"`
	Username    string `json:"username"`
	Password    string `json:"password"`
	Frames      bool   `json:"frames"` // pages can also renew their login in a hidden frame
	Silent      bool   `json:"silent"` // a login needs no person

	AuthParams map[string]string `json:"auth_params"` // more for /authorize
	OAuthOnly  bool              `json:"oauth_only"`  // there are no ID tokens
	Hints      bool              `json:"hints"`       // a logout has an id_token_hint
	// IDTokenAlgorithm signs ID tokens, if it is not RS256.
	IDTokenAlgorithm string `json:"id_token_algorithm,omitempty"`

	// What require_token protects, in the row by metadata: an API that says who
	// calls it, and a server of the Model Context Protocol, which is the script's own
	// on SPAPort.
	API           string `json:"api,omitempty"`
	MCP           string `json:"mcp,omitempty"`
	OtherAudience string `json:"other_audience,omitempty"`

	// Direct is for clients that log nobody in.
	Direct *direct `json:"direct,omitempty"`

	// Page is the script of a library in a page.
	Page string `json:"page,omitempty"`

	// Look is that of the pages.
	Look string `json:"look,omitempty"`

	// Steps that the provider has no endpoint for. Clients leave them out.
	Lacks    []string `json:"lacks"`
	Chromium string   `json:"chromium"`

	steps []string // that a script has to pass, unless the provider lacks them
}

func (s *session) offers(step string) bool { return !slices.Contains(s.Lacks, step) }

// nodeClient runs a script of the clients folder in Node. It gets the session as JSON
// on its standard input and prints the outcome of each step as JSON, one a line.
func nodeClient(script string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) { runScript(t, e, s, node(t), script) }
}

// chromiumClient is a nodeClient that drives Chromium.
func chromiumClient(script string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		path := node(t)
		if s.Chromium == "" {
			t.Skip("Chromium is not installed; on Debian: apt-get install chromium, or set CHROMIUM")
		}
		runScript(t, e, s, path, script)
	}
}

// pythonClient is a nodeClient in Python.
func pythonClient(script string) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		runScript(t, e, s, installed(t, ".venv/bin/python"), script)
	}
}

// runInspector runs a nodeClient with an installation of its own.
func runInspector(t *testing.T, e *environment, s session) {
	installed(t, ".inspector/node_modules/node/bin/node")
	nodeClient("mcp/inspector.mjs")(t, e, s)
}

// runConformance runs the conformance tests of MCP for authorization servers.
func runConformance(t *testing.T, e *environment, s session) {
	s.steps = []string{"authorization-server-metadata-endpoint", "authorization-code-grant"}
	nodeClient("mcp/conformance.mjs")(t, e, s)
}

func runScript(t *testing.T, e *environment, s session, interpreter, script string) {
	input := must.Have(json.Marshal(s))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var output, problems bytes.Buffer
	process := exec.CommandContext(ctx, interpreter, script)
	process.Dir = "clients"
	process.Env = append(os.Environ(), "NODE_NO_WARNINGS=1",
		"NODE_EXTRA_CA_CERTS="+e.certFile, "SSL_CERT_FILE="+e.certFile, "REQUESTS_CA_BUNDLE="+e.certFile) // as an operator's own authority is trusted
	process.Stdin, process.Stdout, process.Stderr = bytes.NewReader(input), &output, &problems
	command.EndWithChildren(process) // the browser that the script started
	process.WaitDelay = 5 * time.Second
	runErr := process.Run()

	done := slices.Clone(s.Lacks)
	for lines := bufio.NewScanner(&output); lines.Scan(); {
		var result struct {
			Step, Detail string
			OK           bool
		}
		if json.Unmarshal(lines.Bytes(), &result) == nil && result.Step != "" {
			require.True(t, result.OK, "%s: %s", result.Step, result.Detail)
			done = append(done, result.Step)
		}
	}
	require.NoError(t, runErr, tail(problems.String()))
	require.Subset(t, done, s.steps)
}

// runGoClient is golang.org/x/oauth2 with github.com/coreos/go-oidc, set up as
// their documentation says.
func runGoClient(t *testing.T, e *environment, s session) {
	ctx := oidc.ClientContext(t.Context(), &http.Client{Transport: e.transport, Timeout: 30 * time.Second})
	provider := (&oidc.ProviderConfig{
		IssuerURL:   s.Issuer,
		AuthURL:     s.Gateway + "/authorize",
		TokenURL:    s.Gateway + "/oauth/token",
		UserInfoURL: s.Gateway + "/userinfo",
		JWKSURL:     s.JWKSURI,
		Algorithms:  []string{oidc.RS256, oidc.ES256, oidc.PS256},
	}).NewProvider(ctx)
	config := &oauth2.Config{
		ClientID: s.ClientID, Endpoint: provider.Endpoint(), RedirectURL: s.RedirectURI, Scopes: strings.Fields(s.Scope),
	}
	token, subject := goLogin(ctx, t, e, s, provider, config)
	checkUser := func(token *oauth2.Token) {
		if !s.offers("userinfo") {
			return
		}
		user := must.Have(provider.UserInfo(ctx, oauth2.StaticTokenSource(token)))(t)
		require.Equal(t, subject, user.Subject, "user info and ID token")
	}
	checkUser(token)
	if s.offers("refresh") {
		require.NotEmpty(t, token.RefreshToken)
		old := *token
		old.Expiry = time.Now().Add(-time.Hour)
		fresh := must.Have(config.TokenSource(ctx, &old).Token())(t)
		require.NotEqual(t, token.AccessToken, fresh.AccessToken)
		checkUser(fresh)
		if _, renewed := fresh.Extra("id_token").(string); renewed {
			token = fresh // a logout's hint is the last ID token
		}
	}
	if s.offers("logout") {
		query := url.Values{"client_id": {s.ClientID}, "returnTo": {s.ReturnTo}}
		if hint, _ := token.Extra("id_token").(string); s.Hints {
			query.Set("id_token_hint", hint)
		}
		arrived := must.Have(e.browser.current.visit(ctx, s.Gateway+"/v2/logout?"+query.Encode()))(t)
		require.True(t, strings.HasPrefix(arrived.URL, s.ReturnTo), arrived.URL)
	}
}

func goLogin(ctx context.Context, t *testing.T, e *environment, s session, provider *oidc.Provider, config *oauth2.Config) (token *oauth2.Token, subject string) {
	t.Helper()
	state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{
		oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("audience", s.Audience), oauth2.SetAuthURLParam("response_mode", "query"),
	}
	if !s.OAuthOnly {
		options = append(options, oidc.Nonce(nonce))
	}
	for name, value := range s.AuthParams {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	arrived := must.Have(e.browser.current.visit(ctx, config.AuthCodeURL(state, options...)))(t)
	response := must.Have(url.ParseQuery(arrived.Params))(t)
	require.NotEmpty(t, response.Get("code"), arrived)
	require.Equal(t, state, response.Get("state"))
	token = must.Have(config.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier)))(t)
	if s.OAuthOnly {
		return token, ""
	}
	raw, _ := token.Extra("id_token").(string)
	idToken := must.Have(provider.VerifierContext(ctx, &oidc.Config{ClientID: config.ClientID}).Verify(ctx, raw))(t)
	require.Equal(t, nonce, idToken.Nonce)
	return token, idToken.Subject
}

// runGoClientByMetadata is go-oidc as its documentation says, given the URL of the gateway alone.
func runGoClientByMetadata(t *testing.T, e *environment, s session) {
	ctx := oidc.ClientContext(t.Context(), &http.Client{Transport: e.transport, Timeout: 30 * time.Second})
	provider := must.Have(oidc.NewProvider(ctx, s.Gateway))(t)
	config := &oauth2.Config{ClientID: s.ClientID, Endpoint: provider.Endpoint(), RedirectURL: s.RedirectURI, Scopes: strings.Fields(s.Scope)}
	for audience, status := range map[string]int{s.Audience: http.StatusOK, s.OtherAudience: http.StatusUnauthorized} {
		s.Audience = audience
		token, _ := goLogin(ctx, t, e, s, provider, config)
		request := must.Have(http.NewRequestWithContext(ctx, http.MethodGet, s.API+"?x=1", nil))(t)
		request.Header.Set("Authorization", "Bearer "+token.AccessToken)
		response := must.Have(http.DefaultClient.Do(request))(t)
		defer response.Body.Close()
		require.Equal(t, status, response.StatusCode, audience)
		var body struct{ Sub string }
		_ = json.NewDecoder(response.Body).Decode(&body) // an error has none
		require.Equal(t, status == http.StatusOK, body.Sub != "")
	}
}

// runGoAgent is the SDK for Go of the Model Context Protocol, given the URL of a server and
// nothing else.
func runGoAgent(t *testing.T, e *environment, s session) {
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		RedirectURL: s.RedirectURI, RequestRefreshToken: true,
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "interop", RedirectURIs: []string{s.RedirectURI}, GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			arrived, err := e.browser.current.visit(ctx, args.URL)
			if err != nil {
				return nil, err
			}
			response, err := url.ParseQuery(arrived.Params)
			return &auth.AuthorizationResult{Code: response.Get("code"), State: response.Get("state"), Iss: response.Get("iss")}, err
		},
	})
	require.NoError(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1.0.0"}, nil)
	connection := must.Have(client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.MCP, OAuthHandler: handler}, nil))(t)
	defer connection.Close()
	result := must.Have(connection.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"}))(t)
	text, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok && text.Text != "", "the server was not told who the user is")
}

// withTools runs a client beside a server of the SDK for Go with one tool, whoami, on the
// script's port.
func withTools(run func(*testing.T, *environment, session)) func(*testing.T, *environment, session) {
	return func(t *testing.T, e *environment, s session) {
		tools := mcp.NewServer(&mcp.Implementation{Name: "protected", Version: "1.0.0"}, nil)
		mcp.AddTool(tools, &mcp.Tool{Name: "whoami"}, func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Extra.Header.Get("X-User")}}}, nil, nil
		})
		listener := must.Have(net.Listen("tcp", fmt.Sprintf("localhost:%d", s.SPAPort)))(t)
		server := &http.Server{
			Handler:           mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools }, &mcp.StreamableHTTPOptions{Stateless: true}),
			ReadHeaderTimeout: time.Minute,
		}
		go server.Serve(listener)
		defer listener.Close() // the server closes it only if it serves already
		defer server.Close()
		run(t, e, s)
	}
}
