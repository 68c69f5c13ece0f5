package markdown

import "strings"

// hunk counts the lines that a hunk of a unified diff still has.
type hunk struct{ old, new int }

// parseHunk parses a hunk header, "@@ -10,7 +10,9 @@": it tells how many lines the hunk has on each side.
func parseHunk(line string) (h hunk, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return hunk{}, false
	}
	if h.old, rest, ok = hunkRange(rest); !ok {
		return hunk{}, false
	}
	if rest, ok = strings.CutPrefix(rest, " +"); !ok {
		return hunk{}, false
	}
	if h.new, rest, ok = hunkRange(rest); !ok {
		return hunk{}, false
	}
	return h, strings.HasPrefix(rest, " @@")
}

// hunkRange parses "10,7", or "10" for "10,1", and returns the second number.
func hunkRange(s string) (count int, rest string, ok bool) {
	_, rest, ok = number(s)
	if ok && rest != "" && rest[0] == ',' {
		return number(rest[1:])
	}
	return 1, rest, ok
}

func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 9 && isDigit(s[i]) {
		n = 10*n + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}

// take counts line as one of the hunk's lines and reports whether it is one. An empty line is a context line that has lost its
// space on the way.
func (h *hunk) take(line string) bool {
	switch {
	case line == "" || line[0] == ' ' || line[0] == '\t':
		h.old--
		h.new--
	case line[0] == '-':
		h.old--
	case line[0] == '+':
		h.new--
	case line[0] == '\\':
		return true // "\ No newline at end of file"
	default:
		return false
	}
	return h.old >= 0 && h.new >= 0
}

// openPatch starts a block with the hunk whose header is the current line.
func (s *Scanner) openPatch(h hunk) {
	s.openLeaf(leafPatch)
	s.hunk = h
	s.collect(Patch)
}

// continuePatch takes a line inside of the containers of a patch and reports whether it belongs to the hunk.
func (s *Scanner) continuePatch() bool {
	line := s.c.text[s.c.pos:s.c.end]
	if s.hunk.old == 0 && s.hunk.new == 0 && !strings.HasPrefix(line, "\\") || !s.hunk.take(line) {
		return false
	}
	s.block.End = s.lines.After
	return true
}
