// Command smuggling sends requests to a gateway that two servers read differently,
// and prints what each came to: what the attacker was answered, and how many of
// his requests reached the server behind. It fails if that server got anything that
// the gateway had not judged, or that could be read in two ways.
//
//	go run ./cmd/smuggling [-attack TEXT]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/smuggling"
)

func main() {
	caddyprocess.Main()
	name := flag.String("attack", "", "only attacks whose name contains `text`")
	flag.Parse()
	if err := run(*name); err != nil {
		fmt.Fprintln(os.Stderr, "smuggling:", err)
		os.Exit(1)
	}
}

func run(name string) (err error) {
	stage, err := smuggling.NewStage()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	attacks, requests, bad := 0, 0, 0
	for _, group := range smuggling.Attacks() {
		fmt.Printf("\n### %s\n\n| The attacker sends | and succeeds without the gateway between | at the gateway: the statuses of the answers; how many of his requests reached the server behind |\n|---|---|---|\n", group.Title)
		for _, attack := range group.Attacks {
			if !strings.Contains(attack.Name, name) {
				continue
			}
			results, err := stage.Try(&attack)
			if err != nil {
				return err
			}
			attacks++
			unprotected, cells := "–", make([]string, len(results))
			for i, result := range results {
				requests++
				if result.Unprotected != "" {
					unprotected = result.Unprotected
				}
				cells[i] = result.Target + ": " + result.String()
				for _, violation := range result.Violations {
					bad++
					fmt.Fprintf(os.Stderr, "NOT SURVIVED: %s: %s: %s\n", attack.Name, result.Target, violation)
				}
			}
			fmt.Printf("| %s | %s | %s |\n", attack.Name, unprotected, strings.Join(cells, "<br>"))
		}
	}
	fmt.Printf("\n%d attacks, %d tries\n", attacks, requests)
	if bad > 0 {
		return fmt.Errorf("%d things that must not be", bad)
	}
	return nil
}
