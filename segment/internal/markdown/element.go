package markdown

import "strings"

// htmlBlock is the state of an open HTML block.
type htmlBlock struct {
	kind htmlKind
	// endTag is the end tag of the element whose content is being collected, "" while there is none.
	endTag string
}

const (
	endPre  = "</pre>"
	endCode = "</code>"
)

// openHTML starts an HTML block whose first tag stands at pos. <pre> is code anywhere in the block; <code> without it only if the
// tag has a line for itself, otherwise it is a few words in a sentence.
func (s *Scanner) openHTML(kind htmlKind, pos int) {
	s.openLeaf(leafHTML)
	s.html = htmlBlock{kind: kind}
	s.doc.Page = s.doc.Page || startsPage(s.c.text[pos:s.c.end])
	if kind == htmlAnyTag {
		if t := parseTag(s.c.text[pos:s.c.end]); t.opens("code") {
			s.openElement(pos, t, endCode)
			return
		}
	}
	s.continueHTML()
}

// continueHTML takes a line of an HTML block.
func (s *Scanner) continueHTML() {
	if s.html.kind.holdsCode() {
		s.findElements()
	}
	if s.html.kind.endsIn(s.c.text[s.c.pos:s.c.end]) {
		s.closeElement(s.lines.After, s.lines.After, false)
		s.leaf = leafNone
	}
}

// findElements finds where <pre> elements start and end in the rest of the line.
func (s *Scanner) findElements() {
	for pos := s.c.pos; ; {
		rest := s.c.text[pos:s.c.end]
		if s.html.endTag == "" {
			i := indexTag(rest, "<pre")
			if i < 0 {
				return
			}
			pos += i
			t := parseTag(rest[i:])
			if !t.opens("pre") {
				pos++
				continue
			}
			pos = s.openElement(pos, t, endPre)
			continue
		}
		i := indexTag(rest, s.html.endTag)
		if i < 0 {
			return
		}
		pos += i
		end := pos
		if inner := end - len(endCode); s.html.endTag == endPre && inner >= s.block.Start && hasPrefixFold(s.c.text[inner:], endCode) {
			end = inner
		}
		pos += len(s.html.endTag)
		s.closeElement(end, pos, true)
	}
}

// openElement starts to collect the content of the element whose tag t stands at pos, and returns where the content begins. A
// line break right after the tag does not belong to it.
func (s *Scanner) openElement(pos int, t tag, endTag string) int {
	s.html.endTag = endTag
	s.block = Block{Kind: HTML, OuterStart: pos, Prefix: s.prefix()}
	if _, first := s.c.indent(); pos == first {
		s.block.OuterStart = s.lines.Start // nothing but containers stands before it
	}
	s.block.InfoStart, s.block.InfoEnd = pos+t.classStart, pos+t.classEnd
	pos += t.length
	if inner := parseTag(s.c.text[pos:s.c.end]); endTag == endPre && inner.opens("code") {
		if inner.classEnd > 0 {
			s.block.InfoStart, s.block.InfoEnd = pos+inner.classStart, pos+inner.classEnd
		}
		pos += inner.length
	}
	s.block.Start = pos
	if pos == s.c.end {
		s.block.Start = s.lines.After
	}
	return pos
}

// closeElement ends the content that is being collected, if any.
func (s *Scanner) closeElement(end, outerEnd int, closed bool) {
	if s.html.endTag == "" {
		return
	}
	s.html.endTag = ""
	if s.block.Start >= end {
		if !closed {
			return
		}
		end = s.block.Start
	}
	s.block.End, s.block.OuterEnd, s.block.Closed = end, outerEnd, closed
	s.doc.Blocks = append(s.doc.Blocks, s.block)
}

// startsPage reports whether line starts with one of the tags that a page has once.
func startsPage(line string) bool {
	if hasPrefixFold(line, "<!doctype") {
		return true
	}
	name := tagName(line[1:])
	return strings.EqualFold(name, "html") || strings.EqualFold(name, "head") || strings.EqualFold(name, "body")
}

// StartsParagraph reports whether the first thing in text is a <p> tag.
func StartsParagraph(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n")
	return strings.HasPrefix(text, "<") && strings.EqualFold(tagName(text[1:]), "p")
}
