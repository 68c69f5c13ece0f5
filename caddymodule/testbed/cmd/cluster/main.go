//go:build unix

// Command cluster runs three gateways that share a Redis with Sentinels, breaks what
// lies between them, and prints what became of the logins meanwhile. Each code is
// exchanged by two parties at once at different nodes, and a third time when all is
// well again. It fails if that gives a second token where none is promised, if none
// is given where nothing prevents it, if logins are lost that need not be, or if
// refusals go on for too long.
//
// It needs Linux, root, redis-server (with redis-cli), and the production server of
// `make build`; it says so, and succeeds, where one of the first three is missing.
//
//	go run ./cmd/cluster -caddy bin/caddy [-fault TEXT] [-v]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testclock"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

// errNoRedis is that this machine lacks it.
var errNoRedis = errors.New("redis-server is not installed")

func main() {
	executable := flag.String("caddy", "bin/caddy", "the production server")
	name := flag.String("fault", "", "only faults whose name contains `text`")
	verbose := flag.Bool("v", false, "print what nodes log, and all refusals")
	flag.Parse()
	err := run(*executable, *name, *verbose)
	if errors.Is(err, errNoRedis) || errors.Is(err, testnet.ErrUnsupported) {
		fmt.Println("skipped:", err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(executable, name string, verbose bool) error {
	executable, err := filepath.Abs(executable)
	if err != nil {
		return err
	}
	if _, err := os.Stat(executable); err != nil {
		return fmt.Errorf("%w; make build makes it", err)
	}
	s, err := newStage(executable)
	if err != nil {
		return err
	}
	defer func() { _ = s.close() }()
	fmt.Print("\n| The fault | logins | at once | later | lost | second tokens | not ready, sum of nodes | refusals for | well again after | commonest refusal |\n|---|---|---|---|---|---|---|---|---|---|\n")
	failures := 0
	for _, scene := range scenes() {
		if !strings.Contains(scene.name, name) {
			continue
		}
		result, err := s.play(&scene)
		if errors.Is(err, testclock.ErrUnsupported) {
			fmt.Printf("| %s | skipped: %s |\n", scene.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", scene.name, err)
		}
		fmt.Println(result)
		for _, violation := range result.violations(&scene) {
			failures++
			fmt.Fprintf(os.Stderr, "DOES NOT HOLD: %s: %s\n", scene.name, violation)
		}
		if verbose {
			s.explain(result.crowd)
		}
	}
	if failures > 0 {
		return fmt.Errorf("%d things do not hold", failures)
	}
	return nil
}

const (
	// before is the time of logins before the fault.
	before = 3 * time.Second
	// after is the time of logins after it.
	after = 8 * time.Second
)

// result is what became of the logins.
type result struct {
	name                string
	crowd               *crowd
	logins, once, later int
	lost, notBegun      int
	seconds             int
	// refused is the time from the first to the last refusal, well that from the end
	// of the fault.
	refused, well time.Duration
	commonest     string // refusal
}

// play lets a fault happen to everything started anew.
func (s *stage) play(scene *scene) (*result, error) {
	if err := s.start(scene.store); err != nil {
		return nil, err
	}
	c := newCrowd(s)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		c.run(ctx)
		close(over)
	}()
	since, err := s.happen(scene)
	cancel()
	<-over
	if err != nil {
		return nil, err
	}
	r := &result{name: scene.name, crowd: c, logins: len(c.logins), commonest: c.commonest()}
	first, last := c.refused()
	r.refused, r.well = last.Sub(first), max(0, last.Sub(since))
	for _, l := range c.logins {
		switch {
		case l.tokens > 0 && l.again:
			r.later++
		case l.tokens > 0:
			r.once++
		case l.coded:
			r.lost++
		default:
			r.notBegun++
		}
	}
	c.comeLate()
	r.seconds = s.secondTokens()
	return r, nil
}

// happen lets the fault begin and end, and returns when all should be well again.
func (s *stage) happen(scene *scene) (since time.Time, err error) {
	time.Sleep(before)
	since = time.Now()
	if err := scene.begin(s); err != nil {
		return since, err
	}
	time.Sleep(scene.hold)
	if scene.end != nil {
		since = time.Now()
		if err := scene.end(s); err != nil {
			return since, err
		}
	}
	time.Sleep(after)
	return since, nil
}

// secondTokens is how many tokens the IdP has issued for codes that it had issued one for.
func (s *stage) secondTokens() int {
	codes := make(map[string]bool)
	seconds := 0
	for _, token := range s.idp.Issued() {
		if codes[token.Code] {
			seconds++
		}
		codes[token.Code] = true
	}
	return seconds
}

// String is a row of the table.
func (r *result) String() string {
	lost := fmt.Sprint(r.lost + r.notBegun)
	return fmt.Sprintf("| %s | %d | %d | %d | %s | %d | %s | %.1f s | %.1f s | %s |",
		r.name, r.logins, r.once, r.later, lost, r.seconds, r.crowd.longestUnready(), r.refused.Seconds(), r.well.Seconds(), r.commonest)
}

// violations are what must not be, each a sentence.
func (r *result) violations(s *scene) (violations []string) {
	violates := func(format string, values ...any) {
		violations = append(violations, fmt.Sprintf(format, values...))
	}
	if s.promise == never && r.seconds > 0 {
		violates("%d second tokens", r.seconds)
	}
	if s.promise == always && r.seconds == 0 {
		violates("nobody got a second token, so that the other rows show nothing")
	}
	if lost := r.lost + r.notBegun; lost > 0 && s.mayLose == "" {
		violates("%d logins were lost", lost)
	}
	if r.once == 0 {
		violates("no login ended at once")
	}
	if s.within > 0 && r.well > s.within {
		violates("refusals went on for %s", r.well)
	}
	return violations
}

// explain prints what nodes log, and all refusals.
func (s *stage) explain(c *crowd) {
	for _, r := range c.refusals {
		fmt.Fprintln(os.Stderr, r.at.Format(time.StampMilli), r.what)
	}
	for reason, time := range c.unready {
		fmt.Fprintln(os.Stderr, "not ready:", time, reason)
	}
	for i, n := range s.nodes {
		fmt.Fprintf(os.Stderr, "node %d:\n%s", i+1, n.process.Log())
	}
}
