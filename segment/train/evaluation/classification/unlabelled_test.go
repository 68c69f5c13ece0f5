package classification

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/synthetic"
)

func TestNothingThatIsTrainedOnIsMeasured(t *testing.T) {
	pieces := Unlabelled()
	require.Greater(t, len(pieces), 40)
	for _, s := range synthetic.LanguageSnippets() {
		if s.Lang == langid.Unknown {
			require.False(t, slices.Contains(pieces, s.Text), "%s", s.Text)
		}
	}
	for _, p := range pieces {
		require.NotEmpty(t, p)
	}
}
