package params

import (
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// CheckScope checks the syntax of RFC 6749 section 3.3: scope tokens with one
// space between them.
func CheckScope(scope string) error {
	previous := byte(' ')
	for i := 0; i < len(scope); i++ {
		c := scope[i]
		if c == ' ' && previous == ' ' || c != ' ' && !syntax.ScopeChar.Has(c) {
			return rejectScope()
		}
		previous = c
	}
	if previous == ' ' {
		return rejectScope()
	}
	return nil
}

// HasScope reports whether a scope has the scope token name.
func HasScope(scope, name string) bool {
	for each := range strings.SplitSeq(scope, " ") {
		if each == name {
			return true
		}
	}
	return false
}

func rejectScope() *oauth.Error {
	return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 3.3",
		"scope must be printable ASCII names with exactly one space between them")
}
