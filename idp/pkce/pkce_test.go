package pkce

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func TestChallengesOfRFC7636(t *testing.T) {
	const example = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	challenge, err := ParseChallenge("S256", example)
	require.NoError(t, err)
	require.Equal(t, Challenge(example), challenge)
	_, err = ParseChallenge("S256", example[:42]+"N")
	require.ErrorContains(t, err, "its last character has spare bits set", "which a lenient decoder takes for the same bytes")
}

// RFC 7636 section 4.2 and 4.3, RFC 9700 section 2.1.1.
func TestChallengesThatAreRejected(t *testing.T) {
	const example = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	for says, tc := range map[string]struct{ method, challenge string }{
		"would mean plain":                 {"", example},
		"plain is not accepted":            {"plain", example},
		"is case-sensitive":                {"s256", example},
		"code_challenge_method is unknown": {"S512", example},
		"PKCE is required":                 {"S256", ""},
		"has base64 padding":               {"S256", example + "="},
		"exactly 43 characters":            {"S256", example + "A"},
		"outside the base64url alphabet":   {"S256", "+" + example[1:]},
	} {
		_, err := ParseChallenge(tc.method, tc.challenge)
		require.ErrorContains(t, err, says)
		require.NotEmpty(t, oauth.AsError(err).Source, says)
		require.NotContains(t, err.Error(), example[1:])
	}
}

// RFC 7636 section 4.6 and appendix B.
func TestAVerifierBelongsToItsChallengeAlone(t *testing.T) {
	const verifier Verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	require.True(t, verifier.BelongsTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
	require.False(t, (verifier + "k").BelongsTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
	require.False(t, verifier.BelongsTo(""))
	require.False(t, verifier.BelongsTo(Challenge(verifier)), "plain")
	_, err := ParseVerifier(strings.Repeat("a", 42) + "+")
	require.ErrorContains(t, err, "a character other than")
}

func TestVerifiersOfRFC7636(t *testing.T) {
	for length, says := range map[int]string{0: "is missing", 1: "shorter", 42: "shorter", 43: "", 44: "", 127: "", 128: "", 129: "longer"} {
		verifier, err := ParseVerifier(strings.Repeat("~", length))
		if says == "" {
			require.NoError(t, err, length)
			require.Len(t, verifier, length)
		} else {
			require.ErrorContains(t, err, says, length)
			require.NotEmpty(t, oauth.AsError(err).Source)
		}
	}
	long := Verifier(strings.Repeat("a", 200))
	require.Len(t, long.S256(), 43, "of any length")
}
