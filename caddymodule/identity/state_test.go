package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestLoginsAndSpentCodesSurviveAReload(t *testing.T) {
	rec := newRecorder(t, nil)
	directive := "identity_gateway " + rec.URL + " {\n" + registeredClient + "callback"
	folder := t.TempDir()
	before, cleanupBefore, err := provision(t, directive+"\n}", folder)
	require.NoError(t, err)
	first := &gateway{serve(t, before), rec, t}
	spent := first.logIn(verifier1, "code-1")
	require.Equal(t, 200, first.post("/oauth/token", tokenBody(verifier1, spent)).StatusCode)
	unspent := first.logIn(verifier2, "code-2")

	// On a reload Caddy provisions the new configuration before it ends the old one.
	after, cleanupAfter, err := provision(t, directive+"\nlogin_timeout 30m\n}", folder)
	require.NoError(t, err)
	t.Cleanup(cleanupAfter)
	cleanupBefore()
	server := serve(t, after)
	second := &gateway{server, rec, t}
	require.Equal(t, 200, second.post("/oauth/token", tokenBody(verifier2, unspent)).StatusCode)
	require.Contains(t, second.post("/oauth/token", tokenBody(verifier1, spent)).body, "redeemed before")
}

func TestAClientThatAReloadRemovesGetsNothing(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := t.TempDir()
	gatewayWith := func(client string) *gateway {
		g, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\ncallback\npublic_url http://localhost\n"+client+"\n}", folder)
		require.NoError(t, err)
		t.Cleanup(cleanup)
		return &gateway{serve(t, g), rec, t}
	}
	before := gatewayWith(registeredClient)
	state, code := before.begin(verifier1).Get("state"), before.logIn(verifier1, "code-1")
	after := gatewayWith("client other {\nredirect_uri https://other.example/cb\n}")
	a := after.get("/oauth/callback?code=code-2&state=" + state)
	require.Equal(t, 400, a.StatusCode)
	require.Empty(t, a.Header.Get("Location"))
	require.Equal(t, "invalid_client", after.post("/oauth/token", tokenBody(verifier1, code)).code())
	require.Equal(t, "invalid_grant", after.post("/oauth/token", tokenBody(verifier1, code, "client_id", "other", "redirect_uri", "https://other.example/cb")).code())
	require.Empty(t, rec.reached())
}

func TestValidatingAConfigurationMakesNoKeys(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := t.TempDir()
	g, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}", folder)
	require.NoError(t, err)
	keys := filepath.Join(folder, "identity_gateway", "keys")
	require.NoDirExists(t, keys)
	(&gateway{serve(t, g), rec, t}).begin(verifier1)
	entries, err := os.ReadDir(keys)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	cleanup()
}

func TestTwoGatewaysOnOneCallbackAreAnError(t *testing.T) {
	const one = `{"handler":"identity_gateway","auth_url":"https://%s.example","callback":"/oauth/callback","public_url":"https://gateway.example"}`
	config := `{"admin":{"disabled":true},"apps":{"http":{"servers":{"s":{"listen":["127.0.0.1:0"],"routes":[{"handle":[` +
		fmt.Sprintf(one, "a") + `]},{"handle":[` + fmt.Sprintf(one, "b") + `]}]}}}}}`
	var parsed caddy.Config
	require.NoError(t, json.Unmarshal([]byte(config), &parsed))
	err := caddy.Validate(&parsed)
	require.ErrorContains(t, err, "callback https://gateway.example/oauth/callback is used by two gateways (for https://a.example and https://b.example)")
}

// valueOf is a counter's value.
func valueOf(t *testing.T, counter prometheus.Counter) float64 {
	var metric dto.Metric
	require.NoError(t, counter.Write(&metric))
	return metric.GetCounter().GetValue()
}

// failingReplay is a replay store that can't decide.
type failingReplay struct{}

func (failingReplay) Claim(context.Context, replay.Key, time.Duration) (replay.Claim, error) {
	return nil, errors.New("no route to host")
}

func TestAReplayStoreThatFailsRejectsWith503(t *testing.T) {
	rec := newRecorder(t, nil)
	h, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	h.rebuild(t, func(parts *idp.Parts) { parts.Replay = failingReplay{} })
	g := &gateway{serve(t, h), rec, t}
	before := valueOf(t, h.metrics.replayFailures)
	a := g.post("/oauth/token", tokenBody(verifier1, g.logIn(verifier1, "code-1")))
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, "temporarily_unavailable", a.code())
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Equal(t, before+1, valueOf(t, h.metrics.replayFailures))
	require.Empty(t, rec.reached())
}

func TestAStorageWithoutKeysRejectsWith503(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	h, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}", folder)
	require.NoError(t, err)
	t.Cleanup(cleanup)
	g := &gateway{serve(t, h), rec, t}
	require.Equal(t, 503, g.get("/authorize?"+authorizeQuery(verifier1)).StatusCode)
	require.Equal(t, 503, g.get("/oauth/callback?code=c&state=s").StatusCode)
	require.Equal(t, 503, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	require.Empty(t, rec.reached())
}

