package identity

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

const subsystem = "identity_gateway"

// metrics are the gateways' counters. They belong to the process, and not to a
// configuration.
type metrics struct {
	requests       *prometheus.CounterVec
	idpDuration    *prometheus.HistogramVec
	replayFailures prometheus.Counter
	refreshReuse   prometheus.Counter
}

var newMetrics = sync.OnceValue(func() *metrics {
	return &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: shared.Namespace, Subsystem: subsystem, Name: "requests_total",
			Help: "Requests to the gateway's own paths by endpoint and outcome: passed, client_gone, path_confusion, denied_path, or the OAuth error code.",
		}, []string{"server", "endpoint", "outcome"}),
		idpDuration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: shared.Namespace, Subsystem: subsystem, Name: "idp_request_duration_seconds",
			Help: "How long the identity provider took for a request, until its response was checked, by endpoint and outcome: " +
				"the class of its status, rejected (a response that is not passed on), error (no response), or client_gone.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"server", "endpoint", "outcome"}),
		replayFailures: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: shared.Namespace, Subsystem: subsystem, Name: "replay_failures_total",
			Help: "Codes that could not be claimed, or released, and refresh tokens that could not be rotated, because the replay store was full or failed.",
		}),
		refreshReuse: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: shared.Namespace, Subsystem: subsystem, Name: "refresh_reuse_total",
			Help: "Refresh tokens that were used again after they were replaced. Each ended a login.",
		}),
	}
})

func provisionMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := newMetrics()
	return m, shared.Register(registry, m.requests, m.idpDuration, m.replayFailures, m.refreshReuse, shared.BuildInfo())
}

// count counts a request by what was decided about it.
func (m *metrics) count(d *decision.Decision) {
	m.requests.WithLabelValues(d.Server, d.Endpoint, d.Outcome).Inc()
}

// observe notes a request to the identity provider. refusal is what its response was
// rejected for, nil if it was not.
func (m *metrics) observe(server string, call idp.Call, refusal *oauth.Error) {
	var outcome string
	switch {
	case errors.Is(call.Err, context.Canceled):
		outcome = decision.ClientGone
	case call.Status == 0:
		outcome = "error"
	case refusal != nil && call.Status < 500 && refusal.Status >= 500:
		outcome = "rejected"
	default:
		outcome = statusClass(call.Status)
	}
	m.idpDuration.WithLabelValues(server, call.Endpoint.String(), outcome).Observe(call.Duration.Seconds())
}

func statusClass(status int) string {
	if class := status / 100; class >= 2 && class <= 4 {
		return strconv.Itoa(class) + "xx"
	}
	return "5xx" // RFC 9110 section 15: what is not known is as bad
}
