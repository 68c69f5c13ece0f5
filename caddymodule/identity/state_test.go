package identity

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
)

func TestValidatingAConfigurationMakesNoKeys(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := t.TempDir()
	g := loaded(t, "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}", folder)
	keys := filepath.Join(folder, "identity_gateway", "keys")
	require.NoDirExists(t, keys)
	front(t, g, rec).begin(verifier1)
	entries, err := os.ReadDir(keys)
	require.NoError(t, err)
	require.Len(t, entries, 1)
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

func TestAStorageWithoutKeysRejectsWith503(t *testing.T) {
	rec := newRecorder(t, nil)
	folder := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	h := loaded(t, "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}", folder)
	g := front(t, h, rec)
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

func TestTheOnlyRedirectURIIsSentOn(t *testing.T) {
	g := newGateway(t, "client app {\nredirect_uri https://app.example/cb\n}")
	require.Equal(t, "https://app.example/cb", g.begin(verifier1, "redirect_uri", "").Get("redirect_uri"))
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "c", "redirect_uri", "")).StatusCode)
	_, sent := g.idp.form(t)
	require.Equal(t, "https://app.example/cb", sent.Get("redirect_uri"))

	several := newGateway(t, registeredClient)
	a := several.get("/authorize?" + authorizeQuery(verifier1, "redirect_uri", ""))
	require.Equal(t, 400, a.StatusCode, a.body)
	require.Contains(t, a.body, "more than one")

	none := newGateway(t, "")
	require.Empty(t, none.begin(verifier1, "redirect_uri", "").Get("redirect_uri"))
}

func TestTLSToTheIdPIsVerifiedUnlessToldOtherwise(t *testing.T) {
	server := httptest.NewTLSServer(respondJSON(200, `{"sub":"a"}`))
	t.Cleanup(server.Close)
	for options, status := range map[string]int{"": 502, "transport http {\ntls_insecure_skip_verify\n}": 200} {
		g := loaded(t, "identity_gateway "+server.URL+" {\n"+options+"\n}", t.TempDir())
		require.Equal(t, status, front(t, g, nil).get("/userinfo", "Authorization", "Bearer a").StatusCode, options)
	}
}
