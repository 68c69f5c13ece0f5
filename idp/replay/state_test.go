package replay_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestAValueChangesOnlyFromTheOneThatIsThere(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	m := replay.NewMemory(10, func() time.Time { return now })
	ctx := context.Background()
	key := replay.Key{1}
	swap := func(old, replacement []byte) bool {
		t.Helper()
		swapped, err := m.CompareAndSwap(ctx, key, old, replacement, time.Hour)
		require.NoError(t, err)
		return swapped
	}
	load := func() string {
		t.Helper()
		value, at, err := m.Load(ctx, key)
		require.NoError(t, err)
		require.Equal(t, now, at)
		return string(value)
	}
	require.Empty(t, load())
	require.False(t, swap([]byte("a"), []byte("b")), "there is none yet")
	require.True(t, swap(nil, []byte("a")))
	require.False(t, swap(nil, []byte("b")), "there is one")
	require.False(t, swap([]byte("x"), []byte("b")))
	require.True(t, swap([]byte("a"), []byte("b")))
	require.Equal(t, "b", load())
	require.True(t, swap([]byte("b"), nil))
	require.Empty(t, load())

	require.True(t, swap(nil, []byte("c")))
	now = now.Add(59 * time.Minute)
	require.True(t, swap([]byte("c"), []byte("d")), "its time begins anew")
	now = now.Add(59 * time.Minute)
	require.Equal(t, "d", load())
	now = now.Add(time.Minute)
	require.Empty(t, load())
}

func TestValuesWithOtherTimesExpireByTheirOwn(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	m := replay.NewMemory(10, func() time.Time { return now })
	for i, ttl := range []time.Duration{400 * time.Hour, time.Hour, 2 * time.Hour, time.Minute} {
		_, err := m.CompareAndSwap(t.Context(), replay.Key{byte(i)}, nil, []byte("x"), ttl)
		require.NoError(t, err)
	}
	now = now.Add(90 * time.Minute)
	for i, there := range []bool{true, false, true, false} {
		value, _, err := m.Load(t.Context(), replay.Key{byte(i)})
		require.NoError(t, err)
		require.Equal(t, there, value != nil, "%d", i)
	}
}

func TestValuesAreBoundedByTheirSize(t *testing.T) {
	m := replay.NewMemory(10, time.Now)
	big := make([]byte, replay.DefaultStateBytes/2)
	for i := range byte(2) {
		_, err := m.CompareAndSwap(t.Context(), replay.Key{i}, nil, big[:len(big)-200], time.Hour)
		require.NoError(t, err)
	}
	_, err := m.CompareAndSwap(t.Context(), replay.Key{2}, nil, big, time.Hour)
	require.ErrorIs(t, err, replay.ErrFull)
	swapped, err := m.CompareAndSwap(t.Context(), replay.Key{1}, big[:len(big)-200], nil, 0)
	require.NoError(t, err)
	require.True(t, swapped)
	_, err = m.CompareAndSwap(t.Context(), replay.Key{2}, nil, big[:100], time.Hour)
	require.NoError(t, err, "there is room again")
}

func TestOfManySwapsAtOnceOneSucceeds(t *testing.T) {
	m := replay.NewMemory(10, time.Now)
	var won atomic.Int32
	var group sync.WaitGroup
	for i := range byte(50) {
		group.Go(func() {
			if swapped, err := m.CompareAndSwap(context.Background(), replay.Key{9}, nil, []byte{i}, time.Hour); err == nil && swapped {
				won.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, won.Load())
}
