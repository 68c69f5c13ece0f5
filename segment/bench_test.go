package segment_test

import (
	"context"
	"fmt"
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

// The time for each byte must not grow with the length of the input, whatever
// it is: compare the MB/s of the two sizes.
func BenchmarkSegmentHostile(b *testing.B) {
	for _, hostile := range []struct{ name, unit string }{
		{"blank lines", "\n"},
		{"lone carriage returns", "\r"},
		{"one line", "abcdefg "},
		{"spaces", " "},
		{"NUL", "\x00"},
		{"invalid UTF-8", "\xff\xfe"},
		{"list markers", "- "},
		{"asterisks", "* * a "},
		{"quote markers", ">"},
		{"nested lists", "1. - + * > "},
		{"opening fences", "```\n"},
		{"fences in quotes", "> ```\n"},
		{"backticks", "`"},
		{"tags", "<pre a='"},
		{"end tags", "</pre><pre>"},
		{"comments", "<!--\n"},
		{"indentation", "    a\n\n"},
		{"hunks", "@@ -1 +1 @@\n-a\n"},
		{"underlines", "[a]: b\n=\n"},
	} {
		for _, size := range []int{1 << 16, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%d", hostile.name, size), func(b *testing.B) {
				benchmarkText(b, strings.Repeat(hostile.unit, size/len(hostile.unit)))
			})
		}
	}
	// Deep containers, with lines that are inside all of them.
	for _, size := range []int{1 << 16, 1 << 20} {
		deep := size / 8
		b.Run(fmt.Sprintf("blank lines in nested lists/%d", size), func(b *testing.B) {
			benchmarkText(b, strings.Repeat("- ", deep)+"a"+strings.Repeat("\n", size-2*deep))
		})
		b.Run(fmt.Sprintf("indented lines in nested lists/%d", size), func(b *testing.B) {
			benchmarkText(b, strings.Repeat("- ", deep)+"a\n"+strings.Repeat(" ", 2*deep)+"b\n\n"+strings.Repeat(" ", 2*deep)+"c")
		})
		b.Run(fmt.Sprintf("blank lines in a quoted list/%d", size), func(b *testing.B) {
			benchmarkText(b, "> "+strings.Repeat("- ", deep)+"a\n"+strings.Repeat(">\n", deep))
		})
	}
}

func benchmarkText(b *testing.B, text string) {
	s := segment.Default()
	var segments []segment.Segment
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		segments, _ = s.AppendSegments(context.Background(), segments[:0], text)
	}
}

func BenchmarkClassify(b *testing.B) {
	dir, err := corpus.Dir()
	if err != nil {
		b.Skip(err)
	}
	snippets, err := corpus.Snippets(dir, corpus.Dev)
	if err != nil {
		b.Skip(err)
	}
	s := segment.Default()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Classify(snippets[i%len(snippets)].Text)
	}
}

func BenchmarkClassified(b *testing.B) {
	texts, bytes := devDocuments(b)
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
