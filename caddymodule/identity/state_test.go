package identity

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
)

func TestLoginsSurviveAReload(t *testing.T) {
	rec := newRecorder(t, nil)
	directive := "identity_gateway " + rec.URL
	folder := t.TempDir()
	before, cleanupBefore, err := provision(t, directive, folder)
	require.NoError(t, err)
	first := &gateway{serve(t, before), rec, t}
	first.begin(verifier1)

	// On a reload Caddy provisions the new configuration before it ends the old one.
	after, cleanupAfter, err := provision(t, directive+" {\nledger memory {\nttl 5m\ncapacity 100\n}\n}", folder)
	require.NoError(t, err)
	t.Cleanup(cleanupAfter)
	cleanupBefore()
	second := &gateway{serve(t, after), rec, t}
	require.Equal(t, 200, second.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	require.Equal(t, "invalid_grant", second.post("/oauth/token", tokenBody(verifier1, "code-1")).code())
}

func TestValidatingAConfigurationChangesNothing(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := t.TempDir()
	run := func(use func(*gateway)) {
		g, cleanup, err := provision(t, "identity_gateway "+rec.URL, folder)
		require.NoError(t, err)
		if use != nil {
			use(&gateway{serve(t, g), rec, t})
		}
		cleanup()
	}
	run(func(g *gateway) { g.begin(verifier1) })
	saved, err := filepath.Glob(filepath.Join(folder, "identity_gateway/ledger/*/memory.snapshot"))
	require.NoError(t, err)
	require.Len(t, saved, 1, "saved when the last configuration ended")
	run(nil)
	require.FileExists(t, saved[0], "caddy validate provisions and cleans up")
	run(func(g *gateway) {
		require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
		require.NoFileExists(t, saved[0], "taken up once")
	})
	run(func(g *gateway) {
		require.Equal(t, "invalid_grant", g.post("/oauth/token", tokenBody(verifier1, "code-1")).code())
	})

	require.NoError(t, os.WriteFile(saved[0], []byte("damaged"), 0o600))
	run(func(g *gateway) {
		g.begin(verifier2)
		require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier2, "code-2")).StatusCode, "a damaged snapshot stops nobody")
	})
}

// valueOf is a counter's value.
func valueOf(t *testing.T, counter prometheus.Counter) float64 {
	var metric dto.Metric
	require.NoError(t, counter.Write(&metric))
	return metric.GetCounter().GetValue()
}

func TestAFullLedgerRespondsWith503AndCounts(t *testing.T) {
	g := newGateway(t, "ledger memory {\ncapacity 2\n}")
	failures := newMetrics().ledgerFailures
	before := valueOf(t, failures)
	g.begin(verifier1)
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	a := g.get("/authorize?" + authorizeQuery(verifier2))
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, "temporarily_unavailable", a.code())
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Equal(t, before+1, valueOf(t, failures))
}

func TestALedgerThatIsOffChecksNothing(t *testing.T) {
	g := newGateway(t, "ledger off")
	for range 2 {
		require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	}
}

func TestAFailingStorageRespondsWith503(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	g, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\nledger storage {\nstorage file_system "+file+"\n}\n}", folder)
	require.NoError(t, err)
	t.Cleanup(cleanup)
	gw := &gateway{serve(t, g), rec, t}
	require.Equal(t, 503, gw.get("/authorize?"+authorizeQuery(verifier1)).StatusCode)
	require.Equal(t, 503, gw.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	require.Empty(t, rec.reached())
}

func TestRequestsAreCountedByOutcome(t *testing.T) {
	requests := newMetrics().requests
	count := func(endpoint, outcome string) float64 {
		return valueOf(t, requests.WithLabelValues(endpoint, outcome))
	}
	g := newGateway(t, "")
	passed, rejected, unavailable := count("authorize", "passed"), count("token", "invalid_grant"), count("token", "server_error")
	g.begin(verifier1)
	require.Equal(t, passed+1, count("authorize", "passed"))
	g.post("/oauth/token", tokenBody(verifier2, "code-1"))
	require.Equal(t, rejected+1, count("token", "invalid_grant"))
	g.idp.respondWith(respondJSON(200, "<html>"))
	g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, unavailable+1, count("token", "server_error"))
}

