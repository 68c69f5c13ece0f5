// Command lifecycle runs a gateway as a process, with logins through it, and lets
// things happen to it: reloads in mid-request and a thousand of them, configurations
// that are wrong, SIGTERM and SIGKILL, storage that fails, clocks that jump, and too
// little of the machine. It prints what must hold and what was measured, and fails
// if something does not hold. What takes root, or a program that is not installed, is skipped.
//
//	go run ./cmd/lifecycle [-caddy bin/caddy] [-case TEXT] [-reloads 1000] [-v]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/lifecycle"
)

func main() {
	caddyprocess.Main()
	caddy := flag.String("caddy", "", "the `executable` with the gateway; default: this program")
	text := flag.String("case", "", "only cases with `text` in their group or name")
	reloads := flag.Int("reloads", 1000, "how often a configuration is reloaded, to see whether something grows")
	verbose := flag.Bool("v", false, "print the log of each process")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *caddy, *text, *reloads, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "lifecycle:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, caddy, text string, reloads int, verbose bool) error {
	trier := &lifecycle.Trier{Reloads: reloads}
	if caddy != "" {
		absolute, err := filepath.Abs(caddy)
		if err != nil {
			return err
		}
		trier.Executable = absolute
	}
	if verbose {
		trier.Log = os.Stderr
	}
	fmt.Printf("%d processors\n", runtime.NumCPU())
	tried, skipped, broken := 0, 0, 0
	for _, group := range lifecycle.Groups() {
		titled := false
		for _, c := range group.Cases {
			if !strings.Contains(group.Title+" "+c.What, text) || ctx.Err() != nil {
				continue
			}
			if !titled {
				fmt.Printf("\n### %s\n\n| The gateway ... | must hold | measured | took |\n|---|---|---|---:|\n", group.Title)
				titled = true
			}
			began := time.Now()
			result := trier.Try(ctx, c)
			outcome := "holds"
			switch {
			case result.Skipped != "":
				outcome = "skipped: " + result.Skipped
				skipped++
			case len(result.Violations) > 0:
				outcome = "**DOES NOT HOLD**"
				broken++
			}
			tried++
			fmt.Printf("| %s | %s | %s | %s |\n", c.What, c.Must, strings.ReplaceAll(strings.Join(append([]string{outcome}, result.Measured...), "; "), "\n", " "), time.Since(began).Round(100*time.Millisecond))
			for _, violation := range result.Violations {
				fmt.Fprintf(os.Stderr, "DOES NOT HOLD: %s: %s\n", c.What, violation)
			}
		}
	}
	fmt.Printf("\n%d cases, %d skipped\n", tried, skipped)
	if broken > 0 {
		return fmt.Errorf("%d cases do not hold", broken)
	}
	return ctx.Err()
}
