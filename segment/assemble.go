package segment

import "github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"

// assembler makes segments of labelled lines and marked blocks, which it gets
// in order.
type assembler struct {
	text  string
	dst   []Segment
	first int // index in dst of the first segment of text

	// cur is the segment that the lines add to, while open.
	cur  Segment
	open bool
	// Blank lines that belong to nothing yet are text[blankStart:blankEnd];
	// there are none if the two are equal.
	blankStart, blankEnd int
	// afterBlock is set from a marked block to the next line.
	afterBlock bool
}

// line adds the line text[start:end], with its line ending.
func (a *assembler) line(start, end int, code bool, markup Markup, prefix markdown.Prefix) {
	next := Segment{Start: start, End: end}
	if code {
		next.Kind, next.Markup, next.prefix = Code, markup, prefix
	}
	switch {
	case a.open && a.cur.Kind == next.Kind:
		a.cur.End = end
		if a.cur.prefix != next.prefix {
			a.cur.Markup, a.cur.prefix = Unmarked, markdown.Prefix{}
		}
		a.blankStart = a.blankEnd
		return
	case a.open && next.Kind == Code:
		a.cur.End = start
		a.close()
	case a.open:
		a.close()
		next.Start = a.firstBlank(start)
	case next.Kind == Text || !a.afterBlock:
		next.Start = a.firstBlank(start)
	}
	a.cur, a.open, a.afterBlock = next, true, false
	a.blankStart = a.blankEnd
}

// blank adds the blank line text[start:end].
func (a *assembler) blank(start, end int) {
	if a.blankStart == a.blankEnd {
		a.blankStart = start
	}
	a.blankEnd = end
}

// block adds a block that markup delimits.
func (a *assembler) block(b *markdown.Block) {
	if a.open && a.cur.Kind == Text && a.blankStart < a.blankEnd {
		a.cur.End = a.blankEnd
	}
	a.close()
	s := Segment{
		Kind:   Code,
		Markup: Fenced,
		Start:  b.Start,
		End:    b.End,
		Info:   a.text[b.InfoStart:b.InfoEnd],
		prefix: b.Prefix,
	}
	if b.Kind == markdown.HTML {
		s.Markup = HTML
	}
	a.dst = append(a.dst, s)
	a.blankStart = a.blankEnd
	a.afterBlock = true
}

// finish returns dst with the segments of the whole text.
func (a *assembler) finish() []Segment {
	if a.open && a.blankStart < a.blankEnd {
		a.cur.End = a.blankEnd
	}
	a.close()
	if len(a.dst) == a.first {
		a.dst = append(a.dst, Segment{Kind: Text, End: len(a.text)})
	}
	return a.dst
}

func (a *assembler) close() {
	if a.open {
		a.dst = append(a.dst, a.cur)
		a.open = false
	}
}

// firstBlank returns where the blank lines before start begin, start if there
// are none.
func (a *assembler) firstBlank(start int) int {
	if a.blankStart < a.blankEnd {
		return a.blankStart
	}
	return start
}
