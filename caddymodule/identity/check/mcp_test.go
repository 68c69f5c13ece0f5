package check_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/check"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
)

// protected is a gateway in front of an MCP server; options are those of dynamic_clients.
func protected(t *testing.T, options string) string {
	address := testgateway.NewAddress(t)
	g := testgateway.Run(t, testgateway.Config{Address: address, Site: strings.NewReplacer(
		"{self}", "http://"+address, "{idp}", testidp.Run(t, testidp.Keycloak()).IssuerURL(), "{options}", options).Replace(`identity_gateway {idp} {
			discover
			callback
			public_url {self}
			resource {self}/mcp {
				scope mcp.read
				default_scope mcp.read
			}
			dynamic_clients {
				idp_client gateway {
					secret s3cret
				}
				{options}
			}
		}
		require_token /mcp {self} {self}/mcp {
			tokens gateway
			resource {self}/mcp
		}
		respond "the MCP server"`)})
	return g.URL() + "/mcp"
}

func TestClientsAtAGateway(t *testing.T) {
	for name, test := range map[string]struct {
		options string
		finds   []string
	}{
		"registration": {"registration\nallow cursor", []string{
			"ok    challenge       401, resource_metadata http://",
			"ok    resource        ", "/mcp, whose authorization server is http://",
			"ok    server          ", "/.well-known/oauth-authorization-server\n",
			"ok    PKCE            S256", "ok    iss  ",
			"note  client ids      no client_id_metadata_document_supported",
			"/oauth/register\n",
			"ok    cursor          registers cursor://anysphere.cursor-mcp/oauth/callback, https://www.cursor.com/agents/mcp/oauth/callback, http://localhost:8787/callback\n",
			"ok    inspector       registers http://localhost:6274/",
			"note  chatgpt         is refused: 400 invalid_redirect_uri none of the redirect_uris is accepted here",
			"to let it in, allow chatgpt in dynamic_clients or protect_mcp",
			"note  vscode          registers http://127.0.0.1/, but not https://vscode.dev/redirect, https://insiders.vscode.dev/redirect\n",
		}},
		"registration of all": {"registration\nallow chatgpt claude cursor vscode", []string{
			"ok    chatgpt         registers https://chatgpt.com/connector_platform_oauth_redirect, https://chatgpt.com/connector/oauth/check\n",
			"ok    claude          registers https://claude.ai/", "ok    vscode          registers https://vscode.dev/redirect",
		}},
		"metadata documents": {"metadata_documents", []string{
			"ok    client ids      client_id_metadata_document_supported", "note  client ids      no registration_endpoint",
			"ok    claude-code     has the client id https://claude.ai/oauth/claude-code-client-metadata\n",
			"ok    vscode          has the client id https://vscode.dev/", "note  cursor          finds no way to get a client id",
		}},
		"both": {"metadata_documents\nregistration", []string{
			"ok    chatgpt         has the client id https://chatgpt.com/oauth/client.json", "note  cursor          registers http://localhost:8787/callback, but not cursor:",
			"ok    gemini          registers http://localhost:7777/",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := command(t, "--mcp", protected(t, test.options))
			require.NoError(t, err, out)
			for _, found := range test.finds {
				require.Contains(t, out, found)
			}
			require.NotContains(t, out, "FAIL")
		})
	}
}

// server is an MCP server at /mcp that is its own authorization server. Tests take
// something away, or add it.
type server struct {
	*httptest.Server
	status               int
	challenge            string
	resource, metadata   map[string]any
	resourceAt, serverAt string
	register             http.HandlerFunc
}

