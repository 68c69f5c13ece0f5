package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const segmentation = "/machine_learning/text/technical_language/parsers/segmentation?classify=true"

// errand is what honest clients of a kind want.
type errand struct {
	name   string
	every  time.Duration // one of them comes
	status int
	// request is a whole request to the server with an address.
	request func(address string) string
}

// authorize needs a site with `parameters oauth` and no clients.
func authorize(every time.Duration) errand {
	return errand{"/authorize", every, http.StatusFound, func(address string) string {
		return "GET /authorize?response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb" +
			"&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&state=s HTTP/1.1\r\n" +
			"Host: " + address + "\r\nConnection: close\r\n\r\n"
	}}
}

func segmented(name string, every time.Duration, size int, media string) errand {
	return errand{name, every, http.StatusOK, func(address string) string {
		const sentence = "Please look at main.go:\\n\\nfunc main() {}\\n\\n"
		body := `{"value":"` + strings.Repeat(sentence, size/len(sentence)) + "\"}\n"
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			segmentation, address, media, len(body), body)
	}}
}

// patience is how long an honest client waits for its answer.
const patience = 20 * time.Second

// answers are what became of an errand.
type answers struct {
	asked  int
	served latencies // in order
}

// start has honest clients come at a steady rate until the deadline, each over a
// connection of its own. latencies count from when a request should have been sent. The
// function that it returns waits for the answers, one entry for each errand.
func start(errands []errand, address string, until time.Time) func() []answers {
	var (
		group  sync.WaitGroup
		mu     sync.Mutex
		result = make([]answers, len(errands))
	)
	for i, e := range errands {
		request := e.request(address)
		group.Go(func() {
			for due := time.Now(); due.Before(until); due = due.Add(e.every) {
				time.Sleep(time.Until(due))
				group.Go(func() {
					served := ask(address, request, e.status)
					took := time.Since(due)
					mu.Lock()
					defer mu.Unlock()
					result[i].asked++
					if served {
						result[i].served = append(result[i].served, took)
					}
				})
			}
		})
	}
	return func() []answers {
		group.Wait()
		for i := range result {
			slices.Sort(result[i].served)
		}
		return result
	}
}

// ask reports whether a request, over a connection of its own, gets a whole answer with a status.
func ask(address, request string, status int) bool {
	conn, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	go func() { _, _ = io.WriteString(conn, request) }() // the answer may come before the request has been sent
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == status
}
