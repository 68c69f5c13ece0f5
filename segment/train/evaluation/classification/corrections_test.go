package classification

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Each correction names a snippet of dev, gives it another label, and says why.
func TestCorrectionsFitTheCorpus(t *testing.T) {
	data, err := corpus.Open()
	if err != nil {
		t.Skip(err)
	}
	labels := AllLabels()
	snippets, err := data.Snippets("snippets.dev")
	require.NoError(t, err)
	there := map[labelled]bool{}
	for _, s := range snippets {
		there[labelled{corpus.Key(s.Text), s.Lang}] = true
	}
	for key, c := range corrections() {
		require.True(t, there[key], "%v is not in dev", key)
		require.NotEqual(t, c.Was, c.Label, c.Snippet)
		require.NotEmpty(t, c.Reason, c.Snippet)
		require.Contains(t, append(labels.Names, Undecided), c.Label)
	}
}