func newServer(t *testing.T) *server {
	s := &server{
		status: http.StatusUnauthorized, resourceAt: "/.well-known/oauth-protected-resource/mcp", serverAt: "/.well-known/oauth-authorization-server",
		register: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"client_id":"1"}`)
		},
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	s.challenge = `Bearer resource_metadata="` + s.URL + s.resourceAt + `"`
	s.resource = map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}}
	s.metadata = map[string]any{
		"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "registration_endpoint": s.URL + "/register",
		"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		"authorization_response_iss_parameter_supported": true,
	}
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + r.URL.Path {
	case "POST/mcp":
		var call struct{ Method string }
		if json.NewDecoder(r.Body).Decode(&call) != nil || call.Method != "initialize" || r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("WWW-Authenticate", s.challenge)
		w.Header().Set("Location", s.URL+"/elsewhere")
		w.WriteHeader(s.status)
	case "GET" + s.resourceAt:
		_ = json.NewEncoder(w).Encode(s.resource)
	case "GET" + s.serverAt:
		_ = json.NewEncoder(w).Encode(s.metadata)
	case "GET/page":
		fmt.Fprint(w, "<!doctype html>")
	case "POST/register":
		s.register(w, r)
	default:
		http.NotFound(w, r)
	}
}

func TestWhatKeepsEveryClientOut(t *testing.T) {
	for cause, lacks := range map[string]func(*server){
		"challenge: it answers 200 to initialize without a token: nothing protects it": func(s *server) { s.status = http.StatusOK },
		"challenge: it answers 404 to initialize instead of 401":                       func(s *server) { s.status = http.StatusNotFound },
		"challenge: it answers 308 and sends to http://127.0.0.1":                      func(s *server) { s.status = http.StatusPermanentRedirect },
		"resource: no metadata of the protected resource: http://127.0.0.1":            func(s *server) { s.resourceAt = "/nowhere" },
		"/page: it is not the JSON that is expected there":                             func(s *server) { s.challenge = "Bearer resource_metadata=" + s.URL + "/page" },
		`"/relative" is not a URL`:                                                     func(s *server) { s.challenge = `Bearer resource_metadata="/relative"` },
		`resource: the metadata's resource: ""`:                                        func(s *server) { delete(s.resource, "resource") },
		"the metadata is of https://other.example/mcp":                                 func(s *server) { s.resource["resource"] = "https://other.example/mcp" },
		"/mc; clients want the origin":                                                 func(s *server) { s.resource["resource"] = s.URL + "/mc" },
		"/mcp/deeper; clients want":                                                    func(s *server) { s.resource["resource"] = s.URL + "/mcp/deeper" },
		"the metadata has no authorization_servers":                                    func(s *server) { delete(s.resource, "authorization_servers") },
		`authorization_servers: "idp" is not a URL`:                                    func(s *server) { s.resource["authorization_servers"] = []string{"idp"} },
		"connection: dial tcp 127.0.0.1:1":                                             func(s *server) { s.resource["authorization_servers"] = []string{"http://127.0.0.1:1"} },
		"server: no metadata of the authorization":                                     func(s *server) { s.serverAt = "/nowhere" },
		`the issuer is "https://other.example"`:                                        func(s *server) { s.metadata["issuer"] = "https://other.example" },
		"endpoints: the metadata has no authorization_":                                func(s *server) { delete(s.metadata, "token_endpoint") },
		"PKCE: code_challenge_methods_supported has no":                                func(s *server) { s.metadata["code_challenge_methods_supported"] = []string{"plain"} },
		"client ids: no client gets one":                                               func(s *server) { delete(s.metadata, "registration_endpoint") },
		"client ids: no client gets one: they need registration, or metadata_documents": func(s *server) {
			s.register = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
		},
	} {
		t.Run(cause, func(t *testing.T) {
			s := newServer(t)
			lacks(s)
			var out strings.Builder
			err := new(check.Checker).CheckMCP(t.Context(), &out, s.URL+"/mcp")
			require.ErrorContains(t, err, cause, out.String())
			require.Contains(t, out.String(), "FAIL")
		})
	}
}

func TestWhatKeepsNotEveryClientOut(t *testing.T) {
	for finds, change := range map[string]func(*server){
		"ok    gemini          registers http://localhost:7777/oauth/callback\n": func(*server) {},
		"note  challenge       401, but WWW-Authenticate has no":                 func(s *server) { s.challenge = "Bearer" },
		"ok    resource ": func(s *server) {
			s.challenge, s.resourceAt = "Bearer", "/.well-known/oauth-protected-resource"
			s.resource["resource"] = s.URL + "/"
		},
		"/.well-known/oauth-authorization-server/tenant\n": func(s *server) { s.moveTo("/tenant", "/.well-known/oauth-authorization-server/tenant") },
		"/.well-known/openid-configuration/tenant\n":       func(s *server) { s.moveTo("/tenant", "/.well-known/openid-configuration/tenant") },
		"/tenant/.well-known/openid-configuration\n":       func(s *server) { s.moveTo("/tenant", "/tenant/.well-known/openid-configuration") },
		"clients may mind the slash":                       func(s *server) { s.metadata["issuer"] = s.URL + "/" },
		"note  iss ":                                       func(s *server) { delete(s.metadata, "authorization_response_iss_parameter_supported") },
		"supported has no none: public clients can't use it": func(s *server) {
			s.metadata["client_id_metadata_document_supported"] = true
			delete(s.metadata, "token_endpoint_auth_methods_supported")
		},
		"note  claude          is refused: 400 no ␛[2J\n  ok    claude-code": func(s *server) {
			register := s.register
			s.register = func(w http.ResponseWriter, r *http.Request) {
				var client struct {
					Name string `json:"client_name"`
				}
				if json.NewDecoder(r.Body).Decode(&client) == nil && strings.HasPrefix(client.Name, "claude ") {
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprint(w, `{"error":"no","error_description":"\u001b[2J"}`)
					return
				}
				register(w, r)
			}
		},
	} {
		t.Run(finds, func(t *testing.T) {
			s := newServer(t)
			change(s)
			var out strings.Builder
			require.NoError(t, new(check.Checker).CheckMCP(t.Context(), &out, s.URL+"/mcp"), out.String())
			require.Contains(t, out.String(), finds)
		})
	}
}

// moveTo gives the authorization server an issuer with a path.
func (s *server) moveTo(path, metadataAt string) {
	s.serverAt, s.metadata["issuer"] = metadataAt, s.URL+path
	s.resource["authorization_servers"] = []string{s.URL + path}
}
