// Command hostile-clients holds thousands of connections to a gateway in the ways
// that cost a server most, and prints what that does to everybody else: the
// latency of /authorize, asked at a steady rate over new connections, and the
// memory of the process, at its peak, and how long it takes to come back. The server is
// this program in a process of its own, started anew for each kind, with the limits
// of Caddyfile.example and a GOMEMLIMIT; the clients are another one, with the lowest priority.
//
// The same is done to Caddy without the gateway, which redirects /authorize and
// refuses messages with status 503: what costs that one as much is Caddy's, and the
// machine's.
//
// Before all that, clients that want the memory for messages hold connections, and it
// prints how many messages of honest clients are served meanwhile, and how fast.
//
//	go run ./cmd/hostile-clients [-clients 10000] [-holders 200] [-duration 20s] [-kind TEXT] [-plain=false] [-protocols h1] [-collect] [-profile FOLDER]
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

func main() {
	caddyprocess.Main()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "hostile-clients:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) > 1 && os.Args[1] == attackersCommand {
		return attackers(os.Args[2:])
	}
	var h hostility
	flag.IntVar(&h.clients, "clients", 10_000, "connections of each slow kind; 0 leaves out all kinds that connect")
	flag.DurationVar(&h.duration, "duration", 20*time.Second, "how long each kind lasts")
	flag.IntVar(&h.holders, "holders", 200, "connections of each kind that holds memory for messages")
	flag.StringVar(&h.kind, "kind", "", "only kinds whose name contains `text`")
	flag.BoolVar(&h.plain, "plain", true, "do the same to Caddy without the gateway")
	flag.StringVar((*string)(&h.profiles), "profile", "", "write CPU profiles, and of the memory afterwards, to this `folder`")
	flag.BoolVar(&h.collects, "collect", false, "have the server collect garbage every ten seconds afterwards, instead of waiting until Go does")
	flag.StringVar(&h.protocols, "protocols", "h1 h2c", "what the server speaks, as in Caddy's option")
	flag.StringVar(&h.memory, "memory", "400MiB", "`GOMEMLIMIT` of the server")
	flag.Parse()
	return h.run()
}

// What must hold.
const (
	slowest   = time.Second // of the answers of /authorize
	mostBytes = 512 << 20   // resident
	moreBytes = 64 << 20    // than before, a minute later
	recovery  = time.Minute
)

// patience is how long memory is watched. Go collects garbage after two minutes
// without, gives it back little by little, and empties its pools in the next collection.
const patience = 5 * time.Minute

// hostility is what is measured.
type hostility struct {
	clients   int
	holders   int
	duration  time.Duration
	kind      string
	plain     bool
	memory    string
	protocols string
	profiles  profiles
	collects  bool
}

// What is attacked. Caddy alone refuses messages as a gateway does that is
// overloaded: less than that no server can do.
const (
	servers = `protocols %s
max_header_size 64KiB
timeouts {
	read_header 10s
	read_body 30s
	idle 2m
}`
	gateway = `identity_gateway https://idp.example {
	parameters oauth
}
text_segmentation`
	plainCaddy = `redir /authorize https://idp.example 302
respond /machine_learning/* 503 {
	close
}
respond "{}"`
)

func (h *hostility) run() error {
	if err := os.Setenv("GOMEMLIMIT", h.memory); err != nil { // the server's; this process has read its own
		return err
	}
	fmt.Printf("%d processors; %v for each kind\n\n", runtime.NumCPU(), h.duration)
	if err := h.messages(); err != nil {
		return err
	}
	return h.connections()
}

// matching are the kinds that are asked for.
func (h *hostility) matching(kinds []kind) []kind {
	return slices.DeleteFunc(kinds, func(k kind) bool { return !strings.Contains(k.name, h.kind) })
}

