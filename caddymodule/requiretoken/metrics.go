package requiretoken

import (
	"context"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
)

// newRequests count requests by outcome. They belong to the process, and not to a
// configuration.
var newRequests = sync.OnceValue(func() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: shared.Namespace, Subsystem: "require_token", Name: "requests_total",
		Help: "Requests to what require_token protects by outcome: passed, client_gone, or the OAuth error code.",
	}, []string{"server", "outcome"})
})

// metrics count the requests of a handler.
type metrics struct {
	requests *prometheus.CounterVec
	passed   *shared.PerServer[prometheus.Counter]
}

func provisionMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := &metrics{requests: newRequests()}
	m.passed = shared.NewPerServer(func(server string) prometheus.Counter {
		return m.requests.WithLabelValues(server, decision.Passed)
	})
	return m, shared.Register(registry, m.requests, shared.BuildInfo())
}

func (m *metrics) pass(ctx context.Context) { (*m.passed.Of(ctx)).Inc() }

func (m *metrics) reject(d *decision.Decision) {
	m.requests.WithLabelValues(d.Server, d.Outcome).Inc()
}
