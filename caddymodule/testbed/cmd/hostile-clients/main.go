// Command hostile-clients holds thousands of connections to a gateway in the ways
// that cost a server most, and prints what that does to everybody else: the
// latency of /authorize, asked at a steady rate over new connections, and the
// memory of the process, at its peak and within a minute afterwards. The server is
// this program in a process of its own, with the limits of Caddyfile.example and
// a GOMEMLIMIT. With -plain it is Caddy without the gateway: what remains is
// Caddy's, and the machine's.
//
//	go run ./cmd/hostile-clients [-clients 10000] [-duration 20s] [-kind TEXT] [-plain]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

func main() {
	caddyprocess.Main()
	var h hostility
	flag.IntVar(&h.clients, "clients", 10_000, "connections of each slow kind")
	flag.DurationVar(&h.duration, "duration", 20*time.Second, "how long each kind lasts")
	flag.StringVar(&h.kind, "kind", "", "only kinds whose name contains `text`")
	flag.BoolVar(&h.plain, "plain", false, "measure Caddy's redir and respond instead of the gateway")
	flag.StringVar(&h.memory, "memory", "400MiB", "`GOMEMLIMIT` of the server")
	flag.Parse()
	if err := h.run(); err != nil {
		fmt.Fprintln(os.Stderr, "hostile-clients:", err)
		os.Exit(1)
	}
}

// What must hold.
const (
	slowest   = time.Second // of the answers of /authorize
	mostBytes = 512 << 20   // resident
	moreBytes = 64 << 20    // than before, a minute later
	recovery  = time.Minute
)

// hostility is what is measured.
type hostility struct {
	clients  int
	duration time.Duration
	kind     string
	plain    bool
	memory   string
}

// site is what is attacked.
func (h *hostility) site() string {
	if h.plain {
		return "redir /authorize https://idp.example 302\n\trespond \"{}\""
	}
	return "identity_gateway https://idp.example {\n\t\tparameters oauth\n\t}\n\ttext_segmentation"
}

func (h *hostility) run() error {
	address, err := testgateway.FreeAddress()
	if err != nil {
		return err
	}
	if err := os.Setenv("GOMEMLIMIT", h.memory); err != nil { // the server's; this process has read its own
		return err
	}
	server, err := caddyprocess.Start(caddyprocess.Config{Caddyfile: fmt.Sprintf(`{
	admin off
	auto_https off
	log {
		level ERROR
	}
	servers {
		protocols h1 h2c
		max_header_size 64KiB
		timeouts {
			read_header 10s
			read_body 30s
			idle 2m
		}
	}
}
http://%s {
	%s
}
`, address, h.site()), Address: address, Stderr: os.Stderr})
	if err != nil {
		return err
	}
	defer server.Close()
	fmt.Printf("%d processors; %v for each kind\n\n", runtime.NumCPU(), h.duration)
	fmt.Printf("| Clients that ... | at a time | tried | /authorize, median | p99 | slowest | memory, peak | afterwards |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	broken := 0
	for _, kind := range kinds(h.clients) {
		if !strings.Contains(kind.name, h.kind) {
			continue
		}
		held, err := h.measure(server, address, kind)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if !held {
			broken++
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d kinds of client made /authorize take more than %v, memory more than %d MB, or kept more than %d MB", broken, slowest, mostBytes>>20, moreBytes>>20)
	}
	return nil
}

// measure lets clients of a kind come, and reports whether what must hold did.
func (h *hostility) measure(server *caddyprocess.Process, address string, k kind) (bool, error) {
	before, err := server.Memory()
	if err != nil {
		return false, err
	}
	until := time.Now().Add(h.duration)
	tried := k.start(address, until)
	probe := loadtest.StartProbe(address, until)
	peak, err := server.HighestMemory(until)
	if err != nil {
		return false, err
	}
	latencies, err := probe()
	if err != nil {
		return false, err
	}
	attempts := tried()
	after, took, err := settle(server, before)
	if err != nil {
		return false, err
	}
	n := len(latencies)
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	fmt.Printf("| %s | %d | %d | %v | %v | %v | %d MB | %d MB after %v |\n", k.name, k.connections, attempts,
		round(latencies[n/2]), round(latencies[n*99/100]), round(latencies[n-1]), peak>>20, after>>20, took.Round(time.Second))
	return latencies[n-1] <= slowest && peak <= mostBytes && after <= before+moreBytes, nil
}

// settle waits until the memory is near what it was before, for a minute at most.
func settle(server *caddyprocess.Process, before uint64) (after uint64, took time.Duration, err error) {
	began := time.Now()
	for {
		after, err = server.Memory()
		took = time.Since(began)
		if err != nil || after <= before+moreBytes || took > recovery {
			return after, took, err
		}
		time.Sleep(time.Second)
	}
}
