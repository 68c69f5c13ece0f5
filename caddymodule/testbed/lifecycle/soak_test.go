package lifecycle_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

// With the shortest login_timeout, what is remembered of an exchange is forgotten after
// all timeouts and two minutes, so that memory is even after a third of half an hour.
const soakOptions = "sealing_key \"the key that both nodes seal with, of 32 bytes or more\"\nlogin_timeout 1m\nresponse_timeout 10s"

// What must hold in a soak.
const (
	peakTime   = 15 * time.Second
	faultTime  = 3 * time.Second
	moreInHeap = 1 << 20 // bytes, from the middle third to the last one
	moreThings = 10      // goroutines, descriptors
	slower     = 1.10    // p99
)

// soaking is two gateways at work, and what is broken on purpose.
type soaking struct {
	nodes [2]*node
	turn  atomic.Int64
	away  atomic.Bool // the second node

	mu     sync.Mutex
	broken []window
}

// window is a time at which something is broken; ended is zero as long as it is.
type window struct{ began, ended time.Time }

// outages are how the IdP fails, one after the other.
var outages = []testidp.Outage{{Status: 503}, {Close: true}, {Hang: true}, {AfterIssuing: true, Close: true}, {Delay: time.Second}}

// TestSoak has two gateways work at half of what they can do. Each minute one of them
// is reloaded and the IdP fails for some seconds; every other minute the second one is
// killed and started again. No request fails at another time, and nothing grows.
func TestSoak(t *testing.T) {
	minutes := int(*soak / time.Minute)
	if minutes < 3 {
		t.Skip("make soak runs this, for three minutes at least")
	}
	tr := &trial{t}
	s := new(soaking)
	s.nodes[0] = tr.prepare(setup{language: true, options: soakOptions, global: "grace_period 10s"})
	s.nodes[1] = tr.prepare(setup{language: true, options: soakOptions, global: "grace_period 10s", idp: s.nodes[0].idp})
	idp := s.nodes[0].idp
	idp.Change(func(b *testidp.Behavior) {
		b.Clients[0].RedirectURIs = []string{s.nodes[0].url() + traffic.CallbackURI, s.nodes[1].url() + traffic.CallbackURI}
	})
	for _, n := range s.nodes {
		tr.must("starting a gateway", n.start())
	}
	client := traffic.NewClient(true)
	client.Transport = traffic.Again{RoundTripper: client.Transport}
	operations := traffic.Mixed(client)
	var peak float64
	for range 2 { // the first time warms up
		var record traffic.Record
		ctx, cancel := context.WithTimeout(t.Context(), peakTime)
		record.Flood(ctx, 4*runtime.GOMAXPROCS(0), operations, s.next)
		cancel()
		f := record.Take()
		tr.holds(f.Failed == 0, "while the peak was measured: %v", f.Messages)
		peak = float64(f.Done) / peakTime.Seconds()
	}
	t.Logf("%d processors; peak %.0f operations a second; half of it for %d minutes", runtime.NumCPU(), peak, minutes)
	client.CloseIdleConnections()
	quiet := func() caddyprocess.Usage {
		tr.must("reloading", s.nodes[0].Reload(s.nodes[0].caddyfile(""), true)) // which ends connections to the IdP
		return s.nodes[0].settled(caddyprocess.Usage{})
	}
	before := quiet()

	record, static := traffic.Record{Excused: s.isBroken}, traffic.Record{Excused: s.isBroken}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { record.Steady(ctx, time.Duration(2*float64(time.Second)/peak), operations, s.next) })
	work.Go(func() { static.Steady(ctx, 50*time.Millisecond, traffic.Static(client), s.nodes[0].url) })
	var p99, staticP99, heap []float64
	for i := range minutes {
		end := time.Now().Add(time.Minute)
		s.disturb(i)
		time.Sleep(time.Until(end))
		usage, err := s.nodes[0].Usage()
		tr.must("reading what the process takes", err)
		idp.Issued() // half a million tokens on record would take memory from the gateways
		f, plain := record.Take(), static.Take()
		tr.holds(f.Failed+f.Dropped == 0, "minute %d: %d failed while nothing was broken: %v", i+1, f.Failed+f.Dropped, f.Messages)
		p99, staticP99, heap = append(p99, f.P99.Seconds()), append(staticP99, plain.P99.Seconds()), append(heap, float64(usage.Heap))
		t.Logf("minute %d: %d done, %d failed while something was broken, %d not begun; p99 %s, of Caddy's static response %s; %s",
			i+1, f.Done, f.Excused, f.Skipped, f.P99.Round(100*time.Microsecond), plain.P99.Round(100*time.Microsecond), usage)
	}
	cancel()
	work.Wait()
	client.CloseIdleConnections()
	after := quiet()
	t.Logf("without traffic: before %s; afterwards %s", before, after)
	tr.holds(after.Goroutines <= before.Goroutines+moreThings && after.Descriptors <= before.Descriptors+moreThings, "goroutines or descriptors grew")
	third := max(1, minutes/3)
	grown := median(heap[minutes-third:]) - median(heap[third:minutes-third])
	tr.holds(grown <= moreInHeap, "the heap grew by %.1f MB from the middle third to the last", grown/1e6)
	slowed, staticSlowed := median(p99[minutes-third:])/median(p99[:third]), median(staticP99[minutes-third:])/median(staticP99[:third])
	tr.holds(slowed <= slower*max(1, staticSlowed), "p99 of the last third is %.2f times that of the first, and %.2f times for Caddy's static response", slowed, staticSlowed)
}

// disturb does what is done in a minute.
func (s *soaking) disturb(minute int) {
	n := s.nodes[minute%2]
	time.Sleep(10 * time.Second)
	n.tr.must("reloading", n.Reload(n.caddyfile(fmt.Sprint(minute)), true))
	time.Sleep(10 * time.Second)
	s.breaking(func() {
		n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = outages[minute%len(outages)] })
		time.Sleep(faultTime)
		n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	})
	if minute%2 == 0 {
		return
	}
	time.Sleep(10 * time.Second)
	s.breaking(func() {
		s.away.Store(true)
		s.nodes[1].Kill()
		time.Sleep(faultTime)
		n.tr.must("starting the node that was killed", s.nodes[1].start())
		s.away.Store(false)
	})
}

// next is the node whose turn it is, as a load balancer chooses it that knows which are up.
func (s *soaking) next() string {
	if s.turn.Add(1)%2 == 1 || s.away.Load() {
		return s.nodes[0].url()
	}
	return s.nodes[1].url()
}

// breaking breaks something: requests of that time may fail.
func (s *soaking) breaking(something func()) {
	s.mu.Lock()
	s.broken = append(s.broken, window{began: time.Now()})
	i := len(s.broken) - 1
	s.mu.Unlock()
	something()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken[i].ended = time.Now()
}

func (s *soaking) isBroken(began, ended time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.broken, func(w window) bool {
		return !w.began.After(ended) && (w.ended.IsZero() || !w.ended.Before(began))
	})
}

func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[len(sorted)/2]
}
