// Command load puts a gateway under load and prints what that costs. The server is this
// program in a process of its own.
//
//	go run ./cmd/load identity   what the identity endpoints cost beside Caddy's own directives
//	go run ./cmd/load language   what the language endpoints cost beside a static response and the library call
//	go run ./cmd/load flood      what large messages from many clients do to everything else
//	go run ./cmd/load agents     what agents cost that register and log in at protect_mcp
//	go run ./cmd/load hold       what clients that never finish leave for honest ones
//
// -h after one of them lists its options. On a machine that others use, too, trust the CPU time.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

func main() {
	caddyprocess.Main()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf("say what to measure: identity, language, flood, agents or hold")
	}
	flags := flag.NewFlagSet("load "+arguments[0], flag.ExitOnError)
	var measure func() error
	switch arguments[0] {
	case "identity":
		plan := planOf(flags, 16)
		measure = func() error { return benchIdentity(*plan) }
	case "language":
		plan := planOf(flags, 8)
		measure = func() error { return benchLanguage(*plan) }
	case "flood":
		f := new(flood)
		flags.IntVar(&f.clients, "clients", 250, "clients of the flood")
		flags.StringVar(&f.unit, "unit", sample, "what the messages repeat, such as $'a\\nb\\n'")
		flags.IntVar(&f.size, "size", 1_000_000, "bytes of each request body, at most")
		flags.DurationVar(&f.duration, "duration", 20*time.Second, "how long each measurement takes")
		flags.BoolVar(&f.hostile, "hostile", false, "clients that are rejected come back at once, whatever Retry-After says")
		measure = f.run
	case "agents":
		a := new(agents)
		flags.IntVar(&a.registrations, "registrations", 1_000_000, "registrations")
		flags.IntVar(&a.logins, "logins", 1000, "logins after them")
		flags.IntVar(&a.rate, "rate", 100, "logins a second")
		measure = a.run
	case "hold":
		h := new(holding)
		flags.IntVar(&h.clients, "clients", 200, "connections of each kind")
		flags.DurationVar(&h.duration, "duration", 10*time.Second, "how long each kind lasts")
		flags.StringVar(&h.kind, "kind", "", "only kinds whose name contains `text`")
		measure = h.run
	default:
		return fmt.Errorf("nothing is measured by the name %q: say identity, language, flood, agents or hold", arguments[0])
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	return measure()
}

// planOf defines command-line flags for a plan. connections are how many there are by default.
func planOf(flags *flag.FlagSet, connections int) *loadtest.Plan {
	p := new(loadtest.Plan)
	flags.IntVar(&p.Connections, "connections", connections, "connections, or callers of a library, at the same time")
	flags.IntVar(&p.Rounds, "rounds", 21, "rounds, each of every target; the medians count")
	flags.DurationVar(&p.Round, "round", 400*time.Millisecond, "length of a round")
	return p
}
