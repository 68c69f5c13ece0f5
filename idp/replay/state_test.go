package replay_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestValuesAreBoundedByTheirSize(t *testing.T) {
	m := replay.NewMemory(10, time.Now)
	big := make([]byte, replay.DefaultStateBytes/2)
	for i := range byte(2) {
		must.Have(m.CompareAndSwap(t.Context(), replay.Key{i}, nil, big[:len(big)-200], time.Hour))(t)
	}
	_, err := m.CompareAndSwap(t.Context(), replay.Key{2}, nil, big, time.Hour)
	require.ErrorIs(t, err, replay.ErrFull)
	swapped := must.Have(m.CompareAndSwap(t.Context(), replay.Key{1}, big[:len(big)-200], nil, 0))(t)
	require.True(t, swapped)
	_, err = m.CompareAndSwap(t.Context(), replay.Key{2}, nil, big[:100], time.Hour)
	require.NoError(t, err, "there is room again")
}
