package requiretoken_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// BenchmarkACall is what require_token adds to a call of a tool, without the network and the server behind.
func BenchmarkACall(b *testing.B) {
	const site, body = "https://mcp.example.com", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_file","arguments":{"path":"/notes"}}}`
	ctx, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}, Logging: &caddy.Logging{
		Logs: map[string]*caddy.CustomLog{caddy.DefaultLoggerName: {BaseLog: caddy.BaseLog{Level: "ERROR"}}},
	}})
	require.NoError(b, err)
	module, err := ctx.LoadModuleByID("http.handlers.require_token", json.RawMessage(`{"issuer":"`+site+`","audiences":["`+site+`/mcp"],"resource":"`+site+`/mcp",
		"tokens":"gateway","sealing_keys":["`+masterKey+`"],"headers":{"X-User":"sub"},
		"tools":{"*":{"scopes":["files.read"]},"delete_*":{"scopes":["files.write"],"claims":[{"path":"groups","values":["admins"]}]}}}`))
	require.NoError(b, err)
	keys, err := seal.NewKeys([][]byte{[]byte(masterKey)}, time.Now)
	require.NoError(b, err)
	token := gatewaytoken.Token{
		Issuer: site, Resource: site + "/mcp", Subject: "u1", ClientID: "dynamic:5f9YqR7o3sKq2Wb1", Scope: "files.read files.write",
		Issued: time.Now(), Expires: time.Now().Add(gatewaytoken.MaxLifetime), Given: claims.Object(`{"groups":["staff","admins"]}`),
	}
	authorization := []string{"Bearer " + token.Seal(keys)}
	reached := 0
	next := caddyhttp.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		reached++
		w.Header()["Content-Length"] = []string{"0"}
		w.WriteHeader(http.StatusOK)
		return nil
	})
	server, w := new(caddyhttp.Server), httptest.NewRecorder()
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header = http.Header{"Authorization": authorization, "Content-Type": {"application/json"}, "Mcp-Protocol-Version": {"2025-11-25"}, "Accept": {"application/json, text/event-stream"}, "User-Agent": {"bench"}}
		r = caddyhttp.PrepareRequest(r, caddy.NewReplacer(), w, server)
		require.NoError(b, module.(caddyhttp.MiddlewareHandler).ServeHTTP(w, r, next))
	}
	require.Equal(b, b.N, reached)
}
