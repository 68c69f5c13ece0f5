package doctest

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Document is a Markdown file.
type Document struct {
	Path    string
	Blocks  []Block
	Links   []Link
	Anchors []string // of the headings, without "#"
}

// Block is a code block. One that is indented instead of fenced has no language.
type Block struct {
	Path     string
	Line     int    // of the first line of code, counted from 1
	Section  string // the text of the heading above it
	Language string
	Code     string // with the line break at its end
	Comment  string // the HTML comment directly before the block, without its marks
}

// String says where the block is.
func (b Block) String() string { return fmt.Sprintf("%s:%d", b.Path, b.Line) }

// Link is the target of a link or an image.
type Link struct {
	Line   int // of the paragraph
	Target string
}

// ReadFile reads a file.
func ReadFile(path string) (*Document, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, source), nil
}

// Parse reads the source of a file, with line breaks of any system.
func Parse(path string, source []byte) *Document {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	d := &Document{Path: path}
	section, line := "", 1
	seen := map[string]int{}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			line = 1 + bytes.Count(source[:n.Lines().At(0).Start], []byte("\n"))
		}
		switch n := n.(type) {
		case *ast.Heading:
			section = plainText(n, source)
			d.Anchors = append(d.Anchors, anchor(section, seen))
		case *ast.FencedCodeBlock:
			d.add(Block{Line: line, Section: section, Language: string(n.Language(source)), Code: string(n.Lines().Value(source)), Comment: commentBefore(n, source)})
		case *ast.CodeBlock:
			d.add(Block{Line: line, Section: section, Code: string(n.Lines().Value(source)), Comment: commentBefore(n, source)})
		case *ast.Link:
			d.Links = append(d.Links, Link{line, string(n.Destination)})
		case *ast.Image:
			d.Links = append(d.Links, Link{line, string(n.Destination)})
		case *ast.AutoLink:
			d.Links = append(d.Links, Link{line, string(n.URL(source))})
		}
		return ast.WalkContinue, nil
	})
	return d
}

func (d *Document) add(b Block) {
	b.Path = d.Path
	d.Blocks = append(d.Blocks, b)
}

// commentBefore is the text of the HTML comment that is the block before n.
func commentBefore(n ast.Node, source []byte) string {
	html, ok := n.PreviousSibling().(*ast.HTMLBlock)
	if !ok || html.HTMLBlockType != ast.HTMLBlockType2 {
		return ""
	}
	comment := string(html.Lines().Value(source))
	if html.HasClosure() {
		comment += string(html.ClosureLine.Value(source))
	}
	comment = strings.TrimSpace(comment)
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"))
}

func plainText(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if leaf, ok := n.(*ast.Text); ok && entering {
			out.Write(leaf.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// anchor is the fragment that GitHub gives a heading: letters, digits, "-" and "_"
// of it, in lower case, and a number if there is one of this name already.
func anchor(heading string, seen map[string]int) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, heading)
	n := seen[name]
	seen[name]++
	if n > 0 {
		return fmt.Sprintf("%s-%d", name, n)
	}
	return name
}
