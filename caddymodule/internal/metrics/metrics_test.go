package metrics

import (
	"context"
	"runtime/debug"
	"testing"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

func counter() prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: "some_total", Help: "Some."})
}

func TestACollectorIsRegisteredOnceInEachConfiguration(t *testing.T) {
	some := counter()
	for range 2 { // configurations
		registry := prometheus.NewPedanticRegistry()
		for range 2 { // handlers
			require.NoError(t, Register(registry, some))
		}
		some.Inc()
	}
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, Register(registry, some))
	families, err := registry.Gather()
	require.NoError(t, err)
	require.Len(t, families, 1)
	require.EqualValues(t, 2, families[0].GetMetric()[0].GetCounter().GetValue())
}

func TestTheHandlersOfAConfigurationShareACollector(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	first, err := Shared(registry, counter())
	require.NoError(t, err)
	second, err := Shared(registry, counter())
	require.NoError(t, err)
	require.Same(t, first, second)
}

func TestAnotherMetricOfTheSameNameIsAnError(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, Register(registry, counter()))
	other := prometheus.NewCounter(prometheus.CounterOpts{Name: "some_total", Help: "Others."})
	require.Error(t, Register(registry, other))
}

func TestTheServerIsUnknownOutsideOfOne(t *testing.T) {
	require.Equal(t, "UNKNOWN", Server(t.Context()))
	require.Equal(t, "UNKNOWN", Server(context.WithValue(t.Context(), caddyhttp.ServerCtxKey, new(caddyhttp.Server))))
}

func BenchmarkPerServer(b *testing.B) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total"}, []string{"server", "operation", "outcome"})
	b.Run("looked up by labels", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			requests.WithLabelValues(Server(b.Context()), "segmentation", "ok").Inc()
		}
	})
	b.Run("kept", func(b *testing.B) {
		perServer := NewPerServer(func(server string) prometheus.Counter {
			return requests.WithLabelValues(server, "segmentation", "ok")
		})
		b.ReportAllocs()
		for b.Loop() {
			(*perServer.Of(b.Context())).Inc()
		}
	})
}

func TestVersion(t *testing.T) {
	plugin := func(version string, replace *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{
			Main: debug.Module{Path: "caddy", Version: "(devel)"}, // as xcaddy names it
			Deps: []*debug.Module{
				{Path: "github.com/caddyserver/caddy/v2", Version: "v2.11.9"},
				{Path: modulePath, Version: version, Replace: replace},
				{Path: modulePath + "/caddymodule/replay/redis", Version: "v9.9.9"},
			},
		}
	}
	checkout := func(path, version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: path, Version: version}}
	}
	const pseudo = "v0.0.0-20261122193400-19ade5e00000+dirty"
	for name, test := range map[string]struct {
		info    *debug.BuildInfo
		release string
		want    string
	}{
		"xcaddy":                        {plugin("v1.2.3", nil), "", "v1.2.3"},
		"xcaddy, replaced by a fork":    {plugin("v1.2.3", &debug.Module{Path: "example.com/fork", Version: "v1.2.4"}), "", "v1.2.4"},
		"xcaddy, replaced by a folder":  {plugin("v1.2.3", &debug.Module{Path: "."}), "", "(devel)"},
		"a release":                     {plugin("v0.0.0", &debug.Module{Path: "../../.."}), "v1.2.3", "v1.2.3"},
		"a command of the repository":   {checkout(modulePath, pseudo), "", pseudo},
		"one of its nested modules":     {checkout(modulePath+"/caddymodule/cmd/caddy", pseudo), "", pseudo},
		"somebody's module with a like": {checkout(modulePath+"-extra", "v5.0.0"), "", "(devel)"},
		"go run, without a commit":      {checkout(modulePath, "(devel)"), "", "(devel)"},
		"a test":                        {checkout(modulePath, ""), "", "(devel)"},
		"built without modules":         {nil, "", "(devel)"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, version(test.info, test.release))
		})
	}
}

func TestTheVersionOfThisBinaryIsNotEmpty(t *testing.T) {
	require.NotEmpty(t, Version())
}
