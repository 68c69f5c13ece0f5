// Package loadtest measures how many HTTP/1.1 requests a second a server on this
// machine handles. It compares: several targets take turns in short rounds, so
// that a machine whose speed drifts slows all of them alike, and what counts is
// the ratio within one run.
package loadtest

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Target is one kind of request to one server.
type Target struct {
	Name string
	// Server whose CPU time is measured; nil if it is not.
	Server *caddyprocess.Process
	// Address at the server, host:port, on loopback.
	Address string
	// Request appends the bytes of the n-th request of a connection to dst. It is
	// called from several connections at once; no two get the same pair of numbers.
	Request func(dst []byte, connection, n int) []byte
	// Status that every response must have.
	Status int
	// Length of every response's body in bytes; 0 stands for any.
	Length int
}

// Fixed is a [Target.Request] that is the same every time.
func Fixed(request []byte) func([]byte, int, int) []byte {
	return func(dst []byte, _, _ int) []byte { return append(dst, request...) }
}

// Plan says how long and how hard to measure.
type Plan struct {
	Connections int
	Rounds      int
	Round       time.Duration
}

// Result is what one target reached: the medians of its rounds.
type Result struct {
	Name string
	Round
	Rounds []Round
}

// Round is what a target reached in one round.
type Round struct {
	PerSecond float64
	P50, P99  time.Duration
	// CPU is the time, of user and system together, that the server computed for
	// one request. It is 0 where the system does not tell, see [caddyprocess.HasCPUTime].
	CPU time.Duration
}

// Latencies are in order, from the shortest to the longest, and at least one.
type Latencies []time.Duration

// Median is that of all of them.
func (l Latencies) Median() time.Duration { return l[len(l)/2] }

// P99 is the 99th percentile.
func (l Latencies) P99() time.Duration { return l[len(l)*99/100] }

// Slowest is the longest.
func (l Latencies) Slowest() time.Duration { return l[len(l)-1] }

// Compare measures the targets in turn, round by round, after one round of
// warm-up that does not count. Every second turn goes backwards, so that none of
// them always follows the same other one, whose garbage it may have to collect.
// Results are in the order of the targets.
func Compare(plan Plan, targets ...Target) ([]Result, error) {
	results := make([]Result, len(targets))
	next := make([]int, len(targets)) // request numbers go on over the rounds
	for turn := range plan.Rounds + 1 {
		for i := range targets {
			if turn%2 == 1 {
				i = len(targets) - 1 - i
			}
			round, last, err := targets[i].measure(plan, next[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", targets[i].Name, err)
			}
			next[i] = last
			if turn > 0 {
				results[i].Rounds = append(results[i].Rounds, round)
			}
		}
	}
	for i := range results {
		rounds := results[i].Rounds
		results[i].Name = targets[i].Name
		results[i].Round = Round{
			PerSecond: median(rounds, func(r Round) float64 { return r.PerSecond }),
			P50:       median(rounds, func(r Round) time.Duration { return r.P50 }),
			P99:       median(rounds, func(r Round) time.Duration { return r.P99 }),
			CPU:       median(rounds, func(r Round) time.Duration { return r.CPU }),
		}
	}
	return results, nil
}

func median[T float64 | time.Duration](rounds []Round, figure func(Round) T) T {
	figures := make([]T, len(rounds))
	for i, r := range rounds {
		figures[i] = figure(r)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

// Spread is the median of a figure over the rounds, and the quartiles: half of
// the rounds lie between them.
type Spread struct{ Low, Median, High float64 }

// Each computes a figure, such as a ratio, from what several results reached in
// the same turn.
func Each(figure func(turn []Round) float64, results ...Result) Spread {
	figures := make([]float64, len(results[0].Rounds))
	turn := make([]Round, len(results))
	for i := range figures {
		for j, result := range results {
			turn[j] = result.Rounds[i]
		}
		figures[i] = figure(turn)
	}
	slices.Sort(figures)
	n := len(figures)
	return Spread{figures[n/4], figures[n/2], figures[n-1-n/4]}
}

// String gives the median and, in parentheses, the quartiles.
func (s Spread) String() string { return fmt.Sprintf("%.2f (%.2f-%.2f)", s.Median, s.Low, s.High) }

// measure runs one round, whose requests are numbered from first on, and returns
// the number after the last one.
func (t Target) measure(plan Plan, first int) (Round, int, error) {
	var (
		group     sync.WaitGroup
		mu        sync.Mutex
		latencies Latencies
		failure   error
		last      int
	)
	computed, err := t.cpuTime()
	if err != nil {
		return Round{}, 0, err
	}
	start := time.Now()
	deadline := start.Add(plan.Round)
	for connection := range plan.Connections {
		group.Go(func() {
			took, err := t.connection(connection, first, deadline)
			mu.Lock()
			defer mu.Unlock()
			latencies = append(latencies, took...)
			last = max(last, first+len(took))
			failure = cmp.Or(failure, err) // the same error of every connection would say no more
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	after, err := t.cpuTime()
	if failure = cmp.Or(failure, err); failure != nil {
		return Round{}, 0, failure
	}
	slices.Sort(latencies)
	n := len(latencies)
	return Round{
		PerSecond: float64(n) / elapsed.Seconds(),
		P50:       latencies.Median(),
		P99:       latencies.P99(),
		CPU:       (after - computed) / time.Duration(n),
	}, last, nil
}

// cpuTime is the CPU time so far of the process that does the work, 0 if it is
// not measured.
func (t Target) cpuTime() (time.Duration, error) {
	if !caddyprocess.HasCPUTime || t.Server == nil {
		return 0, nil
	}
	return caddyprocess.CPUTime(t.Server.PID())
}

// connection sends requests one after another over one connection until the
// deadline, and at least one, and returns how long each took.
func (t Target) connection(connection, n int, deadline time.Time) (took []time.Duration, err error) {
	defer fail.Catch(&err)
	conn := fail.Must(net.Dial("tcp", t.Address))
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 64<<10)
	var request []byte
	for start := time.Now(); ; n++ {
		request = t.Request(request[:0], connection, n)
		fail.Must(conn.Write(request))
		fail.Check(t.readResponse(reader))
		now := time.Now()
		took = append(took, now.Sub(start))
		if now.After(deadline) {
			return took, nil
		}
		start = now
	}
}

var contentLength = []byte("content-length:")

// readResponse reads one response that tells its length. It is bare on purpose: a
// full HTTP client takes more time than the server that is measured.
func (t Target) readResponse(reader *bufio.Reader) (err error) {
	defer fail.Catch(&err)
	line := fail.Must(reader.ReadSlice('\n'))
	if len(line) < 12 || string(line[9:12]) != strconv.Itoa(t.Status) {
		rest, _ := reader.Peek(min(reader.Buffered(), 2048))
		return fmt.Errorf("responded %q, not status %d: %s", bytes.TrimSpace(line), t.Status, rest)
	}
	length := 0
	for {
		line := fail.Must(reader.ReadSlice('\n'))
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		if len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength) {
			length = fail.Must(strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):]))))
		}
		if bytes.HasPrefix(bytes.ToLower(line), []byte("transfer-encoding:")) {
			return errors.New("the response is chunked; this client reads only responses with Content-Length")
		}
	}
	if t.Length > 0 && length != t.Length {
		return fmt.Errorf("responded with %d bytes, not %d", length, t.Length)
	}
	_, err = io.CopyN(io.Discard, reader, int64(length))
	return err
}
