package language_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// configuration provisions the handlers in one configuration and returns its registry.
func configuration(t *testing.T, handlers ...provisioner) *prometheus.Registry {
	t.Helper()
	ctx := newConfiguration(t)
	for _, handler := range handlers {
		require.NoError(t, handler.Provision(ctx))
	}
	return ctx.GetMetricsRegistry()
}

// valueOf is the value of the metric with these values of labels, 0 if there is none.
func valueOf(t *testing.T, registry *prometheus.Registry, name string, labels ...string) float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			var values []string
			for _, label := range metric.GetLabel() {
				values = append(values, label.GetValue())
			}
			if slices.Equal(values, labels) {
				return value(metric)
			}
		}
	}
	return 0
}

func value(metric *dto.Metric) float64 {
	if metric.GetGauge() != nil {
		return metric.GetGauge().GetValue()
	}
	return metric.GetCounter().GetValue()
}

// Two handlers of a configuration, and those of the next one, count in one place.
func TestMetricsStayAcrossReloads(t *testing.T) {
	first, second := new(language.TextSegmentation), new(language.TextSegmentation)
	registry := configuration(t, first, second, new(language.Personification))
	segments := func(registry *prometheus.Registry, kind string) float64 {
		return valueOf(t, registry, "caddy_technical_language_segments_total", kind, "UNKNOWN")
	}
	requests := func(registry *prometheus.Registry) float64 {
		return valueOf(t, registry, "caddy_technical_language_requests_total", "segmentation", "ok", "UNKNOWN")
	}
	text, code, served := segments(registry, "text"), segments(registry, "code"), requests(registry)
	reloaded := new(language.TextSegmentation)
	next := configuration(t, reloaded)
	for _, handler := range []*language.TextSegmentation{first, second, reloaded} {
		require.Equal(t, http.StatusOK, call(t, handler, http.MethodPost, segmentationPath, `{"value":"Look:\n\n    x = 1\n\nNice."}`, "").Code)
	}
	for _, registry := range []*prometheus.Registry{registry, next} {
		require.Equal(t, text+6, segments(registry, "text"))
		require.Equal(t, code+3, segments(registry, "code"))
		require.Equal(t, served+3, requests(registry))
	}
}

func TestTheVersionsOfTheModelsAreMetricsAndAllFollowTheConventions(t *testing.T) {
	handler := new(language.TextSegmentation)
	registry := configuration(t, handler)
	for _, model := range segment.Models() {
		require.Equal(t, 1.0, valueOf(t, registry, "caddy_technical_language_model_info", model.Name, model.Version))
	}
	call(t, handler, http.MethodPost, segmentationPath, `{"value":"Hello."}`, "")
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}
