package admission

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorkThatYieldsLearnsThatItsClientHasLeft(t *testing.T) {
	g := NewGate(Limits{MaxBody: megabyte}.WithDefaults())
	ctx, cancel := context.WithCancel(t.Context())
	err := admit(t, g, megabyte).Work(ctx, megabyte, func(ctx context.Context) error {
		require.NoError(t, ctx.Err())
		cancel()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
}
