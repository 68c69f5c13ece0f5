// Command attacks runs every attack on a login against the gateway, in every
// mode, and against an identity provider that checks nothing, and prints the
// table that caddymodule/THREATS.md shows. It fails if an attack has another
// outcome than its entry says.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/attacks"
)

func main() {
	testgateway.Main()
	mode := flag.String("mode", "", "only modes whose name contains `text`")
	name := flag.String("attack", "", "only attacks whose name contains `text`")
	verbose := flag.Bool("v", false, "print each outcome as it comes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *mode, *name, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, mode, name string, verbose bool) error {
	chapters := chaptersWith(name)
	var modes []attacks.Mode
	for _, m := range attacks.Modes() {
		if strings.Contains(m.String(), mode) {
			modes = append(modes, m)
		}
	}
	report, surprises := attacks.NewReport(chapters), 0
	attacks.RunAll(ctx, modes, chapters, func(r attacks.Result) {
		report.Add(r)
		if surprise := r.Surprise(); surprise != "" {
			surprises++
			fmt.Fprintf(os.Stderr, "NOT AS DOCUMENTED: %s, %q: %s\n", r.Mode, r.Attack.Name, surprise)
		} else if verbose {
			fmt.Fprintf(os.Stderr, "%s, %q: %s (%s)\n", r.Mode, r.Attack.Name, r.Outcome.Detail, r.Outcome.StoppedBy)
		}
	})
	if err := report.Write(os.Stdout); err != nil {
		return err
	}
	if surprises > 0 {
		return fmt.Errorf("%d outcomes are not as documented", surprises)
	}
	return ctx.Err()
}

// chaptersWith are the attacks whose name contains a text.
func chaptersWith(name string) []attacks.Chapter {
	var chapters []attacks.Chapter
	for _, chapter := range attacks.Chapters() {
		var chosen []attacks.Attack
		for _, a := range chapter.Attacks {
			if strings.Contains(a.Name, name) {
				chosen = append(chosen, a)
			}
		}
		if len(chosen) > 0 {
			chapters = append(chapters, attacks.Chapter{Title: chapter.Title, Attacks: chosen})
		}
	}
	return chapters
}
