package identity

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func desc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(shared.Namespace, subsystem, name), help, []string{"idp"}, nil)
}

// gauges describe the state of a configuration's gateways when they are scraped.
// Gateways for one IdP share their series, which show the largest value.
type gauges struct {
	keyAge, replayEntries, replayCapacity *prometheus.Desc

	mu       sync.Mutex
	gateways []*Gateway
}

func newGauges() *gauges {
	return &gauges{
		keyAge: desc("sealing_key_age_seconds",
			"Age of the sealing key in use, if it is one that the gateway made in Caddy's storage, by identity provider."),
		replayEntries:  desc("replay_entries", "Claims that the replay store of this process holds, two for each login, by identity provider."),
		replayCapacity: desc("replay_capacity", "The largest number of claims that the replay store of this process can hold."),
	}
}

// provisionGauges adds the gateway to those of its configuration.
func (g *Gateway) provisionGauges(registry *prometheus.Registry) error {
	all, err := shared.Shared(registry, newGauges())
	if err != nil {
		return err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.gateways = append(all.gateways, g)
	return nil
}

// Describe implements [prometheus.Collector].
func (all *gauges) Describe(descs chan<- *prometheus.Desc) {
	descs <- all.keyAge
	descs <- all.replayEntries
	descs <- all.replayCapacity
}

// Collect implements [prometheus.Collector]. It waits for nothing.
func (all *gauges) Collect(metrics chan<- prometheus.Metric) {
	all.mu.Lock()
	defer all.mu.Unlock()
	type series struct {
		desc *prometheus.Desc
		idp  string
	}
	values := make(map[series]float64)
	for _, g := range all.gateways {
		address := g.policy.AuthURL().String()
		set := func(desc *prometheus.Desc, value float64) {
			values[series{desc, address}] = max(values[series{desc, address}], value)
		}
		if g.keys != nil {
			if made := g.keys.Made(); made != nil {
				set(all.keyAge, time.Since(*made).Seconds())
			}
		}
		if counter, ok := g.replay.(replay.Counter); ok {
			set(all.replayEntries, float64(counter.Len()))
			set(all.replayCapacity, float64(counter.Cap()))
		}
	}
	for s, value := range values {
		metrics <- prometheus.MustNewConstMetric(s.desc, prometheus.GaugeValue, value, s.idp)
	}
}

// Interface guard
var _ prometheus.Collector = (*gauges)(nil)
