package classification_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func BenchmarkClassify(b *testing.B) {
	data, err := corpus.Open("")
	if err != nil {
		b.Skip(err)
	}
	snippets, err := data.Snippets(corpus.Dev)
	require.NoError(b, err)
	s := segment.Default()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Classify(snippets[i%len(snippets)].Text)
	}
}
