package attacks

import (
	"context"
	"errors"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestALoginOutlivesItsNodes has two gateways, each a process of its own, behind
// one address. They share a storage folder and nothing else.
func TestALoginOutlivesItsNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	s, err := newStage(Mode{Protection: WithCallback, Confidential: true}, setup{nodes: 2, process: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	kill := func(node int) func(*testing.T) {
		return func(*testing.T) { s.nodes[node].Kill() }
	}
	restart := func(node int) func(*testing.T) {
		return func(t *testing.T) { require.NoError(t, s.restart(node, func(*setup) {})) }
	}
	nothing := func(*testing.T) {}
	both := func(t *testing.T) {
		restart(0)(t)
		restart(1)(t)
	}
	for _, tc := range []struct {
		name string
		// nodes are where the login begins, is called back, and is exchanged.
		nodes                          [3]int32
		beforeCallback, beforeExchange func(*testing.T)
	}{
		{"begun at one, called back at the other, exchanged at the first", [3]int32{0, 1, 0}, nothing, nothing},
		{"the first is killed after the beginning", [3]int32{0, 1, 1}, kill(0), nothing},
		{"the first is killed after the beginning and started again", [3]int32{0, 1, 0}, restart(0), nothing},
		{"the second is killed after the callback", [3]int32{0, 1, 0}, nothing, kill(1)},
		{"both are killed and started again after each step", [3]int32{0, 1, 0}, both, both},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Cleanup(func() { both(t) }) // what was killed is back for the next one
			ctx := context.Background()
			l := newLogin()
			b, err := s.browser(ctx, victim)
			require.NoError(t, err)

			s.front.Store(tc.nodes[0])
			v, err := b.visitUntil(ctx, s.authorizeURL(l), func(h hop) bool { return h.params.Get("code") != "" })
			require.NoError(t, err)
			response, err := v.withCode()
			require.NoError(t, err)
			require.Equal(t, s.callback(), response.String())

			tc.beforeCallback(t)
			s.front.Store(tc.nodes[1])
			v, err = b.visit(ctx, at(response.String(), "", response.params))
			require.NoError(t, err)
			require.Equal(t, appRedirect, v.last().String())

			tc.beforeExchange(t)
			s.front.Store(tc.nodes[2])
			tokens, err := s.finish(ctx, l, v.last().params)
			require.NoError(t, err)
			require.Equal(t, victim, s.owner(tokens).User, tokens.Error)
		})
	}
}

// TestNodesThatStartTogetherAgree starts processes at once on an empty storage,
// in which each finds no key yet.
func TestNodesThatStartTogetherAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	s, err := newStage(Mode{Protection: WithCallback, Confidential: true}, setup{process: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	require.NoError(t, s.nodes[0].Stop())
	require.NoError(t, os.RemoveAll(s.storage))

	s.nodes = make([]node, 3)
	failures := make([]error, len(s.nodes))
	var group sync.WaitGroup
	for i := range s.nodes {
		group.Go(func() { s.nodes[i], failures[i] = s.startNode("") })
	}
	group.Wait()
	require.NoError(t, errors.Join(failures...))
	for from := range s.nodes {
		for to := range s.nodes {
			// A node that learns of another's key a moment too late looks again after ten seconds.
			require.EventuallyWithT(t, func(c *assert.CollectT) { s.passBetween(c, int32(from), int32(to)) }, 15*time.Second, time.Millisecond)
		}
	}
}

// passBetween is a login that begins and ends at one node and is called back at another.
func (s *stage) passBetween(t *assert.CollectT, from, to int32) {
	ctx := context.Background()
	s.front.Store(from)
	l := newLogin()
	h, err := s.logInUntilCode(ctx, victim, l)
	require.NoError(t, err)
	s.front.Store(to)
	code, err := s.deliverWithState(ctx, h.params.Get("code"), h.params.Get("state"))
	require.NoError(t, err)
	require.NotEmpty(t, code, "begun at %d, called back at %d", from, to)
	s.front.Store(from)
	tokens, err := s.finish(ctx, l, url.Values{"code": {code}, "state": {l.state}})
	require.NoError(t, err)
	require.Equal(t, victim, s.owner(tokens).User, tokens.Error)
}

// TestAProxiedFrontChannelHolds has the gateway proxy the IdP's whole host.
func TestAProxiedFrontChannelHolds(t *testing.T) {
	s := newTestStage(t, setup{options: "front_channel proxy", site: "reverse_proxy {idp}"})
	ctx := context.Background()
	require.NoError(t, s.honestLogin(ctx))

	theirs, own := newLogin(), newLogin()
	stolen, err := s.logInUntilCode(ctx, victim, theirs)
	require.NoError(t, err)
	require.Equal(t, s.callback(), stolen.String())
	begun, err := s.logInUntilCode(ctx, attacker, own)
	require.NoError(t, err)
	sealed, err := s.deliverWithState(ctx, stolen.params.Get("code"), begun.params.Get("state"))
	require.NoError(t, err)
	tokens, err := s.exchange(ctx, s.exchangeForm(own, sealed))
	require.NoError(t, err)
	require.Equal(t, "server_error", tokens.Error, "the nonce differs")

	v, err := s.logIn(ctx, victim, theirs)
	require.NoError(t, err)
	tokens, err = s.exchange(ctx, s.exchangeForm(own, v.last().params.Get("code")))
	require.NoError(t, err)
	require.Equal(t, "invalid_grant", tokens.Error, "the verifier differs")
	require.Equal(t, Gateway, tokens.stoppedBy)
	tokens, err = s.finish(ctx, theirs, v.last().params)
	require.NoError(t, err)
	require.Equal(t, victim, s.owner(tokens).User)
	outcome, err := s.again(ctx, theirs, v.last().params.Get("code"))
	require.NoError(t, err)
	require.False(t, outcome.Succeeded())
}

func TestAnHonestLoginPassesInEveryMode(t *testing.T) {
	for _, mode := range Modes() {
		t.Run(mode.String(), func(t *testing.T) {
			s, err := newStage(mode, setup{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.close()) })
			require.NoError(t, s.honestLogin(context.Background()))
		})
	}
}
