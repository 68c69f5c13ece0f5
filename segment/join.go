package segment

import "github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"

// joiner joins labelled lines and marked blocks, which it gets in order, to segments.
type joiner struct {
	text  string
	dst   []Segment
	first int // index in dst of the first segment of text

	// cur is the segment that the lines add to, while open.
	cur  Segment
	open bool
	// Blank lines that belong to nothing yet are text[blankStart:blankEnd]; there are none if the two are equal.
	blankStart, blankEnd int
	// afterBlock is set from a marked block to the next line.
	afterBlock bool
}

// line adds the line text[start:end], with its line ending.
func (j *joiner) line(start, end int, code bool, markup Markup, prefix markdown.Prefix) {
	next := Segment{Start: start, End: end}
	if code {
		next.Kind, next.Markup, next.prefix = Code, markup, prefix
	}
	switch {
	case j.open && j.cur.Kind == next.Kind:
		j.cur.End = end
		if j.cur.prefix != next.prefix {
			j.cur.Markup, j.cur.prefix = Unmarked, markdown.Prefix{}
		}
		j.blankStart = j.blankEnd
		return
	case j.open && next.Kind == Code:
		j.cur.End = start
		j.close()
	case j.open:
		j.close()
		next.Start = j.firstBlank(start)
	case next.Kind == Text || !j.afterBlock:
		next.Start = j.firstBlank(start)
	}
	j.cur, j.open, j.afterBlock = next, true, false
	j.blankStart = j.blankEnd
}

// blank adds the blank line text[start:end].
func (j *joiner) blank(start, end int) {
	if j.blankStart == j.blankEnd {
		j.blankStart = start
	}
	j.blankEnd = end
}

// block adds a block that markup delimits.
func (j *joiner) block(b *markdown.Block) {
	if j.open && j.cur.Kind == Text && j.blankStart < j.blankEnd {
		j.cur.End = j.blankEnd
	}
	j.close()
	s := Segment{Kind: Code, Markup: Fenced, Start: b.Start, End: b.End, Info: j.text[b.InfoStart:b.InfoEnd], prefix: b.Prefix}
	if b.Kind == markdown.HTML {
		s.Markup = HTML
	}
	j.dst = append(j.dst, s)
	j.blankStart = j.blankEnd
	j.afterBlock = true
}

// finish returns dst with the segments of the whole text.
func (j *joiner) finish() []Segment {
	if j.open && j.blankStart < j.blankEnd {
		j.cur.End = j.blankEnd
	}
	j.close()
	if len(j.dst) == j.first {
		j.dst = append(j.dst, Segment{Kind: Text, End: len(j.text)})
	}
	return j.dst
}

func (j *joiner) close() {
	if j.open {
		j.dst = append(j.dst, j.cur)
		j.open = false
	}
}

// firstBlank returns where the blank lines before start begin, start if there are none.
func (j *joiner) firstBlank(start int) int {
	if j.blankStart < j.blankEnd {
		return j.blankStart
	}
	return start
}
