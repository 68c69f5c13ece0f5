package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

// steady is a run of some minutes in which nothing grows, with noise.
func steady(minutes int) *soak {
	s := new(soak)
	for i := range minutes {
		noise := int64(i%3) * 300_000
		usage := caddyprocess.Usage{Resident: 100e6 + noise, Heap: 25e6 + noise, Goroutines: 30 + i%4}
		for tick := range 6 {
			s.samples = append(s.samples, sample{time.Duration(i)*time.Minute + time.Duration(tick)*sampleEvery, usage})
		}
		figures := traffic.Figures{Done: 1000, P50: time.Millisecond, P99: 10 * time.Millisecond}
		s.minutes = append(s.minutes, minute{figures: figures, plain: figures, usage: [2]caddyprocess.Usage{usage, usage}})
	}
	return s
}

func TestASteadyRunHolds(t *testing.T) { require.NoError(t, steady(30).judge()) }

func TestWhatGrowsOrFailsDoesNotHold(t *testing.T) {
	for want, change := range map[string]func(*soak){
		"the heap grows": func(s *soak) {
			for i := range s.samples {
				s.samples[i].Heap += int64(s.samples[i].at.Hours() * 20e6)
			}
		},
		"the resident memory grows": func(s *soak) {
			for i := range s.samples {
				s.samples[i].Resident += int64(s.samples[i].at.Hours() * 20e6)
			}
		},
		"goroutines grow":  func(s *soak) { s.after.Goroutines += 11 },
		"descriptors grow": func(s *soak) { s.after.Descriptors += 11 },
		"p99 grows": func(s *soak) {
			for i := range s.minutes {
				s.minutes[i].figures.P99 += time.Duration(i) * time.Millisecond
			}
		},
		"1 operations failed": func(s *soak) { s.minutes[3].figures.Failed = 1 },
	} {
		s := steady(30)
		change(s)
		require.ErrorContains(t, s.judge(), want)
	}
}

func TestASlowerMachineIsNoSlowerGateway(t *testing.T) {
	s := steady(30)
	for i := range s.minutes {
		s.minutes[i].figures.P99 += time.Duration(i) * time.Millisecond
		s.minutes[i].plain.P99 += time.Duration(i) * time.Millisecond
	}
	require.NoError(t, s.judge())
}

func TestOnlyWhatMeetsATimeOfFaultsIsExcused(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	c := &cluster{broken: []window{{at(10), at(20)}, {began: at(30)}}}
	for _, test := range []struct {
		began, ended int
		broken       bool
	}{{1, 9, false}, {1, 10, true}, {12, 13, true}, {19, 25, true}, {21, 29, false}, {5, 25, true}, {29, 31, true}, {40, 41, true}} {
		require.Equal(t, test.broken, c.isBroken(at(test.began), at(test.ended)), "%d to %d", test.began, test.ended)
	}
}

func TestThePlotIsWellFormed(t *testing.T) {
	s := steady(12)
	s.minutes[3].events = []string{"node 2 killed"}
	plot := string(s.plot())
	decoder := xml.NewDecoder(strings.NewReader(plot))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	require.Equal(t, 10, strings.Count(plot, "<polyline"))
	require.NotContains(t, plot, "NaN")
}
