package idp

import "strings"

// asciiSet is a set of ASCII characters, a bit for each.
type asciiSet struct{ low, high uint64 }

func (s asciiSet) has(c byte) bool {
	word := s.low
	if c >= 64 {
		word = s.high
	}
	return c < 128 && word>>(c&63)&1 != 0
}

// holds reports whether all characters of text are in the set.
func (s asciiSet) holds(text string) bool {
	for i := 0; i < len(text); i++ {
		if !s.has(text[i]) {
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
)

var (
	// alphanumeric is ALPHA and DIGIT of RFC 5234.
	alphanumeric = asciiSet{digitBits, alphaBits}
	// digit is DIGIT of RFC 5234.
	digit = asciiSet{low: digitBits}
	// vsChar is VSCHAR of RFC 6749 appendix A: printable ASCII with space.
	vsChar = asciiSet{printLow, printHigh}
	// errorChar is NQSCHAR of RFC 6749 appendix A, the characters of an error code and
	// its description: printable ASCII without quotation mark and backslash.
	errorChar = asciiSet{printLow &^ (1 << '"'), printHigh &^ (1 << ('\\' - 64))}
	// scopeChar is NQCHAR of RFC 6749 appendix A, the characters of a scope
	// token: printable ASCII without space, quotation mark and backslash.
	scopeChar = asciiSet{printLow &^ (1<<' ' | 1<<'"'), printHigh &^ (1 << ('\\' - 64))}
	// unreserved are the unreserved characters of RFC 3986 section 2.3, which
	// are also those of a code_verifier.
	unreserved = asciiSet{digitBits | 1<<'-' | 1<<'.', alphaBits | 1<<('_'-64) | 1<<('~'-64)}
	// base64URL is the URL-safe alphabet without padding (RFC 4648 section 5).
	base64URL = asciiSet{digitBits | 1<<'-', alphaBits | 1<<('_'-64)}
	// tokenChar are the characters of token68 before its padding (RFC 9110
	// section 11.2).
	tokenChar = asciiSet{unreserved.low | 1<<'+' | 1<<'/', unreserved.high}
	// hexDigit is HEXDIG of RFC 5234 in both cases.
	hexDigit = asciiSet{digitBits, (1<<6-1)<<('A'-64) | (1<<6-1)<<('a'-64)}
	// paramName are the characters of the parameter names that messages repeat.
	paramName = asciiSet{0, (1<<26-1)<<('a'-64) | 1<<('_'-64)}
	// formChar are the characters of an encoded form: printable ASCII without
	// space, and without the semicolon, which some servers read as a separator.
	formChar = asciiSet{printLow &^ (1<<' ' | 1<<';'), printHigh}
	// uriChar are the characters of RFC 3986 (section 2) and the percent sign.
	uriChar = asciiSet{
		unreserved.low | 1<<':' | 1<<'/' | 1<<'?' | 1<<'#' | 1<<'!' | 1<<'$' | 1<<'&' | 1<<'\'' |
			1<<'(' | 1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<';' | 1<<'=' | 1<<'%',
		unreserved.high | 1<<('['-64) | 1<<(']'-64) | 1<<('@'-64),
	}
	// schemeChar are those of a URI's scheme in lower case (RFC 3986 section 3.1).
	schemeChar = asciiSet{digitBits | 1<<'+' | 1<<'-' | 1<<'.', (1<<26 - 1) << ('a' - 64)}
	// hostChar are the characters of a host name or an IP address.
	hostChar = asciiSet{base64URL.low | 1<<'.' | 1<<':', base64URL.high}
)

// isToken68 reports the token68 syntax of RFC 9110 section 11.2, which is that
// of a bearer token (b64token, RFC 6750 section 2.1).
func isToken68(s string) bool {
	s = strings.TrimRight(s, "=")
	return s != "" && tokenChar.holds(s)
}

// isErrorCode reports the syntax of an error code (RFC 6749 sections 4.1.2.1 and 5.2).
func isErrorCode(s string) bool { return s != "" && errorChar.holds(s) }

// checkScope checks the syntax of RFC 6749 section 3.3: scope tokens with one
// space between them.
func checkScope(scope string) error {
	previous := byte(' ')
	for i := 0; i < len(scope); i++ {
		c := scope[i]
		if c == ' ' && previous == ' ' || c != ' ' && !scopeChar.has(c) {
			return rejectScope()
		}
		previous = c
	}
	if previous == ' ' {
		return rejectScope()
	}
	return nil
}

// hasScope reports whether a scope has the scope token name.
func hasScope(scope, name string) bool {
	for each := range strings.SplitSeq(scope, " ") {
		if each == name {
			return true
		}
	}
	return false
}

func rejectScope() *Error {
	return reject(InvalidScope, "RFC 6749 section 3.3",
		"scope must be printable ASCII names with exactly one space between them")
}
