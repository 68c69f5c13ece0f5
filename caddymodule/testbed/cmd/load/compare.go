package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// target is one kind of HTTP/1.1 request to a server on loopback.
type target struct {
	address string
	// request appends the bytes of the n-th request of a connection to dst. It is called
	// from several connections at once; no two get the same pair of numbers.
	request func(dst []byte, connection, n int) []byte
	status  int // that every response has
}

// fixed is a request that is the same every time.
func fixed(request []byte) func([]byte, int, int) []byte {
	return func(dst []byte, _, _ int) []byte { return append(dst, request...) }
}

// plan says how long and how hard to measure.
type plan struct {
	connections, rounds int
	round               time.Duration
	cpuTime             func() (time.Duration, error) // that the server has computed
}

// turns are how long the server computed for one request to each of two targets, user and
// system together, round by round.
type turns [][2]time.Duration

// compare measures two targets in turn, after one round of warm-up that does not count: a
// machine whose speed drifts slows both alike, and what counts is the ratio. Every
// second turn goes backwards, so that neither always follows the other, whose garbage it
// may have to collect.
func (p *plan) compare(targets [2]target) (turns, error) {
	all := make(turns, p.rounds+1)
	var next [2]int // request numbers go on over the rounds
	for turn := range all {
		for i := range targets {
			if turn%2 == 1 {
				i = 1 - i
			}
			var err error
			if all[turn][i], next[i], err = p.measure(targets[i], next[i]); err != nil {
				return nil, err
			}
		}
	}
	return all[1:], nil
}

// add adds the figures of another comparison, turn by turn.
func (t turns) add(other turns) {
	for i := range t {
		t[i][0] += other[i][0]
		t[i][1] += other[i][1]
	}
}

func (t turns) print(name string) {
	fmt.Printf("%-24s %10s %10s %s\n", name, t.median(0), t.median(1), t.ratio())
}

// median of the rounds of a target.
func (t turns) median(target int) time.Duration {
	times := inOrder(t, func(turn [2]time.Duration) time.Duration { return turn[target] })
	return times[len(t)/2].Round(100 * time.Nanosecond)
}

func inOrder[T cmp.Ordered](t turns, figure func([2]time.Duration) T) []T {
	figures := make([]T, len(t))
	for i, turn := range t {
		figures[i] = figure(turn)
	}
	slices.Sort(figures)
	return figures
}

// ratio is that of the second target to the first within the same turn: the median and, in
// parentheses, the quartiles.
func (t turns) ratio() string {
	f, n := inOrder(t, func(turn [2]time.Duration) float64 { return float64(turn[1]) / float64(turn[0]) }), len(t)
	return fmt.Sprintf("%.2f (%.2f-%.2f)", f[n/2], f[n/4], f[n-1-n/4])
}

// measure runs one round, whose requests are numbered from first on, and returns how long
// the server computed for one, and the number after the last one.
func (p *plan) measure(t target, first int) (_ time.Duration, last int, err error) {
	defer fail.Catch(&err)
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		sent    int
		failure error
	)
	before := fail.Must(p.cpuTime())
	deadline := time.Now().Add(p.round)
	for connection := range p.connections {
		group.Go(func() {
			n, err := t.connection(connection, first, deadline)
			mu.Lock()
			defer mu.Unlock()
			sent += n - first
			last = max(last, n)
			failure = cmp.Or(failure, err) // the same error of every connection would say no more
		})
	}
	group.Wait()
	fail.Check(failure)
	return (fail.Must(p.cpuTime()) - before) / time.Duration(sent), last, nil
}

// connection sends requests one after another over one connection until the
// deadline, and at least one, and returns the number of the next.
func (t target) connection(connection, n int, deadline time.Time) (next int, err error) {
	defer fail.Catch(&err)
	conn := fail.Must(net.Dial("tcp", t.address))
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 64<<10)
	var request []byte
	for {
		request = t.request(request[:0], connection, n)
		fail.Must(conn.Write(request))
		fail.Check(t.readResponse(reader))
		n++
		if time.Now().After(deadline) {
			return n, nil
		}
	}
}

func (t target) readResponse(reader *bufio.Reader) (err error) {
	defer fail.Catch(&err)
	response := fail.Must(http.ReadResponse(reader, nil))
	defer response.Body.Close()
	body := fail.Must(io.ReadAll(response.Body))
	if response.StatusCode != t.status {
		return fmt.Errorf("responded %s, not status %d: %s", response.Status, t.status, body)
	}
	return nil
}
