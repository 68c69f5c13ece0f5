// Package readiness tells over Caddy's admin API whether the handlers of the running
// configuration can serve: whether they have their keys, what they need to know of
// identity providers, their models, and a replay store that answers.
//
// A handler adds a [Check] for each of these when it is provisioned. [Admin] runs
// those of the configuration that is in force.
package readiness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"golang.org/x/sync/singleflight"
)

func init() {
	caddy.RegisterModule(new(App))
}

// patience is how long a check may take.
const patience = time.Second

// Check is something that a handler needs to serve requests.
type Check struct {
	// Name is what it needs, such as replay_store.
	Name string
	// Of is whose it is: the address of an identity provider. It may be empty.
	Of string
	// Probe returns why it is not there. It gets a second. Its error is shown as it
	// is, so there must be no secret in it.
	Probe func(context.Context) error
}

// Result is what came of a check.
type Result struct {
	Check string `json:"check"`
	Of    string `json:"of,omitempty"`
	Ready bool   `json:"ready"`
	// Reason says why it is not ready.
	Reason string `json:"reason,omitempty"`
}

// appID is the module that holds the checks of a configuration.
const appID = "identity_gateway_readiness"

// App holds the checks of a configuration. Caddy makes one when a handler adds a
// check; there is nothing to configure.
type App struct {
	mu     sync.Mutex
	checks []Check
	// flights are the probes under way, by the check's place. Who asks meanwhile waits
	// for the same one, so that probes do not pile up behind something dead.
	flights singleflight.Group
}

// CaddyModule returns the Caddy module information.
func (*App) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: appID, New: func() caddy.Module { return new(App) }}
}

// Start implements [caddy.App].
func (*App) Start() error { return nil }

// Stop implements [caddy.App].
func (*App) Stop() error { return nil }

// Add adds the checks of a handler to the configuration of ctx. A handler that needs
// nothing adds none, and is ready.
func Add(ctx caddy.Context, checks ...Check) error {
	app, err := ctx.App(appID)
	if err != nil {
		return err
	}
	a := app.(*App)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checks = append(a.checks, checks...)
	return nil
}

// Try runs the checks of some names of a configuration that is provisioned, and need not have
// started. used: it has handlers that can be ready.
func Try(ctx caddy.Context, names ...string) (results []Result, used bool) {
	app, err := ctx.AppIfConfigured(appID)
	if err != nil {
		return nil, false
	}
	checks := slices.DeleteFunc(slices.Clone(app.(*App).checks), func(c Check) bool { return !slices.Contains(names, c.Name) })
	return (&App{checks: checks}).Run(ctx), true
}

// Run runs all checks at the same time, and returns their results by name. Checks of
// several handlers with the same result are one.
func (a *App) Run(ctx context.Context) []Result {
	a.mu.Lock()
	checks := slices.Clone(a.checks)
	a.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	results := make([]Result, len(checks))
	var group sync.WaitGroup
	for i, check := range checks {
		group.Go(func() {
			results[i] = Result{Check: check.Name, Of: check.Of, Ready: true}
			if err := a.probe(ctx, i, check); err != nil {
				results[i].Ready, results[i].Reason = false, err.Error()
			}
		})
	}
	group.Wait()
	slices.SortFunc(results, func(x, y Result) int {
		return cmp.Or(cmp.Compare(x.Check, y.Check), cmp.Compare(x.Of, y.Of), cmp.Compare(x.Reason, y.Reason))
	})
	return slices.Compact(results)
}

// probe waits for the check at place i, for no longer than ctx.
func (a *App) probe(ctx context.Context, i int, check Check) error {
	flight := a.flights.DoChan(strconv.Itoa(i), func() (any, error) {
		// Whoever asked first may leave before the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return nil, check.Probe(ctx)
	})
	var err error
	select {
	case result := <-flight:
		err = result.Err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v", patience)
	}
	return err
}

// Interface guard
var _ caddy.App = (*App)(nil)
