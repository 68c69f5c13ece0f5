package markdown

import "strings"

// tag is an HTML tag as section 6.6 of the specification defines it, all of it on one line.
type tag struct {
	name    string
	closing bool
	// length of the tag from '<' to '>'; 0 if there is none.
	length int
	// classStart and classEnd delimit the value of the class attribute, or of lang if there is no class, relative to the tag.
	classStart, classEnd int
}

// parseTag parses the opening or closing tag that line starts with.
func parseTag(line string) (t tag) {
	if len(line) < 2 || line[0] != '<' {
		return tag{}
	}
	i := 1
	if t.closing = line[1] == '/'; t.closing {
		i++
	}
	t.name = tagName(line[i:])
	if t.name == "" {
		return tag{}
	}
	i += len(t.name)
	for {
		gap := i
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if end := t.end(line, i); end > 0 {
			t.length = end
			return t
		}
		if t.closing || i == gap || i == len(line) {
			return tag{}
		}
		if i = t.attribute(line, i); i == 0 {
			return tag{}
		}
	}
}

// end returns where the tag ends if its ">" or "/>" stands at i, 0 otherwise.
func (t *tag) end(line string, i int) int {
	if i < len(line) && line[i] == '/' && !t.closing {
		i++
	}
	if i == len(line) || line[i] != '>' {
		return 0
	}
	return i + 1
}

// opens reports whether t opens an element of the given name.
func (t tag) opens(name string) bool {
	return t.length > 0 && !t.closing && strings.EqualFold(t.name, name)
}

// attribute parses the attribute that starts at i and returns where it ends, 0 if it is malformed.
func (t *tag) attribute(line string, i int) int {
	start := i
	for i < len(line) && isAttributeChar(line[i], i == start) {
		i++
	}
	name := line[start:i]
	if name == "" {
		return 0
	}
	next := i
	for next < len(line) && isSpace(line[next]) {
		next++
	}
	if next == len(line) || line[next] != '=' {
		return i
	}
	for next++; next < len(line) && isSpace(line[next]); {
		next++
	}
	if next == len(line) {
		return 0
	}
	value, end, after := attributeValue(line, next)
	if after == 0 {
		return 0
	}
	isClass := strings.EqualFold(name, "class")
	if isClass || t.classEnd == 0 && strings.EqualFold(name, "lang") {
		t.classStart, t.classEnd = trim(line, value, end)
	}
	return after
}

// attributeValue parses the value that starts at i and returns its bounds and where what follows it starts, 0 if it is malformed.
func attributeValue(line string, i int) (value, end, after int) {
	if quote := line[i]; quote == '"' || quote == '\'' {
		n := strings.IndexByte(line[i+1:], quote)
		if n < 0 {
			return 0, 0, 0
		}
		return i + 1, i + 1 + n, i + n + 2
	}
	end = i
	for end < len(line) && strings.IndexByte(" \t\"'=<>`", line[end]) < 0 {
		end++
	}
	if end == i {
		return 0, 0, 0
	}
	return i, end, end
}

func isAttributeChar(c byte, first bool) bool {
	return isLetter(c) || c == '_' || c == ':' || !first && (isDigit(c) || c == '.' || c == '-')
}

// tagName returns the tag name that s starts with, "" if there is none.
func tagName(s string) string {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (isDigit(s[n]) || s[n] == '-')) {
		n++
	}
	return s[:n]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// hasPrefixFold reports whether s starts with prefix, in any case.
func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// indexTag returns the position of the next tag in s that starts with start
// ("</pre>", "<pre"), in any case; -1 if there is none.
func indexTag(s, start string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return -1
		}
		i += n
		if hasPrefixFold(s[i:], start) {
			return i
		}
	}
}
