package segmentation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// Each correction names a document of dev, changes something in it, and says why.
func TestCorrectionsFitTheCorpus(t *testing.T) {
	data, err := corpus.Open()
	if err != nil {
		t.Skip(err)
	}
	documents, err := data.Documents("documents.dev", "messages.dev")
	require.NoError(t, err)
	left := map[string]bool{}
	for key, list := range corrections() {
		left[key] = true
		for _, c := range list {
			require.NotEmpty(t, c.Reason, key)
			require.Contains(t, []string{corpus.Text, corpus.Code, Undecided}, c.Label)
		}
	}
	for i := range documents {
		d := &documents[i]
		key := corpus.Key(d.Text)
		if corrections()[key] == nil {
			continue
		}
		delete(left, key)
		require.NotEqual(t, d.Labels, Corrected(d), "%s of %s", key, d.Source)
	}
	require.Empty(t, left, "corrections of what is not in dev")
}
