// Package jwks verifies signatures of JSON Web Tokens with the public keys of others: of an
// issuer, of the identity provider, of a client. The keys are a JWK Set (RFC 7517) that is
// known ([Set]) or fetched ([Keys]).
//
// It says which algorithms and keys are good, and nothing of what is signed. Its errors are
// [ErrSignature], [ErrUnknownKey] and [ErrUnavailable]; who verifies says what that means.
//
// # Files
//
//	set.go: which algorithms, keys and sizes are good; one signature
//	keys.go: keys that are fetched: when, how often, for how long
package jwks

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// minRSA and maxRSA are sizes of RSA moduli in bits (RFC 7518 section 3.3; above, one
	// verification takes most of a millisecond, and who sends a DPoP proof chooses its key).
	minRSA, maxRSA = 2048, 4096
	// maxKeys is how many keys of a set are looked at.
	maxKeys = 64
)

// The errors of verifications.
var (
	ErrSignature  = errors.New("the signature is not that of the key that it names")
	ErrUnknownKey = errors.New("the signature is of a key that is not published")
)

// algorithms are the asymmetric ones of RFC 7518, and EdDSA (RFC 8037). There is no none
// among them and no HMAC, for which a public key would be the secret (RFC 8725 section 2.1).
var algorithms = []jose.SignatureAlgorithm{
	jose.ES256, jose.ES384, jose.ES512, jose.PS256, jose.PS384, jose.PS512, jose.RS256, jose.RS384, jose.RS512, jose.EdDSA,
}

// Algorithms are those of the signatures that are accepted.
func Algorithms() []jose.SignatureAlgorithm { return slices.Clone(algorithms) }

// Parse reads a JWS in compact serialization (RFC 7515 section 7.1) with one of the
// [Algorithms].
func Parse(token string) (*jose.JSONWebSignature, error) {
	return jose.ParseSignedCompact(token, algorithms)
}

// Set is an immutable set of public keys for signatures.
type Set struct {
	keys    []jose.JSONWebKey
	fetched time.Time
}

// ParseSet reads a JWK Set (RFC 7517 section 5). Keys that are not for signatures, symmetric,
// broken or too weak are left out: unknown ones are to be ignored.
func ParseSet(document []byte) (*Set, error) {
	var members struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(document, &members); err != nil {
		return nil, errors.New("this is not a JWK Set")
	}
	set := new(Set)
	for _, raw := range members.Keys[:min(len(members.Keys), maxKeys)] {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(raw) == nil && (key.Use == "" || key.Use == "sig") && isStrong(key.Key) {
			set.keys = append(set.keys, key)
		}
	}
	if len(set.keys) == 0 {
		return nil, errors.New("there is no public key for signatures among them")
	}
	return set, nil
}

// Ready is that of [Keys], which may have none.
func (s *Set) Ready(context.Context) error { return nil }

// Verify checks a signature. The error is [ErrSignature] or [ErrUnknownKey].
func (s *Set) Verify(_ context.Context, signed *jose.JSONWebSignature) error {
	header := signed.Signatures[0].Protected
	err := ErrUnknownKey
	for _, key := range s.find(header.KeyID, jose.SignatureAlgorithm(header.Algorithm)) {
		if _, wrong := signed.Verify(key); wrong == nil {
			return nil
		}
		if key.KeyID != "" && key.KeyID == header.KeyID {
			err = ErrSignature
		}
	}
	return err
}

// find returns the keys that a signature may have been made with: those with its
// kid, or all if it has none.
func (s *Set) find(kid string, algorithm jose.SignatureAlgorithm) []*jose.JSONWebKey {
	var found []*jose.JSONWebKey
	for i := range s.keys {
		key := &s.keys[i]
		if (kid == "" || key.KeyID == "" || key.KeyID == kid) && (key.Algorithm == "" || key.Algorithm == string(algorithm)) && fits(key.Key, algorithm) {
			found = append(found, key)
		}
	}
	return found
}

// Fits reports a public key that is strong, and of the kind that an algorithm takes (RFC 7518
// sections 3.3 to 3.5, RFC 8037 section 3.1).
func Fits(key any, algorithm jose.SignatureAlgorithm) bool {
	return isStrong(key) && fits(key, algorithm)
}

func isStrong(key any) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return key.N.BitLen() >= minRSA && key.N.BitLen() <= maxRSA && key.E >= 3
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false // private and symmetric keys, which nobody should have
}

func fits(key any, algorithm jose.SignatureAlgorithm) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return algorithm[0] == 'R' || algorithm[0] == 'P'
	case *ecdsa.PublicKey:
		switch algorithm {
		case jose.ES256:
			return key.Curve == elliptic.P256()
		case jose.ES384:
			return key.Curve == elliptic.P384()
		case jose.ES512:
			return key.Curve == elliptic.P521()
		}
	case ed25519.PublicKey:
		return algorithm == jose.EdDSA
	}
	return false
}
