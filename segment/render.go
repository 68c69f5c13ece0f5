package segment

import "strings"

// AppendMarkdown appends the segments of text to dst as Markdown, as a reader
// would like to see them in a terminal: the text as it is, each piece of code
// in a fence that is tagged with its language. minimum is the confidence that
// a language needs to be named; below it, the tag is the one that the message
// gives itself, if any.
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
		dst = appendFenced(dst, s.Content(text), tagOf(s, minimum))
	}
	return dst
}

// tagOf returns the tag for the fence of s.
func tagOf(s Classified, minimum float64) string {
	if l := s.AtLeast(minimum); l != UnknownLanguage {
		return l.Tag()
	}
	return LanguageOf(s.Info).Tag()
}

// appendFenced appends code in a fence that is longer than any run of
// backticks in it.
func appendFenced(dst []byte, code, tag string) []byte {
	code = strings.Trim(code, "\r\n")
	longest, n := 2, 0
	for i := 0; i < len(code); i++ {
		if code[i] != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	fence := strings.Repeat("`", longest+1)
	dst = append(dst, fence...)
	dst = append(dst, tag...)
	dst = append(dst, '\n')
	dst = append(dst, code...)
	dst = append(dst, '\n')
	dst = append(dst, fence...)
	return append(dst, '\n')
}
