package classification_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func BenchmarkClassify(b *testing.B) {
	dir, err := corpus.Dir()
	if err != nil {
		b.Skip(err)
	}
	snippets, err := corpus.Snippets(dir, corpus.Dev)
	require.NoError(b, err)
	s := segment.Default()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Classify(snippets[i%len(snippets)].Text)
	}
}
