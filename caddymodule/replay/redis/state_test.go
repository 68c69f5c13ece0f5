//go:build unix

package redis

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func mustSwap(t *testing.T, store replay.StateStore, k replay.Key, old, replacement []byte, want bool) {
	t.Helper()
	swapped, err := store.CompareAndSwap(t.Context(), k, old, replacement, time.Hour)
	require.NoError(t, err)
	require.Equal(t, want, swapped)
}

func requireValue(t *testing.T, store replay.StateStore, k replay.Key, want []byte) {
	t.Helper()
	value, now, err := store.Load(t.Context(), k)
	require.NoError(t, err)
	require.Equal(t, want, value)
	require.WithinDuration(t, time.Now(), now, 5*time.Second)
}

func TestAValueChangesOnlyFromTheOneThatIsThere(t *testing.T) {
	store := provision(t, &Store{URL: startServer(t).url()})
	a, b := []byte("a\x00\xff"), []byte{}
	requireValue(t, store, key(1), nil)
	mustSwap(t, store, key(1), a, b, false)
	mustSwap(t, store, key(1), nil, a, true)
	mustSwap(t, store, key(1), nil, b, false)
	mustSwap(t, store, key(1), b, a, false)
	requireValue(t, store, key(1), a)
	mustSwap(t, store, key(1), a, b, true)
	requireValue(t, store, key(1), b)
	mustSwap(t, store, key(1), nil, a, false)
	mustSwap(t, store, key(1), b, nil, true)
	requireValue(t, store, key(1), nil)
}

func TestAValueLastsForItsTTL(t *testing.T) {
	store := provision(t, &Store{URL: startServer(t).url()})
	swapped, err := store.CompareAndSwap(t.Context(), key(1), nil, []byte("a"), 50*time.Millisecond)
	require.NoError(t, err)
	require.True(t, swapped)
	time.Sleep(100 * time.Millisecond)
	requireValue(t, store, key(1), nil)
}

func TestOfManySwapsAtTwoNodesOneSucceeds(t *testing.T) {
	url := startServer(t).url()
	nodes := []*Store{provision(t, &Store{URL: url}), provision(t, &Store{URL: url, timeout: defaultTimeout + 1})}
	value := []byte("0")
	mustSwap(t, nodes[0], key(1), nil, value, true)
	for round := range byte(30) {
		var won atomic.Int32
		var next atomic.Value
		var group sync.WaitGroup
		for i := range byte(20) {
			group.Go(func() {
				replacement := []byte{round, i}
				swapped, err := nodes[i%2].CompareAndSwap(t.Context(), key(1), value, replacement, time.Hour)
				if err != nil {
					t.Error(err)
				}
				if swapped {
					won.Add(1)
					next.Store(replacement)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, won.Load())
		value = next.Load().([]byte)
		requireValue(t, nodes[0], key(1), value)
	}
}

func TestASwapWhoseReplyIsLostIsLookedUp(t *testing.T) {
	server := startServer(t)
	proxy := startProxy(t, server.address())
	store := provision(t, &Store{URL: "redis://" + proxy.address()})
	proxy.lose(0, 1)
	mustSwap(t, store, key(1), nil, []byte("a"), true)
	proxy.lose(0, 1)
	mustSwap(t, store, key(1), []byte("a"), nil, true)
	requireValue(t, store, key(1), nil)
}

func TestASwapThatIsLostIsNotRepeated(t *testing.T) {
	proxy := startProxy(t, startServer(t).address())
	store := provision(t, &Store{URL: "redis://" + proxy.address()})
	proxy.lose(1, 0)
	_, err := store.CompareAndSwap(t.Context(), key(1), nil, []byte("a"), time.Hour)
	require.Error(t, err)
	require.EqualValues(t, 1, proxy.sets.Load())
	requireValue(t, store, key(1), nil)
}

func TestWithoutRedisNothingIsSwapped(t *testing.T) {
	server := startServer(t)
	store := provision(t, &Store{URL: server.url()})
	mustSwap(t, store, key(1), nil, []byte("a"), true)
	server.stop()
	_, err := store.CompareAndSwap(t.Context(), key(1), []byte("a"), []byte("b"), time.Hour)
	require.ErrorContains(t, err, server.address())
	_, _, err = store.Load(t.Context(), key(1))
	require.ErrorContains(t, err, server.address())
}

func TestAFullRedisTakesNoNewLogin(t *testing.T) {
	server := startServer(t)
	store := provision(t, &Store{URL: server.url()})
	mustSwap(t, store, key(1), nil, []byte("a"), true)
	server.do("config", "set", "maxmemory", "1")
	_, err := store.CompareAndSwap(t.Context(), key(2), nil, []byte("a"), time.Hour)
	require.True(t, errors.Is(err, replay.ErrFull), "%v", err)
	server.do("config", "set", "maxmemory", "0")
	requireValue(t, store, key(1), []byte("a"))
}

func TestAClusterSwapsAtTheNodeOfTheKey(t *testing.T) {
	t.Parallel()
	servers := startCluster(t, 3)
	store := provision(t, &Store{URL: "redis+cluster://" + servers[0].address()})
	for i := range 20 { // in slots of all nodes
		require.Eventually(t, func() bool {
			swapped, err := store.CompareAndSwap(t.Context(), key(i), nil, []byte("a"), time.Hour)
			return err == nil && swapped
		}, 10*time.Second, 50*time.Millisecond)
		mustSwap(t, store, key(i), []byte("b"), []byte("c"), false)
		mustSwap(t, store, key(i), []byte("a"), []byte("c"), true)
		requireValue(t, store, key(i), []byte("c"))
	}
}

func TestAnACLUserWhoRotatesNeedsTIME(t *testing.T) {
	server := startServer(t)
	server.do("acl", "setuser", "gateway", "on", ">secret", "~"+defaultKeyPrefix+"*", "+set", "+get", "+del", "+eval", "+time")
	store := provision(t, &Store{URL: "redis://gateway@" + server.address(), Password: "secret"})
	mustSwap(t, store, key(1), nil, []byte("a"), true)
	mustSwap(t, store, key(1), []byte("a"), []byte("b"), true)
	requireValue(t, store, key(1), []byte("b"))
	mustSwap(t, store, key(1), []byte("b"), nil, true)
}
