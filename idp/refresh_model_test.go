package idp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// This file explores what the processes of an honest app, a thief who copies its
// refresh token, and another client can do to one login, in every order up to a
// depth, with the policy's own functions between them. The IdP rotates its own
// refresh tokens and ends the login when it sees one twice. What must hold:
//
//   - the other client never renews, whatever it holds,
//   - the IdP never sees a token that it has replaced,
//   - after a token was used beyond its time, no token of the login renews,
//   - the app is not logged out as long as nobody stole anything, its processes read
//     their token where they share it, at the latest while one that reads a newer one
//     there has its use under way, and they retry within the grace.
//
// As in model_test.go, each rule is also switched off, and then the model must find
// the hole that the rule closes.

// refreshRules are the gateway's rules, true where they apply.
type refreshRules struct {
	client bool // a token renews for its client only
	ends   bool // a use beyond its time ends the login; off: it is only refused
	grace  bool // the token before is good for a while; off: for a second
	newest bool // the IdP gets its newest token; off: the one that the client's was made with
}

var allRefreshRules = refreshRules{true, true, true, true}

// refreshCapabilities are what may happen beside refreshes.
type refreshCapabilities struct {
	steal bool // a thief copies what the first process holds
	other bool // the thief has a client of his own, at the same registration
	lose  bool // a response does not reach the first process, which keeps its token
	fail  bool // the IdP is down
}

// The steps of the clock: within the grace, and beyond it.
const (
	modelGrace = 30 * time.Second
	shortPause = 5 * time.Second
	longPause  = 2 * modelGrace
)

// stateMap is a replay.StateStore that can be copied.
type stateMap struct {
	replay.Store
	values map[replay.Key][]byte
	now    *time.Time
}

func (m *stateMap) Load(_ context.Context, key replay.Key) ([]byte, time.Time, error) {
	return m.values[key], *m.now, nil
}

func (m *stateMap) CompareAndSwap(_ context.Context, key replay.Key, old, replacement []byte, _ time.Duration) (bool, error) {
	value, there := m.values[key]
	switch {
	case there != (old != nil) || !bytes.Equal(value, old):
		return false, nil
	case replacement == nil:
		delete(m.values, key)
	default:
		m.values[key] = replacement
	}
	return true, nil
}

// renewer is a holder of a refresh token.
type renewer int

const (
	firstProcess renewer = iota
	secondProcess
	thief
	renewers
)

var renewerNames = [...]string{"the app", "the app's second process", "the thief"}

// held is a token that somebody holds, and what the model knows of it.
type held struct {
	token string
	made  string // the IdP's, with which it was made
}

// refreshWorld is a state of the exploration.
type refreshWorld struct {
	values map[replay.Key][]byte
	now    time.Time
	given  int // by the IdP, one after the other
	holds  [renewers]held
	shared held // where the app's processes keep it
	stolen bool
	owes   bool // the first process has lost a response, and has to retry in time
	used   bool // a process has used the token that they share now
	over   bool // a token was used beyond its time
}

func (w *refreshWorld) clone() *refreshWorld {
	next := *w
	next.values = maps.Clone(w.values)
	return &next
}

type refreshExplorer struct {
	t     *testing.T
	rules refreshRules
	can   refreshCapabilities
	gate  *Policy
	keys  *seal.Keys
	path  []string
	holes map[string][]string
}

func newRefreshExplorer(t *testing.T, rules refreshRules, can refreshCapabilities) *refreshExplorer {
	grace := modelGrace
	if !rules.grace {
		grace = time.Second
	}
	shared := &IdPClientConfig{ID: "gateway", Secret: "s"}
	policy, err := NewPolicy(Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: &CallbackConfig{}, Rotation: &rotation.Config{Grace: grace},
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: shared},
			{ID: "other", RedirectURIs: []string{"https://other.example/cb"}, IdPClient: shared},
		},
	})
	require.NoError(t, err)
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now)
	require.NoError(t, err)
	return &refreshExplorer{t: t, rules: rules, can: can, gate: policy, keys: keys, holes: make(map[string][]string)}
}

func (x *refreshExplorer) sealing(w *refreshWorld) sealer { return sealer{Keys: x.keys, Now: w.now} }

