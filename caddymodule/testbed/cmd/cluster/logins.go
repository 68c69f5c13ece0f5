//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
)

const (
	// interval is the time between the beginnings of two logins.
	interval = 100 * time.Millisecond
	// pause is how long a client waits after a refusal that may pass.
	pause = 250 * time.Millisecond
	// perseverance is how long a client tries a step again.
	perseverance = 15 * time.Second
)

// crowd logs in all the time, at all nodes in turn. Each code is in other hands,
// too: whoever has them has the verifier as well, and exchanges the code at the same
// moment at another node.
type crowd struct {
	stage  *stage
	client *http.Client
	group  sync.WaitGroup

	mu       sync.Mutex
	logins   []*login
	refusals []refusal
	unready  map[string]time.Duration // by reason, the sum of all nodes
}

// login is one of the crowd.
type login struct {
	testlogin.Login
	coded  bool // the app got its code
	tokens int
	// again is that a step was tried more than once.
	again bool
}

// refusal is a response that may be another one a moment later, or none.
type refusal struct {
	at   time.Time
	what string
}

func newCrowd(s *stage) *crowd {
	return &crowd{stage: s, client: s.client(), unready: make(map[string]time.Duration)}
}

// run logs in until the context ends, and returns when all logins are over.
func (c *crowd) run(ctx context.Context) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	c.group.Go(func() { c.watch(ctx) })
	for i := 0; ; i++ {
		c.group.Go(func() { c.logIn(i) })
		select {
		case <-ctx.Done():
			c.group.Wait()
			return
		case <-ticker.C:
		}
	}
}

// watch asks the nodes whether they are ready.
func (c *crowd) watch(ctx context.Context) {
	const step = 500 * time.Millisecond
	for ctx.Err() == nil {
		start := time.Now()
		var group sync.WaitGroup
		for _, n := range c.stage.nodes {
			group.Go(func() {
				if reason := n.ready(); reason != "" {
					c.mu.Lock()
					c.unready[reason] += max(step, time.Since(start))
					c.mu.Unlock()
				}
			})
		}
		group.Wait()
		time.Sleep(time.Until(start.Add(step)))
	}
}

func (c *crowd) logIn(i int) {
	l := &login{Login: *testlogin.New(c.client, "")}
	c.mu.Lock()
	c.logins = append(c.logins, l)
	c.mu.Unlock()
	for _, step := range []func(*testlogin.Login, context.Context) error{(*testlogin.Login).Authorize, (*testlogin.Login).AtIdP, (*testlogin.Login).Callback} {
		if err := c.persist(&l.Login, i, func(ctx context.Context, at *testlogin.Login) error { return step(at, ctx) }, l); err != nil {
			return
		}
		i++
	}
	c.mu.Lock()
	l.coded = true
	c.mu.Unlock()
	var both sync.WaitGroup
	for hand := range 2 {
		both.Go(func() { c.exchange(l, i+hand) })
	}
	both.Wait()
}

// exchange exchanges the code, first at a node, then at the others.
func (c *crowd) exchange(l *login, i int) {
	copied := l.Login
	err := c.persist(&copied, i, func(ctx context.Context, at *testlogin.Login) error {
		_, err := at.Exchange(ctx)
		return err
	}, l)
	if err == nil {
		c.mu.Lock()
		l.tokens++
		c.mu.Unlock()
	}
}

// persist tries a step at one node after the other for as long as it may help.
func (c *crowd) persist(at *testlogin.Login, i int, step func(context.Context, *testlogin.Login) error, l *login) error {
	for deadline := time.Now().Add(perseverance); ; i++ {
		at.Gateway = c.stage.nodes[i%len(c.stage.nodes)].url()
		err := step(context.Background(), at)
		var response *testlogin.Refusal
		if err == nil || errors.As(err, &response) && response.Status < 500 {
			return err
		}
		what := "no response"
		if response != nil {
			what = fmt.Sprintf("%d: %s", response.Status, response.Description)
		}
		c.mu.Lock()
		l.again = true
		c.refusals = append(c.refusals, refusal{time.Now(), what})
		c.mu.Unlock()
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// comeLate exchanges each code once more, as a thief does who comes when everything
// is well again.
func (c *crowd) comeLate() {
	var group sync.WaitGroup
	places := make(chan struct{}, 128) // where nothing is well again, each of them persists
	for i, l := range c.logins {
		if !l.coded {
			continue
		}
		places <- struct{}{}
		group.Go(func() {
			copied := *l
			c.exchange(&copied, i+2) // where nobody has exchanged it so far
			<-places
		})
	}
	group.Wait()
}

// refused is when the first and the last refusal came.
func (c *crowd) refused() (first, last time.Time) {
	for _, r := range c.refusals {
		if first.IsZero() || r.at.Before(first) {
			first = r.at
		}
		if r.at.After(last) {
			last = r.at
		}
	}
	return first, last
}

// commonest is the refusal that came most often, with its number.
func (c *crowd) commonest() string {
	counts := make(map[string]int)
	for _, r := range c.refusals {
		counts[r.what]++
	}
	what := ""
	for _, candidate := range slices.Sorted(maps.Keys(counts)) {
		if what == "" || counts[candidate] > counts[what] {
			what = candidate
		}
	}
	if what == "" {
		return "–"
	}
	return fmt.Sprintf("%d × %s", counts[what], what)
}

// longestUnready is the reason that nodes were not ready for longest, with the sum of the nodes' times.
func (c *crowd) longestUnready() string {
	reason := ""
	for _, candidate := range slices.Sorted(maps.Keys(c.unready)) {
		if reason == "" || c.unready[candidate] > c.unready[reason] {
			reason = candidate
		}
	}
	if reason == "" {
		return "–"
	}
	return fmt.Sprintf("%.0f s", c.unready[reason].Seconds())
}
