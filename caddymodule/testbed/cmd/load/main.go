// Command load puts a gateway under load and prints what that costs. The server is this
// program in a process of its own.
//
//	go run ./cmd/load identity   what the identity endpoints cost beside Caddy's own directives
//	go run ./cmd/load language   what the language endpoints cost beside a static response and the library call
//	go run ./cmd/load hold       what clients that send much, or never finish, leave for honest ones
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
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func main() {
	testgateway.Main()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf("say what to measure: identity, language or hold")
	}
	flags := flag.NewFlagSet("load "+arguments[0], flag.ExitOnError)
	var measure func() error
	switch arguments[0] {
	case "identity":
		p := planOf(flags, 16)
		measure = func() error { return benchIdentity(*p) }
	case "language":
		p := planOf(flags, 8)
		measure = func() error { return benchLanguage(*p) }
	case "hold":
		h := new(holding)
		flags.IntVar(&h.clients, "clients", 200, "connections of each kind")
		flags.DurationVar(&h.duration, "duration", 10*time.Second, "how long each kind lasts")
		flags.StringVar(&h.kind, "kind", "", "only kinds whose name contains `text`")
		measure = h.run
	default:
		return fmt.Errorf("nothing is measured by the name %q: say identity, language or hold", arguments[0])
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	return measure()
}

// planOf defines command-line flags for a plan. connections are how many there are by default.
func planOf(flags *flag.FlagSet, connections int) *plan {
	p := new(plan)
	flags.IntVar(&p.connections, "connections", connections, "connections at the same time")
	flags.IntVar(&p.rounds, "rounds", 21, "rounds, each of every target; the medians count")
	flags.DurationVar(&p.round, "round", 400*time.Millisecond, "length of a round")
	return p
}
