package replay_test

import (
	"crypto/rand"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestAFullStoreForgetsNothing(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	store := replay.NewMemory(2, func() time.Time { return now })
	require.Equal(t, 2, store.Cap())
	for i := range 2 {
		require.NoError(t, store.Ping(t.Context()))
		must.Have(store.Claim(t.Context(), replay.Key{byte(i)}, time.Minute))(t)
	}
	require.ErrorIs(t, store.Ping(t.Context()), replay.ErrFull)
	for key, want := range map[replay.Key]error{{0}: replay.ErrClaimed, {1}: replay.ErrClaimed, {9}: replay.ErrFull} {
		_, err := store.Claim(t.Context(), key, time.Minute)
		require.ErrorIs(t, err, want)
	}
	now = now.Add(time.Minute)
	require.NoError(t, store.Ping(t.Context()))
	must.Have(store.Claim(t.Context(), replay.Key{9}, time.Minute))(t)
}

func TestAClaimThatIsOverTakesNoLaterOneAway(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	store := replay.NewMemory(10, func() time.Time { return now })
	claim := func(key byte, ttl time.Duration) (replay.Claim, error) {
		return store.Claim(t.Context(), replay.Key{key}, ttl)
	}
	must.Have(claim(1, time.Hour))(t)
	must.Have(claim(2, time.Minute))(t)
	now = now.Add(2 * time.Minute)
	later := must.Have(claim(2, 3*time.Hour))(t)
	now = now.Add(time.Hour)
	require.Equal(t, 1, store.Len(), "the first of both is over")
	_, err := claim(2, time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
	for range 2 {
		require.NoError(t, later.Release(t.Context()))
	}
	require.Zero(t, store.Len())
}

// Claims that are over early are forgotten early, whatever was claimed for longer before.
func TestShortClaimsDoNotWaitForLongOnes(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	store := replay.NewMemory(10, func() time.Time { return now })
	for key, ttl := range []time.Duration{time.Hour, time.Minute, time.Hour, time.Minute} {
		must.Have(store.Claim(t.Context(), replay.Key{byte(key)}, ttl))(t)
	}
	now = now.Add(2 * time.Minute)
	require.Equal(t, 2, store.Len())
	now = now.Add(time.Hour)
	require.Zero(t, store.Len())
}

// A map never shrinks: what fifty thousand logins took would stay taken.
func TestMemoryIsGivenBack(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	store := replay.NewMemory(1<<20, func() time.Time { return now })
	claim := func(n int) {
		for range n {
			var key replay.Key
			rand.Read(key[:])
			if _, err := store.Claim(t.Context(), key, time.Minute); err != nil {
				t.Fatal(err)
			}
		}
	}
	claim(1000)
	before := heap()
	claim(50_000)
	now = now.Add(2 * time.Minute)
	claim(1000)
	require.Equal(t, 1000, store.Len())
	require.Less(t, heap(), before+1_000_000)
	runtime.KeepAlive(store)
}

// Nor do claims that are released stay in the queue until they would have expired.
func TestMemoryOfReleasedClaimsIsGivenBack(t *testing.T) {
	store := replay.NewMemory(1<<20, time.Now)
	before := heap()
	for range 100_000 {
		var key replay.Key
		rand.Read(key[:])
		claim := must.Have(store.Claim(t.Context(), key, time.Hour))(t)
		require.NoError(t, claim.Release(t.Context()))
	}
	require.Less(t, heap(), before+1_000_000)
	runtime.KeepAlive(store)
}

// A code that was redeemed stays so, however many others come and go.
func TestClaimsOutliveOthers(t *testing.T) {
	store := replay.NewMemory(1<<20, time.Now)
	kept := replay.Key{0: 1}
	must.Have(store.Claim(t.Context(), kept, time.Hour))(t)
	for range 10_000 {
		claim := must.Have(store.Claim(t.Context(), replay.Key{}, time.Hour))(t)
		require.NoError(t, claim.Release(t.Context()))
	}
	_, err := store.Claim(t.Context(), kept, time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
}

// heap is what objects that are in use take, in bytes.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkMemory(b *testing.B) {
	store := replay.NewMemory(1<<24, time.Now)
	var key replay.Key
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		key[0], key[1], key[2], key[3] = byte(i), byte(i>>8), byte(i>>16), byte(i>>24)
		if _, err := store.Claim(b.Context(), key, time.Hour); err != nil {
			b.Fatal(err)
		}
	}
}
