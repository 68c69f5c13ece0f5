//go:build unix

package redis

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestAReleaseNeverRemovesAnothersClaim(t *testing.T) {
	store := provision(t, &Store{URL: startServer(t).url()})
	released := mustClaim(t, store, key(1))
	require.NoError(t, released.Release(t.Context()))
	mustClaim(t, store, key(1))
	require.NoError(t, released.Release(t.Context()), "a second release finds another's claim")
	requireClaimed(t, store, key(1))

	expired, err := store.Claim(t.Context(), key(2), 30*time.Millisecond)
	require.NoError(t, err)
	time.Sleep(60 * time.Millisecond)
	mustClaim(t, store, key(2))
	require.NoError(t, expired.Release(t.Context()), "so does one that comes too late")
	requireClaimed(t, store, key(2))
}

func TestClaimsAndValuesLastForTheirTTL(t *testing.T) {
	server, store := startStore(t)
	_, err := store.Claim(t.Context(), key(1), 90*time.Minute)
	require.NoError(t, err)
	_, err = store.CompareAndSwap(t.Context(), key(2), nil, []byte("a"), 90*time.Minute)
	require.NoError(t, err)
	for i := range 2 {
		left := server.do("pttl", defaultKeyPrefix+encode(key(i+1))).(int64)
		require.InDelta(t, (90 * time.Minute).Milliseconds(), left, 5000)
	}
}

func TestTwoNodesSellEachCodeOnce(t *testing.T) {
	const codes, parallel = 100, 20
	url := startServer(t).url()
	// With other settings each has a client of its own, as two processes have.
	nodes := []*Store{provision(t, &Store{URL: url}), provision(t, &Store{URL: url, timeout: defaultTimeout + 1})}
	require.NotSame(t, nodes[0].client, nodes[1].client)
	for code := range codes {
		var claims, rejections atomic.Int32
		var wg sync.WaitGroup
		for i := range parallel {
			wg.Go(func() {
				_, err := nodes[i%2].Claim(t.Context(), key(code), time.Minute)
				switch {
				case err == nil:
					claims.Add(1)
				case errors.Is(err, replay.ErrClaimed):
					rejections.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, claims.Load(), "code %d", code)
		require.EqualValues(t, parallel-1, rejections.Load(), "code %d", code)
	}
}

func TestWithoutRedisNothingIsDecided(t *testing.T) {
	server, store := startStore(t)
	claim := mustClaim(t, store, key(1))
	mustSwap(t, store, key(3), nil, []byte("a"), true)
	server.stop()
	_, err := store.CompareAndSwap(t.Context(), key(3), []byte("a"), []byte("b"), time.Hour)
	require.ErrorContains(t, err, server.address())
	_, _, err = store.Load(t.Context(), key(3))
	require.ErrorContains(t, err, server.address())
	requireUndecided(t, store, key(1))
	require.ErrorContains(t, requireUndecided(t, store, key(2)), server.address(), "the operator has to know where")
	require.Error(t, claim.Release(t.Context()))
}

func TestAPausedRedisDecidesNothingAndHoldsNobodyUp(t *testing.T) {
	server, store := startStore(t)
	mustClaim(t, store, key(1))
	server.pause()
	var decided, late atomic.Int32
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			start := time.Now()
			if _, err := store.Claim(t.Context(), key(i/2), time.Minute); err == nil || errors.Is(err, replay.ErrClaimed) {
				decided.Add(1)
			}
			if time.Since(start) > defaultTimeout+2*time.Second {
				late.Add(1)
			}
		})
	}
	wg.Wait()
	require.Zero(t, decided.Load())
	require.Zero(t, late.Load())
	server.resume()
	requireClaimed(t, store, key(1))
	for i := range 10 {
		// Some commands were carried out late, for nobody.
		if _, err := store.Claim(t.Context(), key(i), time.Minute); err != nil {
			require.ErrorIs(t, err, replay.ErrClaimed)
		}
		requireClaimed(t, store, key(i))
	}
}

