package builder

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// The lines of a piece of Markdown.
const (
	fewest  = 3
	longest = 80
)

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// pieces cuts Markdown at its headings, into parts of a bearable length. Front matter is left out.
func pieces(source string) []string {
	if rest, ok := strings.CutPrefix(source, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			source = body
		}
	}
	starts := []int{0}
	doc := markdownParser.Parse(text.NewReader([]byte(source)))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 3 && h.Lines().Len() > 0 {
			starts = append(starts, strings.LastIndexByte(source[:h.Lines().At(0).Start], '\n')+1)
		}
	}
	var all []string
	for i, start := range starts {
		end := len(source)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		piece := strings.Trim(source[start:end], "\n")
		if n := strings.Count(piece, "\n") + 1; n >= fewest && n <= longest {
			all = append(all, piece)
		}
	}
	return all
}

// block is a code block of Markdown.
type block struct {
	text, language string
	first, last    int // its lines in the source, without fences
	fenced         bool
}

var (
	prompt  = regexp.MustCompile(`(?m)^\s*[$#%>] \S`)
	element = regexp.MustCompile(`<[A-Z]\w*[ />]|</\w+>|return \(?\s*<\w`)
)

// languageOf is the label of a block by its tag. It tells apart what one tag stands for: a session from a script, and what
// has elements of JSX from what has none.
func languageOf(tag, code string) string {
	switch l := segment.LanguageOf(tag); {
	case l == segment.UnknownLanguage:
		return unknown
	case l.String() == "shell" && prompt.MatchString(code):
		return "console"
	case l.String() == "javascript" && element.MatchString(code):
		return "jsx"
	case l.String() == "typescript" && element.MatchString(code):
		return "tsx"
	default:
		return l.String()
	}
}

// markdown makes a document of a piece of Markdown, and returns its tagged code blocks. ok is false if the piece holds
// what would leave doubts about a label: HTML, a fence that is not closed, an indented block that may be prose.
func markdown(piece string, s source, r Repository, rng *rand.Rand) (d corpus.Document, tagged []corpus.Snippet, ok bool) {
	p := parsed{source: []byte(piece), rng: rng}
	root, err := p.parse()
	if err != nil {
		return d, nil, false
	}
	d = corpus.Document{Source: r.Name, Kind: "md-rendered"}
	fill := func(lines *document) { p.blocks(lines, root, "") }
	if rng.IntN(4) == 0 {
		d.Kind, d.Variant = "md-raw", "raw"
		fill = p.raw
	} else {
		switch rng.IntN(3) {
		case 0:
			d.Variant = "unwrapped"
		case 1:
			d.Variant, p.keep = "source-wrap", true
		default:
			p.width = 50 + rng.IntN(43)
			d.Variant = fmt.Sprintf("wrap%d", p.width)
		}
		if p.tight = rng.IntN(5) < 2; p.tight {
			d.Variant += ",tight"
		}
	}
	switch d = record(d, fill); {
	case d.Text == "":
		return d, nil, false
	case d.Langs == nil:
		d.Kind = "pure-text"
	case strings.HasPrefix(strings.ToLower(path.Base(s.path)), "readme"):
		d.Kind = "readme"
	}
	for i := range p.found {
		b := &p.found[i]
		if b.language != unknown && corpus.Informative(b.text) && !(b.language == "console" && !prompt.MatchString(b.text)) {
			tagged = append(tagged, corpus.Snippet{Text: b.text, Lang: b.language, Source: r.Name, Origin: "fence"})
		}
	}
	return d, tagged, true
}

// parsed is a piece of Markdown on its way to a document.
type parsed struct {
	source []byte
	rng    *rand.Rand
	keep   bool // line breaks as in the source
	width  int  // of wrapped lines; 0 for one line per paragraph
	tight  bool // no blank lines around code
	found  []block
	// The number of found blocks that a document has already.
	rendered int
}

// parse parses the source and gathers its code blocks. An error tells what leaves doubts.
func (p *parsed) parse() (ast.Node, error) {
	root := markdownParser.Parse(text.NewReader(p.source))
	return root, ast.Walk(root, p.look)
}

