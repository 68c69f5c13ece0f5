// Package signing has the keys with which an issuer signs its ID tokens, and access tokens that are JWTs: when each of them signs,
// is published and still verifies, and how one is kept.
//
// A [Key] is an RSA key and one on P-256, so that a client can have RS256, PS256 or ES256
// (RFC 7518 section 3.1). [Keys] are the keys of one issuer, of which one signs at a time.
package signing

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

// The algorithms of ID tokens. RS256 is the one that all clients have (OpenID Connect Core 1.0
// section 15.1).
const (
	RS256 = jose.RS256
	PS256 = jose.PS256
	ES256 = jose.ES256
)

// Algorithms are all of them, the default first.
func Algorithms() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{RS256, PS256, ES256}
}

const (
	// Ahead is how long a key is published before it signs, and after another one signs: clients
	// keep what is published for a day, and other nodes take some minutes to find it.
	Ahead = 25 * time.Hour
	// Remembered is how long a key verifies after another one signs: who logs out, or in again,
	// names his last login by an ID token, however old.
	Remembered = 90 * 24 * time.Hour
	// rsaBits is the size of the modulus.
	rsaBits = 2048
	// version is that of a kept key.
	version = 1
	// maxToken is the longest token that is looked at, in bytes.
	maxToken = 16 << 10
)

// Key is what signs at a time. It is a secret.
type Key struct {
	// Issuer is who signs with it, IdP the identity provider whose users it has signed for.
	Issuer, IdP string
	// Made is when, in whole seconds; zero of a key that the configuration gives.
	Made time.Time

	private map[jose.SignatureAlgorithm]crypto.Signer
}

// kept is a [Key] as JSON.
type kept struct {
	Version int       `json:"version"`
	Issuer  string    `json:"issuer"`
	IdP     string    `json:"idp"`
	Made    time.Time `json:"made"`
	// RSA and EC are PKCS #8 in base64.
	RSA []byte `json:"rsa"`
	EC  []byte `json:"ec"`
}

// Make makes a key.
func Make(issuer, idp string, now time.Time) (*Key, error) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, rsaBits)
	if err != nil {
		return nil, err
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	k := &Key{Issuer: issuer, IdP: idp, Made: now.UTC().Truncate(time.Second)}
	k.add(rsaKey)
	k.add(ecKey)
	return k, nil
}

// add gives a key the algorithms of a private one, and reports whether it has some.
func (k *Key) add(private any) bool {
	if k.private == nil {
		k.private = make(map[jose.SignatureAlgorithm]crypto.Signer)
	}
	fits := false
	signer, ok := private.(crypto.Signer)
	for _, algorithm := range Algorithms() {
		if ok && jwks.Fits(signer.Public(), algorithm) {
			k.private[algorithm], fits = signer, true
		}
	}
	return fits
}

// Marshal is the key as [Parse] reads it: a secret.
func (k *Key) Marshal() ([]byte, error) {
	rsaKey, err := x509.MarshalPKCS8PrivateKey(k.private[RS256])
	if err != nil {
		return nil, err
	}
	ecKey, err := x509.MarshalPKCS8PrivateKey(k.private[ES256])
	if err != nil {
		return nil, err
	}
	return json.Marshal(kept{Version: version, Issuer: k.Issuer, IdP: k.IdP, Made: k.Made, RSA: rsaKey, EC: ecKey})
}

// Parse reads what [Key.Marshal] has written. Errors quote nothing of it.
func Parse(document []byte) (*Key, error) {
	var d kept
	switch err := json.Unmarshal(document, &d); {
	case err != nil:
		return nil, errors.New("is not a signing key")
	case d.Version != version:
		return nil, fmt.Errorf("is a signing key of version %d, and this gateway reads version %d", d.Version, version)
	case d.Made.IsZero():
		return nil, errors.New("does not say when it was made")
	}
	k := &Key{Issuer: d.Issuer, IdP: d.IdP, Made: d.Made}
	for _, der := range [][]byte{d.RSA, d.EC} {
		if private, err := x509.ParsePKCS8PrivateKey(der); err != nil || !k.add(private) {
			return nil, errors.New("has a private key that can't be read")
		}
	}
	if k.private[RS256] == nil || k.private[ES256] == nil {
		return nil, errors.New("needs an RSA key and one on P-256")
	}
	return k, nil
}

