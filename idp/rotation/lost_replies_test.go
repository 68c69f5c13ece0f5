package rotation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// This file has the processes of an app refresh at one or two gateways, over a store and an IdP
// that fail at each step, in every order up to a number of faults and of turns taken out of order,
// and then at random with more of both. What must hold:
//
//   - the app, whose processes share the token that they got last, and try again with it after an
//     error of the server and after a response that was lost, is never told that its login is over,
//   - the IdP never sees a token that it has replaced,
//   - who comes with a token that was replaced, after the grace, gets nothing and ends the login.

// fault is what may happen at a step.
type fault int

const (
	fine         fault = iota
	lostRequest        // it is not carried out, and fails
	lostReply          // it is carried out, and fails
	tooLate            // it fails, and is carried out after the next one
	slow               // it takes five seconds
	killedBefore       // the gateway is killed, before it is carried out
	killedAfter        // and after
	failsOver          // a replica takes over from the master
	unreplicated       // it is carried out, fails, and no replica has it
	isolated           // it is carried out by a master that was replaced
)

var faultNames = [...]string{"", " is lost", ": its reply is lost", " comes too late", " is slow", ": killed before", ": killed after", ": failover", " is unconfirmed", ": at the old master"}

// choices are those of one run. Each run takes a script further, by one digit more than it has.
type choices struct {
	script, widths []int
	random         *rand.Rand // nil: every one in turn
}

func (c *choices) of(n int, at int) int {
	switch {
	case c.random != nil && n > 1 && c.random.IntN(4) > 0:
		return 0
	case c.random != nil:
		return c.random.IntN(n)
	case at == len(c.script):
		c.script, c.widths = append(c.script, 0), append(c.widths, n)
	}
	return c.script[at]
}

// next goes on to the next script, and is false after the last one.
func (c *choices) next() bool {
	for i := len(c.script) - 1; i >= 0; i-- {
		if c.script[i]++; c.script[i] < c.widths[i] {
			c.script, c.widths = c.script[:i+1], c.widths[:i+1]
			return true
		}
	}
	return false
}

// step is what somebody is about to do.
type step struct {
	who, what string
	kinds     []fault
	grant     chan fault
}

type world struct {
	*choices
	chosen           int // choices so far
	faults, switches int // left
	stepFaults       []fault
	last             string // who did the last step
	steps            chan *step
	late             []func()
	trace            []string

	values, replica, old map[replay.Key][]byte
	keys                 *seal.Keys
	nodes                []*Families
	given                int // by the IdP
	killed               bool
	newest               Place
	wrong                string
}

func (w *world) choose(n int) int {
	if n == 1 {
		return 0
	}
	w.chosen++
	return w.of(n, w.chosen-1)
}

// step waits for its turn, and is the fault that it is to have.
func (w *world) step(who, what string, kinds ...fault) fault {
	s := &step{who, what, append([]fault{fine}, kinds...), make(chan fault)}
	w.steps <- s
	switch f := <-s.grant; f {
	case slow:
		time.Sleep(5 * time.Second)
		return w.step(who, what)
	case killedBefore:
		w.killed = true
		runtime.Goexit()
		return f
	default:
		return f
	}
}

// run does the steps of everybody until all are done.
func (w *world) run(everybody ...func()) {
	done := make(chan struct{})
	for _, f := range everybody {
		go func() { f(); done <- struct{}{} }()
	}
	var waiting []*step
	for left := len(everybody); left > 0; {
		select {
		case s := <-w.steps:
			waiting = append(waiting, s)
		case <-done:
			left--
		}
		for synctest.Wait(); len(waiting) > 0; synctest.Wait() {
			for more := true; more; {
				select {
				case s := <-w.steps:
					waiting = append(waiting, s)
					synctest.Wait()
				default:
					more = false
				}
			}
			w.grant(&waiting)
		}
	}
}

