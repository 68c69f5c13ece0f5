// Package metrics is what the metrics of all handlers have in common. Caddy gives
// each configuration a registry of its own, so there are two kinds:
//
//   - Counters and histograms belong to the process. They are made once, registered
//     with the registry of each configuration by [Register], and keep their values
//     across reloads.
//   - Gauges that describe a configuration belong to it. A collector that is
//     registered by [Shared] reads them when it is scraped, and goes with its
//     registry.
package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/prometheus/client_golang/prometheus"
)

// Namespace is the namespace of all metrics: Caddy's own.
const Namespace = "caddy"

// BuildInfo says which version of the plugin runs.
var BuildInfo = sync.OnceValue(func() prometheus.Collector {
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: Namespace, Subsystem: "identity_gateway", Name: "build_info",
		Help: "The version of the plugin caddy-identity-gateway, and of Go. The value is 1.",
	}, []string{"version", "goversion"})
	info.WithLabelValues(Version(), runtime.Version()).Set(1)
	return info
})

// Register registers collectors of the process with the registry of a
// configuration, in which another handler may have registered them before.
func Register(registry *prometheus.Registry, collectors ...prometheus.Collector) error {
	for _, collector := range collectors {
		if _, err := Shared(registry, collector); err != nil {
			return err
		}
	}
	return nil
}

// Shared registers collector with the registry of a configuration and returns it, or
// the one with the same descriptions that another handler has registered there.
func Shared[C prometheus.Collector](registry *prometheus.Registry, collector C) (C, error) {
	err := registry.Register(collector)
	if registered := (prometheus.AlreadyRegisteredError{}); errors.As(err, &registered) {
		if existing, ok := registered.ExistingCollector.(C); ok {
			return existing, nil
		}
	}
	if err != nil {
		return collector, fmt.Errorf("registering metrics: %w", err)
	}
	return collector, nil
}

// Server is the value of the label server for a request: the name of its server, as
// in Caddy's own metrics.
func Server(ctx context.Context) string {
	server, _ := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if server == nil || server.Name() == "" {
		return "UNKNOWN"
	}
	return server.Name()
}

// PerServer are the series S of a handler for each server. It spares each request
// their look-up by labels, which takes more than twice as long (BenchmarkPerServer).
type PerServer[S any] struct {
	create func(server string) S
	latest atomic.Pointer[seriesOf[S]]
}

type seriesOf[S any] struct {
	server string
	series S
}

// NewPerServer has the series made by create, for the value of the label server. Any
// number of calls for a server have to return the same series.
func NewPerServer[S any](create func(server string) S) *PerServer[S] {
	return &PerServer[S]{create: create}
}

// Of are the series for a request. A handler stands in one server, so they are those
// of the request before.
func (p *PerServer[S]) Of(ctx context.Context) *S {
	server := Server(ctx)
	if latest := p.latest.Load(); latest != nil && latest.server == server {
		return &latest.series
	}
	made := &seriesOf[S]{server, p.create(server)}
	p.latest.Store(made)
	return &made.series
}

const modulePath = "github.com/identity-gateway/caddy-identity-gateway"

// release is set by the linker when a release is built. Then the repository's
// modules replace each other, and Go records no version of the plugin.
var release string

// Version is the version of the plugin: v1.2.3 in a release and in a build with
// xcaddy, a pseudo-version in one from a checkout, and (devel) where Go recorded
// neither a version nor a commit.
var Version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return version(info, release)
})

func version(info *debug.BuildInfo, release string) string {
	const unknown = "(devel)" // as Go says
	switch {
	case release != "":
		return release
	case info == nil:
		return unknown
	case info.Main.Path == modulePath || strings.HasPrefix(info.Main.Path, modulePath+"/"):
		return cmp.Or(info.Main.Version, unknown) // of the commit, which is the plugin's too
	}
	for _, module := range info.Deps {
		if module.Path != modulePath {
			continue
		}
		if module.Replace != nil {
			module = module.Replace
		}
		return cmp.Or(module.Version, unknown)
	}
	return unknown
}