// ParsePEM reads a private key that the configuration gives (PKCS #8, PKCS #1 or SEC 1): RSA of
// 2048 to 4096 bits for RS256 and PS256, or P-256 for ES256.
func ParsePEM(issuer string, file []byte) (*Key, error) {
	k := &Key{Issuer: issuer}
	for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
		var private any
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			private, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			private, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			private, err = x509.ParseECPrivateKey(block.Bytes)
		default: // such as EC PARAMETERS
			continue
		}
		if err != nil || !k.add(private) {
			break
		}
		return k, nil
	}
	return nil, errors.New("has no RSA key of 2048 to 4096 bits and none on P-256, in PEM and without a passphrase " +
		"(make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048)")
}

// Keys are those of one issuer. They are immutable and safe for concurrent use.
type Keys struct {
	issuer string
	// configured: the first key of each kind signs, and all are published. Else [Key.Made] says.
	configured bool
	keys       []*Key // the oldest first
}

// Kept are the keys of an issuer that were made one after the other: the newest that has been
// published for [Ahead] signs, or else the first one. There must be one.
func Kept(issuer string, keys []*Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, errors.New("there is no signing key")
	}
	for _, key := range keys {
		if key.Issuer != issuer {
			return nil, fmt.Errorf("is a signing key of %s, not of %s", key.Issuer, issuer)
		}
	}
	sorted := slices.SortedStableFunc(slices.Values(keys), func(a, b *Key) int { return a.Made.Compare(b.Made) })
	return &Keys{issuer: issuer, keys: sorted}, nil
}

// Configured are the keys of an issuer that its configuration gives: the first one that has an
// algorithm signs by it, and all are published. One of them must have RS256.
func Configured(issuer string, keys []*Key) (*Keys, error) {
	k := &Keys{issuer: issuer, configured: true, keys: keys}
	if k.signer(RS256, time.Time{}) == nil {
		return nil, errors.New("none is an RSA key, which RS256 needs, the algorithm that all clients have")
	}
	return k, nil
}

// signer is the key that signs by an algorithm now, nil if none does.
func (k *Keys) signer(algorithm jose.SignatureAlgorithm, now time.Time) *Key {
	if !k.configured {
		return k.keys[k.current(now)]
	}
	for _, key := range k.keys {
		if key.private[algorithm] != nil {
			return key
		}
	}
	return nil
}

func (k *Keys) current(now time.Time) int {
	for i := len(k.keys) - 1; i > 0; i-- {
		if now.Sub(k.keys[i].Made) >= Ahead {
			return i
		}
	}
	return 0
}

// Has reports whether there is a key for an algorithm.
func (k *Keys) Has(algorithm jose.SignatureAlgorithm) bool {
	return k.signer(algorithm, time.Time{}) != nil
}

// until are the keys that sign, will sign, or did so until a time ago: the next one began to.
func (k *Keys) until(ago time.Duration, now time.Time) []*Key {
	if k.configured {
		return k.keys
	}
	first := k.current(now)
	for first > 0 && now.Sub(k.keys[first].Made.Add(Ahead)) < ago {
		first--
	}
	return k.keys[first:]
}

