package main

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

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// target is one kind of HTTP/1.1 request to a server on loopback.
type target struct {
	name    string
	server  *testgateway.Process // whose CPU time counts
	address string
	// request appends the bytes of the n-th request of a connection to dst. It is called
	// from several connections at once; no two get the same pair of numbers.
	request func(dst []byte, connection, n int) []byte
	status  int // that every response has
	length  int // of every response's body, in bytes; 0 stands for any
}

// fixed is a request that is the same every time.
func fixed(request []byte) func([]byte, int, int) []byte {
	return func(dst []byte, _, _ int) []byte { return append(dst, request...) }
}

// plan says how long and how hard to measure.
type plan struct {
	connections, rounds int
	round               time.Duration
}

// round is what a target reached in one round: requests a second, their 99th percentile,
// and the time, of user and system together, that the server computed for one. That is 0 where the
// system does not tell, see [testgateway.HasCPUTime].
type round struct {
	perSecond float64
	p99, cpu  time.Duration
}

func (r round) rate() float64    { return r.perSecond }
func (r round) seconds() float64 { return r.cpu.Seconds() }

// latencies are in order, from the shortest to the longest, and at least one.
type latencies []time.Duration

func (l latencies) median() time.Duration { return l[len(l)/2] }

// turns are what two targets reached, round by round.
type turns [][2]round

// compare measures two targets in turn, after one round of warm-up that does not count: a
// machine whose speed drifts slows both alike, and what counts is the ratio. Every
// second turn goes backwards, so that neither always follows the other, whose garbage it
// may have to collect.
func compare(p plan, targets [2]target) (turns, error) {
	all := make(turns, p.rounds+1)
	var next [2]int // request numbers go on over the rounds
	for turn := range all {
		for i := range targets {
			if turn%2 == 1 {
				i = 1 - i
			}
			var err error
			if all[turn][i], next[i], err = targets[i].measure(p, next[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", targets[i].name, err)
			}
		}
	}
	return all[1:], nil
}

// medians of the rounds of a target.
func (t turns) medians(target int) round {
	return round{
		perSecond: median(t, func(turn [2]round) float64 { return turn[target].perSecond }),
		p99:       median(t, func(turn [2]round) time.Duration { return turn[target].p99 }).Round(10 * time.Microsecond),
		cpu:       median(t, func(turn [2]round) time.Duration { return turn[target].cpu }).Round(100 * time.Nanosecond),
	}
}

func median[T float64 | time.Duration](t turns, figure func([2]round) T) T {
	return inOrder(t, figure)[len(t)/2]
}

func inOrder[T float64 | time.Duration](t turns, figure func([2]round) T) []T {
	figures := make([]T, len(t))
	for i, turn := range t {
		figures[i] = figure(turn)
	}
	slices.Sort(figures)
	return figures
}

// ratio is that of a figure within the same turn: the median and, in parentheses, the
// quartiles.
func (t turns) ratio(over, under int, figure func(round) float64) string {
	f, n := inOrder(t, func(turn [2]round) float64 { return figure(turn[over]) / figure(turn[under]) }), len(t)
	return fmt.Sprintf("%.2f (%.2f-%.2f)", f[n/2], f[n/4], f[n-1-n/4])
}

// cpu is the CPU time of one request to each target, and the ratio.
func (t turns) cpu(over, under int) [3]string {
	if !testgateway.HasCPUTime {
		return [3]string{"-", "-", "-"}
	}
	return [3]string{t.medians(0).cpu.String(), t.medians(1).cpu.String(), t.ratio(over, under, round.seconds)}
}

// measure runs one round, whose requests are numbered from first on, and returns
// the number after the last one.
func (t target) measure(p plan, first int) (_ round, last int, err error) {
	defer fail.Catch(&err)
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		all     latencies
		failure error
	)
	computed := fail.Must(t.cpuTime())
	start := time.Now()
	for connection := range p.connections {
		group.Go(func() {
			took, err := t.connection(connection, first, start.Add(p.round))
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			last = max(last, first+len(took))
			failure = cmp.Or(failure, err) // the same error of every connection would say no more
		})
	}
	group.Wait()
	fail.Check(failure)
	elapsed := time.Since(start)
	computed = fail.Must(t.cpuTime()) - computed
	slices.Sort(all)
	return round{float64(len(all)) / elapsed.Seconds(), all[len(all)*99/100], computed / time.Duration(len(all))}, last, nil
}

func (t target) cpuTime() (time.Duration, error) {
	if !testgateway.HasCPUTime || t.server == nil {
		return 0, nil
	}
	return testgateway.CPUTime(t.server.PID())
}

// connection sends requests one after another over one connection until the
// deadline, and at least one, and returns how long each took.
func (t target) connection(connection, n int, deadline time.Time) (took []time.Duration, err error) {
	defer fail.Catch(&err)
	conn := fail.Must(net.Dial("tcp", t.address))
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 64<<10)
	var request []byte
	for start := time.Now(); ; n++ {
		request = t.request(request[:0], connection, n)
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
func (t target) readResponse(reader *bufio.Reader) (err error) {
	defer fail.Catch(&err)
	line := fail.Must(reader.ReadSlice('\n'))
	if len(line) < 12 || string(line[9:12]) != strconv.Itoa(t.status) {
		rest, _ := reader.Peek(min(reader.Buffered(), 2048))
		return fmt.Errorf("responded %q, not status %d: %s", bytes.TrimSpace(line), t.status, rest)
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
	if t.length > 0 && length != t.length {
		return fmt.Errorf("responded with %d bytes, not %d", length, t.length)
	}
	_, err = io.CopyN(io.Discard, reader, int64(length))
	return err
}
