package segment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints/hintstest"
)

// The model is asked with the hints that it is trained with; the trainer's test
// has the same cases.
func TestTheModelIsAskedAsTheTrainerAsksIt(t *testing.T) {
	for _, c := range hintstest.Cases {
		t.Run(c.Name, func(t *testing.T) {
			b := newBuilder(nil)
			require.NoError(t, b.addMessage(context.Background(), nil, c.Text))
			require.Equal(t, c.Want, hintstest.Show(c.Text[b.base:], b.lines, b.hints))
		})
	}
}
