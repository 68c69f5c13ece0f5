package segment

import (
	"context"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// The model sees at most so much of a message at once, so that its memory is
// bounded and ctx is looked at in time. Pieces end at the end of a line.
const (
	maxLines = 1 << 15
	maxBytes = 1 << 20
)

// Of a delimited block the model sees so many lines at each end: it has
// nothing to decide there, and what is far away says little.
const contextLines = 2

// minRun is the number of lines that code needs outside of the fences of a
// message that has fences.
const minRun = 2

// composer brings together what markup and the model say of a message. It is
// the working memory of one call.
type composer struct {
	model   *linetag.Model
	scanner markdown.Scanner
	scratch linetag.Scratch
	out     assembler

	text   string
	fenced bool         // the message has code in fences
	free   linetag.Hint // what to tell the model of lines in no block

	// The lines that the model has not seen yet, relative to base.
	base   int
	lines  []linetag.Line
	hints  []linetag.Hint
	origin []origin
	labels []bool
}

// origin is what the assembler needs to know of a line beside its label.
type origin struct {
	after  int             // where the next line starts
	blank  bool            // nothing but white space and quote markers
	block  *markdown.Block // the delimited block that the line is in, or nil
	markup Markup
	prefix markdown.Prefix // if markup is Indented
}

// compose appends the segments of text to dst.
func (c *composer) compose(ctx context.Context, dst []Segment, text string) ([]Segment, error) {
	c.scanner.Patches = true
	doc, err := c.scanner.Scan(ctx, text)
	if err != nil {
		return dst, err
	}
	c.text, c.base = text, 0
	c.fenced = slices.ContainsFunc(doc.Blocks, func(b markdown.Block) bool {
		return b.Kind == markdown.Fenced && b.HasContent(text)
	})
	c.free = linetag.Free
	if isHTMLPost(text, doc) {
		c.free = linetag.Text
	}
	c.out = assembler{text: text, dst: dst, first: len(dst)}

	pos := 0
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind == markdown.HTML && doc.Page {
			continue
		}
		if err := c.addFree(ctx, pos, b.OuterStart); err != nil {
			return dst, err
		}
		if err := c.addBlock(ctx, b); err != nil {
			return dst, err
		}
		pos = b.OuterEnd
	}
	if err := c.addFree(ctx, pos, len(text)); err != nil {
		return dst, err
	}
	if err := c.flush(ctx); err != nil {
		return dst, err
	}
	return c.out.finish(), nil
}

// isHTMLPost reports whether text is written in HTML, as posts of Stack
// Overflow are: it begins with a paragraph and marks its code, so that the
// other elements are text.
func isHTMLPost(text string, doc markdown.Document) bool {
	return !doc.Page && markdown.StartsParagraph(text) && slices.ContainsFunc(doc.Blocks, func(b markdown.Block) bool {
		return b.Kind == markdown.HTML && b.Closed && b.HasContent(text)
	})
}

// addFree adds the lines of text[start:end], which are in no block.
func (c *composer) addFree(ctx context.Context, start, end int) error {
	for walk := markdown.NewLines(c.text[:end], start); walk.Next(); {
		hint := c.free
		if c.insideLine(walk.Start) || c.insideLine(walk.After) {
			hint = linetag.Text // what shares a line with a tag is not code
		}
		if err := c.add(ctx, &walk, hint, origin{}); err != nil {
			return err
		}
	}
	return nil
}

// addBlock adds the lines of b.
func (c *composer) addBlock(ctx context.Context, b *markdown.Block) error {
	start, end, hint := b.Start, b.End, linetag.Code
	var o origin
	switch {
	case !b.HasContent(c.text):
		// There is no code in it, so its markup is something to read.
		start, end, hint = b.OuterStart, b.OuterEnd, linetag.Text
	case b.Kind == markdown.Indented:
		o.markup, o.prefix = Indented, b.Prefix
		if !c.fenced {
			hint = linetag.Indented // plain text is indented for many reasons
		}
	case b.Kind != markdown.Patch:
		o.block = b
	}
	walk := markdown.NewLines(c.text[:end], start)
	for n := 0; walk.Next(); n++ {
		if n == contextLines && o.block != nil {
			walk = markdown.NewLines(c.text[:end], max(walk.Start, lastLines(c.text[:end], contextLines)))
			walk.Next()
		}
		if err := c.add(ctx, &walk, hint, o); err != nil {
			return err
		}
	}
	return nil
}

