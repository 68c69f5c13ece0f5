package identity

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay/file"
)

func running(t *testing.T, folder string, directives ...string) (*prometheus.Registry, []*Gateway) {
	t.Helper()
	registry, gateways, _, err := configuration(t, folder, directives...)
	require.NoError(t, err)
	return registry, gateways
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
	first, gateways := running(t, folder, directive(one, "callback /a/callback"), directive(one, "callback /b/callback"), directive(other, "callback"))
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
	without, _ := running(t, folder, "identity_gateway "+one)
	require.Empty(t, gaugesOf(t, without, "caddy_identity_gateway_replay_capacity"), "without callback there is no store")

	second, _ := running(t, folder, directive(one, "callback"))
	require.Equal(t, map[string]float64{one: 1}, gaugesOf(t, second, "caddy_identity_gateway_replay_entries"),
		"what was redeemed stays, and a gateway that is gone leaves no series")
}
