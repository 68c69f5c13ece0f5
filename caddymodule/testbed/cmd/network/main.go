// Command network puts clients, the gateway and an identity provider (IdP) on hosts
// of their own, spoils the lines between them, and prints what became of logins
// meanwhile. It fails if an answer is late or not the gateway's own, if a token
// request reaches the IdP twice, or if requests go on to fail when the line is well
// again.
//
// It needs Linux and root; elsewhere it says so, and succeeds.
//
//	go run ./cmd/network [-line TEXT] [-v]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

func main() {
	caddyprocess.Main()
	name := flag.String("line", "", "only what contains `text`")
	verbose := flag.Bool("v", false, "print all failures, and what the gateway logs")
	flag.Parse()
	err := run(*name, *verbose)
	if errors.Is(err, testnet.ErrUnsupported) {
		fmt.Println("skipped:", err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "network:", err)
		os.Exit(1)
	}
}

func run(name string, verbose bool) error {
	failures := 0
	for _, protocol := range []string{"http/1.1", "h2"} {
		fmt.Printf("\n### The IdP speaks %s\n\n| The line | logins | done | commonest failure | longest exchange | token requests for a code, at most | well again after |\n|---|---|---|---|---|---|---|\n", protocol)
		for _, scene := range scenes() {
			if !strings.Contains(scene.name, name) {
				continue
			}
			r, err := play(protocol, &scene, verbose)
			if err != nil {
				return fmt.Errorf("%s: %w", scene.name, err)
			}
			fmt.Println(r)
			for _, violation := range r.violations(&scene) {
				failures++
				fmt.Fprintf(os.Stderr, "DOES NOT HOLD: %s: %s: %s\n", protocol, scene.name, violation)
			}
		}
	}
	if failures > 0 {
		return fmt.Errorf("%d things do not hold", failures)
	}
	return nil
}

const (
	// interval is the time between the beginnings of two logins.
	interval = 100 * time.Millisecond
	// before and after are the times of logins before and after the fault.
	before, after = 2 * time.Second, 4 * time.Second
	// slack is what an answer may take longer on a busy machine.
	slack = 2 * time.Second
	// recovery is how long requests may go on to fail, and one for a busy machine.
	recovery = 2 * time.Second
)

// step is what came of a request to the gateway.
type step struct {
	began time.Time
	took  time.Duration
	// exchange: it was one, and not another step of a login.
	exchange bool
	err      error
}

// result is what became of the logins.
type result struct {
	name         string
	logins, done int
	steps        []step
	mostRequests int
	well         time.Duration
}

// crowd logs in.
type crowd struct {
	stage *stage
	group sync.WaitGroup

	mu     sync.Mutex
	result result
}

func play(protocol string, scene *scene, verbose bool) (*result, error) {
	s, err := newStage(protocol)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.close() }()
	c := &crowd{stage: s, result: result{name: scene.name}}
	ctx, cancel := context.WithCancel(context.Background())
	c.group.Go(func() {
		for ctx.Err() == nil {
			c.group.Go(c.logIn)
			time.Sleep(interval)
		}
	})
	healed, err := s.happen(scene)
	cancel()
	c.group.Wait()
	if err != nil {
		return nil, err
	}
	r := &c.result
	for _, step := range r.steps {
		if step.err != nil {
			r.well = max(r.well, step.began.Sub(healed))
		}
		if verbose && step.err != nil {
			fmt.Fprintf(os.Stderr, "%s after healing, took %s: %s\n", step.began.Sub(healed), step.took, step.err)
		}
	}
	codes := make(map[string]int)
	for _, request := range s.idp.Requests() {
		if request.Path == "/oauth/token" {
			code := request.Form.Get("code")
			codes[code]++
			r.mostRequests = max(r.mostRequests, codes[code])
		}
	}
	if verbose {
		fmt.Fprintf(os.Stderr, "%d packets lost\n%s", s.network.Lost(), s.process.Log())
	}
	return r, nil
}

// happen lets the fault begin and end, and returns when it ended.
func (s *stage) happen(scene *scene) (healed time.Time, err error) {
	time.Sleep(before)
	if err := scene.begin(s); err != nil {
		return healed, err
	}
	time.Sleep(scene.hold)
	healed = time.Now()
	if err := scene.end(s); err != nil {
		return healed, err
	}
	time.Sleep(after)
	return healed, nil
}

func (c *crowd) logIn() {
	l := testlogin.New(c.stage.client(), c.stage.url())
	c.mu.Lock()
	c.result.logins++
	c.mu.Unlock()
	ctx := context.Background()
	for _, request := range []func(context.Context) error{l.Authorize, l.AtIdP, l.Callback} {
		if c.measure(false, func() error { return request(ctx) }) != nil {
			return
		}
	}
	if c.measure(true, func() error {
		_, err := l.Exchange(ctx)
		return err
	}) == nil {
		c.mu.Lock()
		c.result.done++
		c.mu.Unlock()
	}
}

func (c *crowd) measure(exchange bool, request func() error) error {
	began := time.Now()
	err := request()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.steps = append(c.result.steps, step{began, time.Since(began), exchange, err})
	return err
}

// failure is what the client sees of an error.
func failure(err error) string {
	var response *testlogin.Refusal
	if errors.As(err, &response) {
		return fmt.Sprintf("%d %s", response.Status, response.Code)
	}
	return "no response"
}

// commonest is the failure that came most often, with its number.
func (r *result) commonest() string {
	counts, most := make(map[string]int), ""
	for _, step := range r.steps {
		if step.err == nil {
			continue
		}
		what := failure(step.err)
		counts[what]++
		if most == "" || counts[what] > counts[most] {
			most = what
		}
	}
	if most == "" {
		return "–"
	}
	return fmt.Sprintf("%d × %s", counts[most], most)
}

func (r *result) longest() (longest time.Duration) {
	for _, step := range r.steps {
		if step.exchange {
			longest = max(longest, step.took)
		}
	}
	return longest
}

// String is a row of the table.
func (r *result) String() string {
	return fmt.Sprintf("| %s | %d | %d | %s | %.1f s | %d | %.1f s |", r.name, r.logins, r.done, r.commonest(), r.longest().Seconds(), r.mostRequests, r.well.Seconds())
}

// violations are what must not be, each a sentence.
func (r *result) violations(s *scene) (violations []string) {
	violates := func(format string, values ...any) {
		violations = append(violations, fmt.Sprintf(format, values...))
	}
	if !s.clients && r.longest() > responseTimeout+slack {
		violates("an exchange took %s", r.longest())
	}
	for _, step := range r.steps {
		var response *testlogin.Refusal
		if step.err != nil && !s.clients && !errors.As(step.err, &response) {
			violates("no response: %s", step.err)
		}
	}
	if r.mostRequests > 1 {
		violates("a code was sent to the IdP %d times", r.mostRequests)
	}
	if r.well > recovery {
		violates("requests that began %s after the end of the fault failed", r.well)
	}
	if s.allDone && r.done < r.logins {
		violates("%d logins failed", r.logins-r.done)
	}
	if r.done == 0 {
		violates("no login was done")
	}
	return violations
}
