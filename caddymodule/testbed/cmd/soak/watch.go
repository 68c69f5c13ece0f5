package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

// soak is a run.
type soak struct {
	cluster *cluster
	// record is of the mixed traffic, plain of Caddy's static response beside it.
	record, plain traffic.Record
	minutes       []minute
	samples       []sample
	messages      map[string]int
	// before and after are what the first node takes without traffic.
	before, after caddyprocess.Usage
}

// minute is a line of the table.
type minute struct {
	figures, plain traffic.Figures
	usage          [2]caddyprocess.Usage
	events         []string
}

// sample is what the first node takes at a time since the beginning.
type sample struct {
	at time.Duration
	caddyprocess.Usage
}

const (
	// When in a minute something happens.
	reloadAt, failAt, killAt = 10 * time.Second, 20 * time.Second, 35 * time.Second
	sampleEvery              = 10 * time.Second
)

// watch lets things happen, minute by minute, and keeps the figures.
func (s *soak) watch(ctx context.Context, minutes int) error {
	began := time.Now()
	fmt.Println("| minute | done | failed | failed while something was broken | not begun: 128 under way | median | p99 | static, p99 | node 1 | node 2 | meanwhile |\n|---:|---:|---:|---:|---:|---:|---:|---:|---|---|---|")
	for i := range minutes {
		start := began.Add(time.Duration(i) * time.Minute)
		var m minute
		steps := []struct {
			at time.Duration
			do func() error
		}{
			{reloadAt, func() error {
				m.events = append(m.events, fmt.Sprintf("reload of node %d", i%2+1))
				n := s.cluster.nodes[i%2]
				return n.Reload(n.caddyfile(i), true)
			}},
			{failAt, func() error {
				o := outages[i%len(outages)]
				m.events = append(m.events, o.name)
				s.cluster.failIdP(o.Outage)
				return nil
			}},
			{killAt, func() error {
				if i%2 == 0 {
					return nil
				}
				m.events = append(m.events, "node 2 killed")
				return s.cluster.kill()
			}},
		}
		for tick := sampleEvery; tick <= time.Minute; tick += sampleEvery {
			for len(steps) > 0 && steps[0].at < tick {
				if err := sleep(ctx, time.Until(start.Add(steps[0].at))); err != nil {
					return err
				}
				if err := steps[0].do(); err != nil {
					return err
				}
				steps = steps[1:]
			}
			if err := sleep(ctx, time.Until(start.Add(tick))); err != nil {
				return err
			}
			usage, err := s.cluster.nodes[0].Usage()
			if err != nil {
				return err
			}
			m.usage[0] = usage
			s.samples = append(s.samples, sample{time.Since(began), usage})
		}
		var err error
		if m.usage[1], err = s.cluster.nodes[1].Usage(); err != nil {
			return err
		}
		// An IdP that remembered half a million logins would take the processor from the gateways.
		s.cluster.idp.ForgetBefore(time.Now().Add(-time.Minute))
		m.figures, m.plain = s.record.Take(), s.plain.Take()
		s.minutes = append(s.minutes, m)
		for message, times := range m.figures.Messages {
			if s.messages == nil {
				s.messages = make(map[string]int)
			}
			s.messages[message] += times
		}
		f := m.figures
		fmt.Printf("| %d | %d | %d | %d | %d | %s | %s | %s | %s | %s | %s |\n", i+1, f.Done, f.Failed+f.Dropped, f.Excused, f.Skipped, short(f.P50), short(f.P99), short(m.plain.P99), m.usage[0], m.usage[1], strings.Join(m.events, ", "))
	}
	return nil
}

