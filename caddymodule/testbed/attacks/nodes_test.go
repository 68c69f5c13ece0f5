package attacks

import (
	"errors"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// TestALoginOutlivesItsNodes has two gateways, each a process of its own, behind
// one address. They share a storage folder and nothing else.
func TestALoginOutlivesItsNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	e := newTestEnv(t, confidential, setup{nodes: 2, process: true})
	kill := func(node int) func() { return func() { e.nodes[node].Kill() } }
	restart := func(node int) func() { return func() { e.restart(node, func(*setup) {}) } }
	nothing := func() {}
	both := func() {
		restart(0)()
		restart(1)()
	}
	for _, tc := range []struct {
		name string
		// nodes are where the login begins, is called back, and is exchanged.
		nodes                          [3]int32
		beforeCallback, beforeExchange func()
	}{
		{"begun at one, called back at the other, exchanged at the first", [3]int32{0, 1, 0}, nothing, nothing},
		{"the first is killed after the beginning", [3]int32{0, 1, 1}, kill(0), nothing},
		{"the first is killed after the beginning and started again", [3]int32{0, 1, 0}, restart(0), nothing},
		{"the second is killed after the callback", [3]int32{0, 1, 0}, nothing, kill(1)},
		{"both are killed and started again after each step", [3]int32{0, 1, 0}, both, both},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Cleanup(both) // what was killed is back for the next one
			l := newLogin()
			b := e.browser(victim)

			e.front.Store(tc.nodes[0])
			response := fail.Must(b.visitUntil(e.authorizeURL(l), hop.hasCode).withCode())
			require.Equal(t, e.callback(), response.String())

			tc.beforeCallback()
			e.front.Store(tc.nodes[1])
			v := b.visit(response.link())
			require.Equal(t, appRedirect, v.last().String())

			tc.beforeExchange()
			e.front.Store(tc.nodes[2])
			tokens := e.finish(l, v.last().params)
			require.Equal(t, victim, e.owner(tokens).User, tokens.Error)
		})
	}
}

// TestNodesThatStartTogetherAgree starts processes at once on an empty storage,
// in which each finds no key yet.
func TestNodesThatStartTogetherAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	e := newTestEnv(t, confidential, setup{process: true})
	require.NoError(t, e.nodes[0].Stop())
	require.NoError(t, os.RemoveAll(e.storage))

	e.nodes = make([]node, 3)
	failures := make([]error, len(e.nodes))
	var group sync.WaitGroup
	for i := range e.nodes {
		group.Go(func() { e.nodes[i], failures[i] = e.startNode("") })
	}
	group.Wait()
	require.NoError(t, errors.Join(failures...))
	for from := range e.nodes {
		for to := range e.nodes {
			// A node that learns of another's key a moment too late looks again after ten seconds.
			require.EventuallyWithT(t, func(c *assert.CollectT) {
				require.NoError(c, fail.Try(func() { e.passBetween(c, int32(from), int32(to)) }))
			}, 15*time.Second, time.Millisecond)
		}
	}
}

// passBetween is a login that begins and ends at one node and is called back at another.
func (e *env) passBetween(t *assert.CollectT, from, to int32) {
	e.front.Store(from)
	l := newLogin()
	h := e.logInUntilCode(victim, l)
	e.front.Store(to)
	code := e.deliverWithState(h.params.Get("code"), h.params.Get("state"))
	require.NotEmpty(t, code, "begun at %d, called back at %d", from, to)
	e.front.Store(from)
	tokens := e.finish(l, url.Values{"code": {code}, "state": {l.state}})
	require.Equal(t, victim, e.owner(tokens).User, tokens.Error)
}

// TestAProxiedFrontChannelHolds has the gateway proxy the IdP's whole host.
func TestAProxiedFrontChannelHolds(t *testing.T) {
	e := newTestEnv(t, confidential, setup{options: "front_channel proxy", site: "reverse_proxy {idp}"})
	e.loggedIn(newLogin())

	theirs, own := newLogin(), newLogin()
	stolen := e.logInUntilCode(victim, theirs)
	require.Equal(t, e.callback(), stolen.String())
	begun := e.logInUntilCode(attacker, own)
	sealed := e.deliverWithState(stolen.params.Get("code"), begun.params.Get("state"))
	tokens := e.exchange(e.exchangeForm(own, sealed))
	require.Equal(t, "server_error", tokens.Error, "the nonce differs")

	params := e.logIn(victim, theirs)
	tokens = e.exchange(e.exchangeForm(own, params.Get("code")))
	require.Equal(t, "invalid_grant", tokens.Error, "the verifier differs")
	require.Equal(t, Gateway, tokens.stoppedBy)
	tokens = e.finish(theirs, params)
	require.Equal(t, victim, e.owner(tokens).User)
	outcome := e.again(theirs, params.Get("code"))
	require.False(t, outcome.Succeeded())
}
