//go:build unix

package redis

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// TestNoSecondTokenDuringAFailover has users log in while Sentinels promote another
// master. Each code is exchanged at both gateways at the same moment, again for as long as
// the store can't tell, and once more at both when everything is well.
func TestNoSecondTokenDuringAFailover(t *testing.T) {
	for name, tt := range map[string]struct{ fail, end func(*server) }{
		"the master is killed": {(*server).kill, func(*server) {}},
		"the master is frozen, and comes back after another was promoted": {(*server).pause, (*server).resume},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			master, sentinels := startSentinels(t)
			c := startGateways(t, "redis "+sentinels+" {\n\t\t\t\twait_replicas 1\n\t\t\t}", testidp.Behavior{}, "response_timeout 5s")
			type exchanged struct {
				*login
				code string
			}
			var (
				group  sync.WaitGroup
				mu     sync.Mutex
				codes  []exchanged
				became = make(map[string]int)
			)
			const logins, failAt, endAt = 100, 20, 80
			for i := range logins {
				if i == failAt {
					tt.fail(master)
				}
				if i == endAt {
					tt.end(master)
				}
				l := c.begin()
				e := exchanged{l, l.code(i % 2)}
				codes = append(codes, e)
				for node := range c.nodes {
					group.Go(func() {
						outcome := unavailable
						for deadline := time.Now().Add(time.Minute); outcome == unavailable && time.Now().Before(deadline); {
							outcome = e.exchange(node, e.code)
							mu.Lock()
							became[outcome]++
							mu.Unlock()
							time.Sleep(100 * time.Millisecond)
						}
					})
				}
				time.Sleep(75 * time.Millisecond)
			}
			group.Wait()
			require.NotZero(t, became[unavailable], "the store could not tell for a while")
			require.Greater(t, became[granted], failAt, "logins succeed after the failover")
			for _, e := range codes {
				for node := range c.nodes {
					require.Equal(t, redeemed, e.exchange(node, e.code))
				}
			}
			tokens := make(map[string]int)
			for _, token := range c.idp.Issued() {
				tokens[token.Code]++
				require.Equal(t, 1, tokens[token.Code], "tokens for one code")
			}
			t.Logf("%d logins: %v", logins, became)
		})
	}
}

// TestAFailoverLogsNobodyOut has apps refresh while Sentinels promote another master.
func TestAFailoverLogsNobodyOut(t *testing.T) {
	for name, fail := range map[string]func(*server){
		"the master is killed": (*server).kill,
		"the master is frozen, and comes back after another was promoted": func(s *server) {
			s.pause()
			time.Sleep(8 * time.Second)
			s.resume()
		},
	} {
		t.Run(name, func(t *testing.T) {
			master, sentinels := startSentinels(t)
			c := startLoggingOut(t, "redis "+sentinels+" {\n\t\t\t\twait_replicas 1\n\t\t\t}")
			c.keepRefreshing(25*time.Second, func() {
				time.Sleep(3 * time.Second)
				fail(master)
			})
		})
	}
}

// startSentinels starts a master with two replicas and three Sentinels, and returns
// the URL of a store that asks them.
func startSentinels(t *testing.T) (master *server, url string) {
	master = startServer(t)
	for range 2 {
		startServer(t, "--replicaof", "127.0.0.1 "+strconv.Itoa(master.port))
	}
	require.Eventually(t, func() bool { return replicas(master) == 2 }, 20*time.Second, 50*time.Millisecond)
	url = "redis+sentinel://127.0.0.1:1?master_name=main"
	for range 3 {
		sentinel := startSentinel(t, fmt.Sprintf(`sentinel monitor main 127.0.0.1 %d 2
sentinel down-after-milliseconds main 1000
sentinel failover-timeout main 5000
`, master.port))
		url += "&addr=" + sentinel.address()
	}
	return master, url
}
