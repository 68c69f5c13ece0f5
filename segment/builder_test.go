package segment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints/hintstest"
)

// The model is asked with the hints that it is trained with; the trainer's test has the same cases.
func TestTheModelIsAskedAsTheTrainerAsksIt(t *testing.T) {
	for _, c := range hintstest.Cases {
		b := newBuilder(nil)
		require.NoError(t, b.addMessage(context.Background(), nil, c.Text), c.Name)
		require.Equal(t, c.Want, hintstest.Show(c.Text[b.base:], b.lines, b.hints), c.Name)
	}
}
