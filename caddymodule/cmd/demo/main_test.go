package main

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// `make run` and then `make demo`, with the Caddyfile of `make run`.
func TestDemoAgainstTheGatewayOfMakeRun(t *testing.T) {
	port, err := testgateway.FreePorts(3)
	require.NoError(t, err)
	gateway := "http://localhost:" + strconv.Itoa(port)
	t.Setenv("GATEWAY_ADDRESS", gateway)
	t.Setenv("AUTH_URL", "http://localhost:"+strconv.Itoa(port+1))
	t.Setenv("MCP_ADDRESS", "http://localhost:"+strconv.Itoa(port+2))
	t.Setenv("CLIENT_ID", "dev-native")
	t.Setenv("CLIENT_SECRET", rand.Text())
	t.Setenv("REDIRECT_URIS", "http://127.0.0.1/callback "+gateway+"/playground")
	t.Setenv("GATEWAY_ADMIN_SOCKET", filepath.Join(t.TempDir(), "s"))
	t.Setenv("ORIGINS", "http://localhost:5173")
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	startCaddy(t, "../../devidp/Caddyfile")

	require.Eventually(t, func() bool { // as make run waits, until the identity provider beside it is up
		got, err := http.Get(gateway + "/.well-known/openid-configuration")
		return err == nil && got.Body.Close() == nil && got.StatusCode == http.StatusOK
	}, time.Minute, 100*time.Millisecond)

	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, gateway, "dev-native", "noor"))
	t.Log(out.String())
	require.Contains(t, out.String(), "noor@example.com")
	require.Contains(t, out.String(), "```py")
	require.Contains(t, out.String(), "exchange of the identity provider's own code: rejected, invalid_grant")
	require.Contains(t, out.String(), "exchange of the sealed code with the verifier of another login: rejected, invalid_grant")
	require.NotContains(t, out.String(), "code=", "codes are not for the screen")

	require.ErrorContains(t, run(t.Context(), io.Discard, gateway, "dev-native", "eve"), "There is no such user.")

	for _, path := range []string{"/", "/playground", "/openapi.json"} {
		page, err := http.Get(gateway + path)
		require.NoError(t, err)
		require.NoError(t, page.Body.Close())
		require.Equal(t, http.StatusOK, page.StatusCode, path)
	}

	for _, path := range []string{"/oauth/token", "/userinfo", "/machine_learning/text/technical_language/parsers/segmentation"} {
		preflight, err := http.NewRequest(http.MethodOptions, gateway+path, nil)
		require.NoError(t, err)
		preflight.Header.Set("Origin", "http://localhost:5173")
		preflight.Header.Set("Access-Control-Request-Method", map[bool]string{true: "GET", false: "POST"}[path == "/userinfo"])
		response, err := http.DefaultClient.Do(preflight)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, "http://localhost:5173", response.Header.Get("Access-Control-Allow-Origin"), "a page of Vite may call %s", path)
	}

	discovered, err := oidc.NewProvider(t.Context(), gateway)
	require.NoError(t, err, "the gateway's address is the issuer, and clients can discover there")
	require.Equal(t, gateway+"/oauth/token", discovered.Endpoint().TokenURL)
}

func startCaddy(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	adapter := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}
	adapted, _, err := adapter.Adapt(content, map[string]any{"filename": file})
	require.NoError(t, err)
	var config caddy.Config
	require.NoError(t, json.Unmarshal(adapted, &config))
	require.NoError(t, caddy.Run(&config))
	t.Cleanup(func() { require.NoError(t, caddy.Stop()) })
}
