package monitoring_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
)

func TestReadinessSaysWhatEachHandlerNeeds(t *testing.T) {
	provider := idp(t)
	g := newGateway(t)
	g.run(everything(provider.URL))
	require.Eventually(t, func() bool { status, _ := g.ready(); return status == http.StatusOK }, 5*time.Second, 20*time.Millisecond)
	_, r := g.ready()
	require.Equal(t, []readiness.Result{
		{Check: "discovery", Of: provider.URL, Ready: true},
		{Check: "identity_provider", Of: provider.URL, Ready: true},
		{Check: "issuer_keys", Of: provider.URL, Ready: true},
		{Check: "models", Ready: true},
		{Check: "replay_store", Of: provider.URL, Ready: true},
		{Check: "sealing_keys", Of: provider.URL, Ready: true},
	}, r.Checks)

	response, err := g.admin.Post("http://caddy"+readiness.Path, "", nil)
	require.NoError(t, err)
	response.Body.Close()
	require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
}

func TestAnIdPThatIsDownMakesANewGatewayUnready(t *testing.T) {
	hanging := make(chan struct{})
	provider := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hanging }))
	defer provider.Close()
	defer close(hanging)
	g := newGateway(t)
	g.run(everything(provider.URL))
	start := time.Now()
	status, r := g.ready()
	require.Less(t, time.Since(start), 5*time.Second)
	require.Equal(t, http.StatusServiceUnavailable, status)
	results := make(map[string]readiness.Result)
	for _, result := range r.Checks {
		results[result.Check] = result
	}
	for name, want := range map[string]bool{"discovery": false, "issuer_keys": false, "sealing_keys": true, "replay_store": true, "models": true} {
		require.Equal(t, want, results[name].Ready, "%+v", results[name])
		require.Equal(t, want, results[name].Reason == "")
	}
}

// An IdP that ends is not the gateway's fault: it is not ready, and what keeps it from being
// killed or cut off can ignore that.
func TestAnIdPThatEndsMakesARunningGatewayUnready(t *testing.T) {
	provider := idp(t)
	g := newGateway(t)
	g.run(everything(provider.URL))
	require.Eventually(t, func() bool { status, _ := g.ready(); return status == http.StatusOK }, 30*time.Second, 20*time.Millisecond)
	require.Equal(t, http.StatusOK, g.ask("GET", "/userinfo", "", "Authorization", "Bearer a"))
	provider.Close()
	require.Equal(t, http.StatusBadGateway, g.ask("GET", "/userinfo", "", "Authorization", "Bearer a"))
	status, r := g.ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	for _, result := range r.Checks {
		require.Equal(t, result.Check != "identity_provider", result.Ready, "%+v", result)
	}
	status, _ = g.ready("identity_provider")
	require.Equal(t, http.StatusOK, status)
	status, _ = g.ready("models")
	require.Equal(t, http.StatusServiceUnavailable, status)
}

func TestAProxyInFrontOfAnIdPThatEnds(t *testing.T) {
	for status, want := range map[int]bool{200: true, 401: true, 405: true, 500: true, 502: false, 503: false, 504: false} {
		provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, http.MethodHead, r.Method)
			require.Empty(t, r.Header["Authorization"])
			w.WriteHeader(status)
		}))
		g := newGateway(t)
		g.run("identity_gateway " + provider.URL + "\nrequire_token " + provider.URL + " https://api.example {\njwks_uri " + provider.URL + "/keys\nintrospection api secret " + provider.URL + "/introspect\n}")
		_, r := g.ready()
		require.Equal(t, want, r.Ready, "%d: %+v", status, r)
		require.NoError(t, caddy.Stop())
		provider.Close()
	}
}

func TestAReloadChangesWhatIsChecked(t *testing.T) {
	g := newGateway(t)
	g.run(`respond hello`)
	status, r := g.ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, r.Reason, "no configuration is running that has identity_gateway")
	require.NotNil(t, r.Checks)

	g.reload(`personification`)
	status, r = g.ready()
	require.Equal(t, http.StatusOK, status, "it needs nothing")
	require.Empty(t, r.Checks)

	g.reload(`text_segmentation`)
	_, r = g.ready()
	require.Equal(t, []readiness.Result{{Check: "models", Ready: true}}, r.Checks)
}
