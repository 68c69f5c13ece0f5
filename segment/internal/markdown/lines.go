package markdown

import "strings"

// Lines walks over the lines of a text. A line ends with a line feed, a carriage return or both (CommonMark 0.31, section 2.1),
// or with the text.
type Lines struct {
	// Start and End delimit the current line without its line ending, After is where the next line starts.
	Start, End, After int

	text string
	// The next line feed and carriage return, known while they are not behind the current line, so that each byte is searched
	// only once.
	lf, cr int
}

// NewLines returns the lines of text from pos on, which must be the beginning of a line.
func NewLines(text string, pos int) Lines {
	return Lines{After: pos, text: text, lf: -1, cr: -1}
}

// Next moves to the next line and reports whether there is one.
func (l *Lines) Next() bool {
	l.Start = l.After
	if l.Start >= len(l.text) {
		return false
	}
	if l.lf < l.Start {
		l.lf = indexFrom(l.text, l.Start, '\n')
	}
	if l.cr < l.Start {
		l.cr = indexFrom(l.text, l.Start, '\r')
	}
	l.End = min(l.lf, l.cr)
	switch {
	case l.End == len(l.text):
		l.After = l.End
	case l.cr+1 == l.lf && l.lf < len(l.text):
		l.After = l.lf + 1
	default:
		l.After = l.End + 1
	}
	return true
}

// indexFrom returns the position of c in text from pos on, len(text) if there is none.
func indexFrom(text string, pos int, c byte) int {
	if i := strings.IndexByte(text[pos:], c); i >= 0 {
		return pos + i
	}
	return len(text)
}

// cursor is a position inside a line. Columns matter because of tabs, which reach to the next multiple of four: col may lie
// inside the tab at pos.
type cursor struct {
	text string
	pos  int // byte offset into text
	end  int // of the line
	col  int
	// inTab is set while col lies inside the tab at pos.
	inTab bool
	// The next character that is not white space and its column, known once nextPos is not behind pos, so that white space is
	// looked at only once.
	nextPos, nextCol int
}

const byteOrderMark = "\ufeff"

func (c *cursor) skipBOM() {
	if strings.HasPrefix(c.text[c.pos:c.end], byteOrderMark) {
		c.pos += len(byteOrderMark)
	}
}

// indent returns the columns of white space at the cursor and the position of what follows them.
func (c *cursor) indent() (columns, pos int) {
	if c.nextPos <= c.pos {
		col, pos := c.col, c.pos
		for ; pos < c.end; pos++ {
			if c.text[pos] == ' ' {
				col++
			} else if c.text[pos] == '\t' {
				col += 4 - col&3
			} else {
				break
			}
		}
		c.nextPos, c.nextCol = pos, col
	}
	return c.nextCol - c.col, c.nextPos
}

// skipColumns moves over at most n columns of white space, or of anything at all.
func (c *cursor) skipColumns(n int, anything bool) {
	for target := c.col + n; c.col < target && c.pos < c.end; {
		switch c.text[c.pos] {
		case '\t':
			stop := c.col + 4 - c.col&3
			if stop > target {
				c.col, c.inTab = target, true
				return
			}
			c.col, c.inTab = stop, false
		case ' ':
			c.col++
		default:
			if !anything {
				return
			}
			c.col++
		}
		c.pos++
	}
}

// skipTo moves to pos over white space of the given columns.
func (c *cursor) skipTo(columns, pos int) {
	c.col += columns
	c.pos = pos
	c.inTab = false
}

// skipQuoteMarker moves past a block quote marker: up to three columns of indentation, '>' and one column of white space if there
// is any.
func (c *cursor) skipQuoteMarker() bool {
	indent, pos := c.indent()
	if indent > 3 || pos == c.end || c.text[pos] != '>' {
		return false
	}
	c.skipTo(indent+1, pos+1)
	c.skipColumns(1, false)
	return true
}

// splitTab moves past a tab that the cursor is inside of and returns the columns of it that were not used up.
func (c *cursor) splitTab() int {
	if !c.inTab {
		return 0
	}
	rest := 4 - c.col&3
	c.skipTo(rest, c.pos+1)
	return rest
}