func TestAPingTellsWhetherRedisAnswers(t *testing.T) {
	server, store := startStore(t)
	require.NoError(t, store.Ping(t.Context()))

	server.pause()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, store.Ping(ctx), "timeout")
	server.resume()
	require.NoError(t, store.Ping(t.Context()))

	server.do("config", "set", "maxmemory", "1")
	require.ErrorContains(t, store.Ping(t.Context()), "OOM", "it can be read, and takes no claims")
	server.do("config", "set", "maxmemory", "0", "min-replicas-to-write", "1")
	require.ErrorContains(t, store.Ping(t.Context()), "NOREPLICAS")

	server.kill()
	require.ErrorContains(t, store.Ping(t.Context()), "redis at "+server.address())
}

func TestAClaimOutlivesARestartWithTheAppendOnlyFile(t *testing.T) {
	server, store := startStore(t)
	mustClaim(t, store, key(1))
	server.kill()
	requireUndecided(t, store, key(1))
	server.start()
	require.Eventually(t, func() bool {
		_, err := store.Claim(t.Context(), key(1), time.Minute)
		require.Error(t, err)
		return errors.Is(err, replay.ErrClaimed)
	}, 5*time.Second, 20*time.Millisecond, "the connections come back")
	mustClaim(t, store, key(2))
}

func TestALostReplyIsLookedUp(t *testing.T) {
	server := startServer(t)
	proxy := startProxy(t, server.address())
	store := provision(t, &Store{URL: "redis://" + proxy.address()})

	proxy.lose(0, 1)
	claim := mustClaim(t, store, key(1))
	require.EqualValues(t, 1, proxy.sets.Load(), "SET is sent once")
	requireClaimed(t, store, key(1))
	require.NoError(t, claim.Release(t.Context()))

	proxy.lose(0, 1)
	mustClaim(t, provision(t, &Store{URL: server.url()}), key(2))
	requireClaimed(t, store, key(2))

	proxy.lose(0, 1)
	mustSwap(t, store, key(3), nil, []byte("a"), true)
	proxy.lose(0, 1)
	mustSwap(t, store, key(3), []byte("a"), nil, true)
	requireValue(t, store, key(3), nil)
}

func TestALostReplyIsLookedUpUntilRedisIsBack(t *testing.T) {
	proxy := startProxy(t, startServer(t).address())
	store := provision(t, &Store{URL: "redis://" + proxy.address()})
	proxy.lose(0, 1)
	go func() {
		for proxy.sets.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		proxy.disturb(100)
		time.Sleep(300 * time.Millisecond)
		proxy.disturb(0)
	}()
	mustClaim(t, store, key(1))
	require.EqualValues(t, 1, proxy.sets.Load(), "SET is sent once")
}

func TestALostCommandIsNotRepeated(t *testing.T) {
	proxy := startProxy(t, startServer(t).address())
	store := provision(t, &Store{URL: "redis://" + proxy.address()})
	proxy.lose(1, 0)
	requireUndecided(t, store, key(1))
	require.EqualValues(t, 1, proxy.sets.Swap(0))
	mustClaim(t, store, key(1))

	proxy.lose(1, 0)
	proxy.sets.Store(0)
	_, err := store.CompareAndSwap(t.Context(), key(2), nil, []byte("a"), time.Hour)
	require.Error(t, err)
	require.EqualValues(t, 1, proxy.sets.Load())
	requireValue(t, store, key(2), nil)
}

func TestAClientThatIsGoneClaimsNothing(t *testing.T) {
	store := provision(t, &Store{URL: startServer(t).url()})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Claim(ctx, key(1), time.Minute)
	require.ErrorIs(t, err, context.Canceled)
	mustClaim(t, store, key(1))
}

func TestAFullRedisIsAFullStore(t *testing.T) {
	server, store := startStore(t)
	mustClaim(t, store, key(1))
	mustSwap(t, store, key(3), nil, []byte("a"), true)
	server.do("config", "set", "maxmemory", "1")
	_, err := store.Claim(t.Context(), key(2), time.Minute)
	require.ErrorIs(t, err, replay.ErrFull)
	_, err = store.CompareAndSwap(t.Context(), key(4), nil, []byte("a"), time.Hour)
	require.ErrorIs(t, err, replay.ErrFull, "it takes no new login")
	server.do("config", "set", "maxmemory", "0")
	requireClaimed(t, store, key(1))
	requireValue(t, store, key(3), []byte("a"))
}

