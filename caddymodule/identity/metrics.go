package identity

import (
	"errors"
	"fmt"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// metrics are the gateway's counters. They outlive configurations, each of which
// has its own registry.
type metrics struct {
	requests       *prometheus.CounterVec
	replayFailures prometheus.Counter
	refreshReuse   prometheus.Counter
}

var newMetrics = sync.OnceValue(func() *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "caddy", Subsystem: "identity_gateway", Name: "requests_total",
			Help: "Requests to the gateway's own paths by endpoint and outcome: passed, client_gone, path_confusion, denied_path, or the OAuth error code.",
		}, []string{"endpoint", "outcome"}),
		replayFailures: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "caddy", Subsystem: "identity_gateway", Name: "replay_failures_total",
			Help: "Codes that could not be claimed, or released, and refresh tokens that could not be rotated, because the replay store was full or failed.",
		}),
		refreshReuse: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "caddy", Subsystem: "identity_gateway", Name: "refresh_reuse_total",
			Help: "Refresh tokens that were used again after they were replaced. Each ended a login.",
		}),
	}
	for endpoint := idp.Authorize; endpoint <= idp.ConsentForm; endpoint++ {
		m.requests.WithLabelValues(endpoint.String(), decision.Passed) // 0, so that rates begin
	}
	return m
})

func provisionMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := newMetrics()
	for _, collector := range []prometheus.Collector{m.requests, m.replayFailures, m.refreshReuse} {
		var registered prometheus.AlreadyRegisteredError
		if err := registry.Register(collector); err != nil && !errors.As(err, &registered) {
			return nil, fmt.Errorf("registering metrics: %w", err)
		}
	}
	return m, nil
}

// count counts a request by what was decided about it.
func (m *metrics) count(d *decision.Decision) {
	m.requests.WithLabelValues(d.Endpoint, d.Outcome).Inc()
}
