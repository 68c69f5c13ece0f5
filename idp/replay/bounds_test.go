package replay

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

// Values fill the store to its last byte, each with what it takes beside its own.
func TestTheLastByteOfAStore(t *testing.T) {
	m := NewMemory(1, time.Now)
	swap := func(old, replacement []byte) error {
		swapped, err := m.CompareAndSwap(t.Context(), Key{1}, old, replacement, time.Hour)
		require.Equal(t, err == nil, swapped)
		return err
	}
	m.stateBytes = DefaultStateBytes - stateOverhead - 5
	require.ErrorIs(t, swap(nil, []byte("123456")), ErrFull)
	require.NoError(t, swap(nil, []byte("12345")))
	require.ErrorIs(t, swap([]byte("12345"), []byte("123456")), ErrFull)
	require.NoError(t, swap([]byte("12345"), []byte("54321")), "it takes the room of the one before")
	require.NoError(t, swap([]byte("54321"), nil))
	require.Equal(t, DefaultStateBytes-stateOverhead-5, m.stateBytes, "and gives all of it back")
	require.NoError(t, swap(nil, nil), "nothing for nothing")
}

func TestAClaimThatIsOverTakesNoLaterOneAway(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	m := NewMemory(10, func() time.Time { return now })
	claim := func(key byte, ttl time.Duration) (Claim, error) { return m.Claim(t.Context(), Key{key}, ttl) }
	must.Have(claim(1, time.Hour))(t)
	must.Have(claim(2, time.Minute))(t)
	now = now.Add(2 * time.Minute)
	later := must.Have(claim(2, 3*time.Hour))(t)
	now = now.Add(time.Hour)
	require.Equal(t, 1, m.Len(), "the first of both is over")
	_, err := claim(2, time.Hour)
	require.ErrorIs(t, err, ErrClaimed)
	for range 2 {
		require.NoError(t, later.Release(t.Context()))
	}
	require.Zero(t, m.Len())
}

// Claims that are over early are forgotten early, whatever was claimed for longer before.
func TestShortClaimsDoNotWaitForLongOnes(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	m := NewMemory(10, func() time.Time { return now })
	for key, ttl := range []time.Duration{time.Hour, time.Minute, time.Hour, time.Minute} {
		must.Have(m.Claim(t.Context(), Key{byte(key)}, ttl))(t)
	}
	now = now.Add(2 * time.Minute)
	require.Equal(t, 2, m.Len())
	now = now.Add(time.Hour)
	require.Zero(t, m.Len())
}
