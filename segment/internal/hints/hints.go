// Package hints decides which lines of a message the line model sees, and what markup tells it of each. The segmenter and the
// trainer of the model both ask here.
package hints

import (
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// contextLines is how many lines the model sees at each end of a fenced or HTML block. There is nothing to decide in the block,
// and lines far away say little about those around it.
const contextLines = 2

// Line is a line that the model sees, or the part of one that a tag leaves.
type Line struct {
	Start, End int // text[Start:End], without the line ending
	After      int // where the next line starts
	Hint       linetag.Hint
	// Block is the code block with content that the line is in; nil for lines in none.
	Block *markdown.Block
}

// Message is a message and its markup.
type Message struct {
	Text   string
	Blocks []markdown.Block
	// Fenced is set if there is code in a fence: such a message is Markdown.
	Fenced bool

	page bool
	free linetag.Hint // of lines in no block
}

// New returns the message text with the markup that was found in it.
func New(text string, doc markdown.Document) Message {
	m := Message{Text: text, Blocks: doc.Blocks, page: doc.Page, free: linetag.Free}
	m.Fenced = m.marksCode(func(b *markdown.Block) bool { return b.Kind == markdown.Fenced })
	// A message that begins with a paragraph in HTML and marks its code is written in HTML, as posts of Stack Overflow are: its
	// other elements are text.
	if !m.page && markdown.StartsParagraph(text) && m.marksCode(func(b *markdown.Block) bool { return b.Kind == markdown.HTML && b.Closed }) {
		m.free = linetag.Text
	}
	return m
}

// marksCode reports whether a block of the kind has content.
func (m *Message) marksCode(kind func(*markdown.Block) bool) bool {
	return slices.ContainsFunc(m.Blocks, func(b markdown.Block) bool { return kind(&b) && b.HasContent(m.Text) })
}

// Lines yields the lines that the model sees, in order: all lines but those of code fences and tags, and those inside of long
// blocks. The first line of a fenced or HTML block is always among them.
func (m *Message) Lines(yield func(Line) bool) {
	pos := 0
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind == markdown.HTML && m.page {
			continue
		}
		if !m.freeLines(pos, b.OuterStart, yield) || !m.blockLines(b, yield) {
			return
		}
		pos = b.OuterEnd
	}
	m.freeLines(pos, len(m.Text), yield)
}

// freeLines yields the lines of Text[start:end], which are in no block. Like blockLines it returns false to stop.
func (m *Message) freeLines(start, end int, yield func(Line) bool) bool {
	for walk := markdown.NewLines(m.Text[:end], start); walk.Next(); {
		hint := m.free
		if m.insideLine(walk.Start) || m.insideLine(walk.After) {
			hint = linetag.Text // what shares a line with a tag is not code
		}
		if !yield(Line{walk.Start, walk.End, walk.After, hint, nil}) {
			return false
		}
	}
	return true
}

func (m *Message) blockLines(b *markdown.Block, yield func(Line) bool) bool {
	start, end, hint, block := b.Start, b.End, linetag.Code, b
	switch {
	case !b.HasContent(m.Text):
		// There is no code in it, so its markup is something to read.
		start, end, hint, block = b.OuterStart, b.OuterEnd, linetag.Text, nil
	case b.Kind == markdown.Indented && !m.Fenced:
		hint = linetag.Indented // plain text is indented for many reasons
	}
	whole := block == nil || b.Kind == markdown.Indented || b.Kind == markdown.Patch
	walk := markdown.NewLines(m.Text[:end], start)
	for n := 0; walk.Next(); n++ {
		if n == contextLines && !whole {
			walk = markdown.NewLines(m.Text[:end], max(walk.Start, start+lastLines(m.Text[start:end], contextLines)))
			walk.Next()
		}
		if !yield(Line{walk.Start, walk.End, walk.After, hint, block}) {
			return false
		}
	}
	return true
}

// lastLines returns where the last n lines of text begin.
func lastLines(text string, n int) int {
	for ; n > 0 && text != ""; n-- {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		text = text[:strings.LastIndexAny(text, "\r\n")+1]
	}
	return len(text)
}

// insideLine reports whether pos is neither at the beginning of a line nor at the end of the text.
func (m *Message) insideLine(pos int) bool {
	return pos > 0 && pos < len(m.Text) && m.Text[pos-1] != '\n' && m.Text[pos-1] != '\r'
}
