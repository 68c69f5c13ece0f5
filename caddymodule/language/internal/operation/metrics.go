package operation

import (
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// Subsystem is the second part of the names of all metrics of the language area.
const Subsystem = "technical_language"

// Metrics are what operations count. They belong to the process, and not to a
// configuration.
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

// outcome is how a request, or a line of a batch, ended.
type outcome uint8

const (
	succeeded outcome = iota
	badRequest
	methodNotAllowed
	requestTimeout
	tooLargeBody
	unsupportedMediaType
	abandoned
	failed
	refused
	outcomes // their number
)

// String is the value of the label outcome.
func (o outcome) String() string {
	return [outcomes]string{
		"ok", "bad_request", "method_not_allowed", "request_timeout", "content_too_large", "unsupported_media_type",
		"client_gone", "failed", "refused",
	}[o]
}

// outcomeOf is the outcome behind the status of a problem.
func outcomeOf(status int) outcome {
	switch status {
	case http.StatusMethodNotAllowed:
		return methodNotAllowed
	case http.StatusRequestTimeout:
		return requestTimeout
	case http.StatusRequestEntityTooLarge:
		return tooLargeBody
	case http.StatusUnsupportedMediaType:
		return unsupportedMediaType
	case decision.StatusClientGone:
		return abandoned
	case http.StatusServiceUnavailable:
		return refused
	case http.StatusInternalServerError:
		return failed
	}
	return badRequest
}

// reason is why the load kept a request from its response.
type reason uint8

const (
	queueFull reason = iota
	noMemory
	noProcessor
	slowClient
	reasons // their number
)

// String is the value of the label reason.
func (r reason) String() string {
	return [reasons]string{"queue_full", "no_memory", "no_processor", "slow_client"}[r]
}

// reasonOf tells why the load is to blame for an error, if it is.
func reasonOf(problem *Problem, err error) (reason, bool) {
	switch {
	case errors.Is(err, admission.ErrQueueFull):
		return queueFull, true
	case errors.Is(err, admission.ErrNoMemory):
		return noMemory, true
	case errors.Is(err, admission.ErrNoProcessor):
		return noProcessor, true
	}
	return slowClient, problem.Status == http.StatusRequestTimeout
}

// series are the metrics of an operation at one server. All of them are there from
// the first request on, so that a rate sees the first of a kind.
type series struct {
	requests, batchLines                [outcomes]prometheus.Counter
	refused                             [reasons]prometheus.Counter
	inFlight, queued                    prometheus.Gauge
	duration, requestSize, responseSize prometheus.Observer
}

func (m *Metrics) series(server, operation string) series {
	s := series{
		inFlight:     m.inFlight.WithLabelValues(server, operation),
		queued:       m.queued.WithLabelValues(server, operation),
		duration:     m.duration.WithLabelValues(server, operation),
		requestSize:  m.requestSize.WithLabelValues(server, operation),
		responseSize: m.responseSize.WithLabelValues(server, operation),
	}
	for o := range outcomes {
		s.requests[o] = m.requests.WithLabelValues(server, operation, o.String())
		s.batchLines[o] = m.batchLines.WithLabelValues(server, operation, o.String())
	}
	for r := range reasons {
		s.refused[r] = m.refused.WithLabelValues(server, operation, r.String())
	}
	return s
}

// reject counts a request, or a line of a batch, that got a problem, err behind it.
func (s *series) reject(counters *[outcomes]prometheus.Counter, problem *Problem, err error) {
	counters[outcomeOf(problem.Status)].Inc()
	if reason, ok := reasonOf(problem, err); ok {
		s.refused[reason].Inc()
	}
}
