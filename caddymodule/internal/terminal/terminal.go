// Package terminal shows text that others wrote to people at a terminal.
package terminal

import "strings"

// Visible is text in which control characters do nothing to a terminal: whoever wrote
// it may have meant them to. Those of ASCII show as their pictures in Unicode, the others
// and what is not UTF-8 as U+FFFD. Line feeds and tabs stay.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return 0x2400 + r // the picture of the control character
		case r == 0x7f:
			return 0x2421
		case r >= 0x80 && r < 0xa0:
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