// grant has one go on: who did the last step, if that is possible and nothing else is chosen.
func (w *world) grant(waiting *[]*step) {
	slices.SortStableFunc(*waiting, func(a, b *step) int { return strings.Compare(a.who, b.who) })
	i := max(0, slices.IndexFunc(*waiting, func(s *step) bool { return s.who == w.last }))
	if n := len(*waiting); n > 1 && w.switches > 0 {
		if by := w.choose(n); by > 0 {
			w.switches--
			i = (i + by) % n
		}
	}
	s := (*waiting)[i]
	*waiting = slices.Delete(*waiting, i, i+1)
	again := len(w.trace) > 0 && w.trace[len(w.trace)-1] == s.who+" "+s.what // who waits for a lease looks very often
	kinds := slices.DeleteFunc(slices.Clone(s.kinds), func(f fault) bool {
		return f != fine && (w.faults == 0 || again || !slices.Contains(w.stepFaults, f)) || f == isolated && w.old == nil
	})
	f := kinds[w.choose(len(kinds))]
	if f != fine {
		w.faults--
	}
	w.last = s.who
	if !again {
		w.trace = append(w.trace, s.who+" "+s.what+faultNames[f])
	}
	late := w.late
	w.late = nil
	s.grant <- f
	synctest.Wait()
	for _, carryOut := range late {
		carryOut()
	}
}

// nodeStore is the store, as a gateway reaches it.
type nodeStore struct {
	replay.Store
	*world
	name string
}

var errLost = errors.New("i/o timeout")

func (n nodeStore) Load(_ context.Context, key replay.Key) ([]byte, time.Time, error) {
	switch n.step(n.name, "load", lostRequest, slow, killedBefore, failsOver, isolated) {
	case failsOver:
		n.failOver()
		fallthrough
	case lostRequest:
		return nil, time.Time{}, errLost
	case isolated:
		return n.old[key], time.Now(), nil
	default:
		return n.values[key], time.Now(), nil
	}
}

func (n nodeStore) failOver() { n.old, n.values = n.values, maps.Clone(n.replica) }

