// Package pkce has the rules of Proof Key for Code Exchange (RFC 7636): S256 only, as OAuth 2.1 and
// RFC 9700 section 2.1.1 have it.
package pkce

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Challenge is an S256 code_challenge: 43 characters of base64url, the
// unpadded encoding of a SHA-256 (RFC 7636 section 4.2).
type Challenge string

// Verifier is a code_verifier: 43 to 128 unreserved characters (RFC 7636
// section 4.1). It is a secret: it must not be logged.
type Verifier string

// S256 is the challenge that belongs to the verifier (RFC 7636 section 4.6).
func (v Verifier) S256() Challenge {
	var message [128]byte // the longest that is valid; append grows for others
	sum := sha256.Sum256(append(message[:0], v...))
	var encoded [43]byte
	base64.RawURLEncoding.Encode(encoded[:], sum[:])
	return Challenge(encoded[:])
}

// NewVerifier is a new one.
func NewVerifier() Verifier {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never returns an error
	return Verifier(base64.RawURLEncoding.EncodeToString(b[:]))
}

// BelongsTo reports whether the verifier is that of the login's challenge
// (RFC 7636 section 4.6), in constant time.
func (v Verifier) BelongsTo(c Challenge) bool {
	return subtle.ConstantTimeCompare([]byte(v.S256()), []byte(c)) == 1
}

// ParseChallenge checks code_challenge_method and code_challenge. OAuth 2.1
// and RFC 9700 section 2.1.1 leave S256 as the only method.
func ParseChallenge(method, challenge string) (Challenge, error) {
	const source = "RFC 7636 section 4.3"
	if method == "" && challenge == "" {
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 7636 section 4.4.1",
			"PKCE is required: send code_challenge, the base64url SHA-256 of a code_verifier, and code_challenge_method S256")
	}
	switch method {
	case "S256":
	case "":
		return "", oauth.Reject(oauth.InvalidRequest, source,
			"code_challenge_method is missing, which would mean plain; send S256")
	case "plain":
		return "", oauth.Reject(oauth.InvalidRequest, source,
			"code_challenge_method plain is not accepted, it shows the verifier to whoever sees the request; send S256")
	case "s256":
		return "", oauth.Reject(oauth.InvalidRequest, source,
			"code_challenge_method is case-sensitive; send S256 with a capital S")
	default:
		return "", oauth.Reject(oauth.InvalidRequest, source, "code_challenge_method is unknown; send S256")
	}

	const form = "RFC 7636 section 4.2"
	switch {
	case challenge == "":
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 7636 section 4.4.1",
			"code_challenge is missing; PKCE is required, send the base64url SHA-256 of a code_verifier")
	case challenge[len(challenge)-1] == '=':
		return "", oauth.Reject(oauth.InvalidRequest, form, "code_challenge has base64 padding; remove the trailing equals signs")
	case len(challenge) != 43:
		return "", oauth.Reject(oauth.InvalidRequest, form,
			"code_challenge must have exactly 43 characters, the base64url SHA-256 of the code_verifier")
	case !syntax.Base64URL.Holds(challenge):
		return "", oauth.Reject(oauth.InvalidRequest, form,
			"code_challenge has a character outside the base64url alphabet (letters, digits, - and _)")
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(challenge); err != nil {
		return "", oauth.Reject(oauth.InvalidRequest, form, "code_challenge is not the base64url of 32 bytes: its last character has spare bits set")
	}
	return Challenge(challenge), nil
}

// ParseVerifier checks code_verifier.
func ParseVerifier(verifier string) (Verifier, error) {
	const form = "RFC 7636 section 4.1"
	switch {
	case verifier == "":
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 7636 section 4.5",
			"code_verifier is missing; send the one whose S256 was the code_challenge")
	case len(verifier) < 43:
		return "", oauth.Reject(oauth.InvalidRequest, form, "code_verifier is shorter than 43 characters")
	case len(verifier) > 128:
		return "", oauth.Reject(oauth.InvalidRequest, form, "code_verifier is longer than 128 characters")
	case !syntax.Unreserved.Holds(verifier):
		return "", oauth.Reject(oauth.InvalidRequest, form,
			"code_verifier has a character other than letters, digits, -, ., _ and ~")
	}
	return Verifier(verifier), nil
}
