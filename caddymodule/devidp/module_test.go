package devidp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"
)

// validate does what `caddy validate` does.
func validate(t *testing.T, source string) error {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	adapted, _, err := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}.Adapt([]byte(source), nil)
	require.NoError(t, err)
	var parsed caddy.Config
	require.NoError(t, json.Unmarshal(adapted, &parsed))
	return caddy.Validate(&parsed)
}

func TestAPublicListenerIsRejectedWhenTheConfigurationIsLoaded(t *testing.T) {
	for address, wantErr := range map[string]bool{
		"bind localhost":     false,
		"bind 127.0.0.1":     false,
		"bind ::1":           false,
		"bind 127.0.0.1 ::1": false,
		"bind unix//run/x":   false,
		"":                   true, // every interface
		"bind 0.0.0.0":       true,
		"bind 192.0.2.1":     true,
		"bind 127.0.0.1 ::":  true,
		"bind example.com":   true,
	} {
		t.Run(address, func(t *testing.T) {
			err := validate(t, "{\nadmin off\n}\nhttp://localhost:8081 {\n"+address+"\ndevelopment_idp\n}\n")
			if wantErr {
				require.ErrorContains(t, err, "add `bind localhost` to the site")
				return
			}
			require.NoError(t, err)
		})
	}
}

func TestConfigurationMistakesAreFoundWhenItIsLoaded(t *testing.T) {
	err := validate(t, "{\nadmin off\n}\nhttp://localhost:8081 {\nbind localhost\ndevelopment_idp {\nauto_login eve\n}\n}\n")
	require.ErrorContains(t, err, `development_idp: auto login names the user "eve"`)
}

// A listener that can't be read might be one that others reach.
func TestAListenerThatCannotBeRead(t *testing.T) {
	require.ErrorContains(t, checkListenAddress("127.0.0.1:80-x"), `development_idp: the listener address "127.0.0.1:80-x" cannot be read`)
}

func TestWhatIsNotTheProvidersGoesOn(t *testing.T) {
	h := new(Handler)
	ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
	defer cancel()
	require.NoError(t, h.Provision(ctx))
	for path, want := range map[string]int{"/.well-known/openid-configuration": http.StatusOK, "/app": http.StatusTeapot, "/authorized": http.StatusTeapot} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost:8081"+path, nil)
		r.RemoteAddr = "127.0.0.1:50000"
		require.NoError(t, h.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusTeapot)
			return nil
		})))
		require.Equal(t, want, w.Code, path)
	}
}

// What agents ask a server for, and what else may come.
func TestTheMCPServerGreetsWhoTheTokenIsOf(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`: `{"id":1,"jsonrpc":"2.0","result":{"capabilities":{"tools":{}},"protocolVersion":"2025-06-18","serverInfo":{"name":"greetings","version":"1.0.0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                   ``,
		`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`:                                         `{"id":"a","jsonrpc":"2.0","result":{"tools":[{"description":"Greets the user","inputSchema":{"type":"object"},"name":"greet"}]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet"}}`:                 `{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"Bonjour, ada","type":"text"}]}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"other"}}`:                 `{"error":{"code":-32601,"message":"there is no such method or tool: there is greet"},"id":3,"jsonrpc":"2.0"}`,
		`[`: `{"error":{"code":-32700,"message":"the body is not a message in JSON"},"id":null,"jsonrpc":"2.0"}`,
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header.Set("X-User", "ada")
		require.NoError(t, new(MCPServer).ServeHTTP(w, r, nil))
		require.Equal(t, want, strings.TrimSpace(w.Body.String()))
	}
	w := httptest.NewRecorder()
	require.NoError(t, new(MCPServer).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/mcp", nil), nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}
