package markdown

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// found is a code block as both parsers can describe it.
type found struct {
	Kind          Kind
	Info, Content string
}

// byGoldmark returns the fenced and indented code blocks that goldmark finds.
func byGoldmark(t testing.TB, source string) (blocks []found) {
	root := goldmark.DefaultParser().Parse(text.NewReader([]byte(source)))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var b found
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			b.Kind = Fenced
			if n.Info != nil {
				b.Info = string(n.Info.Segment.Value([]byte(source)))
			}
		case *ast.CodeBlock:
			b.Kind = Indented
		default:
			return ast.WalkContinue, nil
		}
		b.Content = string(n.Lines().Value([]byte(source)))
		blocks = append(blocks, b)
		return ast.WalkContinue, nil
	})
	require.NoError(t, err)
	return blocks
}

// byScanner returns the fenced and indented code blocks that Scanner finds.
func byScanner(t testing.TB, source string) []found { return foundBy(t, new(Scanner), source) }

func foundBy(t testing.TB, s *Scanner, source string) (blocks []found) {
	doc, err := s.Scan(context.Background(), source)
	require.NoError(t, err)
	for _, b := range doc.Blocks {
		if b.Kind == HTML {
			continue
		}
		blocks = append(blocks, found{
			Kind:    b.Kind,
			Info:    source[b.InfoStart:b.InfoEnd],
			Content: string(b.Prefix.AppendContent(nil, source, b.Kind, b.Start, b.End)),
		})
	}
	return blocks
}

type specExample struct {
	Markdown string
	HTML     string // what cmark, the reference implementation, makes of it
	Example  int
	Section  string
}

// specification returns the examples of the CommonMark specification.
func specification(t testing.TB) (examples []specExample) {
	data, err := os.ReadFile("testdata/commonmark-spec.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &examples))
	require.NotEmpty(t, examples)
	return examples
}

// normal evens out what has no meaning in a code block: the white space of blank lines, and whether the last line ends.
func normal(blocks []found) []found {
	for i, b := range blocks {
		lines := strings.Split(strings.TrimSuffix(b.Content, "\n"), "\n")
		for j, line := range lines {
			if strings.TrimSpace(line) == "" {
				lines[j] = ""
			}
		}
		blocks[i].Content = strings.Join(lines, "\n")
	}
	return blocks
}

func TestScannerFindsGoldmarksBlocksInTheSpecification(t *testing.T) {
	for _, e := range specification(t) {
		require.Equal(t, byGoldmark(t, e.Markdown), byScanner(t, e.Markdown), "example %d (%s): %q", e.Example, e.Section, e.Markdown)
	}
}

func TestDialectsTakeNothingFromTheSpecification(t *testing.T) {
	for _, e := range specification(t) {
		got := foundBy(t, &Scanner{Dialects: true}, e.Markdown)
		require.Equal(t, byScanner(t, e.Markdown), got, "example %d (%s): %q", e.Example, e.Section, e.Markdown)
	}
}

// cmarksBlock is a code block in the output of cmark.
var cmarksBlock = regexp.MustCompile(`(?s)<pre><code(?: class="language-([^"]*)")?>(.*?)</code></pre>`)

// byCmark returns the fenced and indented code blocks in what cmark makes of an example: the language and the content of each.
func byCmark(e specExample) (blocks []found) {
	for _, match := range cmarksBlock.FindAllStringSubmatch(e.HTML, -1) {
		if strings.Contains(e.Markdown, match[0]) {
			continue // an HTML block, which cmark copies
		}
		blocks = append(blocks, found{Info: html.UnescapeString(match[1]), Content: html.UnescapeString(match[2])})
	}
	return blocks
}

func TestScannerFindsCmarksBlocksInTheSpecification(t *testing.T) {
	count := 0
	for _, e := range specification(t) {
		got := byScanner(t, e.Markdown)
		for i := range got {
			language, _, _ := strings.Cut(got[i].Info, " ")
			got[i].Kind, got[i].Info = 0, unescapeInfo(language)
		}
		require.Equal(t, byCmark(e), got, "example %d (%s): %q", e.Example, e.Section, e.Markdown)
		count += len(got)
	}
	require.Equal(t, 89, count)
}

// unescapeInfo resolves backslash escapes and entities (sections 2.4 and 2.5), which the scanner leaves to whoever reads the
// language.
func unescapeInfo(info string) string {
	return html.UnescapeString(regexp.MustCompile(`\\([!-/:-@\[-`+"`"+`{-~])`).ReplaceAllString(info, "$1"))
}

// Where goldmark departs from the specification (and cmark, the reference
// implementation, does not): tabs behind nested list markers, tags that are
// alone on their line, list items that begin with a blank line.
var goldmarkDeparts = regexp.MustCompile(`[\t<]|(?m:([-+*]|[0-9][.)]) *$)`)

// Where both are right but not comparable: goldmark knows no lone carriage
// return, changes NUL to U+FFFD, keeps a byte order mark and takes the Unicode
// and control characters around an info string for white space; the scanner
// does not look for link reference definitions.
var notComparable = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\xff]|\]:`)

func FuzzScannerAgreesWithGoldmark(f *testing.F) {
	skip := func(source string) bool {
		return goldmarkDeparts.MatchString(source) || notComparable.MatchString(source)
	}
	for _, e := range specification(f) {
		if !skip(e.Markdown) {
			f.Add(e.Markdown)
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		if skip(source) {
			return
		}
		source += "\n" // goldmark cuts the info string of a last line that does not end
		require.Equal(t, normal(byGoldmark(t, source)), normal(byScanner(t, source)))
	})
}
