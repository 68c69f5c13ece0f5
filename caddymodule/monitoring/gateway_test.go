package monitoring_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
)

// gateway is Caddy in this process, with its admin API on a Unix socket.
type gateway struct {
	t                        *testing.T
	address, socket, storage string
	admin                    *http.Client
}

// idp is an identity provider that knows everybody.
func idp(t *testing.T) *httptest.Server {
	t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]any{
				"issuer": server.URL, "authorization_endpoint": server.URL + "/auth", "token_endpoint": server.URL + "/token",
				"userinfo_endpoint": server.URL + "/userinfo", "jwks_uri": server.URL + "/keys",
			})
		case "/keys":
			_, _ = io.WriteString(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`)
		case "/userinfo":
			_, _ = io.WriteString(w, `{"sub":"u1"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func newGateway(t *testing.T) *gateway {
	t.Helper()
	folder, err := os.MkdirTemp("", "gw") // t.TempDir is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	t.Setenv("XDG_CONFIG_HOME", folder)
	t.Setenv("XDG_DATA_HOME", folder)
	address := testgateway.NewAddress(t)
	g := &gateway{t: t, address: address, socket: filepath.Join(folder, "s"), storage: filepath.Join(folder, "storage")}
	g.admin = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", g.socket)
	}}}
	t.Cleanup(func() {
		require.NoError(t, caddy.Stop())
		g.admin.CloseIdleConnections()
	})
	return g
}

// config is the JSON of a Caddyfile with these directives in its site.
func (g *gateway) config(site string) []byte {
	g.t.Helper()
	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt(fmt.Appendf(nil, `{
	admin "unix/%s|0600"
	persist_config off
	auto_https off
	skip_install_trust
	storage file_system %s
	log {
		output discard
	}
}
http://%s {
	%s
}
`, g.socket, g.storage, g.address, site), nil)
	require.NoError(g.t, err)
	return adapted
}

// run starts Caddy.
func (g *gateway) run(site string) {
	g.t.Helper()
	require.NoError(g.t, caddy.Load(g.config(site), true))
}

// reload does what `caddy reload` does.
func (g *gateway) reload(site string) {
	g.t.Helper()
	response, err := g.admin.Post("http://caddy/load", "application/json", strings.NewReader(string(g.config(site))))
	require.NoError(g.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(g.t, err)
	require.Equal(g.t, http.StatusOK, response.StatusCode, "%s", body)
}

// ask sends a request to the site and returns the status.
func (g *gateway) ask(method, target, body string, header ...string) int {
	g.t.Helper()
	r, err := http.NewRequest(method, "http://"+g.address+target, strings.NewReader(body))
	require.NoError(g.t, err)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(g.t, err)
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// scrape is what the admin API exposes.
func (g *gateway) scrape() map[string]*dto.MetricFamily {
	g.t.Helper()
	response, err := g.admin.Get("http://caddy/metrics")
	require.NoError(g.t, err)
	defer response.Body.Close()
	require.Equal(g.t, http.StatusOK, response.StatusCode)
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	require.NoError(g.t, err)
	return families
}

// report is a response of the readiness route.
type report struct {
	Ready  bool               `json:"ready"`
	Reason string             `json:"reason"`
	Checks []readiness.Result `json:"checks"`
}

// ready asks the readiness route.
func (g *gateway) ready(ignore ...string) (status int, r report) {
	g.t.Helper()
	response, err := g.admin.Get("http://caddy" + readiness.Path + "?" + url.Values{"ignore": ignore}.Encode())
	require.NoError(g.t, err)
	defer response.Body.Close()
	require.NoError(g.t, json.NewDecoder(response.Body).Decode(&r))
	require.Equal(g.t, r.Ready, response.StatusCode == http.StatusOK)
	return response.StatusCode, r
}

// everything is a site with all handlers that have metrics.
func everything(issuer string) string {
	return `identity_gateway ` + issuer + ` {
		discover
		callback
		parameters oauth
		client app {
			redirect_uri https://app.example/cb
		}
	}
	text_segmentation
	personification
	require_token /api/* ` + issuer + ` {
		audience api
	}
	respond /api/* ok`
}

const (
	segmentation    = "/machine_learning/text/technical_language/parsers/segmentation?classify=true"
	personification = "/machine_learning/text/technical_language/generators/personification"
)

// visit makes at least one request of each kind.
func (g *gateway) visit() {
	g.t.Helper()
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	challenge := "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	for _, request := range []struct {
		want                 int
		method, target, body string
		header               []string
	}{
		{302, "GET", "/authorize?response_type=code&client_id=app&redirect_uri=https://app.example/cb&code_challenge_method=S256&code_challenge=" + challenge, "", nil},
		{404, "GET", "//authorize", "", nil},
		{400, "POST", "/oauth/token", "grant_type=authorization_code&client_id=app&code=c&redirect_uri=https://app.example/cb&code_verifier=" + challenge, form},
		{200, "GET", "/userinfo", "", []string{"Authorization", "Bearer a"}},
		{401, "GET", "/api/", "", nil},
		{200, "POST", segmentation, `{"value":"Look:\n\n    x = 1\n"}`, nil},
		{200, "POST", segmentation, "{\"value\":\"Look.\"}\n{}\n", []string{"Content-Type", "application/x-ndjson"}},
		{200, "POST", personification, `{"languages":["go"]}`, nil},
	} {
		require.Equal(g.t, request.want, g.ask(request.method, request.target, request.body, request.header...), request.target)
	}
}
