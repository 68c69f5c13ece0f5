package markdown

import "strings"

// codeIndent is the indentation of an indented code block, in columns; all other blocks start with less.
const codeIndent = 4

// fence is the opening fence of a block.
type fence struct {
	char   byte
	length int
}

// openIndented starts an indented code block (section 4.4).
func (s *Scanner) openIndented() {
	s.openLeaf(leafIndented)
	s.collect(Indented)
	s.block.Prefix.addColumns(codeIndent)
}

// collect starts a block without markup of its own, whose first line is the current one.
func (s *Scanner) collect(kind Kind) {
	s.block = Block{Kind: kind, Closed: true, OuterStart: s.lines.Start, Start: s.lines.Start, End: s.lines.After, Prefix: s.prefix()}
}

// openFence starts a fenced code block (section 4.5) whose fence of the given length stands at pos.
func (s *Scanner) openFence(indent, pos, length int) {
	s.openLeaf(leafFence)
	s.fence = fence{char: s.c.text[pos], length: length}
	s.block = Block{Kind: Fenced, OuterStart: s.lines.Start, Start: s.lines.After, Prefix: s.prefix()}
	s.block.Prefix.addColumns(indent)
	s.block.InfoStart, s.block.InfoEnd = trim(s.c.text, pos+length, s.c.end)
}

// continueFence takes a line inside of the containers of a fenced block.
func (s *Scanner) continueFence() {
	indent, pos := s.c.indent()
	if indent >= codeIndent || pos == s.c.end || s.c.text[pos] != s.fence.char {
		return
	}
	n := run(s.c.text[pos:s.c.end])
	if n < s.fence.length || !isBlank(s.c.text[pos+n:s.c.end]) {
		return
	}
	s.block.Closed = true
	s.block.End, s.block.OuterEnd = s.lines.Start, s.lines.After
	s.doc.Blocks = append(s.doc.Blocks, s.block)
	s.leaf = leafNone
}

// fenceLength returns the length of the fence that line opens a block with, 0 if it opens none.
func fenceLength(line string) int {
	n := run(line)
	if n < 3 {
		return 0
	}
	if line[0] == '`' && strings.Contains(line[n:], "`") {
		return 0 // inline code
	}
	return n
}

// isHeading reports whether line, which starts with '#', is an ATX heading (section 4.2).
func isHeading(line string) bool {
	n := run(line)
	return n <= 6 && (n == len(line) || isSpace(line[n]))
}

// isUnderline reports whether line is the underline of a setext heading (section 4.3).
func isUnderline(line string) bool {
	return isBlank(line[run(line):])
}

// isThematicBreak reports whether a thematic break (section 4.1) starts at pos in the current line.
func (s *Scanner) isThematicBreak(pos int) bool {
	char := s.c.text[pos]
	if pos < s.breakFails || char != '-' && char != '_' && char != '*' {
		return false
	}
	n := 0
	for i := pos; i < s.c.end; i++ {
		switch c := s.c.text[i]; {
		case c == char:
			n++
		case !isSpace(c):
			s.breakFails = i
			return false
		}
	}
	return n >= 3
}

// listMarker returns the length of the list marker (section 5.2) that line starts with, 0 if there is none. One that interrupts a
// paragraph must not be empty, and if it has a number, that is 1.
func listMarker(line string, interrupts bool) int {
	n := 1
	if c := line[0]; c != '-' && c != '+' && c != '*' {
		n = numberMarker(line)
		if n == 0 || interrupts && !isOne(line[:n-1]) {
			return 0
		}
	}
	if n < len(line) && !isSpace(line[n]) || interrupts && isBlank(line[n:]) {
		return 0
	}
	return n
}

// numberMarker returns the length of the number that line starts with and the mark after it, 0 if there is none.
func numberMarker(line string) int {
	n := 0
	for n < len(line) && isDigit(line[n]) {
		n++
	}
	if n == 0 || n > 9 || n == len(line) || line[n] != '.' && line[n] != ')' {
		return 0
	}
	return n + 1
}

// isOne reports whether digits is the number 1.
func isOne(digits string) bool {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits == "1"
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func isBlank(line string) bool {
	for i := 0; i < len(line); i++ {
		if !isSpace(line[i]) {
			return false
		}
	}
	return true
}

// run returns how often the first byte of line is repeated.
func run(line string) int {
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

// trim returns the bounds of text[start:end] without white space around it.
func trim(text string, start, end int) (int, int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for start < end && isSpace(text[end-1]) {
		end--
	}
	return start, end
}