func (n nodeStore) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, _ time.Duration) (bool, error) {
	swap := func(values map[replay.Key][]byte) bool {
		value := values[key]
		if (value == nil) != (old == nil) || !bytes.Equal(value, old) {
			return false
		}
		if values[key] = replacement; replacement == nil {
			delete(values, key)
		}
		return true
	}
	swapped := func() bool {
		swapped := swap(n.values)
		n.replica = maps.Clone(n.values)
		return swapped
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	switch n.step(n.name, "swap", lostRequest, lostReply, tooLate, slow, killedBefore, killedAfter, failsOver, unreplicated, isolated) {
	case lostRequest:
		return false, errLost
	case lostReply:
		swapped()
		return false, errLost
	case tooLate:
		n.late = append(n.late, func() { swapped() })
		return false, errLost
	case killedAfter:
		swapped()
		n.killed = true
		runtime.Goexit()
	case failsOver:
		n.failOver()
		return false, errLost
	case unreplicated:
		swap(n.values)
		return false, errLost
	case isolated:
		swap(n.old)
		return false, errLost
	}
	return swapped(), nil
}

// refresh is a refresh at a gateway: errLost if there is no response.
func (w *world) refresh(who string, node int, at Place) (Place, error) {
	type response struct {
		at  Place
		err error
	}
	responses := make(chan response, 1)
	go func() {
		defer close(responses)
		name := fmt.Sprintf("%s at %d", who, node)
		families := New(w.nodes[node].config, w.nodes[node].site, nodeStore{world: w, name: name})
		lease, err := families.Take(context.Background(), w.keys, at)
		if err != nil {
			responses <- response{err: err}
			return
		}
		if w.step(name, "asks the IdP", lostRequest) != fine {
			responses <- response{err: errors.Join(errLost, lease.Release(context.Background()))}
			return
		}
		if token := fmt.Sprint("idp-", w.given); lease.Token() != token && !w.killed {
			w.wrong = "the IdP gets " + lease.Token() + " after it gave " + token
		}
		w.given++
		if keeps := node == 1; keeps { // it asks the IdP once more before it responds
			_ = lease.Keep(context.Background(), fmt.Sprint("idp-", w.given))
		}
		next, err := lease.Finish(context.Background(), fmt.Sprint("idp-", w.given))
		responses <- response{next, err}
	}()
	r, ok := <-responses
	if !ok || w.step(who, "gets its response", lostReply) != fine {
		return Place{}, errLost
	}
	return r.at, r.err
}

// isOver reports whether a client is told that its login is over.
func isOver(err error) bool {
	return errors.Is(err, ErrOver) || errors.Is(err, ErrReused) || errors.Is(err, ErrRolledBack) || errors.Is(err, ErrForeign) || errors.Is(err, ErrLoggedOut)
}

// app is a process that refreshes each hour, and first at a node.
func (w *world) app(who string, node int) {
	for range 2 {
		time.Sleep(time.Hour)
		for attempt := 0; ; attempt++ {
			w.step(who, "reads its token")
			next, err := w.refresh(who, (node+attempt)%len(w.nodes), w.newest)
			if isOver(err) {
				w.wrong = who + " is logged out: " + err.Error()
				return
			}
			if err == nil {
				w.newest = next
				break
			}
			time.Sleep(3 * time.Second)
		}
	}
}

// thief comes with a token an hour later, wherever he is not told to try again.
func (w *world) thief(stolen Place) {
	time.Sleep(time.Hour)
	w.faults = 0
	w.nodes = w.nodes[:1]
	if stolen == w.newest || w.wrong != "" || w.killed {
		return
	}
	if _, err := w.refresh("the thief", 0, stolen); !errors.Is(err, ErrReused) {
		w.wrong = fmt.Sprint("a thief is not noticed: ", err)
	}
	if _, err := w.refresh("the app", 0, w.newest); !isOver(err) {
		w.wrong = fmt.Sprint("the login goes on: ", err)
	}
}

type scenario struct {
	nodes, processes, faults, switches int
	kinds                              []fault
}

func (s scenario) run(t *testing.T, keys *seal.Keys, c *choices) (wrong string, trace []string) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{
			choices: c, switches: s.switches, stepFaults: s.kinds, steps: make(chan *step), keys: keys, given: 1,
			values: make(map[replay.Key][]byte), replica: make(map[replay.Key][]byte),
		}
		config, err := Config{}.Complete()
		require.NoError(t, err)
		for range s.nodes {
			w.nodes = append(w.nodes, New(config, Site{IdP: "https://idp.example"}, nodeStore{world: w, name: "the login"}))
		}
		w.run(func() { w.newest, err = w.nodes[0].Begin(context.Background(), keys, newFamily(), "idp-1", Session{}) })
		require.NoError(t, err)
		first := w.newest
		w.faults = s.faults
		var everybody []func()
		for i := range s.processes {
			everybody = append(everybody, func() { w.app(fmt.Sprint("process ", i), i%s.nodes) })
		}
		w.run(everybody...)
		w.run(func() { w.thief(first) })
		wrong, trace = w.wrong, w.trace
	})
	return wrong, trace
}

func TestLostRepliesLogNobodyOut(t *testing.T) {
	lost := []fault{lostRequest, lostReply, tooLate, slow}
	confirmed := []fault{lostRequest, lostReply, failsOver, unreplicated, isolated}
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now)
	require.NoError(t, err)
	for name, s := range map[string]scenario{
		"one node":                             {1, 1, 2, 0, lost},
		"two nodes":                            {2, 2, 1, 2, lost},
		"a node is killed":                     {2, 1, 2, 0, []fault{killedBefore, killedAfter, lostReply}},
		"failovers, and replicas that confirm": {2, 2, 2, 0, confirmed},
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			check := func(c *choices, s scenario) {
				runs++
				if wrong, trace := s.run(t, keys, c); wrong != "" {
					t.Fatalf("%s:\n%s", wrong, strings.Join(trace, "\n"))
				}
			}
			for c := new(choices); ; {
				check(c, s)
				if !c.next() {
					break
				}
			}
			more := s
			more.processes, more.faults, more.switches = 3, 3, 100
			for seed := range uint64(100) {
				check(&choices{random: rand.New(rand.NewPCG(seed, 0))}, more)
			}
			t.Log(runs, "runs")
		})
	}
}