// look gathers the code blocks, and refuses what leaves doubts.
func (p *parsed) look(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if n.Kind() == ast.KindHTMLBlock {
		return ast.WalkStop, errors.New("an HTML block")
	}
	if !entering || !isCode(n) {
		return ast.WalkContinue, nil
	}
	k := n.Lines().Len()
	if k == 0 {
		return ast.WalkStop, errors.New("a block without lines")
	}
	line := func(of int) int { return bytes.Count(p.source[:n.Lines().At(of).Start], []byte("\n")) }
	b := block{text: strings.TrimRight(string(n.Lines().Value(p.source)), "\n"), first: line(0), last: line(k - 1)}
	tag := ""
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		b.fenced = true
		if closing, _, _ := strings.Cut(string(p.source[n.Lines().At(k-1).Stop:]), "\n"); !strings.ContainsAny(closing, "`~") {
			return ast.WalkStop, errors.New("a fence that is not closed")
		}
		if f.Info != nil {
			tag = string(f.Info.Segment.Value(p.source))
		}
	} else if !strings.ContainsAny(b.text, "(){}[]=;<>$/") {
		return ast.WalkStop, errors.New("an indented block that may be prose")
	}
	b.language = languageOf(tag, b.text)
	p.found = append(p.found, b)
	return ast.WalkContinue, nil
}

// raw adds the lines of the source without those of fences.
func (p *parsed) raw(d *document) {
	languages, fences := map[int]string{}, map[int]bool{} // of lines of code; lines that are a fence
	for _, b := range p.found {
		for l := b.first; l <= b.last; l++ {
			languages[l] = b.language
		}
		fences[b.first-1], fences[b.last+1] = b.fenced, b.fenced
	}
	for l, line := range strings.Split(string(p.source), "\n") {
		if language, ok := languages[l]; ok {
			d.code(line, language)
		} else if !fences[l] {
			d.text(line)
		}
	}
}

// blocks adds the children of a node as plain text, each line after a prefix.
func (p *parsed) blocks(d *document, parent ast.Node, prefix string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		p.block(d, n, prefix)
	}
}

func (p *parsed) block(d *document, n ast.Node, prefix string) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		b := p.found[p.rendered]
		p.rendered++
		if !p.tight {
			d.gap()
		}
		d.code(b.text, b.language)
		if !p.tight {
			d.gap()
		}
	case *ast.List:
		p.list(d, n, prefix)
		d.gap()
	case *east.Table:
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			var cells []string
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				cells = append(cells, p.inline(cell))
			}
			d.text(prefix + strings.Join(cells, "\t"))
		}
		d.gap()
	case *ast.ThematicBreak:
	case *ast.Blockquote:
		p.blocks(d, n, prefix)
	default:
		d.text(p.wrapped(p.inline(n), prefix, prefix))
		if n.Kind() != ast.KindTextBlock && !(p.tight && isCode(n.NextSibling())) {
			d.gap()
		}
	}
}

func isCode(n ast.Node) bool {
	return n != nil && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock)
}

// list adds the items of a list, each after a dash or number.
func (p *parsed) list(d *document, list *ast.List, prefix string) {
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		sign := "- "
		if list.IsOrdered() {
			sign = fmt.Sprintf("%d. ", number)
			number++
		}
		inner := prefix + strings.Repeat(" ", len(sign))
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			if n == item.FirstChild() && (n.Kind() == ast.KindTextBlock || n.Kind() == ast.KindParagraph) {
				d.text(p.wrapped(p.inline(n), prefix+sign, inner))
				continue
			}
			p.block(d, n, inner)
		}
	}
}

// inline is the text of a block as a reader sees it; code spans keep their backticks.
func (p *parsed) inline(n ast.Node) string {
	var b strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		switch c := c.(type) {
		case *ast.CodeSpan:
			b.WriteByte('`')
		case *ast.Text:
			if entering {
				b.Write(c.Segment.Value(p.source))
				switch {
				case c.HardLineBreak() || c.SoftLineBreak() && p.keep:
					b.WriteByte('\n')
				case c.SoftLineBreak():
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(c.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(c.URL(p.source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// wrapped breaks text at p.width; first and rest, of the same width, stand before the first line and the others.
func (p *parsed) wrapped(s, first, rest string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		current := ""
		for word := range strings.FieldsSeq(line) {
			if p.width > 0 && current != "" && len(rest)+len(current)+1+len(word) > p.width {
				out, current = append(out, current), ""
			}
			current = strings.TrimLeft(current+" "+word, " ")
		}
		out = append(out, current)
	}
	return first + strings.Join(out, "\n"+rest)
}
