// Command flood sends large messages to the segmentation endpoint from many
// clients at once, and prints what that does to the identity endpoints beside it,
// to the memory of the process, and to the number of messages that it gets
// through. The server is this program in a process of its own.
//
// It measures without clients, with as many as are served at a time, and with all
// of them. Meanwhile /authorize is asked at a steady rate, each request over a new
// connection; its latency counts from when it should have been sent. Without
// clients it is that of the machine: what else runs there shows in it.
// Clients do what Retry-After says; with -hostile they come back at once.
//
//	go run ./cmd/flood [-clients 250] [-size 1000000] [-duration 20s] [-hostile] [-after 60s]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

func main() {
	caddyprocess.Main()
	var f flood
	flag.IntVar(&f.clients, "clients", 250, "clients of the flood")
	flag.IntVar(&f.size, "size", 1_000_000, "bytes of each request body, at most")
	flag.DurationVar(&f.duration, "duration", 20*time.Second, "how long each measurement takes")
	flag.BoolVar(&f.hostile, "hostile", false, "clients that are rejected come back at once, whatever Retry-After says")
	flag.DurationVar(&f.after, "after", time.Minute, "when after the flood the memory is measured again")
	flag.StringVar(&f.options, "options", "", "`options` of text_segmentation, such as \"max_concurrent 4\"")
	flag.Parse()
	if err := f.run(); err != nil {
		fmt.Fprintln(os.Stderr, "flood:", err)
		os.Exit(1)
	}
}

// flood is what is measured.
type flood struct {
	clients, size   int
	duration, after time.Duration
	hostile         bool
	options         string
}

func (f *flood) run() error {
	server, address, err := loadtest.StartServer("", fmt.Sprintf(`identity_gateway https://idp.example {
	parameters oauth
}
text_segmentation {
	%s
}`, f.options))
	if err != nil {
		return err
	}
	defer server.Close()
	request, err := f.request(address)
	if err != nil {
		return err
	}
	fmt.Printf("%d processors; messages of %d bytes; %v each\n\n", runtime.NumCPU(), f.size, f.duration)
	fmt.Printf("%-8s %11s %11s %10s %10s %10s %10s %10s\n", "clients", "served /s", "503 /s", "failed", "authorize", "p99", "slowest", "memory")
	if _, err := f.measure(server, address, request, 0); err != nil {
		return err
	}
	quiet, err := f.measure(server, address, request, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	flooded, err := f.measure(server, address, request, f.clients)
	if err != nil {
		return err
	}
	fmt.Printf("\nthroughput in the flood: %.0f %% of that without\n", 100*flooded.served/quiet.served)
	time.Sleep(f.after)
	memory, err := server.Memory()
	if err != nil {
		return err
	}
	fmt.Printf("memory %v later: %d MB\n", f.after, memory>>20)
	return nil
}

// figures are what one measurement gave.
type figures struct {
	served, rejected float64 // a second
}

func (f *flood) measure(server *caddyprocess.Process, address string, request []byte, clients int) (figures, error) {
	until := time.Now().Add(f.duration)
	load := f.start(address, request, clients, until)
	probe := loadtest.StartProbe(address, until)
	peak, err := server.HighestMemory(until)
	if err != nil {
		return figures{}, err
	}
	counts, err := load()
	if err != nil {
		return figures{}, err
	}
	latencies, err := probe()
	if err != nil {
		return figures{}, err
	}
	seconds := f.duration.Seconds()
	result := figures{served: float64(counts.served) / seconds, rejected: float64(counts.rejected) / seconds}
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	fmt.Printf("%-8d %11.1f %11.1f %10d %10v %10v %10v %7d MB\n", clients, result.served, result.rejected, counts.failed,
		round(latencies.Median()), round(latencies.P99()), round(latencies.Slowest()), peak>>20)
	return result, nil
}
