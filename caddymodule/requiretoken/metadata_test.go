package requiretoken_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// RFC 9728: clients find the authorization server without asking it first.
func TestTheResourceNamesItsAuthorizationServers(t *testing.T) {
	t.Setenv("TEST_LOGIN", "https://login.example")
	for name, test := range map[string]struct {
		block string
		want  []string
	}{
		"those that are listed":      {"require_token https://127.0.0.1:1 api {\nresource https://api.example https://a.example {env.TEST_LOGIN}\n}", []string{"https://a.example", "https://login.example"}},
		"with a matcher":             {"require_token /v1/* https://127.0.0.1:1 api {\nresource https://api.example {env.TEST_LOGIN}\n}", []string{"https://login.example"}},
		"an issuer that is down":     {"require_token https://127.0.0.1:1 api {\nresource https://api.example\n}", []string{"https://127.0.0.1:1"}},
		"one that nobody has to ask": {"require_token https://127.0.0.1:1 api {\nresource https://api.example\njwks_uri https://127.0.0.1:1/keys\n}", []string{"https://127.0.0.1:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := site(t, &issuer{Server: new(httptest.Server)}, test.block+"\nrespond ok")
			r := get(t, g.URL()+"/.well-known/oauth-protected-resource")
			require.Equal(t, 200, r.StatusCode, r.body)
			var document struct {
				Resource string
				Servers  []string `json:"authorization_servers"`
			}
			require.NoError(t, json.Unmarshal([]byte(r.body), &document))
			require.Equal(t, "https://api.example", document.Resource)
			require.Equal(t, test.want, document.Servers)
			require.NotContains(t, r.body, "scopes_supported", "from an empty list clients conclude to ask for none")

			require.Equal(t, "max-age=300", r.Header.Get("Cache-Control"))

			head := send(t, http.MethodHead, g.URL()+"/.well-known/oauth-protected-resource")
			require.Equal(t, 200, head.StatusCode)
			require.Empty(t, head.body)
			refused := send(t, http.MethodDelete, g.URL()+"/.well-known/oauth-protected-resource")
			require.Equal(t, 405, refused.StatusCode)
			require.Empty(t, refused.body, "no handler after it")
			require.Equal(t, "GET, HEAD, OPTIONS", refused.Header.Get("Allow"))
			preflight := send(t, http.MethodOptions, g.URL()+"/.well-known/oauth-protected-resource", "Origin", "https://app.example", "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "mcp-protocol-version")
			require.Equal(t, 204, preflight.StatusCode)
			require.Equal(t, "GET", preflight.Header.Get("Access-Control-Allow-Methods"))
			require.Equal(t, "*", preflight.Header.Get("Access-Control-Allow-Headers"))
		})
	}
}

// The issuer is reached as the configuration says, for its metadata, for its keys and
// for the metadata of the resource: here it is no server that a system trusts.
func TestTheIssuerIsReachedThroughTheTransport(t *testing.T) {
	i := newTLSIssuer(t)
	trusted := site(t, i, `
		require_token /v1/* {issuer} https://api.example {
			resource https://api.example/v1
			transport http {
				tls_insecure_skip_verify
			}
		}
		respond {http.auth.user.id}`)
	require.Equal(t, "u1", get(t, trusted.URL()+"/v1/", "Authorization", "Bearer "+i.token(t)).body)
	require.Eventually(t, func() bool {
		var document struct {
			Servers []string `json:"authorization_servers"`
		}
		require.NoError(t, json.Unmarshal([]byte(get(t, trusted.URL()+"/.well-known/oauth-protected-resource/v1").body), &document))
		return document.Servers[0] == i.issuer()
	}, time.Minute, 10*time.Millisecond)

	// What one configuration trusts, another one does not get from it.
	distrusted := site(t, i, "require_token {issuer} https://api.example\nrespond ok")
	require.Equal(t, 503, get(t, distrusted.URL(), "Authorization", "Bearer "+i.token(t)).StatusCode)
}

// What one configuration knows of the issuer ends with it.
func TestTheMetadataOfTheIssuerIsGivenBack(t *testing.T) {
	i := newIssuer(t)
	for n := range 2 {
		g := site(t, i, "require_token /v1/* {issuer} api {\njwks_uri {issuer}/keys\nresource https://api.example/v1\n}\nrespond ok")
		require.Equal(t, 200, get(t, g.URL()+"/.well-known/oauth-protected-resource/v1").StatusCode)
		require.Eventually(t, func() bool { return i.described.Load() == int64(n+1) }, time.Minute, 10*time.Millisecond)
		require.NoError(t, g.Stop())
	}
}

// What is missing in the issuer's metadata, the operator reads in the log, and the
// client only that it can't be helped now.
func TestMetadataThatDoesNotSayWhomToAsk(t *testing.T) {
	i := newIssuer(t)
	silent := httptest.NewServer(nil)
	t.Cleanup(silent.Close)
	silent.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%[2]s/authorize","token_endpoint":"%[2]s/token"}`, silent.URL, silent.URL)
	})
	for option, block := range map[string]string{
		"introspection": "require_token " + silent.URL + " api {\njwks_uri " + i.URL + "/keys\nintrospection api secret-of-api\n}",
		"jwks_uri":      "require_token " + silent.URL + " api",
	} {
		t.Run(option, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			g, err := testgateway.Start(testgateway.Config{Site: block + "\nrespond ok", Log: log})
			require.NoError(t, err)
			token := "opaque-1"
			if option == "jwks_uri" {
				token = i.token(t, "iss", silent.URL, "aud", "api")
			}
			r := get(t, g.URL(), "Authorization", "Bearer "+token)
			require.Equal(t, 503, r.StatusCode, r.body)
			require.NotEmpty(t, r.Header.Get("Retry-After"))
			require.Empty(t, r.Header.Get("WWW-Authenticate"), "another token would not help")
			require.NotContains(t, r.body, silent.URL)
			require.NoError(t, g.Stop())
			lines, err := os.ReadFile(log)
			require.NoError(t, err)
			require.Contains(t, string(lines), "the issuer's metadata does not say; set "+option)
			for _, secret := range []string{token, "secret-of-api"} {
				require.NotContains(t, string(lines), secret)
			}
		})
	}
}

