package identity

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
)

func TestTheIdPsTimeIsMeasuredByOutcome(t *testing.T) {
	g := newGateway(t, "parameters oauth\nresponse_timeout 1s")
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
		{"error", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
	} {
		t.Run(test.outcome, func(t *testing.T) {
			g.idp.respondWith(test.respond)
			before := samples(test.outcome)
			g.get("/userinfo", "Authorization", "Bearer a")
			require.Equal(t, before+1, samples(test.outcome))
		})
	}
	require.Equal(t, "3xx", statusClass(302), "of a silent login")
}

// A flood of odd requests makes series of the fixed outcomes only.
func TestNoRequestMakesASeriesOfItsOwn(t *testing.T) {
	rec := newRecorder(t, respondJSON(400, `{"error":"made_up_by_the_idp"}`))
	registry, gateways := running(t, t.TempDir(), "identity_gateway "+rec.URL+" {\n"+registeredClient+"callback\n}")
	g := front(t, gateways[0], rec)
	flood := func(n int) {
		odd := fmt.Sprintf("odd%d", n)
		for _, path := range []string{"/authorize", "/AUTHORIZE", "//oauth/token", "/oauth/callback", "/userinfo", "/v2/logout", "/" + odd} {
			g.get(path + "?client_id=" + odd + "&error=" + odd + "&" + odd + "=1")
		}
		g.post("/oauth/token", "grant_type="+odd+"&client_id="+odd)
		g.post("/oauth/token", tokenBody(verifier1, odd))
		g.get("/userinfo", "Authorization", "Bearer "+odd, "Host", odd+".example")
		g.do(strings.ToUpper(odd), "/oauth/token", "")
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
