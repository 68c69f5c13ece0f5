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
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
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

// What an operator ends at one node has ended at the other.
func TestAnEndingHoldsAtTwoNodes(t *testing.T) {
	url := startServer(t).url()
	config, err := rotation.Config{}.Complete()
	require.NoError(t, err)
	site := rotation.Site{IdP: "https://idp.example", Context: "site"}
	here := rotation.New(config, site, provision(t, &Store{URL: url}))
	there := rotation.New(config, site, provision(t, &Store{URL: url, timeout: defaultTimeout + 1}))
	ada, eve, issued := rotation.Whose{User: "ada"}, rotation.Whose{User: "eve"}, time.Now()
	require.False(t, there.Endings.Has(ada, issued))
	require.NoError(t, here.End(t.Context(), rotation.OfUser, "ada", issued))
	require.Eventually(t, func() bool { return there.Endings.Has(ada, issued) }, 5*time.Second, 50*time.Millisecond)
	require.False(t, there.Endings.Has(eve, issued))
	require.True(t, errors.Is(there.CheckEnded(t.Context(), ada, issued), rotation.ErrLoggedOut))
	require.NoError(t, there.CheckEnded(t.Context(), ada, issued.Add(time.Minute)))
}
