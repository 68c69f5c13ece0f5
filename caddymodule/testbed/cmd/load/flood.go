package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// flood sends large messages to the segmentation endpoint from many clients at once,
// and prints what that does to /authorize beside it, to the memory of the process, and to
// the number of messages that it gets through: without clients, with as many as are
// served at a time, and with all of them. Without clients, the latency of /authorize is
// that of the machine: what else runs there shows in it.
type flood struct {
	clients, size int
	duration      time.Duration
	// hostile clients come back at once; the others wait as Retry-After says.
	hostile bool
	// unit is what the messages repeat.
	unit string
}

// floodSite needs no client registrations.
const floodSite = "identity_gateway https://idp.example {\n\tparameters oauth\n}\ntext_segmentation"

func (f *flood) run() (err error) {
	defer fail.Catch(&err)
	server, address, err := startServer("", floodSite)
	if err != nil {
		return err
	}
	defer server.Close()
	message := strings.Repeat(f.unit, f.size*9/10/len(f.unit))
	body := fail.Must(json.Marshal(map[string]string{"value": message}))
	fmt.Printf("%d processors; messages of %d bytes; %v each\n\n", runtime.NumCPU(), len(body), f.duration)
	fmt.Printf("%-8s %11s %11s %10s %10s %10s %10s %10s\n", "clients", "served /s", "503 /s", "failed", "authorize", "p99", "slowest", "memory")
	var served [3]float64
	for i, clients := range []int{0, runtime.GOMAXPROCS(0), f.clients} {
		served[i] = fail.Must(f.measure(server, address, body, clients))
	}
	fmt.Printf("\nthroughput in the flood: %.0f %% of that without\n", 100*served[2]/served[1])
	return nil
}

// measure prints a row, and returns how many messages were served a second.
func (f *flood) measure(server *caddyprocess.Process, address string, body []byte, clients int) (float64, error) {
	until := time.Now().Add(f.duration)
	var (
		group                    sync.WaitGroup
		mu                       sync.Mutex
		served, rejected, failed int
	)
	for range clients {
		group.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			defer client.CloseIdleConnections()
			for time.Now().Before(until) {
				status, wait := post(client, "http://"+address+segmentation, body)
				if time.Now().After(until) {
					return // what the end cut off counts as nothing
				}
				mu.Lock()
				switch status {
				case http.StatusOK:
					served++
				case http.StatusServiceUnavailable:
					rejected++
				default:
					failed++
				}
				mu.Unlock()
				if !f.hostile {
					time.Sleep(min(wait, time.Until(until)))
				}
			}
		})
	}
	others := start([]errand{authorize(20 * time.Millisecond)}, address, until)
	peak, err := server.HighestMemory(until)
	if err != nil {
		return 0, err
	}
	group.Wait()
	if clients > 0 && served == 0 {
		return 0, errors.New("no message was served")
	}
	authorized := others()[0]
	if len(authorized.served) < authorized.asked {
		return 0, fmt.Errorf("%d of %d requests to /authorize were not served", authorized.asked-len(authorized.served), authorized.asked)
	}
	seconds, latencies := f.duration.Seconds(), authorized.served
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	fmt.Printf("%-8d %11.1f %11.1f %10d %10v %10v %10v %7d MB\n", clients, float64(served)/seconds, float64(rejected)/seconds, failed,
		round(latencies.Median()), round(latencies.P99()), round(latencies.Slowest()), peak>>20)
	return float64(served) / seconds, nil
}

// post sends a message. The status is 0 if there was no answer. It says how long to wait
// until the next one.
func post(client *http.Client, url string, body []byte) (status int, wait time.Duration) {
	response, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0, 0
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return response.StatusCode, time.Duration(seconds) * time.Second
}
