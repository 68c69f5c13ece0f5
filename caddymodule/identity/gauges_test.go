package identity

import (
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay/file"
)

// configuration loads gateways as those of one configuration, with its storage in
// folder, and returns its registry.
func configuration(t *testing.T, folder string, directives ...string) (*prometheus.Registry, []*Gateway) {
	t.Helper()
	parent, err := caddy.ProvisionContext(&caddy.Config{
		Admin: &caddy.AdminConfig{Disabled: true}, StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": folder}, nil),
	})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	t.Cleanup(cancel)
	var gateways []*Gateway
	for _, directive := range directives {
		module, err := ctx.LoadModuleByID("http.handlers.identity_gateway", gatewayJSON(t, directive, folder))
		require.NoError(t, err)
		gateways = append(gateways, module.(*Gateway))
	}
	return ctx.GetMetricsRegistry(), gateways
}

// gaugesOf are the values of a metric by its only label.
func gaugesOf(t *testing.T, registry *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	values := make(map[string]float64)
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.GetMetric() {
				values[metric.GetLabel()[0].GetValue()] = metric.GetGauge().GetValue()
			}
		}
	}
	return values
}

func TestGaugesAreThoseOfTheConfigurationInForce(t *testing.T) {
	const one, other = "https://one.example", "https://other.example"
	directive := func(address, callback string) string {
		return "identity_gateway " + address + " {\n" + registeredClient + callback + "\n}"
	}
	folder := t.TempDir()
	first, gateways := configuration(t, folder, directive(one, "callback /a/callback"), directive(one, "callback /b/callback"), directive(other, "callback"))
	require.Empty(t, gaugesOf(t, first, "caddy_identity_gateway_sealing_key_age_seconds"), "no key was needed yet")
	for _, g := range gateways {
		_, err := g.keys.Current(t.Context())
		require.NoError(t, err)
	}
	ages := gaugesOf(t, first, "caddy_identity_gateway_sealing_key_age_seconds")
	require.Len(t, ages, 2, "by IdP")
	require.InDelta(t, 0, ages[one], 60)

	_, err := gateways[0].replay.Claim(t.Context(), [32]byte{1}, time.Minute)
	require.NoError(t, err)
	require.Equal(t, map[string]float64{one: 1, other: 0}, gaugesOf(t, first, "caddy_identity_gateway_replay_entries"))

	require.Equal(t, map[string]float64{one: file.DefaultCapacity, other: file.DefaultCapacity}, gaugesOf(t, first, "caddy_identity_gateway_replay_capacity"))
	without, _ := configuration(t, folder, "identity_gateway "+one)
	require.Empty(t, gaugesOf(t, without, "caddy_identity_gateway_replay_capacity"), "without callback there is no store")

	second, _ := configuration(t, folder, directive(one, "callback"))
	require.Equal(t, map[string]float64{one: 1}, gaugesOf(t, second, "caddy_identity_gateway_replay_entries"),
		"what was redeemed stays, and a gateway that is gone leaves no series")
}
