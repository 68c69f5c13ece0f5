package dpop_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// A proof that is sent again passes every check but this one.
func TestAProofIsUsedOnce(t *testing.T) {
	clock := now
	store := replay.NewMemory(100, func() time.Time { return clock })
	once := dpop.NewOnce(store, 10, func() time.Time { return clock })
	key, holder := dpoptest.NewKey(), replay.Key{1}
	header := []string{key.Proof(method, target, now, token, "")}
	for use := range 2 {
		proof, err := request().Check(header)
		require.NoError(t, err)
		if err := once.Use(t.Context(), proof, holder); use == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, replay.ErrClaimed)
		}
	}
}

// One that makes any number of proofs fills what he may have of the store, not what others
// need.
func TestAFloodOfProofs(t *testing.T) {
	const capacity, each = 100, 10
	clock := now
	flood := func(once *dpop.Once, holder byte, n int) (failed error) {
		for i := range n {
			if err := once.Use(t.Context(), &dpop.Proof{ID: replay.Key([]byte(strconv.Itoa(i+int(holder)*1_000_000) + string(make([]byte, 32)))[:32])}, replay.Key{holder}); err != nil {
				failed = err
			}
		}
		return failed
	}
	newOnce := func(each int) *dpop.Once {
		return dpop.NewOnce(replay.NewMemory(capacity, func() time.Time { return clock }), each, func() time.Time { return clock })
	}

	unbounded := newOnce(1 << 30)
	_ = flood(unbounded, 1, 1000)
	require.ErrorIs(t, flood(unbounded, 2, 1), replay.ErrFull, "without the bound nobody else gets through")

	once := newOnce(each)
	require.ErrorIs(t, flood(once, 1, 1000), replay.ErrFull)
	require.NoError(t, flood(once, 2, each))
	clock = clock.Add(dpop.Remember)
	require.NoError(t, flood(once, 1, each))
}