// TestUpstreamOptions reaches an IdP over TLS: by its address alone, with the
// transport's options, and at another address than its name.
func TestUpstreamOptions(t *testing.T) {
	var hosts []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		respondJSON(200, `{"sub":"a"}`)(w, r)
	}))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "https://")
	for name, tc := range map[string]struct{ directive, host string }{
		"only the transport's options": {
			"identity_gateway " + server.URL + " {\nupstream {\ntransport http {\ntls_insecure_skip_verify\n}\n}\n}", address,
		},
		"another address": {
			"identity_gateway https://idp.example {\nupstream https://" + address + " {\ntransport http {\ntls_insecure_skip_verify\n}\n}\n}", "idp.example",
		},
		"a Host of the operator's": {
			"identity_gateway https://idp.example {\nupstream https://" + address + " {\nheader_up Host other.example\ntransport http {\ntls_insecure_skip_verify\n}\n}\n}", "other.example",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, cleanup, err := provision(t, tc.directive, t.TempDir())
			require.NoError(t, err)
			t.Cleanup(cleanup)
			gw := &gateway{serve(t, g), nil, t}
			hosts = nil
			a := gw.get("/userinfo", "Authorization", "Bearer a")
			require.Equal(t, 200, a.StatusCode, a.body)
			require.Equal(t, []string{tc.host}, hosts)
		})
	}

	t.Run("TLS is verified unless told otherwise", func(t *testing.T) {
		g, cleanup, err := provision(t, "identity_gateway "+server.URL, t.TempDir())
		require.NoError(t, err)
		t.Cleanup(cleanup)
		gw := &gateway{serve(t, g), nil, t}
		require.Equal(t, 502, gw.get("/userinfo", "Authorization", "Bearer a").StatusCode)
	})
}

// TestIdPsWithOtherPaths uses the blocks that README gives for other IdPs.
func TestIdPsWithOtherPaths(t *testing.T) {
	for name, tc := range map[string]struct {
		base, authorize, token, userInfo, logout string
	}{
		"Keycloak": {
			"/realms/main", "/protocol/openid-connect/auth", "/protocol/openid-connect/token",
			"/protocol/openid-connect/userinfo", "/protocol/openid-connect/logout",
		},
		"oidc-provider": {"", "/auth", "/token", "/me", "/session/end"},
		"Dex":           {"", "/auth", "/token", "/userinfo", "/logout"},
		"Hydra":         {"", "/oauth2/auth", "/oauth2/token", "/userinfo", "/oauth2/sessions/logout"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
				respondJSON(200, map[string]string{"POST": recordedToken, "GET": `{"sub":"u1"}`}[r.Method])(w, r)
			})
			g, cleanup, err := provision(t, "identity_gateway "+rec.URL+tc.base+` {
				parameters oauth
				endpoint authorize `+tc.authorize+`
				endpoint token `+tc.token+`
				endpoint userinfo `+tc.userInfo+`
				endpoint logout `+tc.logout+`
				logout_protocol rp_initiated
			}`, t.TempDir())
			require.NoError(t, err)
			t.Cleanup(cleanup)
			gw := &gateway{serve(t, g), rec, t}
			a := gw.get("/authorize?" + authorizeQuery(verifier1, "audience", "", "response_mode", ""))
			require.Contains(t, a.Header.Get("Location"), rec.URL+tc.base+tc.authorize+"?")
			require.Equal(t, 200, gw.post("/oauth/token", tokenBody(verifier1, "c")).StatusCode)
			require.Equal(t, 200, gw.get("/userinfo", "Authorization", "Bearer a").StatusCode)
			reached := rec.reached()
			require.Equal(t, tc.base+tc.token, reached[0].path)
			require.Equal(t, tc.base+tc.userInfo, reached[1].path)
			a = gw.get("/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F")
			require.Equal(t, rec.URL+tc.base+tc.logout+"?client_id=app&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2F", a.Header.Get("Location"))
			require.Equal(t, 404, gw.get(tc.base+tc.authorize+"?response_type=token").StatusCode, "not around the gateway")
		})
	}
}

// TestTheCaddyfileAndTheJSONMeanTheSame loads a directive's JSON and marshals it again.
func TestTheCaddyfileAndTheJSONMeanTheSame(t *testing.T) {
	first := gatewayJSON(t, "identity_gateway https://idp.example {\n"+registeredClient+"\nfront_channel proxy\nledger memory {\nttl 1m\n}\n}")
	g := new(Gateway)
	require.NoError(t, json.Unmarshal(first, g))
	second, err := json.Marshal(g)
	require.NoError(t, err)
	require.JSONEq(t, string(first), string(second))
}
