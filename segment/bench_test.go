package segment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/corpus"
)

// devDocuments returns the messages of the corpus's dev split.
func devDocuments(tb testing.TB) (texts []string, bytes int64) {
	dir, err := corpus.Dir()
	if err != nil {
		tb.Skip(err)
	}
	docs, err := corpus.Documents(dir, corpus.Dev)
	if err != nil {
		tb.Skip(err)
	}
	for _, d := range docs {
		texts = append(texts, d.Text)
		bytes += int64(len(d.Text))
	}
	return texts, bytes
}

func BenchmarkSegment(b *testing.B) {
	texts, bytes := devDocuments(b)
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

func BenchmarkSegmentFenced(b *testing.B) {
	text := strings.Repeat("You can do it like this:\n\n```go\n"+strings.Repeat("\tx := f(1, \"two\")\n", 20)+"```\n\nThen call it.\n\n", 50)
	s := segment.Default()
	var segments []segment.Segment
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		segments, _ = s.AppendSegments(context.Background(), segments[:0], text)
	}
}
