package segment

import (
	"context"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/hints"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// The model sees at most this much of a message at once, so that its memory is bounded and ctx is checked in time. A part ends at
// the end of a line.
const (
	maxLines = 1 << 15
	maxBytes = 1 << 20
)

// builder builds the segments of a message from its markup and the labels of its lines. It is the working memory of one call.
type builder struct {
	ctx     context.Context
	model   *linetag.Model
	scanner markdown.Scanner
	scratch linetag.Scratch
	message hints.Message
	out     joiner

	// The lines that the model has not seen yet, relative to base.
	base   int
	lines  []linetag.Line
	hints  []linetag.Hint
	origin []origin
	labels []bool
}

// origin is what the joiner needs to know of a line besides its label.
type origin struct {
	after  int             // where the next line starts
	blank  bool            // nothing but white space and quote markers
	block  *markdown.Block // the delimited block that the line is in, or nil
	markup Markup
	prefix markdown.Prefix // if markup is Indented
}

// newBuilder returns the working memory of a call.
func newBuilder(model *linetag.Model) *builder {
	b := &builder{model: model, scanner: markdown.Scanner{Patches: true, Dialects: true, IsTag: namesLanguage}}
	b.scratch.Pause = func() { _ = b.ctx.Err() } // contexts may yield there; flush looks at the error
	return b
}

// build appends the segments of text to dst.
func (b *builder) build(ctx context.Context, dst []Segment, text string) ([]Segment, error) {
	b.ctx = ctx
	err := b.addMessage(ctx, dst, text)
	if err == nil {
		err = b.flush(ctx)
	}
	if err != nil {
		return dst, err
	}
	return b.out.finish(), nil
}

// addMessage adds the lines of text that the model sees.
func (b *builder) addMessage(ctx context.Context, dst []Segment, text string) error {
	doc, err := b.scanner.Scan(ctx, text)
	if err != nil {
		return err
	}
	b.message, b.base = hints.New(text, doc), 0
	b.out = joiner{text: text, dst: dst, first: len(dst)}
	for line := range b.message.Lines {
		if err = b.add(ctx, line); err != nil {
			break
		}
	}
	return err
}

// add adds a line.
func (b *builder) add(ctx context.Context, l hints.Line) error {
	if len(b.lines) == maxLines || l.End-b.base > maxBytes && len(b.lines) > 0 {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	if len(b.lines) == 0 {
		b.base = l.Start
	}
	o := origin{after: l.After, blank: isBlank(b.message.Text[l.Start:l.End])}
	switch {
	case l.Block == nil || l.Block.Kind == markdown.Patch:
	case l.Block.Kind == markdown.Indented:
		o.markup, o.prefix = Indented, l.Block.Prefix
	default:
		o.block = l.Block
	}
	if n := len(b.origin); o.blank && n >= 2 && b.origin[n-1] == (origin{blank: true, after: l.Start}) && b.origin[n-2].blank {
		b.origin[n-1].after = o.after // to the model, many blank lines are like two
		return nil
	}
	b.lines = append(b.lines, linetag.Line{Start: int32(l.Start - b.base), End: int32(min(l.End-b.base, 1<<31-1))})
	b.hints = append(b.hints, l.Hint)
	b.origin = append(b.origin, o)
	return nil
}

// flush labels the lines that have been added and hands them to the joiner.
func (b *builder) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(b.lines) == 0 {
		return nil
	}
	piece := b.message.Text[b.base:b.origin[len(b.origin)-1].after]
	b.scratch.Fenced = b.message.Fenced
	b.labels = b.model.Label(&b.scratch, piece, b.lines, b.hints, b.labels[:0])
	if b.message.Fenced {
		b.doubtRuns()
	} else if isTable(b.message.Text) {
		for i := range b.labels {
			b.labels[i] = true
		}
	}
	for i, o := range b.origin {
		start := b.base + int(b.lines[i].Start)
		switch {
		case o.block != nil:
			if start == o.block.Start {
				b.out.block(o.block)
			}
		case o.blank:
			b.out.blank(start, o.after)
		default:
			b.out.line(start, o.after, b.labels[i], o.markup, o.prefix)
		}
	}
	b.lines, b.hints, b.origin = b.lines[:0], b.hints[:0], b.origin[:0]
	return nil
}

// doubtRuns turns unmarked code of a message with fences into text if a line of it looks like Markdown: that is what the rest of
// such a message is written in.
func (b *builder) doubtRuns() {
	for i := 0; i < len(b.labels); {
		if !b.labels[i] || b.origin[i].block != nil {
			i++
			continue
		}
		end, doubt := i, false
		for ; end < len(b.labels) && b.labels[end] && b.origin[end].block == nil; end++ {
			if b.hints[end] == linetag.Free && !b.origin[end].blank {
				l := b.lines[end]
				doubt = doubt || markdown.IsStructure(b.message.Text[b.base+int(l.Start):b.base+int(l.End)])
			}
		}
		for ; i < end; i++ {
			if doubt && b.hints[i] == linetag.Free {
				b.labels[i] = false
			}
		}
	}
}

// isTable reports whether a message is nothing but rows of a table, two at least, with as many tabs in each, two at least: what
// spreadsheets copy. Between words, such rows may be a table of a page, which is text.
func isTable(text string) bool {
	rows, tabs := 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		n := strings.Count(line, "\t")
		if n < 2 || rows > 0 && n != tabs || line[0] == '\t' {
			return false
		}
		rows, tabs = rows+1, n
	}
	return rows > 1
}

// reset drops what refers to the caller's memory.
func (b *builder) reset() {
	b.ctx, b.message, b.out = nil, hints.Message{}, joiner{}
	b.lines, b.hints, b.origin = b.lines[:0], b.hints[:0], b.origin[:0]
	b.scanner.Reset()
}

// isBlank reports whether s consists of white space and quote markers.
func isBlank(s string) bool { return strings.TrimLeft(s, " \t\n\v\f\r>") == "" }
