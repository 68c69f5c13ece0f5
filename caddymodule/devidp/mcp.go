package devidp

import (
	"encoding/json"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	caddy.RegisterModule(MCPServer{})
	httpcaddyfile.RegisterHandlerDirective("development_mcp", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		server := new(MCPServer)
		return server, server.UnmarshalCaddyfile(h.Dispenser)
	})
	httpcaddyfile.RegisterDirectiveOrder("development_mcp", httpcaddyfile.Before, "respond")
}

// MCPServer is a server of the Model Context Protocol with one tool, greet, for agents to
// be tried with. It knows nothing of OAuth: whom it greets is in the field X-User, which
// `header X-User name` of require_token writes.
type MCPServer struct{}

// CaddyModule returns the Caddy module information.
func (MCPServer) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.development_mcp", New: func() caddy.Module { return new(MCPServer) }}
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: development_mcp [<matcher>].
func (*MCPServer) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	return args.None(d)
}

// object is one of JSON.
type object = map[string]any

// ServeHTTP responds in JSON and keeps no session (MCP 2025-06-18, "Streamable HTTP").
// Scripts of any origin may call it: those that have a token.
func (*MCPServer) ServeHTTP(w http.ResponseWriter, r *http.Request, _ caddyhttp.Handler) error {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Mcp-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			ProtocolVersion string `json:"protocolVersion"`
			Name            string `json:"name"`
		} `json:"params"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&call); err != nil {
		return reply(w, http.StatusBadRequest, object{"id": nil, "error": object{"code": -32700, "message": "the body is not a message in JSON"}})
	}
	if call.ID == nil { // a notification
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	result := object{}
	switch {
	case call.Method == "initialize":
		result = object{
			"protocolVersion": call.Params.ProtocolVersion, "capabilities": object{"tools": object{}},
			"serverInfo": object{"name": "greetings", "version": "1.0.0"},
		}
	case call.Method == "ping":
	case call.Method == "tools/list":
		result["tools"] = []object{{"name": "greet", "description": "Greets the user", "inputSchema": object{"type": "object"}}}
	case call.Method == "tools/call" && call.Params.Name == "greet":
		result["content"] = []object{{"type": "text", "text": "Bonjour, " + r.Header.Get("X-User")}}
	default:
		return reply(w, http.StatusOK, object{"id": call.ID, "error": object{"code": -32601, "message": "there is no such method or tool: there is greet"}})
	}
	return reply(w, http.StatusOK, object{"id": call.ID, "result": result})
}

func reply(w http.ResponseWriter, status int, message object) error {
	message["jsonrpc"] = "2.0"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	return json.NewEncoder(w).Encode(message)
}

// Interface guards
var (
	_ caddyfile.Unmarshaler       = (*MCPServer)(nil)
	_ caddyhttp.MiddlewareHandler = (*MCPServer)(nil)
)
