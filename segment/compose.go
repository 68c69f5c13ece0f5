package segment

import (
	"context"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/lines"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// The model sees at most so much of a message at once, so that its memory is
// bounded and ctx is looked at in time. Pieces end at the end of a line.
const (
	maxLines = 1 << 15
	maxBytes = 1 << 20
)

// composer brings together what markup and the model say of a message. It is
// the working memory of one call.
type composer struct {
	model   *lines.Model
	scanner markdown.Scanner
	scratch lines.Scratch
	out     assembler

	text   string
	blocks []markdown.Block // those that are not assembled yet
	sure   bool             // the message is evidently Markdown

	// The lines that the model has not seen yet, relative to base.
	base   int
	lines  []lines.Line
	hints  []lines.Hint
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
	c.sure = doc.Fences > 0
	c.out = assembler{text: text, dst: dst, first: len(dst)}

	pos := 0
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind == markdown.HTML && doc.Page {
			continue
		}
		if err := c.addLines(ctx, pos, b.OuterStart, nil, lines.Free); err != nil {
			return dst, err
		}
		pos = b.OuterEnd
		if !b.HasContent(text) {
			// There is no code in it, so its markup is something to read.
			if err := c.addLines(ctx, b.OuterStart, b.OuterEnd, nil, lines.Text); err != nil {
				return dst, err
			}
			continue
		}
		hint := lines.Code
		if b.Kind == markdown.Indented && !c.sure {
			hint = lines.Indented
		}
		if err := c.addLines(ctx, b.Start, b.End, b, hint); err != nil {
			return dst, err
		}
	}
	if err := c.addLines(ctx, pos, len(text), nil, lines.Free); err != nil {
		return dst, err
	}
	if err := c.flush(ctx); err != nil {
		return dst, err
	}
	return c.out.finish(), nil
}

// addLines adds the lines of text[start:end], which belong to b if that is
// not nil.
func (c *composer) addLines(ctx context.Context, start, end int, b *markdown.Block, hint lines.Hint) error {
	for walk := markdown.NewLines(c.text[:end], start); walk.Next(); {
		if len(c.lines) == maxLines || walk.End-c.base > maxBytes && len(c.lines) > 0 {
			if err := c.flush(ctx); err != nil {
				return err
			}
		}
		if len(c.lines) == 0 {
			c.base = walk.Start
		}
		o := origin{after: walk.After, blank: isBlank(c.text[walk.Start:walk.End])}
		hint := hint
		switch {
		case b == nil && (c.insideLine(walk.Start) || c.insideLine(walk.After)):
			hint = lines.Text // what shares a line with a tag is not code
		case b == nil:
		case b.Kind == markdown.Indented:
			o.markup, o.prefix = Indented, b.Prefix
		case b.Kind != markdown.Patch:
			o.block = b
		}
		c.lines = append(c.lines, lines.Line{Start: int32(walk.Start - c.base), End: int32(min(walk.End-c.base, 1<<31-1))})
		c.hints = append(c.hints, hint)
		c.origin = append(c.origin, o)
	}
	return nil
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
