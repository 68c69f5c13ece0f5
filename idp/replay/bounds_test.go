package replay

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