func idpToken(number int) string { return fmt.Sprint("idp-", number) }

func numberedAnswer(number int) []byte {
	return []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":"` + idpToken(number) + `"}`)
}

func (x *refreshExplorer) explore(depth int) map[string][]string {
	w := &refreshWorld{values: make(map[replay.Key][]byte), now: time.Unix(1_800_000_000, 0), given: 1}
	store := &stateMap{values: w.values, now: &w.now}
	body, err := x.gate.sealBody(x.t.Context(), x.gate.families(store), x.sealing(w), &tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find("app")}}, nil, numberedAnswer(1))
	require.NoError(x.t, err)
	first := held{clientToken(x.t, body), idpToken(1)}
	w.holds[firstProcess], w.holds[secondProcess], w.shared = first, first, first
	w.now = w.now.Add(time.Hour)
	x.step(w, depth)
	return x.holes
}

// generation is that of a token.
func (x *refreshExplorer) generation(h held) uint32 {
	opened, _, err := x.gate.codec.OpenRefreshToken(x.keys, h.token)
	if err != nil {
		x.t.Fatal(err)
	}
	return opened.Place.Generation
}

func (x *refreshExplorer) exploreUntil(hole string, depth int) []string {
	for steps := 1; steps <= depth && x.holes[hole] == nil; steps++ {
		x.explore(steps)
	}
	return x.holes[hole]
}

func clientToken(t testing.TB, body []byte) string {
	answer, ok := upstream.ReadToken(body)
	require.True(t, ok)
	token, err := answer.RefreshTokenText()
	require.NoError(t, err)
	return token
}

func (x *refreshExplorer) take(action string, next *refreshWorld, depth int) {
	x.path = append(x.path, action)
	x.step(next, depth-1)
	x.path = x.path[:len(x.path)-1]
}

func (x *refreshExplorer) found(kind, action string) {
	if path := x.holes[kind]; path == nil || len(path) > len(x.path)+1 {
		x.holes[kind] = append(append([]string(nil), x.path...), action)
	}
}

func (x *refreshExplorer) step(w *refreshWorld, depth int) {
	if depth == 0 {
		return
	}
	for who := range renewers {
		if w.holds[who].token != "" {
			x.renew(w, who, depth)
		}
	}
	if x.can.other && w.stolen {
		x.renewAsOther(w, depth)
	}
	if x.can.steal && !w.stolen {
		next := w.clone()
		next.stolen, next.holds[thief] = true, w.holds[firstProcess]
		x.take("the thief copies the app's token", next, depth)
	}
	next := w.clone()
	next.now = w.now.Add(shortPause)
	if !w.owes { // who lost a response retries before the grace is over
		if w.used {
			next.holds[firstProcess], next.holds[secondProcess] = w.shared, w.shared
		}
		x.take("5 seconds pass", next, depth)
		long := w.clone()
		long.now = w.now.Add(longPause)
		long.holds[firstProcess], long.holds[secondProcess] = w.shared, w.shared // they read it before they refresh
		x.take("a minute passes", long, depth)
	}
}

// attempt is a refresh by a client: what the gateway says, and what the IdP gets.
func (x *refreshExplorer) attempt(w *refreshWorld, clientID string, with held) (*refreshGrant, *stateMap, error) {
	store := &stateMap{values: w.values, now: &w.now}
	r := tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find(clientID)}, tokenForm: tokenForm{RefreshToken: with.token}}
	grant, err := r.openRefreshGrant(x.gate, x.sealing(w))
	if err == nil {
		before := maps.Clone(w.values)
		if grant.lease, err = x.gate.families(store).Take(context.Background(), x.keys, *grant.opened.Place); errors.Is(err, rotation.ErrReused) && !x.rules.ends {
			w.values = before
		}
	}
	return grant, store, err
}

