package segmentation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// fenced is a raw Markdown document with the code blocks that CommonMark finds in it.
type fenced struct {
	Text     string          `json:"text"`
	Segments []fencedSegment `json:"segments"`
	Features []string        `json:"features"`
	Source   string          `json:"source"`
	Variant  string          `json:"variant"`
}

// fencedSegment is a code block of a fenced document; offsets are bytes of its Text.
type fencedSegment struct {
	Start      int    `json:"start"` // content lines, final line break included
	End        int    `json:"end"`
	OuterStart int    `json:"outer_start"` // with the fence lines
	OuterEnd   int    `json:"outer_end"`
	Via        string `json:"via"` // fence, indented or html
	Info       string `json:"info"`
	Tag        string `json:"tag"`
	Closed     bool   `json:"closed"`
	Container  string `json:"container"` // list or quote
	Content    string `json:"content"`   // without container prefixes and code indentation
}

// fencedDocuments returns the raw Markdown documents of the corpus.
func fencedDocuments(t testing.TB) []fenced {
	data, err := corpus.Open()
	if err != nil {
		t.Skip(err)
	}
	docs, err := corpus.Read[fenced](data, "fenced.dev")
	require.NoError(t, err)
	return docs
}

// trimLines returns content with the corpus's line endings and blank lines.
func trimLines(content string) string {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(content, "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// All code that the corpus's Markdown documents mark is found, with its content and tag. How many documents have other lines that
// are taken for code is logged.
func TestSegmentFindsTheMarkedCodeOfTheCorpus(t *testing.T) {
	docs := fencedDocuments(t)
	more := 0
	for i, doc := range docs {
		segments := segment.Default().Segment(doc.Text)
		unmarked := false
		var got []string
		for _, s := range segments {
			switch s.Markup {
			case segment.Fenced:
				got = append(got, trimLines(s.Content(doc.Text))+" | "+s.Info)
			case segment.HTML:
				got = append(got, trimLines(s.Content(doc.Text)))
			}
			unmarked = unmarked || s.Kind == segment.Code && s.Markup == segment.Unmarked
		}
		if unmarked {
			more++
			t.Logf("document %d of %s %s", i, doc.Source, doc.Variant)
		}
		var want []string
		for _, s := range doc.Segments {
			switch content := trimLines(s.Content); {
			case content == "":
			case s.Via == "fence":
				want = append(want, content+" | "+s.Info)
			case s.Via == "html":
				want = append(want, content)
			}
		}
		require.Equal(t, want, got, "document %d of %s, %s", i, doc.Source, doc.Variant)
	}
	t.Logf("%d of %d documents have code that is not marked", more, len(docs))
}
