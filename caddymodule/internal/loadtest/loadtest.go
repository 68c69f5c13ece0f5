// Package loadtest measures how many HTTP/1.1 requests a second a server on this
// machine handles. It compares: several targets take turns in short rounds, so
// that a machine whose speed drifts slows all of them alike, and what counts is
// the ratio within one run.
package loadtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Target is one kind of request to one server.
type Target struct {
	Name string
	// Address of the server, host:port, on loopback.
	Address string
	// Request appends the bytes of the n-th request of a connection to dst. It is
	// called from several connections at once; no two get the same pair of numbers.
	Request func(dst []byte, connection, n int) []byte
	// Status that every response must have.
	Status int
	// Length of every response's body in bytes; 0 stands for any.
	Length int
	// Call, if it is set, stands for all of the above: each connection makes one function of it, which is called again
	// and again in this process. So work is measured in turn with the server that does it.
	Call func() func()
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

// Result is what one target reached: medians over the rounds.
type Result struct {
	Name      string
	PerSecond float64
	P50, P99  time.Duration
}

// PerRequest is the time that a request takes from the point of view of the
// whole server: the inverse of its throughput.
func (r Result) PerRequest() time.Duration {
	return time.Duration(float64(time.Second) / r.PerSecond)
}

// Compare measures the targets in turn, round by round, after one round of
// warm-up that does not count. Results are in the order of the targets.
func Compare(plan Plan, targets ...Target) ([]Result, error) {
	rounds := make([][]round, len(targets))
	next := make([]int, len(targets)) // request numbers go on over the rounds
	for turn := range plan.Rounds + 1 {
		for i, target := range targets {
			r, err := target.measure(plan, next[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", target.Name, err)
			}
			next[i] = r.next
			if turn > 0 {
				rounds[i] = append(rounds[i], r)
			}
		}
	}
	results := make([]Result, len(targets))
	for i, target := range targets {
		results[i] = Result{
			Name:      target.Name,
			PerSecond: median(rounds[i], func(r round) float64 { return r.perSecond }),
			P50:       median(rounds[i], func(r round) time.Duration { return r.p50 }),
			P99:       median(rounds[i], func(r round) time.Duration { return r.p99 }),
		}
	}
	return results, nil
}

type round struct {
	perSecond float64
	p50, p99  time.Duration
	next      int
}

func median[T float64 | time.Duration](rounds []round, figure func(round) T) T {
	figures := make([]T, len(rounds))
	for i, r := range rounds {
		figures[i] = figure(r)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

func (t Target) measure(plan Plan, first int) (round, error) {
	var (
		group     sync.WaitGroup
		mu        sync.Mutex
		latencies []time.Duration
		failure   error
		last      int
	)
	start := time.Now()
	deadline := start.Add(plan.Round)
	for connection := range plan.Connections {
		group.Go(func() {
			send := t.connection
			if t.Call != nil {
				send = t.calls
			}
			took, err := send(connection, first, deadline)
			mu.Lock()
			defer mu.Unlock()
			latencies = append(latencies, took...)
			last = max(last, first+len(took))
			failure = errors.Join(failure, err)
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	if failure != nil {
		return round{}, failure
	}
	slices.Sort(latencies)
	n := len(latencies)
	return round{
		perSecond: float64(n) / elapsed.Seconds(),
		p50:       latencies[n/2],
		p99:       latencies[n*99/100],
		next:      last,
	}, nil
}

// calls calls a function until the deadline, and at least once.
func (t Target) calls(_, _ int, deadline time.Time) ([]time.Duration, error) {
	call := t.Call()
	return repeat(deadline, func() error {
		call()
		return nil
	})
}

// repeat calls f until the deadline, and at least once, and returns how long each call took.
func repeat(deadline time.Time, f func() error) (took []time.Duration, err error) {
	for start := time.Now(); ; {
		if err := f(); err != nil {
			return nil, err
		}
		now := time.Now()
		took = append(took, now.Sub(start))
		if now.After(deadline) {
			return took, nil
		}
		start = now
	}
}

// connection sends requests one after another over one connection until the
// deadline, and at least one.
func (t Target) connection(connection, n int, deadline time.Time) ([]time.Duration, error) {
	conn, err := net.Dial("tcp", t.Address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var (
		reader  = bufio.NewReaderSize(conn, 64<<10)
		request []byte
	)
	return repeat(deadline, func() error {
		request = t.Request(request[:0], connection, n)
		n++
		if _, err := conn.Write(request); err != nil {
			return err
		}
		return t.readResponse(reader)
	})
}

var contentLength = []byte("content-length:")

// readResponse reads one response that tells its length. It is bare on purpose: a
// full HTTP client takes more time than the server that is measured.
func (t Target) readResponse(reader *bufio.Reader) error {
	line, err := reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if len(line) < 12 || string(line[9:12]) != strconv.Itoa(t.Status) {
		rest, _ := reader.Peek(min(reader.Buffered(), 2048))
		return fmt.Errorf("responded %q, not status %d: %s", bytes.TrimSpace(line), t.Status, rest)
	}
	length := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		if len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):]))); err != nil {
				return err
			}
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
