package identity

import (
	"errors"
	"fmt"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// metrics are the gateway's counters. They outlive configurations, each of which
// has its own registry.
type metrics struct {
	requests       *prometheus.CounterVec
	passed         [idp.ConsentForm + 1]prometheus.Counter
	replayFailures prometheus.Counter
	refreshReuse   prometheus.Counter
}

var newMetrics = sync.OnceValue(func() *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "caddy", Subsystem: "identity_gateway", Name: "requests_total",
			Help: "Requests to the gateway's own paths by endpoint and outcome: passed, client_gone, or the OAuth error code.",
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
		m.passed[endpoint] = m.requests.WithLabelValues(endpoint.String(), "passed")
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

// pass counts a request that was sent on to the IdP.
func (m *metrics) pass(endpoint idp.Endpoint) { m.passed[endpoint].Inc() }

// clientGone counts a client that left before the IdP had responded.
func (m *metrics) clientGone(endpoint idp.Endpoint) {
	m.requests.WithLabelValues(endpoint.String(), "client_gone").Inc()
}

// count counts an error. Codes that only the IdP knows share one label.
func (m *metrics) count(endpoint idp.Endpoint, code idp.Code) {
	if !code.IsStandard() {
		code = "other"
	}
	m.requests.WithLabelValues(endpoint.String(), string(code)).Inc()
}
