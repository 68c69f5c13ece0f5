package metrics_test

import (
	"context"
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
)

func counter() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: "some_total", Help: "Some."})
}

func TestACollectorIsRegisteredOnceInEachConfiguration(t *testing.T) {
	some := counter()
	for range 2 { // configurations
		registry := prometheus.NewPedanticRegistry()
		for range 2 { // handlers
			require.NoError(t, metrics.Register(registry, some))
		}
		some.Inc()
	}
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, metrics.Register(registry, some))
	families, err := registry.Gather()
	require.NoError(t, err)
	require.Len(t, families, 1)
	require.EqualValues(t, 2, families[0].GetMetric()[0].GetCounter().GetValue())
}

func TestTheHandlersOfAConfigurationShareACollector(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	first, err := metrics.Shared(registry, counter())
	require.NoError(t, err)
	second, err := metrics.Shared(registry, counter())
	require.NoError(t, err)
	require.Same(t, first, second)
}

func TestAnotherMetricOfTheSameNameIsAnError(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, metrics.Register(registry, counter()))
	other := prometheus.NewCounter(prometheus.CounterOpts{Name: "some_total", Help: "Others."})
	require.Error(t, metrics.Register(registry, other))
}

func TestTheServerIsUnknownOutsideOfOne(t *testing.T) {
	require.Equal(t, "UNKNOWN", metrics.Server(t.Context()))
	require.Equal(t, "UNKNOWN", metrics.Server(context.WithValue(t.Context(), caddyhttp.ServerCtxKey, new(caddyhttp.Server))))
}

func BenchmarkPerServer(b *testing.B) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total"}, []string{"server", "operation", "outcome"})
	b.Run("looked up by labels", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			requests.WithLabelValues(metrics.Server(b.Context()), "segmentation", "ok").Inc()
		}
	})
	b.Run("kept", func(b *testing.B) {
		perServer := metrics.NewPerServer(func(server string) prometheus.Counter {
			return requests.WithLabelValues(server, "segmentation", "ok")
		})
		b.ReportAllocs()
		for b.Loop() {
			(*perServer.Of(b.Context())).Inc()
		}
	})
}
