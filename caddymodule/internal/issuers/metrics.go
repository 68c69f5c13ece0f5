package issuers

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
)

// collector shows the state of the issuers of a configuration when it is scraped.
type collector struct {
	known, age, failures *prometheus.Desc

	mu      sync.Mutex
	handles []*Handle
}

func newCollector() *collector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(metrics.Namespace, "identity_gateway", name), help, []string{"issuer"}, nil)
	}
	return &collector{
		known:    desc("discovery_known", "Whether the metadata of the issuer is known: 1, or 0. As long as it is not, requests that need it get a 503."),
		age:      desc("discovery_age_seconds", "Seconds since the issuer's metadata was fetched. It is fetched every hour, and used however old it is."),
		failures: desc("discovery_failures_total", "How often the issuer's metadata could not be fetched."),
	}
}

// register shows the state of h in the metrics of a configuration.
func register(registry *prometheus.Registry, h *Handle) error {
	c, err := metrics.Shared(registry, newCollector())
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handles = append(c.handles, h)
	return nil
}

func (c *collector) Describe(descs chan<- *prometheus.Desc) {
	descs <- c.known
	descs <- c.age
	descs <- c.failures
}

func (c *collector) Collect(all chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	sources := make(map[string][]*source) // by issuer: one for each way to trust it
	for _, h := range c.handles {
		if of := sources[h.source.issuer]; !slices.Contains(of, h.source) {
			sources[h.source.issuer] = append(of, h.source)
		}
	}
	for issuer, of := range sources {
		known, failures, oldest := 1.0, uint64(0), int64(math.MaxInt64)
		for _, s := range of {
			failures += s.failures.Load()
			oldest = min(oldest, s.fetched.Load())
			if s.current.Load() == nil {
				known = 0
			}
		}
		if known == 1 {
			all <- prometheus.MustNewConstMetric(c.age, prometheus.GaugeValue, time.Since(time.Unix(0, oldest)).Seconds(), issuer)
		}
		all <- prometheus.MustNewConstMetric(c.known, prometheus.GaugeValue, known, issuer)
		all <- prometheus.MustNewConstMetric(c.failures, prometheus.CounterValue, float64(failures), issuer)
	}
}
