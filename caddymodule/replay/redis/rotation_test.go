//go:build unix

package redis

import (
	"math/rand/v2"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func (c *cluster) refresh(node int, token string) grant {
	return c.post(node, url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {token}})
}

// loggedIn is the refresh token of a login.
func (c *cluster) loggedIn() string {
	c.t.Helper()
	l := c.begin()
	g := l.redeem(0, l.code(1))
	require.NotEmpty(c.t, g.RefreshToken, g.Error)
	return g.RefreshToken
}

// startRotating starts two gateways in front of an IdP that rotates its own refresh
// tokens, and rejects one that was used.
func startRotating(t *testing.T, redisURL string) *cluster {
	return startGateways(t, "redis "+redisURL, testidp.Behavior{RefreshTokens: true, RotatesRefreshTokens: true}, "rotate_refresh {\ngrace 2s\n}")
}

func TestARefreshTokenRotatesAtTwoGateways(t *testing.T) {
	t.Parallel()
	c := startRotating(t, startServer(t).url())
	first := c.loggedIn()
	other := c.loggedIn()
	time.Sleep(2100 * time.Millisecond)

	// Processes that share the token use it at once, at both gateways.
	const parallel = 10
	grants := make([]grant, parallel)
	var group sync.WaitGroup
	for i := range grants {
		group.Go(func() { grants[i] = c.refresh(i%2, first) })
	}
	group.Wait()
	for _, g := range grants {
		require.NotEmpty(t, g.AccessToken, g.Error)
	}
	time.Sleep(2100 * time.Millisecond)
	second := c.refresh(0, grants[3].RefreshToken)
	require.NotEmpty(t, second.AccessToken, second.Error)
	third := c.refresh(1, grants[7].RefreshToken)
	require.NotEmpty(t, third.AccessToken, "they have the same generation: %s", third.Error)

	time.Sleep(2100 * time.Millisecond)
	require.Equal(t, "invalid_grant", c.refresh(1, first).Error, "a thief comes late")
	require.Equal(t, "invalid_grant", c.refresh(0, second.RefreshToken).Error)
	require.Equal(t, "invalid_grant", c.refresh(1, third.RefreshToken).Error)
	require.NotEmpty(t, c.refresh(1, other).AccessToken, "the other login goes on")
}

func TestRotationOutlivesTheGatewaysAndRedis(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startRotating(t, server.url())
	token := c.loggedIn()
	server.stop()
	require.Equal(t, "temporarily_unavailable", c.refresh(0, token).Error)
	server.start()
	var renewed grant
	require.Eventually(t, func() bool {
		renewed = c.refresh(1, token)
		return renewed.AccessToken != ""
	}, 20*time.Second, 50*time.Millisecond)
	time.Sleep(2100 * time.Millisecond)
	require.NotEmpty(t, c.refresh(0, renewed.RefreshToken).AccessToken)

	server.do("flushall")
	require.Equal(t, "invalid_grant", c.refresh(0, renewed.RefreshToken).Error, "who is not recorded logs in again")
}

func TestRedisHoldsNoRefreshTokenOfTheIdP(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startRotating(t, server.url())
	token := c.loggedIn()
	require.NotEmpty(t, c.refresh(0, token).AccessToken)
	keys := server.do("keys", "*").([]any)
	require.NotEmpty(t, keys)
	for _, k := range keys {
		value, ok := server.do("get", k).(string)
		require.True(t, ok)
		require.NotContains(t, value, "refresh-")
		require.NotContains(t, value, token)
	}
}

// The attacker writes to Redis, has a client's refresh token from before, and may log in.
func TestWhoWritesToRedisBringsNoLoginBack(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startGateways(t, "redis "+server.url(), testidp.Behavior{RefreshTokens: true}, "endpoint revoke /oauth/revoke\nrotate_refresh {\ngrace 1s\n}")
	stolen := c.loggedIn()
	families := func() (all []any) {
		for _, k := range server.do("keys", "*").([]any) {
			if len(server.do("get", k).(string)) > 60 { // a claim is shorter
				all = append(all, k)
			}
		}
		return all
	}
	require.Len(t, families(), 1)
	victims := families()[0]
	before := server.do("get", victims)
	time.Sleep(1100 * time.Millisecond)
	current := c.refresh(0, stolen)
	require.NotEmpty(t, current.RefreshToken, current.Error)
	time.Sleep(1100 * time.Millisecond)

	own := c.loggedIn()
	for _, k := range families() {
		if k != victims {
			after := server.do("get", victims)
			server.do("set", victims, server.do("get", k))
			require.Equal(t, "invalid_grant", c.refresh(0, stolen).Error, "with the state of a login of his own")
			server.do("set", victims, after)
		}
	}
	require.NotEmpty(t, c.refresh(0, own).AccessToken)

	require.Equal(t, "invalid_grant", c.refresh(1, stolen).Error)
	require.Equal(t, "invalid_grant", c.refresh(0, current.RefreshToken).Error, "it is over")
	server.do("set", victims, before)
	require.Equal(t, "invalid_grant", c.refresh(1, stolen).Error, "the IdP has revoked its own")
}