func TestAReplicaIsRejected(t *testing.T) {
	master := startServer(t)
	for _, readOnly := range []string{"yes", "no"} {
		replica := startServer(t, "--replicaof", "127.0.0.1 "+strings.TrimPrefix(master.address(), "127.0.0.1:"), "--replica-read-only", readOnly)
		require.Eventually(t, func() bool { return replica.do("role").([]any)[3] == "connected" }, 10*time.Second, 50*time.Millisecond)
		store := provision(t, &Store{URL: replica.url()})
		err := requireUndecided(t, store, key(1))
		require.ErrorContains(t, err, "is a replica")
	}
}

func TestAServerThatMayEvictIsReportedOnce(t *testing.T) {
	server := startServer(t, "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
	store := provision(t, &Store{URL: server.url()})
	logs := watchLog(store)
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { _, _ = store.Claim(t.Context(), key(i), time.Minute) }) // each on a connection of its own
	}
	wg.Wait()
	entries := logs.All()
	require.Len(t, entries, 1)
	require.Contains(t, entries[0].Message, "noeviction")
	require.Equal(t, "allkeys-lru", entries[0].ContextMap()["maxmemory_policy"])
	require.Contains(t, entries[0].ContextMap()["server"], server.address())
}

func TestAServerThatForgetsIsReportedAndNoOther(t *testing.T) {
	for appendOnly, reports := range map[string]int{"no": 1, "yes": 0} {
		store := provision(t, &Store{URL: startServer(t, "--appendonly", appendOnly).url()})
		logs := watchLog(store)
		mustClaim(t, store, key(1))
		require.Equal(t, reports, logs.Len(), "%v", logs.All())
		require.Equal(t, reports, logs.FilterMessageSnippet("append-only file").Len())
	}
}

// With a clock that jumps ahead, or a replica whose clock is, Redis forgets claims before their time.
func TestARedisWithAnotherClockDecidesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		url  string
		wait int
	}{
		"one server": {url: startServer(t).url()},
		"a cluster":  {url: "redis+cluster://" + startCluster(t, 1)[0].address()},
		"a master with wait_replicas": {url: func() string {
			master := startServer(t)
			startReplica(t, master)
			return master.url()
		}(), wait: 1},
	} {
		t.Run(name, func(t *testing.T) {
			store := provision(t, &Store{URL: tt.url, WaitReplicas: tt.wait, timeout: time.Minute})
			for i, tt := range []struct {
				ahead time.Duration // of this gateway's clock
				want  string
			}{
				{seal.Skew - 30*time.Second, ""},
				{30*time.Second - seal.Skew, ""},
				{time.Hour, "behind this gateway's"},
				{-time.Hour, "ahead of this gateway's"},
			} {
				store.client.now = func() time.Time { return time.Now().Add(tt.ahead) }
				if tt.want == "" {
					mustClaim(t, store, key(i))
					require.NoError(t, store.Ping(t.Context()))
					continue
				}
				require.ErrorContains(t, requireUndecided(t, store, key(i)), tt.want)
				require.ErrorContains(t, store.Ping(t.Context()), tt.want)
				_, _, err := store.Load(t.Context(), key(i))
				require.ErrorContains(t, err, tt.want)
				store.client.now = time.Now
				mustClaim(t, store, key(i)) // it was given back
				requireClaimed(t, store, key(i))
			}
		})
	}
}