// add adds the line that walk is at.
func (c *composer) add(ctx context.Context, walk *markdown.Lines, hint linetag.Hint, o origin) error {
	if len(c.lines) == maxLines || walk.End-c.base > maxBytes && len(c.lines) > 0 {
		if err := c.flush(ctx); err != nil {
			return err
		}
	}
	if len(c.lines) == 0 {
		c.base = walk.Start
	}
	o.after = walk.After
	o.blank = isBlank(c.text[walk.Start:walk.End])
	if n := len(c.origin); o.blank && n >= 2 && c.origin[n-1] == (origin{blank: true, after: walk.Start}) && c.origin[n-2].blank {
		c.origin[n-1].after = o.after // to the model, many blank lines are like two
		return nil
	}
	c.lines = append(c.lines, linetag.Line{Start: int32(walk.Start - c.base), End: int32(min(walk.End-c.base, 1<<31-1))})
	c.hints = append(c.hints, hint)
	c.origin = append(c.origin, o)
	return nil
}

// lastLines returns where the last n lines of text begin.
func lastLines(text string, n int) int {
	for ; n > 0 && text != ""; n-- {
		text = text[:strings.LastIndexByte(text[:len(text)-1], '\n')+1]
	}
	return len(text)
}

// insideLine reports whether pos is neither at the beginning of a line nor at
// the end of the text.
func (c *composer) insideLine(pos int) bool {
	return 0 < pos && pos < len(c.text) && c.text[pos-1] != '\n' && c.text[pos-1] != '\r'
}

// flush labels the lines that have been added and hands them to the
// assembler.
func (c *composer) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(c.lines) == 0 {
		return nil
	}
	piece := c.text[c.base:c.origin[len(c.origin)-1].after]
	c.labels = c.model.Label(&c.scratch, piece, c.lines, c.hints, c.labels[:0])
	if c.fenced {
		c.doubtRuns()
	}
	for i, o := range c.origin {
		start := c.base + int(c.lines[i].Start)
		switch {
		case o.block != nil:
			if start == o.block.Start {
				c.out.block(o.block)
			}
		case o.blank:
			c.out.blank(start, o.after)
		default:
			c.out.line(start, o.after, c.labels[i], o.markup, o.prefix)
		}
	}
	c.lines, c.hints, c.origin = c.lines[:0], c.hints[:0], c.origin[:0]
	return nil
}

// doubtRuns makes text of what the model takes for code outside of the fences
// of a message that has fences, unless it is some lines of which none looks
// like Markdown: such a message is Markdown, where code is marked, but people
// forget.
func (c *composer) doubtRuns() {
	for i := 0; i < len(c.labels); {
		if !c.labels[i] || c.origin[i].block != nil {
			i++
			continue
		}
		n, end, doubt := 0, i, false
		for ; end < len(c.labels) && c.labels[end] && c.origin[end].block == nil; end++ {
			if c.hints[end] == linetag.Free && !c.origin[end].blank {
				n++
				l := c.lines[end]
				doubt = doubt || markdown.IsStructure(c.text[c.base+int(l.Start):c.base+int(l.End)])
			}
		}
		for doubt = doubt || n < minRun; i < end; i++ {
			if doubt && c.hints[i] == linetag.Free {
				c.labels[i] = false
			}
		}
	}
}

// forget drops what refers to the caller's memory.
func (c *composer) forget() {
	c.text, c.out = "", assembler{}
	c.lines, c.hints, c.origin = c.lines[:0], c.hints[:0], c.origin[:0]
	c.scanner.Forget()
}

// isBlank reports whether s consists of white space and quote markers.
func isBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\v', '\f', '\r', '>':
		default:
			return false
		}
	}
	return true
}
