package markdown

import (
	"context"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/corpus"
)

// fencedDocuments returns the raw Markdown documents of the corpus.
func fencedDocuments(t testing.TB) []corpus.Fenced {
	dir, err := corpus.Dir()
	if err != nil {
		t.Skip(err)
	}
	docs, err := corpus.FencedDocuments(dir)
	if err != nil {
		t.Skip(err)
	}
	return docs
}

// fencesOf returns the fenced blocks among blocks.
func fencesOf(blocks []found) (fences []found) {
	for _, b := range blocks {
		if b.Kind == Fenced {
			fences = append(fences, b)
		}
	}
	return fences
}

func TestScannerFindsGoldmarksFencesInTheCorpus(t *testing.T) {
	for i, doc := range fencedDocuments(t) {
		require.Equal(t, normal(fencesOf(byGoldmark(t, doc.Text))), normal(fencesOf(byScanner(t, doc.Text))), "document %d of %s, %s", i, doc.Source, doc.Variant)
	}
}

func TestScannerFindsTheBlocksOfTheCorpus(t *testing.T) {
	vias := map[string]Kind{"fence": Fenced, "indented": Indented, "html": HTML}
	same, total := map[string]int{}, map[string]int{}
	var s Scanner
	for i, doc := range fencedDocuments(t) {
		scanned, err := s.Scan(context.Background(), doc.Text)
		require.NoError(t, err)
		byStart := map[int]Block{}
		for _, b := range scanned.Blocks {
			byStart[b.Start] = b
		}
		for _, want := range doc.Segments {
			total[want.Via]++
			got, ok := byStart[want.Start]
			content := string(got.Prefix.AppendContent(nil, doc.Text, got.Kind, got.Start, got.End))
			if want.Via == "html" {
				content = html.UnescapeString(content)
			}
			// The corpus evens out line endings and blank lines.
			content = strings.ReplaceAll(content, "\r\n", "\n")
			wanted := []found{{Content: want.Content}}
			if ok && got.Kind == vias[want.Via] && normal([]found{{Content: content}})[0] == normal(wanted)[0] {
				same[want.Via]++
			} else {
				t.Logf("document %d of %s, %s: want %q, got %v %q", i, doc.Source, doc.Variant, want.Content, ok, content)
			}
		}
	}
	for via, n := range total {
		t.Logf("%s: %d of %d", via, same[via], n)
	}
	require.Equal(t, total, same)
}