func TestAnACLUserNeedsFiveCommands(t *testing.T) {
	server := startServer(t)
	server.do("acl", "setuser", "gateway", "on", ">pa:ss/w@rd", "~"+defaultKeyPrefix+"*", "+set", "+get", "+del", "+eval", "+time")
	store := provision(t, &Store{URL: "redis://gateway@" + server.address(), Password: "pa:ss/w@rd"})
	logs := watchLog(store)
	claim := mustClaim(t, store, key(1))
	requireClaimed(t, store, key(1))
	require.NoError(t, claim.Release(t.Context()))
	mustClaim(t, store, key(1))
	mustSwap(t, store, key(9), nil, []byte("a"), true)
	requireValue(t, store, key(9), []byte("a"))
	require.Equal(t, 1, logs.FilterMessageSnippet("may not use INFO").Len(), "%v", logs.All())

	encoded := provision(t, &Store{URL: "redis://gateway:pa%3Ass%2Fw%40rd@" + server.address()})
	requireClaimed(t, encoded, key(1))
	for _, entry := range server.do("acl", "log").([]any) {
		require.Equal(t, "info", entry.(map[any]any)["object"], "nothing else was asked for")
	}

	server.do("acl", "setuser", "gateway", "-time")
	logs = watchLog(encoded)
	mustClaim(t, encoded, key(2))
	mustClaim(t, encoded, key(3))
	require.Equal(t, 1, logs.FilterMessageSnippet("may not use TIME").Len(), "%v", logs.All())

	elsewhere := provision(t, &Store{URL: encoded.URL, keyPrefix: "other:"})
	require.ErrorContains(t, requireUndecided(t, elsewhere, key(1)), "NOPERM")
}

func TestAWrongPasswordIsNotRepeatedInTheError(t *testing.T) {
	server := startServer(t, "--requirepass", "right")
	for _, store := range []*Store{{URL: "redis://:s3cret@" + server.address()}, {URL: server.url()}, {URL: "redis://nobody@" + server.address(), Password: "s3cret"}, {URL: server.url(), Password: "s3cret", WaitReplicas: 1}} {
		provision(t, store)
		logs := watchLog(store)
		err := requireUndecided(t, store, key(1))
		require.NotContains(t, err.Error(), "s3cret")
		require.Zero(t, logs.Len(), "%v", logs.All())
	}
}

func TestStoresWithTheSameSettingsShareTheirConnections(t *testing.T) {
	server := startServer(t)
	before := &Store{URL: server.url()}
	after := &Store{URL: server.url()}
	other := &Store{URL: server.url(), keyPrefix: "other:"}
	for _, store := range []*Store{before, after, other} {
		require.NoError(t, store.Provision(newContext(t)))
	}
	require.Same(t, before.client, after.client)
	require.Same(t, before.client, other.client)
	mustClaim(t, before, key(1))
	require.NoError(t, before.Cleanup())
	requireClaimed(t, after, key(1))
	mustClaim(t, other, key(1))
	require.NoError(t, after.Cleanup())
	require.NoError(t, other.Cleanup())
	require.ErrorContains(t, requireUndecided(t, other, key(2)), "closed")
}

func TestLoadingDoesNotConnect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	for _, url := range []string{"redis://", "rediss://", "redis+cluster://", "redis+sentinel://"} {
		url += listener.Addr().String()
		if strings.Contains(url, "sentinel") {
			url += "?master_name=main"
		}
		store := &Store{URL: url}
		require.NoError(t, store.Provision(newContext(t)))
		require.NoError(t, store.Cleanup())
	}
	require.NoError(t, listener.(*net.TCPListener).SetDeadline(time.Now().Add(200*time.Millisecond)))
	_, err = listener.Accept()
	require.ErrorContains(t, err, "timeout", "nobody has called")
}

// reply is an error that Redis answers.
type reply string

func (r reply) Error() string { return string(r) }
func (r reply) RedisError()   {}

func TestWhichAnswersToTIMEAreForGood(t *testing.T) {
	for said, forGood := range map[string]bool{
		"NOPERM User gateway has no permissions to run the 'time' command":       true,
		"ERR unknown command 'TIME'":                                             true, // of a proxy
		"BUSY Redis is busy running a script.":                                   false,
		"LOADING Redis is loading the dataset in memory":                         false,
		"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is no": false,
		"MOVED 1 127.0.0.1:7001":                                                 false,
	} {
		require.Equal(t, forGood, deniesTime(reply(said)), said)
	}
	require.False(t, deniesTime(context.DeadlineExceeded), "no answer")
}
