package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

// errand is what honest clients of a kind want.
type errand struct {
	name  string
	every time.Duration // one of them comes
	size  int           // of the message, in bytes
	media string
}

// errands are few enough that they hardly wait for each other.
var errands = [...]errand{
	{"0.8 KB", 100 * time.Millisecond, 800, "application/json"},
	{"32 KB", 500 * time.Millisecond, 32 << 10, "application/json"},
	{"200 KB", 2 * time.Second, 200 << 10, "application/json"},
	{"batches", 500 * time.Millisecond, 800, "application/x-ndjson"},
}

// patienceOfClients is how long an honest client waits for its answer.
const patienceOfClients = 20 * time.Second

// answers are what became of an errand.
type answers struct {
	asked, served int
	served200     loadtest.Latencies
}

// String is two entries of the table: the share that was served, and the latencies of those.
func (a *answers) String() string {
	if a.served == 0 {
		return fmt.Sprintf("0 of %d | – ", a.asked)
	}
	round := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	return fmt.Sprintf("%d of %d | %v, %v", a.served, a.asked, round(a.served200.Median()), round(a.served200.Slowest()))
}

// startErrands has honest clients come at a steady rate until the deadline, each over
// a connection of its own. The function that it returns waits for their answers.
func startErrands(address string, until time.Time) func() [len(errands)]answers {
	var (
		group  sync.WaitGroup
		mu     sync.Mutex
		result [len(errands)]answers
	)
	for i, e := range errands {
		request := e.request(address)
		group.Go(func() {
			for due := time.Now(); due.Before(until); due = due.Add(e.every) {
				time.Sleep(time.Until(due))
				group.Go(func() {
					served := run200(address, request)
					took := time.Since(due)
					mu.Lock()
					defer mu.Unlock()
					a := &result[i]
					a.asked++
					if served {
						a.served++
						a.served200 = append(a.served200, took)
					}
				})
			}
		})
	}
	return func() [len(errands)]answers {
		group.Wait()
		for i := range result {
			result[i].served200.Sort()
		}
		return result
	}
}

// request is a whole request.
func (e *errand) request(address string) []byte {
	const sentence = "Please look at main.go:\\n\\nfunc main() {}\\n\\n"
	body := `{"value":"` + strings.Repeat(sentence, e.size/len(sentence)) + "\"}\n"
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		segmentation, address, e.media, len(body), body)
}

// run200 reports whether a request, over a connection of its own, gets a whole answer with status 200.
func run200(address string, request []byte) bool {
	conn, err := net.DialTimeout("tcp", address, patienceOfClients)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patienceOfClients))
	go func() { _, _ = conn.Write(request) }() // the answer may come before the request has been sent
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}
