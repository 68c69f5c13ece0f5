package segment

import (
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/fence"
)

// AppendMarkdown appends the segments of text to dst as Markdown: text as it is, each piece of code in a fence tagged with its
// language. minimum is the confidence from 0 to 1 that a language needs to be named; below it, the tag is the one that the
// message itself gives, if any.
func AppendMarkdown(dst []byte, text string, segments []Classified, minimum float64) []byte {
	for i, s := range segments {
		if i > 0 {
			dst = append(dst, '\n')
		}
		if s.Kind == Text {
			dst = append(dst, strings.Trim(text[s.Start:s.End], "\r\n")...)
			dst = append(dst, '\n')
			continue
		}
		dst = fence.Append(dst, strings.Trim(s.Content(text), "\r\n"), tagOf(s, minimum))
	}
	return dst
}

// tagOf returns the tag for the fence of s.
func tagOf(s Classified, minimum float64) string {
	if l := s.AtLeast(minimum); l != UnknownLanguage {
		return l.Tag()
	}
	language, tag := namedIn(s.Info)
	if language == otherLanguage {
		return tag
	}
	return language.Tag()
}
