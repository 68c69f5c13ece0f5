package main

import (
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The server of the Model Context Protocol whose tools are called, and its gateway.
const (
	toolsURL  = "https://mcp.example.com/mcp"
	issuerURL = "https://mcp.example.com"
	toolsPath = "/mcp"
)

// guard lets calls of tools in by the gateway's own tokens and by rules.
func guard(upstreamToken string) string {
	return fmt.Sprintf(`require_token %s %s {
	tokens gateway
	sealing_key %q
	resource %[2]s
	header X-User sub
	%[4]s
	tool delete_* {
		scope files.write
		claim groups admins
	}
	tool * scope files.read
}
`, issuerURL, toolsURL, sealingKey, upstreamToken)
}

// toolCall calls a tool with a token that has inside what the server behind needs, "" for nothing.
func toolCall(inside string) []byte {
	keys := fail.Must(seal.NewKeys([][]byte{[]byte(sealingKey)}, time.Now))
	token := gatewaytoken.Token{
		Issuer: issuerURL, Resource: toolsURL, Subject: "auth0|507f1f77bcf86cd799439020", ClientID: "dynamic:5f9YqR7o3sKq2Wb1", Scope: "files.read files.write",
		Issued: time.Now(), Expires: time.Now().Add(gatewaytoken.MaxLifetime), Given: claims.Object(`{"groups":["staff","admins"]}`), Upstream: inside,
	}
	body := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_file","arguments":{"path":"/notes/2026/november.md"}}}`
	return fmt.Appendf(nil, "POST "+toolsPath+" HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: application/json, text/event-stream\r\n"+
		"Authorization: Bearer %s\r\nMcp-Protocol-Version: 2025-11-25\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", token.Seal(keys), len(body), body)
}
