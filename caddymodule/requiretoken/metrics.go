package requiretoken

import (
	"errors"
	"fmt"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
)

// metrics are the handler's counters. They outlive configurations, each of which
// has its own registry.
type metrics struct {
	requests *prometheus.CounterVec
	passed   prometheus.Counter
}

var newMetrics = sync.OnceValue(func() *metrics {
	m := &metrics{requests: prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "caddy", Subsystem: "require_token", Name: "requests_total",
		Help: "Requests to what require_token protects by outcome: passed, or the OAuth error code.",
	}, []string{"outcome"})}
	m.passed = m.requests.WithLabelValues("passed")
	return m
})

func provisionMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := newMetrics()
	var registered prometheus.AlreadyRegisteredError
	if err := registry.Register(m.requests); err != nil && !errors.As(err, &registered) {
		return nil, fmt.Errorf("registering metrics: %w", err)
	}
	return m, nil
}

func (m *metrics) reject(d *decision.Decision) { m.requests.WithLabelValues(d.Outcome).Inc() }
