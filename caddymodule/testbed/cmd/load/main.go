// Command load puts a gateway under load and prints what that costs. The server is this
// program in a process of its own.
//
//	go run ./cmd/load identity   what the identity endpoints cost beside Caddy's own directives
//	go run ./cmd/load language   what the language endpoints cost beside a static response and the library call
//	go run ./cmd/load hold       what clients that send much, or never finish, leave for honest ones
//
// On a machine that others use, too, trust the CPU time.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
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
	switch strings.Join(arguments, " ") {
	case "identity":
		return benchIdentity(plan{connections: 16, rounds: rounds, round: roundTime})
	case "language":
		return benchLanguage(plan{connections: 8, rounds: rounds, round: roundTime})
	case "hold":
		return hold()
	}
	return errors.New("say what to measure: identity, language or hold")
}

// Each round is of every target; the medians count.
const (
	rounds    = 21
	roundTime = 400 * time.Millisecond
)