// connections measures what is left for others of processors, and of memory.
func (h *hostility) connections() error {
	kinds := h.matching(kinds(h.clients))
	if len(kinds) == 0 || h.clients == 0 {
		return nil
	}
	fmt.Println("| Clients that ... | at a time | tried | server's CPU | `/authorize`, median | p99 | slowest | memory, peak | afterwards |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	rows := make(chan *row, 2*len(kinds)) // that wait for their memory
	broken := make(chan int)
	go func() {
		n := 0
		for r := range rows {
			if <-r.settled; !r.held() {
				n++
			}
			fmt.Println(r)
		}
		broken <- n
	}()
	err := h.measureAll(kinds, rows)
	close(rows)
	if n := <-broken; err == nil && n > 0 {
		err = fmt.Errorf("%d kinds of client made /authorize take more than %v, memory more than %d MB, or kept more than %d MB for longer than %v",
			n, slowest, mostBytes>>20, moreBytes>>20, recovery)
	}
	return err
}

func (h *hostility) measureAll(kinds []kind, rows chan<- *row) error {
	for _, kind := range kinds {
		r := &row{title: kind.name, name: kind.name, connections: strconv.Itoa(kind.connections), must: true}
		if err := h.measure(gateway, kind, r); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		rows <- r
		if h.plain {
			r := &row{title: kind.name + " to Caddy alone", name: "*Caddy alone*"}
			if err := h.measure(plainCaddy, kind, r); err != nil {
				return fmt.Errorf("plain Caddy: %s: %w", kind.name, err)
			}
			rows <- r
		}
	}
	return nil
}

// row is what clients of a kind did to a server.
type row struct {
	title             string // of files about it
	name, connections string
	must              bool // hold
	attempts          int64
	cpu               float64 // processors that the server used
	median, p99, last time.Duration

	before, peak, after uint64 // bytes
	took                time.Duration
	settled             chan error // the memory has been seen to go back, or not
}

// held reports whether what must hold did.
func (r *row) held() bool {
	return !r.must || r.last <= slowest && r.peak <= mostBytes && r.after <= r.before+moreBytes && r.took <= recovery
}

// String is a row of the table.
func (r *row) String() string {
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	return fmt.Sprintf("| %s | %s | %d | %.1f | %v | %v | %v | %d MB | %d MB after %v |", r.name, r.connections, r.attempts, r.cpu,
		round(r.median), round(r.p99), round(r.last), r.peak>>20, r.after>>20, r.took.Round(time.Second))
}

// measure lets clients of a kind come to a site of a new server.
func (h *hostility) measure(site string, k kind, r *row) error {
	server, address, err := loadtest.StartServer(fmt.Sprintf(servers, h.protocols), site)
	if err != nil {
		return err
	}
	if _, err = loadtest.StartProbe(address, time.Now().Add(time.Second))(); err == nil { // the first requests cost more memory
		err = h.attack(server, address, k, r)
	}
	if err != nil {
		server.Close()
		return err
	}
	r.settled = make(chan error, 1)
	go func() { // while the next kind is measured
		defer server.Close()
		r.settled <- h.settle(server, r)
	}()
	return nil
}

func (h *hostility) attack(server *caddyprocess.Process, address string, k kind, r *row) error {
	var err error
	if r.before, err = server.Memory(); err != nil {
		return err
	}
	profiled := h.profiles.cpu(server, r, h.duration) // from before, when it is still answered at once
	attackers, err := startAttackers(h.clients, k, address, h.duration)
	if err != nil {
		return err
	}
	gathered, err := gather(server, attackers)
	if err != nil {
		return err
	}
	until := time.Now().Add(h.duration)
	computed, err := cpuTime(server)
	if err != nil {
		return err
	}
	probe := loadtest.StartProbe(address, until)
	if r.peak, err = server.HighestMemory(until); err != nil {
		return err
	}
	r.peak = max(r.peak, gathered)
	later, err := cpuTime(server)
	if err != nil {
		return err
	}
	r.cpu = float64(later-computed) / float64(h.duration)
	came, err := attackers.end()
	if err != nil {
		return err
	}
	r.attempts = came.connections
	latencies, err := probe()
	if err != nil {
		return err
	}
	if err := profiled(); err != nil {
		return err
	}
	r.median, r.p99, r.last = latencies.Median(), latencies.P99(), latencies.Slowest()
	return nil
}

// gather waits until all attackers have come, and returns the highest memory of the
// server meanwhile.
func gather(server *caddyprocess.Process, attackers *attackersProcess) (uint64, error) {
	var peak uint64
	for {
		memory, err := server.Memory()
		if err != nil {
			return 0, err
		}
		peak = max(peak, memory)
		select {
		case <-attackers.begun:
			return peak, nil
		case <-attackers.attempts: // closed: they have ended
			_, err := attackers.end()
			return 0, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// cpuTime is the CPU time of the server so far, 0 where the system does not tell.
func cpuTime(server *caddyprocess.Process) (time.Duration, error) {
	if !caddyprocess.HasCPUTime {
		return 0, nil
	}
	return caddyprocess.CPUTime(server.PID())
}

// settle waits until the memory is near what it was before, or long enough to tell
// when Go gives it back.
func (h *hostility) settle(server *caddyprocess.Process, r *row) error {
	began := time.Now()
	if err := h.profiles.heap(server, r); err != nil {
		return err
	}
	for next := began; ; time.Sleep(time.Second) {
		due := time.Now().After(next)
		if due && h.collects {
			if _, err := server.Usage(); err != nil {
				return err
			}
		}
		var err error
		r.after, err = server.Memory()
		r.took = time.Since(began)
		if err == nil && (due || r.settles()) {
			next = time.Now().Add(10 * time.Second)
			err = h.profiles.memory(server, r, r.took, r.after)
		}
		if err != nil || r.settles() {
			return err
		}
	}
}

// settles reports that there is nothing more to wait for.
func (r *row) settles() bool { return r.after <= r.before+moreBytes || r.took > patience }
