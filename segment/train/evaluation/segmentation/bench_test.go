package segmentation_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// devMessages returns the messages of the corpus's dev split.
func devMessages(tb testing.TB) (texts []string, bytes int64) {
	data, err := corpus.Open("")
	if err != nil {
		tb.Skip(err)
	}
	docs, err := data.Documents(corpus.Dev)
	require.NoError(tb, err)
	for _, d := range docs {
		texts = append(texts, d.Text)
		bytes += int64(len(d.Text))
	}
	return texts, bytes
}

func BenchmarkSegment(b *testing.B) {
	texts, bytes := devMessages(b)
	s := segment.Default()
	var segments []segment.Segment
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			segments, _ = s.AppendSegments(context.Background(), segments[:0], text)
		}
	}
}

func BenchmarkClassified(b *testing.B) {
	texts, bytes := devMessages(b)
	s := segment.Default()
	var segments []segment.Classified
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			segments, _ = s.AppendClassified(context.Background(), segments[:0], text)
		}
	}
}
