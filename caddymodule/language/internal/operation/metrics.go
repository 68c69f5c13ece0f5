package operation

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// Subsystem is the second part of the names of all metrics of the language area.
const Subsystem = "technical_language"

// Metrics are what operations count. They belong to the process, and not to a configuration.
type Metrics struct {
	requests, batchLines, refused       *prometheus.CounterVec
	inFlight, queued                    *prometheus.GaugeVec
	duration, requestSize, responseSize *prometheus.HistogramVec
}

// NewMetrics makes the metrics, which have yet to be registered.
func NewMetrics() *Metrics {
	labels := []string{"server", "operation"}
	counter := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: metrics.Namespace, Subsystem: Subsystem, Name: name, Help: help,
		}, append(labels[:2:2], label))
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: metrics.Namespace, Subsystem: Subsystem, Name: name, Help: help,
		}, labels)
	}
	histogram := func(name, help string, buckets []float64) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: metrics.Namespace, Subsystem: Subsystem, Name: name, Help: help, Buckets: buckets,
		}, labels)
	}
	sizes := prometheus.ExponentialBuckets(256, 4, 8) // those of Caddy's own metrics: 256 bytes to 4 MiB
	return &Metrics{
		requests: counter("requests_total",
			"Requests by outcome: ok, or what was wrong. A batch is one request.", "outcome"),
		batchLines: counter("batch_lines_total",
			"Lines of batches by outcome, each of which is a request of its own.", "outcome"),
		refused: counter("refused_total",
			"Requests that were refused because of the load, by reason: the queue was full, "+
				"no memory or no processor was free in time, or the client was slow while others waited.", "reason"),
		inFlight: gauge("requests_in_flight", "Requests that have no complete response yet."),
		queued:   gauge("requests_queued", "Requests in flight that wait for memory or a processor."),
		duration: histogram("request_duration_seconds",
			"How long requests with the outcome ok took, from the header to the last byte of the response. Batches are left out.",
			[]float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}),
		requestSize:  histogram("request_size_bytes", "Sizes of the request bodies that were read.", sizes),
		responseSize: histogram("response_size_bytes", "Sizes of the response bodies of the outcome ok.", sizes),
	}
}

// Collectors are what to register.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.requests, m.batchLines, m.refused, m.inFlight, m.queued, m.duration, m.requestSize, m.responseSize}
}

// outcomes are how requests, and lines of batches, end: the values of the label outcome by the status of the response.
var outcomes = map[int]string{
	http.StatusOK:                    "ok",
	http.StatusBadRequest:            "bad_request",
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusRequestTimeout:        "request_timeout",
	http.StatusRequestEntityTooLarge: "content_too_large",
	http.StatusUnsupportedMediaType:  "unsupported_media_type",
	decision.StatusClientGone:        "client_gone",
	http.StatusInternalServerError:   "failed",
	http.StatusServiceUnavailable:    "refused",
}

// reasons are why the load keeps a request from its response: the values of the label reason by the rule of the problem.
var reasons = map[string]string{
	admission.ErrQueueFull.Error():   "queue_full",
	admission.ErrNoMemory.Error():    "no_memory",
	admission.ErrNoProcessor.Error(): "no_processor",
	tooSlow:                          "slow_client",
}

// series are the metrics of an operation at one server. All of them are there from the first request on, so that a rate sees the
// first of a kind.
type series struct {
	requests, batchLines                map[int]prometheus.Counter    // by status
	refused                             map[string]prometheus.Counter // by rule
	inFlight, queued                    prometheus.Gauge
	duration, requestSize, responseSize prometheus.Observer
}

func (m *Metrics) series(server, operation string) series {
	s := series{
		requests:     make(map[int]prometheus.Counter),
		batchLines:   make(map[int]prometheus.Counter),
		refused:      make(map[string]prometheus.Counter),
		inFlight:     m.inFlight.WithLabelValues(server, operation),
		queued:       m.queued.WithLabelValues(server, operation),
		duration:     m.duration.WithLabelValues(server, operation),
		requestSize:  m.requestSize.WithLabelValues(server, operation),
		responseSize: m.responseSize.WithLabelValues(server, operation),
	}
	for status, outcome := range outcomes {
		s.requests[status] = m.requests.WithLabelValues(server, operation, outcome)
		s.batchLines[status] = m.batchLines.WithLabelValues(server, operation, outcome)
	}
	for rule, reason := range reasons {
		s.refused[rule] = m.refused.WithLabelValues(server, operation, reason)
	}
	return s
}

// reject counts a request, or a line of a batch, that got a problem.
func (s *series) reject(counters map[int]prometheus.Counter, problem *Problem) {
	counters[problem.Status].Inc()
	if refused, ok := s.refused[problem.Rule]; ok {
		refused.Inc()
	}
}