// startLoggingOut is startRotating with an IdP that can end logins.
func startLoggingOut(t *testing.T, store string) *cluster {
	return startGateways(t, store, testidp.Behavior{
		RefreshTokens: true, RotatesRefreshTokens: true, Metadata: map[string]any{"response_modes_supported": []string{"query"}},
	}, "discover\nbackchannel_logout\nresponse_timeout 2s\nrotate_refresh {\ngrace 5s\n}")
}

// keepRefreshing has two tabs of each app refresh at both gateways for a while, with the token that
// their app got last, and again after a 503. The IdP takes each of its own tokens once. meanwhile
// is what happens.
func (c *cluster) keepRefreshing(d time.Duration, meanwhile func()) {
	c.t.Helper()
	var (
		apps     sync.WaitGroup
		mu       sync.Mutex
		answered = make(map[string]int)
	)
	newest := make([]string, 6)
	for app := range newest {
		newest[app] = c.loggedIn()
	}
	until := time.Now().Add(d)
	tab := func(app, first int) {
		for attempt := first; time.Now().Before(until); attempt++ {
			mu.Lock()
			token := newest[app]
			mu.Unlock()
			g := c.refresh(attempt%2, token)
			mu.Lock()
			answered[g.Error]++
			if g.RefreshToken != "" {
				newest[app] = g.RefreshToken
			}
			mu.Unlock()
			switch g.Error {
			case "":
				time.Sleep(time.Duration(rand.IntN(4000)) * time.Millisecond)
			case "temporarily_unavailable":
				time.Sleep(100 * time.Millisecond)
			default:
				c.t.Error("logged out: ", g.Error)
				return
			}
		}
	}
	for app := range newest {
		for first := range 2 {
			apps.Go(func() { tab(app, first) })
		}
	}
	meanwhile()
	apps.Wait()
	c.t.Log(answered)
}

// Of the commands to Redis and of its replies each twentieth is lost.
func TestLostRepliesLogNobodyOut(t *testing.T) {
	proxy := startProxy(t, startServer(t).address())
	c := startLoggingOut(t, "redis redis://"+proxy.address())
	c.keepRefreshing(15*time.Second, func() { proxy.disturb(5) })
}

// The IdP has replaced its own token when the response is there, and takes no other one:
// what it gave must be recorded, or the login is lost.
func TestRedisRestartsWhileARefreshIsAtTheIdP(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startRotating(t, server.url())
	token := c.loggedIn()
	for range 3 {
		time.Sleep(2100 * time.Millisecond) // past the grace
		hold := make(chan struct{})
		c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold} })
		renewed := make(chan grant)
		go func() { renewed <- c.refresh(0, token) }()
		require.Eventually(t, func() bool { return c.idp.Held() == 1 }, 10*time.Second, time.Millisecond)
		server.stop()
		close(hold)
		time.Sleep(300 * time.Millisecond)
		server.start()
		g := <-renewed
		require.NotEmpty(t, g.AccessToken, g.Error)
		token = g.RefreshToken
	}
	time.Sleep(2100 * time.Millisecond)
	g := c.refresh(1, token)
	require.NotEmpty(t, g.AccessToken, g.Error)
}

// A refresh that the IdP rejects gives its turn back, and a code that was not redeemed its
// claim.
func TestRedisRestartsWhileTheIdPFails(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	c := startRotating(t, server.url())
	token := c.loggedIn()
	hold := make(chan struct{})
	c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold, Status: 503} })
	failed := make(chan grant)
	go func() { failed <- c.refresh(0, token) }()
	require.Eventually(t, func() bool { return c.idp.Held() == 1 }, 10*time.Second, time.Millisecond)
	server.stop()
	close(hold)
	time.Sleep(300 * time.Millisecond)
	server.start()
	require.Empty(t, (<-failed).AccessToken)
	c.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	began := time.Now()
	g := c.refresh(1, token)
	require.NotEmpty(t, g.AccessToken, g.Error)
	require.Less(t, time.Since(began), 5*time.Second, "nobody waits for a turn that is over")
}

func TestAClaimIsReleasedThoughRedisRestarts(t *testing.T) {
	server, store := startStore(t)
	claim := mustClaim(t, store, key(1))
	server.stop()
	released := make(chan error)
	go func() { released <- claim.Release(t.Context()) }()
	time.Sleep(300 * time.Millisecond)
	server.start()
	require.NoError(t, <-released)
	mustClaim(t, store, key(1))
}
