package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

const (
	rotatingClients = "parameters oauth\n" + twoClients + "callback\nrotate_refresh"
	// pastGrace is longer than a token that was replaced is good.
	pastGrace = idp.DefaultRotationGrace + time.Second
)

// laterStates is a replay store whose clock is ahead.
type laterStates struct {
	replay.StateStore
	ahead atomic.Int64 // nanoseconds
}

func (s *laterStates) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	value, now, err := s.StateStore.Load(ctx, key)
	return value, now.Add(time.Duration(s.ahead.Load())), err
}

// newRotatingGateway starts a gateway whose refresh tokens rotate, by a clock that pass
// sets ahead.
func newRotatingGateway(t *testing.T, options string) (g *gateway, pass func(time.Duration)) {
	rec := newRecorder(t, nil)
	h, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\n"+options+rotatingClients+"\n}", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	states := &laterStates{StateStore: h.replay.(replay.StateStore)}
	h.rebuild(t, func(parts *idp.Parts) { parts.Replay = states })
	return &gateway{serve(t, h), rec, t}, func(d time.Duration) { states.ahead.Add(int64(d)) }
}

func TestARefreshTokenRotates(t *testing.T) {
	g, pass := newRotatingGateway(t, "")
	token := g.refreshToken()
	require.Less(t, len(token), 128)
	g.idp.respondWith(respondJSON(200, recordedToken)) // an IdP that does not rotate
	refresh := func(token string) *response { return g.post("/oauth/token", refreshBody(token)) }

	pass(pastGrace)
	a := refresh(token)
	require.Equal(t, 200, a.StatusCode, a.body)
	current := a.refreshToken(t)
	require.NotEmpty(t, current)
	again := refresh(token)
	require.Equal(t, 200, again.StatusCode, "a retry")
	require.Equal(t, 200, refresh(current).StatusCode)
	require.Equal(t, "invalid_grant", g.post("/oauth/token", refreshBody(current, "client_id", "other")).code())
	require.Equal(t, 200, refresh(again.refreshToken(t)).StatusCode, "another client's attempt ends nothing")

	pass(pastGrace)
	g.idp.reached()
	require.Equal(t, "invalid_grant", refresh(token).code())
	require.Equal(t, "invalid_grant", refresh(current).code())
	require.Empty(t, g.idp.reached())
}

func TestWhatTheIdPRejectsIsNotRotated(t *testing.T) {
	g, pass := newRotatingGateway(t, "")
	token := g.refreshToken()
	for _, respond := range []http.HandlerFunc{
		respondJSON(400, `{"error":"invalid_scope"}`), respondJSON(503, `{}`), respondJSON(500, `{}`),
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		g.idp.respondWith(respond)
		require.NotEqual(t, 200, g.post("/oauth/token", refreshBody(token)).StatusCode)
		pass(pastGrace)
	}
	g.idp.respondWith(nil)
	require.Equal(t, 200, g.post("/oauth/token", refreshBody(token)).StatusCode)
}

// failingStates is a replay store that begins to fail.
type failingStates struct {
	replay.StateStore
	load, swap bool // fails
}

func (s *failingStates) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if s.load {
		return nil, time.Time{}, errors.New("no route to host")
	}
	return s.StateStore.Load(ctx, key)
}

func (s *failingStates) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if s.swap {
		return false, errors.New("no route to host")
	}
	return s.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// What could not be kept is said and counted; a login is not refused for it.
func TestAStoreOfRefreshTokensThatFails(t *testing.T) {
	core, logged := observer.New(zap.WarnLevel)
	rec := newRecorder(t, nil)
	h, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\n"+rotatingClients+"\n}", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	store := &failingStates{StateStore: h.replay.(replay.StateStore)}
	h.rebuild(t, func(parts *idp.Parts) { parts.Replay = store })
	h.logger = zap.New(core)
	g := &gateway{serve(t, h), rec, t}
	failures := valueOf(t, h.metrics.replayFailures)
	requireNoted := func(message string) {
		t.Helper()
		failures++
		require.Eventually(t, func() bool { return logged.Len() > 0 }, time.Minute, time.Millisecond)
		lines := logged.TakeAll()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0].Message, message)
		require.Equal(t, failures, valueOf(t, h.metrics.replayFailures))
	}

	token := g.refreshToken()
	require.NotEmpty(t, token)
	store.load = true
	require.Empty(t, g.refreshToken(), "a login without one")
	requireNoted("a login got no refresh token: the replay store failed")

	a := g.post("/oauth/token", refreshBody(token))
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, "temporarily_unavailable", a.code())
	requireNoted("refresh rejected: the replay store failed")
	require.Empty(t, rec.reached())

	store.load = false
	rec.respondWith(func(w http.ResponseWriter, r *http.Request) {
		store.swap = true // while the refresh is at the IdP, which rejects it
		respondJSON(400, `{"error":"invalid_scope"}`)(w, r)
	})
	require.Equal(t, "invalid_scope", g.post("/oauth/token", refreshBody(token)).code())
	requireNoted("the turn of a refresh could not be given back")
}

func TestParallelRefreshesReachARotatingIdPOneByOne(t *testing.T) {
	g, pass := newRotatingGateway(t, "")
	token := g.refreshToken()
	var mu sync.Mutex
	last := 1
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		g.idp.mu.Lock()
		reached := g.idp.requests[len(g.idp.requests)-1]
		g.idp.mu.Unlock()
		form, _ := url.ParseQuery(reached.body)
		if want := fmt.Sprintf("idp-refresh-%d", last); form.Get("refresh_token") != want {
			t.Errorf("the IdP gets %s instead of %s", reached.body, want)
		}
		last++
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh-%d"}`, last)
	})
	pass(pastGrace)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			if a := g.post("/oauth/token", refreshBody(token)); a.StatusCode != 200 {
				t.Error(a.body)
			}
		})
	}
	group.Wait()
	require.Equal(t, 7, last)
}