func TestRequestsAreCountedByOutcome(t *testing.T) {
	requests := newMetrics().requests
	count := func(endpoint, outcome string) float64 {
		return valueOf(t, requests.WithLabelValues("UNKNOWN", endpoint, outcome))
	}
	g := newGateway(t, registeredClient+"callback")
	called := count("callback", "passed")
	passed, rejected, unavailable := count("authorize", "passed"), count("token", "invalid_grant"), count("token", "server_error")
	g.begin(verifier1)
	require.Equal(t, passed+1, count("authorize", "passed"))
	g.post("/oauth/token", tokenBody(verifier2, "code-1"))
	require.Equal(t, rejected+1, count("token", "invalid_grant"))
	g.idp.respondWith(respondJSON(200, "<html>"))
	g.post("/oauth/token", tokenBody(verifier1, g.logIn(verifier1, "code-1")))
	require.Equal(t, called+1, count("callback", "passed"))
	require.Equal(t, unavailable+1, count("token", "server_error"))
}

// TestAClientThatLeavesIsCounted leaves while the IdP has not responded.
func TestAClientThatLeavesIsCounted(t *testing.T) {
	requests := newMetrics().requests
	for name, tc := range map[string]struct {
		options, target, endpoint string
		header                    []string
	}{
		"userinfo":             {"", "/userinfo", "userinfo", []string{"Authorization", "Bearer a"}},
		"ResultedPKCE":         {"", "/authorize?" + authorizeQuery(verifier1), "authorize", []string{"Accept", "application/json"}},
		"ResultedPKCE, sealed": {registeredClient + "callback", "/authorize?" + authorizeQuery(verifier1), "authorize", []string{"Accept", "application/json"}},
	} {
		t.Run(name, func(t *testing.T) {
			counts := func() map[string]float64 {
				values := make(map[string]float64)
				for _, outcome := range []string{"passed", "client_gone", "server_error"} {
					values[outcome] = valueOf(t, requests.WithLabelValues("UNKNOWN", tc.endpoint, outcome))
				}
				return values
			}
			g := newGateway(t, tc.options)
			arrived := make(chan struct{})
			g.idp.respondWith(func(_ http.ResponseWriter, r *http.Request) {
				close(arrived)
				<-r.Context().Done()
			})
			want := counts()
			want["client_gone"]++
			ctx, cancel := context.WithCancel(t.Context())
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.URL+tc.target, nil)
			require.NoError(t, err)
			setHeader(r, tc.header)
			go func() {
				<-arrived
				cancel()
			}()
			_, err = http.DefaultTransport.RoundTrip(r)
			require.ErrorIs(t, err, context.Canceled)
			require.Eventually(t, func() bool { return maps.Equal(want, counts()) }, 10*time.Second, 10*time.Millisecond,
				"%v instead of %v", counts(), want)
		})
	}
}

// A client that closes its half of the connection reads no made-up success.
func TestAHalfClosedConnectionGetsNo200(t *testing.T) {
	g := newGateway(t, "")
	arrived := make(chan struct{})
	g.idp.respondWith(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	connection, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	_, err = io.WriteString(connection, "GET /authorize?"+authorizeQuery(verifier1)+" HTTP/1.1\r\nHost: gw\r\nAccept: application/json\r\n\r\n")
	require.NoError(t, err)
	<-arrived
	require.NoError(t, connection.(*net.TCPConn).CloseWrite())
	received, err := io.ReadAll(connection)
	require.NoError(t, err)
	require.NotContains(t, string(received), "200 OK")
}

func TestTheOnlyRedirectURIIsSentOn(t *testing.T) {
	g := newGateway(t, "client app {\nredirect_uri https://app.example/cb\n}")
	require.Equal(t, "https://app.example/cb", g.begin(verifier1, "redirect_uri", "").Get("redirect_uri"))
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "c", "redirect_uri", "")).StatusCode)
	sent, err := url.ParseQuery(g.idp.reached()[0].body)
	require.NoError(t, err)
	require.Equal(t, "https://app.example/cb", sent.Get("redirect_uri"))

	several := newGateway(t, registeredClient)
	a := several.get("/authorize?" + authorizeQuery(verifier1, "redirect_uri", ""))
	require.Equal(t, 400, a.StatusCode, a.body)
	require.Contains(t, a.body, "more than one")

	none := newGateway(t, "")
	require.Empty(t, none.begin(verifier1, "redirect_uri", "").Get("redirect_uri"))
}

// TestTransportOptions reaches an IdP over TLS.
func TestTransportOptions(t *testing.T) {
	var hosts []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		respondJSON(200, `{"sub":"a"}`)(w, r)
	}))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "https://")
	for name, tc := range map[string]struct{ directive, host string }{
		"only the transport's options": {
			"identity_gateway " + server.URL + " {\ntransport http {\ntls_insecure_skip_verify\n}\n}", address,
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
				endpoint logout `+tc.logout+` rp_initiated
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
	first := gatewayJSON(t, "identity_gateway https://idp.example {\n"+registeredClient+"\nfront_channel proxy\ncallback\nlogin_timeout 10m\nreplay memory\nsealing_key {env.KEY}\n}", t.TempDir())
	g := new(Gateway)
	require.NoError(t, json.Unmarshal(first, g))
	second, err := json.Marshal(g)
	require.NoError(t, err)
	require.JSONEq(t, string(first), string(second))
}
