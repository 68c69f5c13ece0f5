package idp

import "strings"

// isVSChar reports VSCHAR of RFC 6749 appendix A: printable ASCII with space.
func isVSChar(c byte) bool { return c >= 0x20 && c <= 0x7e }

// isScopeChar reports NQCHAR of RFC 6749 appendix A, the characters of a scope
// token: printable ASCII without space, quotation mark and backslash.
func isScopeChar(c byte) bool {
	return c == 0x21 || c >= 0x23 && c <= 0x5b || c >= 0x5d && c <= 0x7e
}

// isAlphanumeric reports ALPHA or DIGIT of RFC 5234.
func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isUnreserved reports the unreserved characters of RFC 3986 section 2.3, which
// are also those of a code_verifier.
func isUnreserved(c byte) bool {
	return isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// isBase64URL reports a character of the URL-safe alphabet without padding
// (RFC 4648 section 5).
func isBase64URL(c byte) bool { return isAlphanumeric(c) || c == '-' || c == '_' }

// every reports whether all bytes of s satisfy class.
func every(s string, class func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !class(s[i]) {
			return false
		}
	}
	return true
}

// isToken68 reports the token68 syntax of RFC 9110 section 11.2, which is that
// of a bearer token (b64token, RFC 6750 section 2.1).
func isToken68(s string) bool {
	s = strings.TrimRight(s, "=")
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isUnreserved(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

// checkScope checks the syntax of RFC 6749 section 3.3: scope tokens with one
// space between them.
func checkScope(scope string) *Error {
	previous := byte(' ')
	for i := 0; i < len(scope); i++ {
		c := scope[i]
		if c == ' ' && previous == ' ' || c != ' ' && !isScopeChar(c) {
			return badScope()
		}
		previous = c
	}
	if previous == ' ' {
		return badScope()
	}
	return nil
}

func badScope() *Error {
	return refuse(InvalidScope, "RFC 6749 section 3.3",
		"scope must be printable ASCII names with exactly one space between them")
}
