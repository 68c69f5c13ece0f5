package segment

import (
	"html"
	"strings"
	"unicode/utf16"
	"unsafe"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/markdown"
)

// Kind tells text from code.
type Kind uint8

// The kinds of segments.
const (
	Text Kind = iota
	Code
)

// String returns the kind's name on the wire: "TEXT" or "CODE".
func (k Kind) String() string {
	if k == Code {
		return "CODE"
	}
	return "TEXT"
}

// Markup is how a message marks a piece of code.
type Markup uint8

// The ways of marking code.
const (
	Unmarked Markup = iota // not at all: the model decided
	Indented               // an indented code block
	Fenced                 // a fenced code block; also one of Slack, Jira or a forum
	HTML                   // a <pre> or <code> element
)

// String returns "unmarked", "indented", "fenced" or "html".
func (m Markup) String() string {
	return [...]string{"unmarked", "indented", "fenced", "html"}[m]
}

// Segment is a part of a message: the bytes [Start, End). It is never empty, and is all white space only if the message is.
type Segment struct {
	Kind   Kind
	Markup Markup // of code; text is Unmarked
	Start  int
	End    int
	// Info is the info string of a code fence or the class of a <code> or <pre> tag, as it stands in the message; "" when there
	// is none.
	Info string

	prefix markdown.Prefix // of the lines of fenced and indented code
}

// Content returns what a reader of the message would copy: for code, the segment without the quote markers, list indentation and
// code indentation of its lines, and with HTML character references resolved. text is the message that s is a segment of. Content
// copies only if there is something to remove.
func (s Segment) Content(text string) string {
	prefix := s.linePrefix(text)
	if prefix.IsZero() && !s.hasReferences(text) {
		return text[s.Start:s.End]
	}
	content := s.appendContent(nil, text, prefix)
	return unsafe.String(unsafe.SliceData(content), len(content))
}

// AppendContent appends what [Segment.Content] returns to dst.
func (s Segment) AppendContent(dst []byte, text string) []byte {
	return s.appendContent(dst, text, s.linePrefix(text))
}

// Lines returns the numbers of the first and the last line of s in text, the message that s is a segment of, whose first line is
// 1. Lines end with LF, CR LF or CR. It reads text up to s.End.
func (s Segment) Lines(text string) (first, last int) {
	first = 1 + lineEndings(text[:s.Start], s.Start < len(text) && text[s.Start] == '\n')
	return first, first + lineEndings(text[s.Start:s.End-1], text[s.End-1] == '\n')
}

// lineEndings counts the line endings in part; beforeLF says that a LF follows it.
func lineEndings(part string, beforeLF bool) int {
	pairs := strings.Count(part, "\r\n")
	if beforeLF && strings.HasSuffix(part, "\r") {
		pairs++ // its other half is not in part
	}
	return strings.Count(part, "\n") + strings.Count(part, "\r") - pairs
}

// UTF16 returns where s starts and ends in text, the message that s is a segment of, in UTF-16 code units, as JavaScript, Java
// and editors count. A byte that is not UTF-8 counts as one. It reads text up to s.End.
func (s Segment) UTF16(text string) (start, end int) {
	start = utf16Len(text[:s.Start])
	return start, start + utf16Len(text[s.Start:s.End])
}

func utf16Len(part string) (n int) {
	for _, r := range part {
		n += utf16.RuneLen(r)
	}
	return n
}

func (s Segment) appendContent(dst []byte, text string, prefix markdown.Prefix) []byte {
	if s.hasReferences(text) {
		content := prefix.AppendContent(nil, text, markdown.HTML, s.Start, s.End)
		return append(dst, html.UnescapeString(string(content))...)
	}
	kind := markdown.Fenced
	switch s.Markup {
	case HTML:
		kind = markdown.HTML
	case Indented:
		kind = markdown.Indented
	}
	return prefix.AppendContent(dst, text, kind, s.Start, s.End)
}

// linePrefix is what stands in front of the segment's lines without belonging to them. For unmarked code that is what all its
// lines have in common.
func (s Segment) linePrefix(text string) markdown.Prefix {
	if s.Kind == Code && s.Markup == Unmarked {
		return markdown.CommonPrefix(text, s.Start, s.End)
	}
	return s.prefix
}

// hasReferences reports whether the segment may contain HTML's character references.
func (s Segment) hasReferences(text string) bool {
	return s.Markup == HTML && strings.IndexByte(text[s.Start:s.End], '&') >= 0
}
