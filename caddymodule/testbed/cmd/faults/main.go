// Command faults lets an identity provider fail in every way that a listener can
// make it fail, and prints what the gateway's clients get meanwhile. It fails if
// an answer is late, malformed, not the gateway's own or more than one, if a token
// request is sent twice, if something is left over, or if requests go on to fail.
//
//	go run ./cmd/faults [-fault TEXT] [-slack 4s] [-v]
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/faults"
)

func main() {
	name := flag.String("fault", "", "only faults whose name contains `text`")
	verbose := flag.Bool("v", false, "print how long each answer took")
	slack := flag.Duration("slack", 4*time.Second, "how much longer than promised an answer may take on this machine")
	flag.Parse()
	if err := run(*name, *slack, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// atATime is how many faults are tried at a time on requests that wait.
const atATime = 16

func run(name string, slack time.Duration, verbose bool) error {
	stage, err := faults.NewStage(slack)
	if err != nil {
		return err
	}
	defer func() { _ = stage.Close() }()
	groups := faults.Groups()
	for i := range groups {
		groups[i].Faults = slices.DeleteFunc(groups[i].Faults, func(f faults.Fault) bool { return !strings.Contains(f.Name, name) })
	}
	waiting, err := tryWaiting(stage, groups)
	if err != nil {
		return err
	}
	tried, bad, peak := 0, 0, int64(0)
	for _, group := range groups {
		fmt.Printf("\n### %s\n\n| The IdP ... |", group.Title)
		for _, operation := range faults.Operations() {
			fmt.Printf(" %s |", operation)
		}
		fmt.Printf("\n|---%s|\n", strings.Repeat("|---", len(faults.Operations())))
		for i := range group.Faults {
			result, err := stage.Try(group.Title, &group.Faults[i])
			if err != nil {
				return err
			}
			result.Add(waiting[&group.Faults[i]])
			tried++
			peak = max(peak, result.Peak)
			bad += len(result.Violations)
			printRow(&result, verbose)
		}
	}
	fmt.Printf("\n%d faults, %d requests; at most %d MB of memory more than before\n", tried, tried*len(faults.Operations()), peak>>20)
	if bad > 0 {
		return fmt.Errorf("%d things that must not be", bad)
	}
	return nil
}

// tryWaiting tries all faults on the requests that wait.
func tryWaiting(stage *faults.Stage, groups []faults.Group) (map[*faults.Fault]faults.Result, error) {
	var mu sync.Mutex
	results := make(map[*faults.Fault]faults.Result)
	trials := new(errgroup.Group)
	trials.SetLimit(atATime)
	for _, group := range groups {
		for i := range group.Faults {
			trials.Go(func() error {
				result, err := stage.TryWaiting(group.Title, &group.Faults[i])
				mu.Lock()
				defer mu.Unlock()
				results[&group.Faults[i]] = result
				return err
			})
		}
	}
	return results, trials.Wait()
}

// printRow prints a row of the table.
func printRow(result *faults.Result, verbose bool) {
	fmt.Printf("| %s |", result.Fault)
	for _, operation := range faults.Operations() {
		answer := result.Answers[operation]
		fmt.Printf(" %s |", answer)
		if verbose {
			fmt.Fprintf(os.Stderr, "%s: %s: %s after %s\n", result.Fault, operation, answer, answer.Took)
		}
	}
	fmt.Println()
	for _, violation := range result.Violations {
		fmt.Fprintf(os.Stderr, "NOT SURVIVED: %s: %s\n", result.Fault, violation)
	}
}
