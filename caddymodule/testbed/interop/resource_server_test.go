package interop

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// atGateway runs a gateway with a site, in front of an IdP that issues refresh tokens. A script of the clients folder is told of
// it, and more.
func atGateway(t *testing.T, site string) (self string, run func(t *testing.T, script string, more map[string]any)) {
	t.Helper()
	node := node(t)
	app := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(app.Close)
	address := testgateway.NewAddress(t)
	self = "http://" + address
	idp := testidp.Run(t, testidp.Behavior{
		Clients:       []testidp.Client{{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{self + "/oauth/callback"}}},
		ResponseModes: []string{"query"}, RefreshTokens: true,
	})
	named := strings.NewReplacer("{self}", self, "{idp}", idp.IssuerURL(), "{app}", strings.TrimPrefix(app.URL, "http://"))
	testgateway.Run(t, testgateway.Config{Address: address, Site: named.Replace(site)})
	cookie := testidp.UserCookie("u1")
	return self, func(t *testing.T, script string, more map[string]any) {
		t.Helper()
		session := map[string]any{"gateway": self, "api": self + "/api", "redirect_uri": "http://127.0.0.1:4711/cb", "cookie": cookie.Name + "=" + cookie.Value}
		maps.Copy(session, more)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		output, err := exec.CommandContext(ctx, node, "clients/"+script, asJSON(t, session)).CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
}

// Resource servers elsewhere know the gateway's metadata, and check access tokens with a library.
func TestAPublishedResourceServer(t *testing.T) {
	self, run := atGateway(t, `
		identity_gateway {idp} {
			discover
			callback
			public_url {self}
			resource {self}/api {
				scope read profile
				default_scope read
				tokens jwt
			}
			client app {
				redirect_uri http://127.0.0.1:4711/cb
				idp_client gateway {
					secret s3cret
				}
			}
		}
		require_token /api/* {self} {self}/api {
			typ at+jwt
			scope read
		}
		reverse_proxy {app}`)
	t.Run("jose", func(t *testing.T) { run(t, "resource-server.mjs", nil) })
	t.Run("Spring Security", func(t *testing.T) {
		if !*all {
			t.Skip("make interop tries this")
		}
		spring := newEnvironment(t).startSpringApp(t, map[string]string{"ISSUER": self, "CLIENT_ID": "app", "CLIENT_SECRET": "unused", "RESOURCE": self + "/api"})
		run(t, "resource-server.mjs", map[string]any{"spring": spring})
	})
}
