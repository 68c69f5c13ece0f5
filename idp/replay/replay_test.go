package replay_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay/file"
)

type clock struct{ now time.Time }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

// ofEach tries what must hold of every store.
func ofEach(t *testing.T, try func(t *testing.T, store replay.StateStore, c *clock)) {
	for name, open := range map[string]func(*testing.T, func() time.Time) replay.StateStore{
		"memory": func(_ *testing.T, now func() time.Time) replay.StateStore { return replay.NewMemory(1000, now) },
		"file": func(t *testing.T, now func() time.Time) replay.StateStore {
			store := must.Have(file.Open(filepath.Join(t.TempDir(), "replay.db"), now))(t)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clock{time.Unix(1_800_000_000, 0)}
			try(t, open(t, func() time.Time { return c.now }), c)
		})
	}
}

func TestOfConcurrentClaimsOneSucceeds(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, _ *clock) {
		var claimed atomic.Int32
		var group sync.WaitGroup
		for i := range 100 {
			for range 20 {
				group.Go(func() {
					_, err := store.Claim(t.Context(), replay.Key{byte(i)}, time.Hour)
					if err == nil {
						claimed.Add(1)
					} else if !errors.Is(err, replay.ErrClaimed) {
						t.Error(err)
					}
				})
			}
		}
		group.Wait()
		require.EqualValues(t, 100, claimed.Load())
	})
}

func TestAReleasedClaimCanBeClaimedAgain(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, _ *clock) {
		claim := must.Have(store.Claim(t.Context(), replay.Key{1}, time.Hour))(t)
		require.NoError(t, claim.Release(t.Context()))
		must.Have(store.Claim(t.Context(), replay.Key{1}, time.Hour))(t)

		require.NoError(t, claim.Release(t.Context()), "a second release")
		_, err := store.Claim(t.Context(), replay.Key{1}, time.Hour)
		require.ErrorIs(t, err, replay.ErrClaimed, "a claim releases no other claim")
	})
}

func TestClaimsEndWithTheirTimeAndNotBefore(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, c *clock) {
		stale := must.Have(store.Claim(t.Context(), replay.Key{1}, time.Minute))(t)

		c.pass(time.Minute - time.Nanosecond)
		_, err := store.Claim(t.Context(), replay.Key{1}, time.Minute)
		require.ErrorIs(t, err, replay.ErrClaimed)

		c.pass(time.Nanosecond)
		must.Have(store.Claim(t.Context(), replay.Key{1}, time.Minute))(t)
		require.NoError(t, stale.Release(t.Context()))
		_, err = store.Claim(t.Context(), replay.Key{1}, time.Minute)
		require.ErrorIs(t, err, replay.ErrClaimed, "a claim that is over releases no later one")
	})
}

func TestAValueChangesOnlyFromTheOneThatIsThere(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, c *clock) {
		key := replay.Key{1}
		swap := func(old, replacement []byte) bool {
			t.Helper()
			return must.Have(store.CompareAndSwap(t.Context(), key, old, replacement, time.Hour))(t)
		}
		load := func() string {
			t.Helper()
			value, at, err := store.Load(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, c.now, at)
			return string(value)
		}
		require.Empty(t, load())
		require.False(t, swap([]byte("a"), []byte("b")), "there is none yet")
		require.True(t, swap(nil, nil), "nothing for nothing")
		require.True(t, swap(nil, []byte("a")))
		require.False(t, swap(nil, []byte("b")), "there is one")
		require.False(t, swap([]byte("x"), []byte("b")))
		require.True(t, swap([]byte("a"), []byte("b")))
		require.Equal(t, "b", load())
		require.True(t, swap([]byte("b"), nil))
		require.Empty(t, load())

		require.True(t, swap(nil, []byte("c")))
		c.pass(59 * time.Minute)
		require.True(t, swap([]byte("c"), []byte("d")), "its time begins anew")
		c.pass(59 * time.Minute)
		require.Equal(t, "d", load())
		c.pass(time.Minute)
		require.Empty(t, load())
	})
}

func TestClaimsAndValuesHaveNothingToDoWithEachOther(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, _ *clock) {
		must.Have(store.Claim(t.Context(), replay.Key{1}, time.Hour))(t)
		value, _, err := store.Load(t.Context(), replay.Key{1})
		require.NoError(t, err)
		require.Nil(t, value)
	})
}

func TestOfManySwapsAtOnceOneSucceeds(t *testing.T) {
	ofEach(t, func(t *testing.T, store replay.StateStore, _ *clock) {
		var won atomic.Int32
		var group sync.WaitGroup
		for i := range byte(50) {
			group.Go(func() {
				if swapped, err := store.CompareAndSwap(context.Background(), replay.Key{9}, nil, []byte{i}, time.Hour); err == nil && swapped {
					won.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, won.Load())
	})
}

// A store agrees with a list of what was put into it, whatever the order in which
// values come, change and expire.
func TestAStoreAgreesWithAList(t *testing.T) {
	type entry struct {
		value   string
		expires time.Time
	}
	ofEach(t, func(t *testing.T, store replay.StateStore, c *clock) {
		random := rand.New(rand.NewPCG(1, 2))
		list := make(map[replay.Key]entry)
		for range 1000 {
			c.pass(time.Duration(random.IntN(3)) * time.Minute)
			key := replay.Key{byte(random.IntN(20))}
			was, there := list[key]
			if there = there && was.expires.After(c.now); !there {
				was = entry{}
			}
			var old, replacement []byte
			if there {
				old = []byte(was.value)
			}
			ttl := time.Duration(1+random.IntN(60)) * time.Minute
			if random.IntN(4) > 0 {
				replacement = make([]byte, random.IntN(100))
				replacement = append(replacement, byte('a'+random.IntN(26)))
			}
			swapped := must.Have(store.CompareAndSwap(t.Context(), key, old, replacement, ttl))(t)
			require.True(t, swapped)
			delete(list, key)
			if replacement != nil {
				list[key] = entry{string(replacement), c.now.Add(ttl)}
			}
			for i := range 20 {
				want := ""
				if e := list[replay.Key{byte(i)}]; e.expires.After(c.now) {
					want = e.value
				}
				if i%7 == random.IntN(7) { // a value that is over is gone, asked for before or not
					value, _, err := store.Load(t.Context(), replay.Key{byte(i)})
					require.NoError(t, err)
					require.Equal(t, want, string(value))
				}
			}
		}
	})
}
