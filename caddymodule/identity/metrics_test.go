package identity

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
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
		module, err := ctx.LoadModuleByID("http.handlers.identity_gateway", gatewayJSON(t, directive))
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

func TestTheIdPsTimeIsMeasuredByOutcome(t *testing.T) {
	g := newGateway(t, "parameters oauth")
	samples := func(outcome string) uint64 {
		var metric dto.Metric
		require.NoError(t, newMetrics().idpDuration.WithLabelValues("UNKNOWN", "userinfo", outcome).(prometheus.Metric).Write(&metric))
		return metric.GetHistogram().GetSampleCount()
	}
	for _, test := range []struct {
		outcome string
		respond http.HandlerFunc
	}{
		{"2xx", respondJSON(200, `{"sub":"u"}`)},
		{"4xx", respondJSON(429, `{"error":"slow_down"}`)},
		{"4xx", respondJSON(401, ``)}, // which the gateway words itself
		{"5xx", respondJSON(503, `{"error":"temporarily_unavailable"}`)},
		{"rejected", respondJSON(200, `<html>`)},
		{"error", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(test.outcome, func(t *testing.T) {
			g.idp.respondWith(test.respond)
			before := samples(test.outcome)
			g.get("/userinfo", "Authorization", "Bearer a")
			require.Equal(t, before+1, samples(test.outcome))
		})
	}
}

// A flood of odd requests makes series of the fixed outcomes only.
func TestNoRequestMakesASeriesOfItsOwn(t *testing.T) {
	rec := newRecorder(t, respondJSON(400, `{"error":"made_up_by_the_idp"}`))
	registry, gateways := configuration(t, t.TempDir(), "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}")
	front := serve(t, gateways[0])
	g := &gateway{front, rec, t}
	flood := func(n int) {
		odd := fmt.Sprintf("odd%d", n)
		for _, path := range []string{"/authorize", "/AUTHORIZE", "//oauth/token", "/oauth/callback", "/userinfo", "/v2/logout", "/" + odd} {
			g.get(path + "?client_id=" + odd + "&error=" + odd + "&" + odd + "=1")
		}
		g.post("/oauth/token", "grant_type="+odd+"&client_id="+odd)
		g.post("/oauth/token", tokenBody(verifier1, odd))
		g.get("/userinfo", "Authorization", "Bearer "+odd, "Host", odd+".example")
		r, err := http.NewRequest(strings.ToUpper(odd), g.URL+"/oauth/token", nil)
		require.NoError(t, err)
		g.do(r)
	}
	flood(0)
	count := func() int {
		n, err := testutil.GatherAndCount(registry)
		require.NoError(t, err)
		return n
	}
	before := count()
	for n := range 20 {
		flood(n + 1)
	}
	require.Equal(t, before, count())
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// BenchmarkMetrics shows what counting adds to a request that is passed to the IdP.
func BenchmarkMetrics(b *testing.B) {
	m := newMetrics()
	d := &decision.Decision{Server: "srv0", Decision: idp.Decision{Endpoint: "userinfo", Outcome: idp.Passed}}
	b.ReportAllocs()
	for b.Loop() {
		m.observe(d.Server, idp.Call{Endpoint: idp.UserInfo, Status: 200}, nil)
		m.count(d)
	}
}
