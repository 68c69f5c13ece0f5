package requiretoken

import (
	"encoding/json"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

func TestAMetricThatIsTaken(t *testing.T) {
	parent, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	defer cancel()
	ctx.GetMetricsRegistry().MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "caddy_require_token_requests_total", Help: "another"}))
	_, err = ctx.LoadModuleByID("http.handlers.require_token", json.RawMessage(`{"issuer":"https://idp.example","audiences":["api"]}`))
	require.ErrorContains(t, err, "registering metrics")
}

// load loads a handler as Caddy does, and unloads it.
func load(t *testing.T, handler, config string) error {
	t.Helper()
	parent, err := caddy.ProvisionContext(&caddy.Config{
		Admin: &caddy.AdminConfig{Disabled: true}, StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": t.TempDir()}, nil),
	})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	defer cancel()
	_, err = ctx.LoadModuleByID("http.handlers."+handler, json.RawMessage(config))
	return err
}
