package identity

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

const recordedRefresh = `{"access_token":"at-1","token_type":"Bearer","expires_in":60,"refresh_token":"idp-refresh-1"}`

const twoClients = `
client app {
	redirect_uri https://app.example/cb
}
client other {
	redirect_uri https://other.example/cb
}
`

// refreshToken is the client's refresh token after a login.
func (g *gateway) refreshToken() string {
	g.t.Helper()
	g.idp.respondWith(respondJSON(200, recordedRefresh))
	verifier := newVerifier()
	a := g.post("/oauth/token", tokenBody(verifier, g.logIn(verifier, "code-"+rand.Text())))
	require.Equal(g.t, 200, a.StatusCode, a.body)
	g.idp.reached()
	return a.refreshToken(g.t)
}

// refreshToken is the one in a token response, "" if there is none.
func (a *response) refreshToken(t testing.TB) string {
	t.Helper()
	var answer struct {
		RefreshToken string `json:"refresh_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &answer), a.body)
	return answer.RefreshToken
}

func refreshBody(token string, with ...string) string {
	return replaceIn(url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {token}}, with)
}

func TestARefreshTokenOutlivesTheGateway(t *testing.T) {
	rec, folder := newRecorder(t, respondJSON(200, recordedRefresh)), t.TempDir()
	start := func() (*gateway, func()) {
		g, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\nparameters oauth\n"+twoClients+"callback\n}", folder)
		require.NoError(t, err)
		return front(t, g, rec), cleanup
	}
	first, stop := start()
	token := first.refreshToken()
	stop()
	second, stop := start()
	t.Cleanup(stop)
	require.Equal(t, 200, second.post("/oauth/token", refreshBody(token)).StatusCode)

	keys, err := filepath.Glob(filepath.Join(folder, "identity_gateway", "keys", "*"))
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NoError(t, os.Remove(keys[0]))
	third, stop := start()
	t.Cleanup(stop)
	a := third.post("/oauth/token", refreshBody(token))
	require.Equal(t, "invalid_grant", a.code())
	require.Contains(t, a.body, "log in again")
}

const (
	rotatingClients = "parameters oauth\n" + twoClients + "callback\nrotate_refresh"
	// pastGrace is longer than a token that was replaced is good.
	pastGrace = rotation.DefaultGrace + time.Second
)

// alteredStore is a replay store that is not what the gateway takes it for.
type alteredStore struct {
	replay.StateStore
	claim, load, swap bool         // fails
	forged            []byte       // what somebody else has put there
	ahead             atomic.Int64 // nanoseconds by which its clock is
}

var errStore = errors.New("no route to host")

func (s *alteredStore) Claim(ctx context.Context, key replay.Key, ttl time.Duration) (replay.Claim, error) {
	if s.claim {
		return nil, errStore
	}
	return s.StateStore.Claim(ctx, key, ttl)
}

func (s *alteredStore) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if s.load {
		return nil, time.Time{}, errStore
	}
	value, now, err := s.StateStore.Load(ctx, key)
	if s.forged != nil {
		value = s.forged
	}
	return value, now.Add(time.Duration(s.ahead.Load())), err
}

func (s *alteredStore) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if s.swap {
		return false, errStore
	}
	return s.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// withStore is a gateway with such a store, and what it logs.
func withStore(t *testing.T, options string) (*gateway, *alteredStore, *observer.ObservedLogs) {
	g := newGateway(t, options)
	store := &alteredStore{StateStore: g.handler.replay.(replay.StateStore)}
	g.handler.keepIn(t, store)
	return g, store, g.logged(zap.WarnLevel)
}

// What could not be kept is said and counted; a login is not refused for it, but a code is.
func TestAStoreOfRefreshTokensThatFails(t *testing.T) {
	g, store, logged := withStore(t, rotatingClients)
	counter := g.handler.metrics.replayFailures
	failures := valueOf(t, counter)
	requireNoted := func(message string) {
		t.Helper()
		failures++
		require.Eventually(t, func() bool { return logged.Len() > 0 }, time.Minute, time.Millisecond)
		lines := logged.TakeAll()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0].Message, message)
		require.Equal(t, failures, valueOf(t, counter))
	}

	token := g.refreshToken()
	require.NotEmpty(t, token)
	store.load = true
	require.Empty(t, g.refreshToken(), "a login without one")
	requireNoted("a login got no refresh token: the replay store failed")

	refused := func(body string) {
		t.Helper()
		a := g.post("/oauth/token", body)
		require.Equal(t, 503, a.StatusCode)
		require.Equal(t, "temporarily_unavailable", a.code())
		require.NotEmpty(t, a.Header.Get("Retry-After"))
		require.Empty(t, g.idp.reached())
	}
	refused(refreshBody(token))
	requireNoted("refresh rejected: the replay store failed")
	store.load, store.claim = false, true
	refused(tokenBody(verifier1, g.logIn(verifier1, "code-1")))
	requireNoted("login rejected: the replay store failed")

	store.claim = false
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		store.swap = true // while the refresh is at the IdP, which rejects it
		respondJSON(400, `{"error":"invalid_scope"}`)(w, r)
	})
	require.Equal(t, "invalid_scope", g.post("/oauth/token", refreshBody(token)).code())
	requireNoted("the lease of a refresh could not be given back")
}

// RFC 9700 section 4.14.2: the thief may have what the IdP gave last.
func TestAReuseHasTheIdPRevoke(t *testing.T) {
	g, states, logged := withStore(t, "endpoint revoke /revocation\n"+rotatingClients)
	rec := g.idp
	const said = "could not be told to revoke"
	for name, tc := range map[string]struct {
		respond http.HandlerFunc
		warns   bool
	}{
		"it does":         {respond: respondJSON(200, ``)},
		"it says nothing": {respond: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, warns: true},
	} {
		stolen := g.refreshToken()
		states.ahead.Add(int64(time.Hour))
		rec.respondWith(respondJSON(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh-2"}`))
		current := g.post("/oauth/token", refreshBody(stolen)).refreshToken(t)
		states.ahead.Add(int64(pastGrace))
		rec.reached()
		logged.TakeAll()
		rec.respondWith(tc.respond)
		began := time.Now()
		a := g.post("/oauth/token", refreshBody(stolen))
		require.Equal(t, "invalid_grant", a.code(), name)
		require.Contains(t, a.body, "was replaced and used again", name)
		require.Less(t, time.Since(began), idp.DefaultTimeout/2, "what is over is not waited for as other answers of the IdP are: %s", name)
		reached, sent := rec.form(t)
		require.Equal(t, "/revocation", reached.path)
		require.Equal(t, url.Values{"token": {"idp-refresh-2"}, "token_type_hint": {"refresh_token"}, "client_id": {"app"}}, sent, name)
		require.Equal(t, tc.warns, logged.FilterMessageSnippet(said).Len() == 1, name)
		for _, line := range logged.All() {
			require.NotContains(t, fmt.Sprint(line.Message, line.ContextMap()), "idp-refresh", name)
		}
		require.Equal(t, "invalid_grant", g.post("/oauth/token", refreshBody(current)).code(), "it is over here, whatever the IdP did: %s", name)
		require.Empty(t, rec.reached(), name)
	}
}

// What somebody else puts into the store ends the login, and the operator reads of it.
func TestAStateThatIsForeign(t *testing.T) {
	g, states, logged := withStore(t, rotatingClients)
	token := g.refreshToken()
	states.forged = []byte("0000")
	require.Equal(t, "invalid_grant", g.post("/oauth/token", refreshBody(token)).code())
	require.Empty(t, g.idp.reached())
	require.Equal(t, 1, logged.FilterMessageSnippet("the replay store can't be trusted").Len())
	require.Equal(t, "invalid_grant", g.post("/oauth/revoke", revokeBody(token)).code(), "it can't be revoked at the IdP")
	require.Empty(t, g.idp.reached())
}
