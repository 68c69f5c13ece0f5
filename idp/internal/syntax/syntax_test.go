package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCharactersOfTheGrammars holds each set to the characters that its
// specification lists, for all bytes.
func TestCharactersOfTheGrammars(t *testing.T) {
	const digits = "0123456789"
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	printable := ""
	for c := byte(0x20); c <= 0x7e; c++ {
		printable += string(rune(c))
	}
	without := func(dropped string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(dropped, r) {
				return -1
			}
			return r
		}, printable)
	}
	for name, tc := range map[string]struct {
		set  Set
		want string
	}{
		"ALPHA and DIGIT (RFC 5234)":           {Alphanumeric, letters + digits},
		"DIGIT (RFC 5234)":                     {Digit, digits},
		"HEXDIG (RFC 5234), both cases":        {HexDigit, digits + "ABCDEFabcdef"},
		"VSCHAR (RFC 6749)":                    {VSChar, printable},
		"NQSCHAR (RFC 6749)":                   {ErrorChar, without(`"\`)},
		"NQCHAR (RFC 6749)":                    {ScopeChar, without(` "\`)},
		"unreserved (RFC 3986)":                {Unreserved, letters + digits + "-._~"},
		"base64url (RFC 4648)":                 {Base64URL, letters + digits + "-_"},
		"token68 without padding (RFC 9110)":   {Token68, letters + digits + "-._~+/"},
		"names of parameters":                  {ParamName, "abcdefghijklmnopqrstuvwxyz_"},
		"a form (WHATWG URL), no semicolon":    {FormChar, without(" ;")},
		"RFC 3986 section 2 and percent signs": {URIChar, letters + digits + "-._~:/?#[]@!$&'()*+,;=%"},
		"a scheme (RFC 3986 section 3.1)":      {SchemeChar, "abcdefghijklmnopqrstuvwxyz" + digits + "+-."},
		"a host":                               {HostChar, letters + digits + "-_.:"},
	} {
		for c := range 256 {
			require.Equal(t, strings.IndexByte(tc.want, byte(c)) >= 0, tc.set.Has(byte(c)), "%s: %q", name, byte(c))
		}
		require.True(t, tc.set.Holds(tc.want), name)
		require.False(t, tc.set.Holds(tc.want+"\x00"), name)
	}
}

func TestHexDigits(t *testing.T) {
	for i, digit := range "0123456789abcdef" {
		require.EqualValues(t, i, Unhex(byte(digit)))
	}
	for i, digit := range "ABCDEF" {
		require.EqualValues(t, 10+i, Unhex(byte(digit)))
	}
}
