// Package syntax has the characters of the grammars that requests are held to.
package syntax

// Set is a set of ASCII characters. A bit for each would take less room, and four times as long
// for a token, of whose characters nobody can predict in which word they are.
type Set [256]bool

// newSet has the characters whose bits are set: low from 0 on, high from 64 on.
func newSet(low, high uint64) (s Set) {
	for c := range 64 {
		s[c], s[64+c] = low>>c&1 != 0, high>>c&1 != 0
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
	digitBits = (1<<10 - 1) << '0'
	alphaBits = (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64)
	printLow  = 1<<64 - 1<<0x20 // space and up
	printHigh = 1<<63 - 1       // up to the tilde

	base64Low, base64High         = digitBits | 1<<'-', alphaBits | 1<<('_'-64)
	unreservedLow, unreservedHigh = base64Low | 1<<'.', base64High | 1<<('~'-64)
)

var (
	// Alphanumeric is ALPHA and DIGIT of RFC 5234.
	Alphanumeric = newSet(digitBits, alphaBits)
	// Digit is DIGIT of RFC 5234.
	Digit = newSet(digitBits, 0)
	// VSChar is VSCHAR of RFC 6749 appendix A: printable ASCII with space.
	VSChar = newSet(printLow, printHigh)
	// ErrorChar is NQSCHAR of RFC 6749 appendix A, the characters of an error code and
	// its description: printable ASCII without quotation mark and backslash.
	ErrorChar = newSet(printLow&^(1<<'"'), printHigh&^(1<<('\\'-64)))
	// ScopeChar is NQCHAR of RFC 6749 appendix A, the characters of a scope
	// token: printable ASCII without space, quotation mark and backslash.
	ScopeChar = newSet(printLow&^(1<<' '|1<<'"'), printHigh&^(1<<('\\'-64)))
	// Unreserved are the Unreserved characters of RFC 3986 section 2.3, which
	// are also those of a code_verifier.
	Unreserved = newSet(unreservedLow, unreservedHigh)
	// Base64URL is the URL-safe alphabet without padding (RFC 4648 section 5).
	Base64URL = newSet(base64Low, base64High)
	// Token68 are the characters of token68 before its padding (RFC 9110
	// section 11.2).
	Token68 = newSet(unreservedLow|1<<'+'|1<<'/', unreservedHigh)
	// HexDigit is HEXDIG of RFC 5234 in both cases.
	HexDigit = newSet(digitBits, (1<<6-1)<<('A'-64)|(1<<6-1)<<('a'-64))
	// ParamName are the characters of the parameter names that messages repeat.
	ParamName = newSet(0, (1<<26-1)<<('a'-64)|1<<('_'-64))
	// FormChar are the characters of an encoded form: printable ASCII without
	// space, and without the semicolon, which some servers read as a separator.
	FormChar = newSet(printLow&^(1<<' '|1<<';'), printHigh)
	// URIChar are the characters of RFC 3986 (section 2) and the percent sign.
	URIChar = newSet(
		unreservedLow|1<<':'|1<<'/'|1<<'?'|1<<'#'|1<<'!'|1<<'$'|1<<'&'|1<<'\''|
			1<<'('|1<<')'|1<<'*'|1<<'+'|1<<','|1<<';'|1<<'='|1<<'%',
		unreservedHigh|1<<('['-64)|1<<(']'-64)|1<<('@'-64),
	)
	// SchemeChar are those of a URI's scheme in lower case (RFC 3986 section 3.1).
	SchemeChar = newSet(digitBits|1<<'+'|1<<'-'|1<<'.', (1<<26-1)<<('a'-64))
	// HostChar are the characters of a host name or an IP address.
	HostChar = newSet(base64Low|1<<'.'|1<<':', base64High)
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
