package replay_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// One that makes any number of keys fills what he may have of the store, not what others need;
// and a key that is used again takes nothing of its holder's.
func TestAFloodOfKeys(t *testing.T) {
	const capacity, each, window = 100, 10, 4 * time.Minute
	c := &clock{time.Unix(1_800_000_000, 0)}
	now := func() time.Time { return c.now }
	next := uint64(0)
	flood := func(once *replay.Once, holder byte, n int) (failed error) {
		for range n {
			next++
			key := replay.Key(binary.BigEndian.AppendUint64(make([]byte, 24), next))
			if err := once.Claim(t.Context(), key, window, replay.Key{holder}); err != nil {
				failed = err
			}
		}
		return failed
	}
	newOnce := func(each int) *replay.Once {
		return replay.NewOnce(replay.NewMemory(capacity, now), each, window, now)
	}

	unbounded := newOnce(1 << 30)
	require.ErrorIs(t, flood(unbounded, 1, 1000), replay.ErrFull)
	require.ErrorIs(t, flood(unbounded, 2, 1), replay.ErrFull, "without the bound nobody else gets through")

	once := newOnce(each)
	require.NoError(t, once.Claim(t.Context(), replay.Key{1}, window, replay.Key{2}))
	for range 2 * each {
		require.ErrorIs(t, once.Claim(t.Context(), replay.Key{1}, window, replay.Key{2}), replay.ErrClaimed)
	}
	require.ErrorIs(t, flood(once, 1, 1000), replay.ErrFull)
	require.NoError(t, flood(once, 2, each-1))
	c.pass(window)
	require.NoError(t, flood(once, 1, each))
}
