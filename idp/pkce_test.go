package idp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChallengesOfRFC7636(t *testing.T) {
	const example = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	challenge, err := parseChallenge("S256", example)
	require.NoError(t, err)
	require.Equal(t, Challenge(example), challenge)
	_, err = parseChallenge("S256", example[:42]+"N")
	require.ErrorContains(t, err, "its last character has spare bits set", "which a lenient decoder takes for the same bytes")
}

func TestVerifiersOfRFC7636(t *testing.T) {
	for length, says := range map[int]string{0: "is missing", 1: "shorter", 42: "shorter", 43: "", 44: "", 127: "", 128: "", 129: "longer"} {
		verifier, err := parseVerifier(strings.Repeat("~", length))
		if says == "" {
			require.NoError(t, err, length)
			require.Len(t, verifier, length)
		} else {
			require.ErrorContains(t, err, says, length)
			requireWellFormed(t, err)
		}
	}
	long := Verifier(strings.Repeat("a", 200))
	require.Len(t, long.S256(), 43, "of any length")
}
