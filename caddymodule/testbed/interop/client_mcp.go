package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// runGoAgent is the SDK for Go of the Model Context Protocol, given the URL of a server and
// nothing else.
func runGoAgent(ctx context.Context, e *environment, s session) ([]Result, error) {
	server, err := serveTools(s.SPAPort)
	if err != nil {
		return nil, err
	}
	defer server.Close()
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
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1.0.0"}, nil)
	connection, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.MCP, OAuthHandler: handler}, nil)
	if err != nil {
		return []Result{{Step: "login", Detail: err.Error()}}, nil
	}
	defer connection.Close()
	call := Result{Step: "protected API", OK: true}
	if err := callWhoAmI(ctx, connection); err != nil {
		call.OK, call.Detail = false, err.Error()
	}
	return []Result{{Step: "login", OK: true}, call}, nil
}

func callWhoAmI(ctx context.Context, connection *mcp.ClientSession) error {
	result, err := connection.CallTool(ctx, &mcp.CallToolParams{Name: "whoami"})
	if err != nil {
		return err
	}
	if text, ok := result.Content[0].(*mcp.TextContent); !ok || text.Text == "" {
		return errors.New("the server was not told who the user is")
	}
	return nil
}

// serveTools is a server of the same SDK with one tool, whoami, on a port of localhost.
func serveTools(port int) (*http.Server, error) {
	tools := mcp.NewServer(&mcp.Implementation{Name: "protected", Version: "1.0.0"}, nil)
	mcp.AddTool(tools, &mcp.Tool{Name: "whoami"}, func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Extra.Header.Get("X-User")}}}, nil, nil
	})
	listener, err := net.Listen("tcp", fmt.Sprintf("localhost:%d", port))
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler:           mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools }, &mcp.StreamableHTTPOptions{Stateless: true}),
		ReadHeaderTimeout: time.Minute,
	}
	go server.Serve(listener)
	return server, nil
}

// withTools runs a client script beside [serveTools].
func withTools(run func(context.Context, *environment, session) ([]Result, error)) func(context.Context, *environment, session) ([]Result, error) {
	return func(ctx context.Context, e *environment, s session) ([]Result, error) {
		server, err := serveTools(s.SPAPort)
		if err != nil {
			return nil, err
		}
		defer server.Close()
		return run(ctx, e, s)
	}
}
