package segment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// messages returns the golden messages.
func messages(tb testing.TB) (texts []string, bytes int64) {
	names, err := filepath.Glob("testdata/messages/*.txt")
	require.NoError(tb, err)
	require.NotEmpty(tb, names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		texts = append(texts, string(text))
		bytes += int64(len(text))
	}
	return texts, bytes
}

func BenchmarkSegment(b *testing.B) {
	texts, bytes := messages(b)
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
	benchmarkText(b, strings.Repeat("You can do it like this:\n\n```go\n"+strings.Repeat("\tx := f(1, \"two\")\n", 20)+"```\n\nThen call it.\n\n", 50))
}

// The time for each byte must not grow with the length of the input, whatever it is: compare the MB/s of the two sizes.
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
		{"fences of Markdown", "```md\n```\n"},
		{"fences with quotes", "```quote\n"},
		{"fences between carriage returns", "```\ra\rb\rc\r```\r"},
		{"backticks", "`"},
		{"tags", "<pre a='"},
		{"end tags", "</pre><pre>"},
		{"comments", "<!--\n"},
		{"indentation", "    a\n\n"},
		{"hunks", "@@ -1 +1 @@\n-a\n"},
		{"underlines", "[a]: b\n=\n"},
		{"short lines", "a\nb\n"},
		{"lines of signs", "(;,.:!?[]{}+\n"},
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
		lists := strings.Repeat("- ", deep)
		for name, text := range map[string]string{
			"blank lines in nested lists":    lists + "a" + strings.Repeat("\n", size-2*deep),
			"elements in nested lists":       lists + strings.Repeat("<pre>a</pre>", size/16),
			"indented lines in nested lists": lists + "a\n" + strings.Repeat(" ", 2*deep) + "b\n\n" + strings.Repeat(" ", 2*deep) + "c",
			"blank lines in a quoted list":   "> " + lists + "a\n" + strings.Repeat(">\n", deep),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) { benchmarkText(b, text) })
		}
	}
}

func benchmarkText(b *testing.B, text string) {
	s := segment.Default()
	var segments []segment.Segment
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		segments, _ = s.AppendSegments(context.Background(), segments[:0], text)
	}
}

// BenchmarkClassify names the languages of the code in the golden messages.
func BenchmarkClassify(b *testing.B) {
	texts, _ := messages(b)
	s := segment.Default()
	var code []string
	bytes := int64(0)
	for _, text := range texts {
		for _, part := range s.Segment(text) {
			if part.Kind == segment.Code {
				code = append(code, part.Content(text))
				bytes += int64(len(code[len(code)-1]))
			}
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range code {
			s.Classify(c)
		}
	}
}

func BenchmarkClassified(b *testing.B) {
	texts, bytes := messages(b)
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

func BenchmarkClassifiedHostile(b *testing.B) {
	s := segment.Default()
	for _, unit := range []string{"```\na\n```\n", "Go Rust:\n```\na\n```\n", "<pre>a</pre>\n", "See, it is so:\n\nx = f(1, 2);\n\n"} {
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) {
			text := strings.Repeat(unit, (1<<20)/len(unit))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.SegmentClassified(text)
			}
		})
	}
}

// BenchmarkClassifiedBesideOtherWork shows what a call costs in a server, whose other work puts the models out of the processor's
// caches: median-ns is the median time of a call after so many bytes were written.
func BenchmarkClassifiedBesideOtherWork(b *testing.B) {
	text := "It fails:\n\nSELECT name FROM users WHERE id = 1;\nUPDATE users SET name = 'a' WHERE id = 1;\n\nand prints\n\n" +
		"ERROR:  relation \"users\" does not exist\n\nWhy?"
	s := segment.Default()
	for _, size := range []int{0, 256 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			other := make([]byte, size)
			var segments []segment.Classified
			var calls []time.Duration
			for b.Loop() {
				for i := 0; i < len(other); i += 64 {
					other[i]++
				}
				start := time.Now()
				segments, _ = s.AppendClassified(context.Background(), segments[:0], text)
				calls = append(calls, time.Since(start))
			}
			slices.Sort(calls)
			b.ReportMetric(float64(calls[len(calls)/2]), "median-ns")
		})
	}
}