// Agents ask for what the challenge names, or else for scopes_supported (MCP, Scope Selection
// Strategy): without them for nothing, and each tool then costs a login of its own.
func TestScopesOfTheGatewaysResourceAreNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		resource, guard string
		challenge       string
		supported       []string
	}{
		"a default":                     {"scope read read:user\nscope write\nscope openid\ndefault_scope read offline_access", "", `scope="read"`, []string{"read", "write"}},
		"no default":                    {"scope read\nscope write", "", `scope="read write"`, []string{"read", "write"}},
		"required, and rules by tool":   {"scope read\nscope write\nscope admin\ndefault_scope read", "scope write\ntool delete_* scope admin", `scope="write read"`, []string{"write", "admin", "read"}},
		"none":                          {"", "", "", nil},
		"rules by tool, of no resource": {"", "tool delete_* scope admin", "", []string{"admin"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := site(t, &issuer{Server: new(httptest.Server)}, `
				identity_gateway https://idp.example.com {
					parameters oauth
					callback
					replay memory
					public_url https://login.example.com
					resource https://api.example.com/mcp {
						`+tc.resource+`
					}
					dynamic_clients {
						registration
						idp_client gateway {
							secret s
						}
					}
				}
				require_token https://login.example.com https://api.example.com/mcp {
					tokens gateway
					`+tc.guard+`
				}
				respond ok`)
			challenge := get(t, g.URL()+"/mcp").Header.Get("WWW-Authenticate")
			if tc.challenge == "" {
				require.NotContains(t, challenge, "scope=")
			} else {
				require.Contains(t, challenge, tc.challenge)
			}
			var metadata struct {
				Scopes []string `json:"scopes_supported"`
			}
			require.NoError(t, json.Unmarshal([]byte(get(t, g.URL()+"/.well-known/oauth-protected-resource/mcp").body), &metadata))
			require.Equal(t, tc.supported, metadata.Scopes)
		})
	}
}
