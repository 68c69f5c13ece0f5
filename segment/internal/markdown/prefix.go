package markdown

// Prefix describes what the containers of a block, and the block's own indentation, put in front of each line of its content:
// runs of block quote markers and columns of indentation, outermost first.
//
// It is a value of eight bytes so that it can travel with a segment; prefixes that alternate more often than it can hold are
// marked as such and found again by scanning, see [Prefix.Overflows].
type Prefix struct {
	steps [8]uint8 // 0 ends the list; see quoteRun and overflow
}

const (
	quoteRun = 0x80 // with the number of '>' in the lower bits; without it, columns
	maxRun   = 0x7e
	overflow = 0xff // as the first step: there were more than fit
)

// IsZero reports whether there is nothing in front of the lines.
func (p Prefix) IsZero() bool { return p.steps[0] == 0 }

// Overflows reports whether the containers alternate too often for a Prefix. Such a prefix removes nothing.
func (p Prefix) Overflows() bool { return p.steps[0] == overflow }

func (p *Prefix) addQuote() { p.add(quoteRun, 1) }

func (p *Prefix) addColumns(n int) { p.add(0, n) }

func (p *Prefix) add(kind uint8, n int) {
	if n <= 0 || p.Overflows() {
		return
	}
	i := 0
	for i < len(p.steps) && p.steps[i] != 0 {
		i++
	}
	if i > 0 && p.steps[i-1]&quoteRun == kind {
		if room := maxRun - int(p.steps[i-1]&^quoteRun); n <= room {
			p.steps[i-1] += uint8(n)
			return
		}
	}
	if i == len(p.steps) || n > maxRun {
		p.steps = [8]uint8{overflow}
		return
	}
	p.steps[i] = kind | uint8(n)
}

// AppendContent appends the lines text[start:end] of a block of the given kind to dst, without p in front of them. Where only a
// part of a tab belongs to the prefix, the rest of the tab is spaces. Lines that end within the prefix become empty.
func (p Prefix) AppendContent(dst []byte, text string, kind Kind, start, end int) []byte {
	if p.IsZero() || p.Overflows() {
		return append(dst, text[start:end]...)
	}
	if kind == HTML && text[start-1] == '>' {
		// The content starts behind a tag and not with a prefix.
		lines := NewLines(text[:end], start)
		lines.Next()
		dst = append(dst, text[start:lines.After]...)
		start = lines.After
	}
	lines := NewLines(text[:end], start)
	for first := true; lines.Next(); first = false {
		c := cursor{text: text, pos: lines.Start, end: lines.End}
		if lines.Start == 0 {
			c.skipBOM()
		}
		// An indented block that begins a list item has its marker in front.
		spaces := p.skip(&c, first && kind == Indented)
		for ; spaces > 0; spaces-- {
			dst = append(dst, ' ')
		}
		dst = append(dst, text[c.pos:lines.After]...)
	}
	return dst
}

// skip moves c past the prefix, as far as it is there, and returns how many columns of a tab are left over. With markers its
// columns may hold anything.
func (p Prefix) skip(c *cursor, markers bool) (spaces int) {
	for _, step := range p.steps {
		n := int(step &^ quoteRun)
		switch {
		case step == 0:
			return c.splitTab()
		case step&quoteRun == 0:
			c.skipColumns(n, markers)
		default:
			for ; n > 0; n-- {
				if !c.skipQuoteMarker() {
					return c.splitTab()
				}
			}
		}
	}
	return c.splitTab()
}

// CommonPrefix returns the quote markers and the indentation that the lines of text[start:end] have in common, as far as they are
// not blank.
func CommonPrefix(text string, start, end int) (p Prefix) {
	quotes, columns := maxRun, maxRun
	blank := true
	for lines := NewLines(text[:end], start); lines.Next(); {
		c := cursor{text: text, pos: lines.Start, end: lines.End}
		if lines.Start == 0 {
			c.skipBOM()
		}
		n := 0
		for n < quotes && c.skipQuoteMarker() {
			n++
		}
		indent, pos := c.indent()
		if pos == c.end {
			continue
		}
		blank = false
		if n < quotes {
			quotes, columns = n, indent
		} else {
			columns = min(columns, indent)
		}
		if quotes == 0 && columns == 0 {
			break
		}
	}
	if blank {
		return Prefix{}
	}
	for range quotes {
		p.addQuote()
	}
	p.addColumns(columns)
	return p
}
