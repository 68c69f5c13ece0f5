package language

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// newOperationMetrics are what all operations count.
var newOperationMetrics = sync.OnceValue(operation.NewMetrics)

// segmentMetrics are what segmentation counts besides.
type segmentMetrics struct {
	segments  *prometheus.CounterVec
	modelInfo *prometheus.GaugeVec
}

var newSegmentMetrics = sync.OnceValue(func() *segmentMetrics {
	m := &segmentMetrics{
		segments: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: metrics.Namespace, Subsystem: operation.Subsystem, Name: "segments_total",
			Help: "Segments of messages by kind: text or code.",
		}, []string{"server", "kind"}),
		modelInfo: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: metrics.Namespace, Subsystem: operation.Subsystem, Name: "model_info",
			Help: "The version of an embedded model: the first 12 digits of the SHA-256 of its file. The value is 1.",
		}, []string{"model", "version"}),
	}
	for _, model := range segment.Models() {
		m.modelInfo.WithLabelValues(model.Name, model.Version).Set(1)
	}
	return m
})

// segmentSeries count the segments at a server.
type segmentSeries struct {
	text, code prometheus.Counter
}

func (m *segmentMetrics) series(server string) segmentSeries {
	return segmentSeries{text: m.segments.WithLabelValues(server, "text"), code: m.segments.WithLabelValues(server, "code")}
}

func (s *segmentSeries) count(segments []segment.Classified) {
	code := 0
	for i := range segments {
		if segments[i].Kind == segment.Code {
			code++
		}
	}
	s.code.Add(float64(code))
	s.text.Add(float64(len(segments) - code))
}
