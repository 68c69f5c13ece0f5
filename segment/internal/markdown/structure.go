package markdown

// IsStructure reports whether a line says by its beginning that it is Markdown: a heading, a list item, a quote, a table row, a
// tag, a link or its definition, front matter, or a directive (":::", MyST and others).
func IsStructure(line string) bool {
	start, end := trim(line, 0, len(line))
	c := cursor{text: line, end: len(line)}
	if indent, _ := c.indent(); start == end || indent >= codeIndent {
		return false
	}
	line = line[start:end]
	switch line[0] {
	case '|', '>', '[':
		return true
	case '!':
		return len(line) > 1 && line[1] == '['
	case '<':
		return len(line) > 1 && (isLetter(line[1]) || line[1] == '/' || line[1] == '!')
	case '#':
		return isHeading(line)
	case ':':
		return run(line) >= 3
	case '-', '+', '*', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return listMarker(line, true) > 0 || run(line) >= 3 && isRule(line)
	}
	return false
}

// isRule reports whether line is made of what separates front matter from text and the head of a table from its rows.
func isRule(line string) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c != line[0] && c != '-' && c != '|' && c != ':' && !isSpace(c) {
			return false
		}
	}
	return true
}
