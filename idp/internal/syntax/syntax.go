// Package syntax has the characters of the grammars that requests are held to.
package syntax

import "strings"

// Set is a set of ASCII characters. A bit for each would take less room, and four times as long
// for a token, of whose characters nobody can predict in which word they are.
type Set [256]bool

// newSet is the set of the characters of a text.
func newSet(characters string) (s Set) {
	for i := range len(characters) {
		s[characters[i]] = true
	}
	return s
}

// newPrintable is printable ASCII with space, but for some characters.
func newPrintable(without string) (s Set) {
	for c := byte(' '); c <= '~'; c++ {
		s[c] = strings.IndexByte(without, c) < 0
	}
	return s
}

// Has reports whether a character is in the set.
func (s *Set) Has(c byte) bool { return s[c] }

// Holds reports whether all characters of text are in the set.
func (s *Set) Holds(text string) bool {
	for i := 0; i < len(text); i++ {
		if !s.Has(text[i]) {
			return false
		}
	}
	return true
}

const (
	digits     = "0123456789"
	lower      = "abcdefghijklmnopqrstuvwxyz"
	letters    = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	base64URL  = letters + digits + "-_"
	unreserved = base64URL + ".~"
)

var (
	// Alphanumeric is ALPHA and DIGIT of RFC 5234.
	Alphanumeric = newSet(letters + digits)
	// Digit is DIGIT of RFC 5234.
	Digit = newSet(digits)
	// VSChar is VSCHAR of RFC 6749 appendix A: printable ASCII with space.
	VSChar = newPrintable("")
	// ErrorChar is NQSCHAR of RFC 6749 appendix A, the characters of an error code and
	// its description: printable ASCII without quotation mark and backslash.
	ErrorChar = newPrintable(`"\`)
	// ScopeChar is NQCHAR of RFC 6749 appendix A, the characters of a scope
	// token: printable ASCII without space, quotation mark and backslash.
	ScopeChar = newPrintable(` "\`)
	// Unreserved are the Unreserved characters of RFC 3986 section 2.3, which
	// are also those of a code_verifier.
	Unreserved = newSet(unreserved)
	// Base64URL is the URL-safe alphabet without padding (RFC 4648 section 5).
	Base64URL = newSet(base64URL)
	// Token68 are the characters of token68 before its padding (RFC 9110
	// section 11.2).
	Token68 = newSet(unreserved + "+/")
	// HexDigit is HEXDIG of RFC 5234 in both cases.
	HexDigit = newSet(digits + "ABCDEFabcdef")
	// ParamName are the characters of the parameter names that messages repeat.
	ParamName = newSet(lower + "_")
	// FormChar are the characters of an encoded form: printable ASCII without
	// space, and without the semicolon, which some servers read as a separator.
	FormChar = newPrintable(" ;")
	// URIChar are the characters of RFC 3986 (section 2) and the percent sign.
	URIChar = newSet(unreserved + ":/?#[]@!$&'()*+,;=%")
	// SchemeChar are those of a URI's scheme in lower case (RFC 3986 section 3.1).
	SchemeChar = newSet(lower + digits + "+-.")
	// HostChar are the characters of a host name or an IP address.
	HostChar = newSet(base64URL + ".:")
)

// Unhex is the value of a [HexDigit].
func Unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	default:
		return c - 'a' + 10
	}
}