// public is the JWK by which a key verifies an algorithm. RS256 and PS256 have names of their
// own, though the key is one, so that neither verifies the other.
func (k *Key) public(algorithm jose.SignatureAlgorithm) (jose.JSONWebKey, bool) {
	private := k.private[algorithm]
	if private == nil {
		return jose.JSONWebKey{}, false
	}
	public := jose.JSONWebKey{Key: private.Public(), Algorithm: string(algorithm), Use: "sig"}
	sum, err := public.Thumbprint(crypto.SHA256) // RFC 7638
	if err != nil {
		return public, false
	}
	public.KeyID = base64.RawURLEncoding.EncodeToString(sum)
	if algorithm == PS256 {
		public.KeyID += ".ps256"
	}
	return public, true
}

// Public is the JWK Set that the issuer publishes for these algorithms (RFC 7517 section 5).
func (k *Keys) Public(algorithms []jose.SignatureAlgorithm, now time.Time) ([]byte, error) {
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
	for _, key := range k.until(Ahead, now) {
		for _, algorithm := range algorithms {
			if public, ok := key.public(algorithm); ok {
				set.Keys = append(set.Keys, public)
			}
		}
	}
	return json.Marshal(set)
}

// The kinds of JWTs, by typ: none is good for another (RFC 8725 sections 3.11 and 3.12).
const (
	idToken     = "JWT"
	accessToken = "at+jwt" // RFC 9068 section 2.1
)

// Sign is an ID token of the issuer with these claims, a JSON object.
func (k *Keys) Sign(algorithm jose.SignatureAlgorithm, claims []byte, now time.Time) (string, error) {
	return k.sign(idToken, algorithm, claims, now)
}

// SignAccessToken is [Keys.Sign] for an access token, by the algorithm that all resource servers
// have (RFC 9068 section 2.1).
func (k *Keys) SignAccessToken(claims []byte, now time.Time) (string, error) {
	return k.sign(accessToken, RS256, claims, now)
}

func (k *Keys) sign(typ jose.ContentType, algorithm jose.SignatureAlgorithm, claims []byte, now time.Time) (string, error) {
	key := k.signer(algorithm, now)
	if key == nil {
		return "", fmt.Errorf("there is no key for %s", algorithm)
	}
	public, ok := key.public(algorithm)
	if !ok {
		return "", fmt.Errorf("there is no key for %s", algorithm)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key.private[algorithm], KeyID: public.KeyID}},
		new(jose.SignerOptions).WithType(typ))
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(claims)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

// ErrForeign is the error of a token that this issuer has not signed, or too long ago.
var ErrForeign = errors.New("this issuer has not signed the token, or too long ago")

// Verify are the claims of a token that these keys have signed as [Keys.Sign] does, however long
// it has expired, for as long as [Remembered] says. The error is [ErrForeign]. The key is the one
// that the token names, and has one algorithm: whoever has all that is published can sign nothing
// by another (RFC 8725 sections 2.1 and 3.1).
func (k *Keys) Verify(token string, now time.Time) ([]byte, error) {
	return k.verify(idToken, token, now)
}

// VerifyAccessToken is [Keys.Verify] for a token of [Keys.SignAccessToken].
func (k *Keys) VerifyAccessToken(token string, now time.Time) ([]byte, error) {
	return k.verify(accessToken, token, now)
}

func (k *Keys) verify(kind, token string, now time.Time) ([]byte, error) {
	if len(token) > maxToken {
		return nil, ErrForeign
	}
	signed, err := jose.ParseSignedCompact(token, Algorithms())
	if err != nil {
		return nil, ErrForeign
	}
	header := signed.Signatures[0].Protected
	if typ, _ := header.ExtraHeaders[jose.HeaderType].(string); typ != kind {
		return nil, ErrForeign
	}
	for _, key := range k.until(Remembered, now) {
		public, ok := key.public(jose.SignatureAlgorithm(header.Algorithm))
		if !ok || public.KeyID != header.KeyID {
			continue
		}
		payload, err := signed.Verify(public)
		var c struct {
			Issuer string `json:"iss"`
		}
		if err != nil || json.Unmarshal(payload, &c) != nil || c.Issuer != k.issuer {
			return nil, ErrForeign
		}
		return payload, nil
	}
	return nil, ErrForeign
}
