package segmentation_test

import (
	"context"
	"html"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// block is a code block as the corpus and the scanner can both describe it.
type block struct {
	Kind          markdown.Kind
	Start         int
	Info, Content string
}

// The scanner finds the code blocks that the corpus has for its Markdown documents, with their info strings and contents.
func TestScannerFindsTheBlocksOfTheCorpus(t *testing.T) {
	kinds := map[string]markdown.Kind{"fence": markdown.Fenced, "indented": markdown.Indented, "html": markdown.HTML}
	var scanner markdown.Scanner
	for i, doc := range fencedDocuments(t) {
		scanned, err := scanner.Scan(context.Background(), doc.Text)
		require.NoError(t, err)
		var want, got []block
		for _, s := range doc.Segments {
			want = append(want, block{kinds[s.Via], s.Start, s.Info, trimLines(s.Content)})
		}
		for _, b := range scanned.Blocks {
			content := string(b.Prefix.AppendContent(nil, doc.Text, b.Kind, b.Start, b.End))
			if b.Kind == markdown.HTML {
				content = html.UnescapeString(content)
			}
			info := ""
			if b.Kind == markdown.Fenced { // the corpus has no classes of tags
				info = doc.Text[b.InfoStart:b.InfoEnd]
			}
			got = append(got, block{b.Kind, b.Start, info, trimLines(content)})
		}
		require.Equal(t, want, got, "document %d of %s, %s", i, doc.Source, doc.Variant)
	}
}
