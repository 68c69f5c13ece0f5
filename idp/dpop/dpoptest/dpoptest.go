// Package dpoptest makes DPoP proofs for tests, good ones and others. What can't be made is a
// mistake of the test, which panics.
package dpoptest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Key is a client's.
type Key struct {
	Algorithm jose.SignatureAlgorithm
	// Private is a key, or a signer of [jose.SigningKey].
	Private any
	// Public is what stands in the header.
	Public jose.JSONWebKey
}

// NewKey makes a key for ES256.
func NewKey() *Key {
	private := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	return &Key{jose.ES256, private, jose.JSONWebKey{Key: private.Public()}}
}

// Thumbprint is the jkt of the key.
func (k *Key) Thumbprint() string {
	return base64.RawURLEncoding.EncodeToString(must(k.Public.Thumbprint(crypto.SHA256)))
}

// Claims are those of a proof, with another jti each time. Without a time there is no iat,
// without a token no ath, without a nonce none.
func Claims(method, url string, now time.Time, accessToken, nonce string) map[string]any {
	c := map[string]any{"jti": rand.Text(), "htm": method, "htu": url}
	if !now.IsZero() {
		c["iat"] = now.Unix()
	}
	if accessToken != "" {
		sum := sha256.Sum256([]byte(accessToken))
		c["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	if nonce != "" {
		c["nonce"] = nonce
	}
	return c
}

// Sign signs claims with a header, in which other members replace those of a proof; nil
// leaves one out.
func (k *Key) Sign(claims any, header map[string]any) string {
	options := &jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"typ": "dpop+jwt", "jwk": k.Public}}
	for name, value := range header {
		if value == nil {
			delete(options.ExtraHeaders, jose.HeaderKey(name))
		} else {
			options.ExtraHeaders[jose.HeaderKey(name)] = value
		}
	}
	signer := must(jose.NewSigner(jose.SigningKey{Algorithm: k.Algorithm, Key: k.Private}, options))
	signed := must(signer.Sign(must(json.Marshal(claims))))
	return must(signed.CompactSerialize())
}

// Proof is a good one.
func (k *Key) Proof(method, url string, now time.Time, accessToken, nonce string) string {
	return k.Sign(Claims(method, url, now, accessToken, nonce), nil)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