// renew has somebody refresh as the app, in each way that it can end.
func (x *refreshExplorer) renew(w *refreshWorld, who renewer, depth int) {
	action := renewerNames[who] + " refreshes"
	next := w.clone()
	grant, store, err := x.attempt(next, "app", w.holds[who])
	if err != nil {
		if !w.stolen {
			x.found("the app is logged out", action)
		}
		if next.holds[who] = (held{}); errors.Is(err, rotation.ErrReused) {
			next.over = true
		}
		x.take(action+", in vain", next, depth)
		return
	}
	if w.over {
		x.found("a login goes on after a token was used beyond its time", action)
		return
	}
	if x.can.fail && who == firstProcess {
		down := w.clone()
		grant, _, err := x.attempt(down, "app", w.holds[who])
		if err = errors.Join(err, grant.lease.Release(context.Background())); err != nil {
			x.t.Fatal(err)
		}
		x.take(action+", and the IdP is down", down, depth)
	}
	sent := grant.lease.Token()
	if !x.rules.newest {
		sent = w.holds[who].made
	}
	if sent != idpToken(w.given) {
		x.found("the IdP sees a token that it has replaced", action)
		return
	}
	next.given++
	body, err := x.gate.sealBody(context.Background(), x.gate.families(store), x.sealing(next), &tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find("app")}}, grant, numberedAnswer(next.given))
	if err != nil {
		x.t.Fatal(err)
	}
	if x.can.lose && who == firstProcess {
		lost := next.clone()
		lost.owes = true
		x.take(action+", and the response is lost", lost, depth)
	}
	next.holds[who] = held{clientToken(x.t, body), idpToken(next.given)}
	if who != thief {
		next.owes, next.shared = false, next.holds[who]
		now := x.generation(next.shared)
		next.used = now == x.generation(w.holds[who]) || w.used && now == x.generation(w.shared)
	}
	x.take(action, next, depth)
}

// renewAsOther has the thief use the stolen token as a client of his own.
func (x *refreshExplorer) renewAsOther(w *refreshWorld, depth int) {
	const action = "the thief refreshes as another client"
	next := w.clone()
	clientID := "other"
	if !x.rules.client {
		clientID = "app" // nobody looks
	}
	if _, _, err := x.attempt(next, clientID, w.holds[thief]); err == nil {
		x.found("another client renews", action)
		return
	}
	if x.rules.client {
		x.take(action+", in vain", next, depth)
	}
}

// refreshModelDepth is the number of steps that are explored. The longest of the
// attacks below takes five.
const refreshModelDepth = 5

func TestNoOrderOfRefreshesBreaksALogin(t *testing.T) {
	depth := refreshModelDepth
	if testing.Short() {
		depth = 3
	}
	for name, can := range map[string]refreshCapabilities{
		"two processes":                 {},
		"responses are lost":            {lose: true, fail: true},
		"a thief":                       {steal: true},
		"a thief, and lost responses":   {steal: true, lose: true},
		"a thief with another client":   {steal: true, other: true},
		"a thief while the IdP is down": {steal: true, fail: true},
		"all of it":                     {steal: true, other: true, lose: true, fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, newRefreshExplorer(t, allRefreshRules, can).explore(depth))
		})
	}
}

// TestEachRefreshRuleClosesAHole switches one rule off at a time.
func TestEachRefreshRuleClosesAHole(t *testing.T) {
	for name, tc := range map[string]struct {
		off  func(*refreshRules)
		can  refreshCapabilities
		hole string
	}{
		"the client":                {func(r *refreshRules) { r.client = false }, refreshCapabilities{steal: true, other: true}, "another client renews"},
		"the end of the login":      {func(r *refreshRules) { r.ends = false }, refreshCapabilities{steal: true}, "a login goes on after a token was used beyond its time"},
		"the grace, two processes":  {func(r *refreshRules) { r.grace = false }, refreshCapabilities{}, "the app is logged out"},
		"the grace, lost responses": {func(r *refreshRules) { r.grace = false }, refreshCapabilities{lose: true}, "the app is logged out"},
		"the IdP's newest token":    {func(r *refreshRules) { r.newest = false }, refreshCapabilities{}, "the IdP sees a token that it has replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := allRefreshRules
			tc.off(&rules)
			path := newRefreshExplorer(t, rules, tc.can).exploreUntil(tc.hole, refreshModelDepth)
			require.NotEmpty(t, path)
			t.Log(strings.Join(path, "; "))
		})
	}
}
