package loadtest

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// probeInterval is the time between two requests to /authorize.
const probeInterval = 20 * time.Millisecond

// StartProbe asks a gateway's /authorize at a steady rate until the deadline, each
// time over a new connection. The function that it returns waits for the
// responses, and returns the latencies, which count from when a request should have
// been sent. The site needs `parameters oauth` and no clients.
func StartProbe(address string, until time.Time) func() (Latencies, error) {
	request := []byte("GET /authorize?response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb" +
		"&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&state=s HTTP/1.1\r\n" +
		"Host: " + address + "\r\nConnection: close\r\n\r\n")
	var (
		group     sync.WaitGroup
		mu        sync.Mutex
		latencies Latencies
		failure   error
	)
	group.Go(func() {
		for due := time.Now(); due.Before(until); due = due.Add(probeInterval) {
			time.Sleep(time.Until(due))
			group.Go(func() {
				err := ask(address, request)
				mu.Lock()
				defer mu.Unlock()
				latencies = append(latencies, time.Since(due))
				if err != nil {
					failure = err
				}
			})
		}
	})
	return func() (Latencies, error) {
		group.Wait()
		slices.Sort(latencies)
		return latencies, failure
	}
}

// ask sends one request over a new connection. Its response must be a redirect.
func ask(address string, request []byte) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write(request); err != nil {
		return err
	}
	response, err := io.ReadAll(conn)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(response), "HTTP/1.1 302 ") {
		return fmt.Errorf("/authorize responded %.200q", response)
	}
	return nil
}