func short(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// What must hold.
const (
	// Until as much is forgotten as is remembered (4 minutes), and each of the five outages has met a reload of each
	// node, since buffers are kept for as many requests as were ever under way; half of a short run.
	warmUp     = 10 * time.Minute
	moreAnHour = 1e6 // bytes of memory
	moreThings = 10  // goroutines, descriptors
	slower     = 1.10
)

// judge says what does not hold.
func (s *soak) judge() error {
	var broken []error
	failed := 0
	for _, m := range s.minutes {
		failed += m.figures.Failed + m.figures.Dropped
	}
	if failed > 0 {
		broken = append(broken, fmt.Errorf("%d operations failed while nothing was broken: %v", failed, s.messages))
	}
	samples := s.samples
	for len(samples) > 4 && samples[0].at < min(warmUp, s.samples[len(s.samples)-1].at/2) {
		samples = samples[1:]
	}
	for _, memory := range []struct {
		name string
		of   func(sample) float64
	}{
		{"heap", func(s sample) float64 { return float64(s.Heap) }},
		{"resident memory", func(s sample) float64 { return float64(s.Resident) }},
	} {
		slope, deviation := trend(samples, memory.of)
		fmt.Printf("%s of node 1 after the warm-up: %+.1f MB an hour, standard error %.1f\n", memory.name, slope/1e6, deviation/1e6)
		// What can't be told from noise within the time is no growth.
		if slope-2*deviation > moreAnHour {
			broken = append(broken, fmt.Errorf("the %s grows by %.1f MB an hour", memory.name, slope/1e6))
		}
	}
	fmt.Printf("node 1 without traffic: before %s; afterwards %s\n", s.before, s.after)
	if s.after.Goroutines > s.before.Goroutines+moreThings {
		broken = append(broken, fmt.Errorf("goroutines grow from %d to %d", s.before.Goroutines, s.after.Goroutines))
	}
	if s.after.Descriptors > s.before.Descriptors+moreThings {
		broken = append(broken, fmt.Errorf("descriptors grow from %d to %d", s.before.Descriptors, s.after.Descriptors))
	}
	before, after := thirds(s.minutes, func(m minute) float64 { return m.figures.P99.Seconds() })
	plainBefore, plainAfter := thirds(s.minutes, func(m minute) float64 { return m.plain.P99.Seconds() })
	fmt.Printf("p99: %.1f ms in the first third, %.1f ms in the last; of Caddy's static response %.1f and %.1f ms\n", before*1e3, after*1e3, plainBefore*1e3, plainAfter*1e3)
	if after > before*slower*max(1, plainAfter/plainBefore) {
		broken = append(broken, fmt.Errorf("p99 grows from %.1f ms to %.1f ms", before*1e3, after*1e3))
	}
	return errors.Join(broken...)
}

// quiet is the least that a node takes when nobody asks anything of it. It is loaded
// anew, so that its connections to the IdP end.
func (n *node) quiet() (least caddyprocess.Usage, err error) {
	if err := n.Reload(n.caddyfile(0), true); err != nil {
		return least, err
	}
	for i := range 20 {
		now, err := n.Usage()
		if err != nil {
			return least, err
		}
		if i == 0 || now.Goroutines < least.Goroutines {
			least = now
		}
		time.Sleep(100 * time.Millisecond)
	}
	return least, nil
}

// thirds are the medians of a figure in the first and the last third.
func thirds[T any](all []T, of func(T) float64) (first, last float64) {
	n := max(1, len(all)/3)
	median := func(part []T) float64 {
		figures := make([]float64, len(part))
		for i, each := range part {
			figures[i] = of(each)
		}
		slices.Sort(figures)
		return figures[len(figures)/2]
	}
	return median(all[:n]), median(all[len(all)-n:])
}

// trend is the slope an hour of a figure, by least squares, and its standard error.
func trend(samples []sample, of func(sample) float64) (slope, deviation float64) {
	n := float64(len(samples))
	var meanX, meanY float64
	for _, s := range samples {
		meanX += s.at.Hours() / n
		meanY += of(s) / n
	}
	var xx, xy float64
	for _, s := range samples {
		x := s.at.Hours() - meanX
		xx += x * x
		xy += x * (of(s) - meanY)
	}
	slope = xy / xx
	var rest float64
	for _, s := range samples {
		d := of(s) - meanY - slope*(s.at.Hours()-meanX)
		rest += d * d
	}
	return slope, math.Sqrt(rest / (n - 2) / xx)
}
