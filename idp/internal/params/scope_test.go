package params

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScopesOfRFC6749Section3_3(t *testing.T) {
	for _, scope := range []string{"openid", "openid profile", "a b c", "https://api.example/read", "!#[]~"} {
		require.NoError(t, CheckScope(scope), scope)
	}
	for _, scope := range []string{" a", "a ", "a  b", " ", `a"b`, `a\b`, "a\tb", "ä", "a\x7fb"} {
		require.EqualError(t, CheckScope(scope), "invalid_scope: scope must be printable ASCII names with exactly one space between them (RFC 6749 section 3.3)", scope)
	}
}
