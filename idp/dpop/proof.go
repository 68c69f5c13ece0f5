// Package dpop checks proofs of possession (RFC 9449): that who sends a request has the
// key to which a token is bound, and made the proof for this request, now.
//
// When a proof was made follows from its nonce, which [Nonce] makes without remembering
// it, so that the client's clock does not matter; or else from the proof itself. That
// each is used once is the caller's to see to, by [Proof.ID].
package dpop

import (
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Algorithms are those by which proofs may be signed (RFC 7518, RFC 8037): those of FAPI 2.0 Security
// Profile section 5.4.1, of which a verification takes less than a millisecond.
var algorithms = []jose.SignatureAlgorithm{jose.ES256, jose.PS256, jose.EdDSA}

// Algorithms are the names of the algorithms by which proofs may be signed.
func Algorithms() []string {
	names := make([]string, len(algorithms))
	for i, algorithm := range algorithms {
		names[i] = string(algorithm)
	}
	return names
}

const (
	// maxProof is the longest proof that is looked at, in bytes.
	maxProof = 8 << 10
	// maxID is the longest jti, in bytes.
	maxID = 256
	// clockSkew is how far off the time of a proof without a nonce may be.
	clockSkew = time.Minute
)

// Thumbprint is the SHA-256 thumbprint of a public key (RFC 7638), zero for none.
type Thumbprint [sha256.Size]byte

// ParseThumbprint reads a jkt or dpop_jkt (RFC 9449 sections 6.1 and 10). No key has that
// which is zero.
func ParseThumbprint(s string) (t Thumbprint, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != len(t) || len(s) != base64.RawURLEncoding.EncodedLen(len(t)) {
		return Thumbprint{}, false
	}
	t = Thumbprint(b)
	return t, t != Thumbprint{}
}

// String is the thumbprint in base64url, as a jkt has it.
func (t Thumbprint) String() string { return base64.RawURLEncoding.EncodeToString(t[:]) }

// Request is what a proof has to be made for.
type Request struct {
	Method string
	// URL is that of the request as its client knows it. Query and fragment do not count.
	URL string
	// AccessToken is the one that comes with it, "" at the token endpoint.
	AccessToken string
	// CheckNonce is [CheckNonce]. Nil: proofs need none.
	CheckNonce func(nonce string) error
	Now        time.Time
}

// Proof is a proof that was checked.
type Proof struct {
	// Key is the client's.
	Key Thumbprint
	// ID identifies the proof among all of them.
	ID replay.Key
}

// The errors of [Request.Check], besides those of CheckNonce, are an [Error] each: a sentence
// that begins with what is wrong. It has nothing of the proof in it.
type Error string

// Error implements the error interface.
func (e Error) Error() string { return string(e) }

// ErrNonce: the client needs a newer nonce, and then to try again (RFC 9449 section 8).
var ErrNonce = errors.New("the proof needs the nonce of the response")

// claims are those of RFC 9449 section 4.2.
type claims struct {
	ID              *string  `json:"jti"`
	Method          string   `json:"htm"`
	URL             string   `json:"htu"`
	IssuedAt        *float64 `json:"iat"`
	AccessTokenHash string   `json:"ath"`
	Nonce           string   `json:"nonce"`
}

// Check checks the values of the header field DPoP (RFC 9449 section 4.3). The signature,
// which costs the most, comes last.
func (r *Request) Check(header []string) (*Proof, error) {
	if len(header) != 1 {
		return nil, Error("there is more than one DPoP header, or none")
	}
	signed, key, err := parse(header[0])
	if err != nil {
		return nil, err
	}
	var c claims
	if json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &c) != nil {
		return nil, Error("the claims of the DPoP proof can't be read")
	}
	if err := r.checkClaims(&c); err != nil {
		return nil, err
	}
	if _, err := signed.Verify(key); err != nil {
		return nil, Error("the signature of the DPoP proof is wrong")
	}
	thumbprint, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return nil, Error("the key of the DPoP proof has no thumbprint")
	}
	p := &Proof{Key: Thumbprint(thumbprint)}
	p.ID = sha256.Sum256(slices.Concat([]byte("dpop\x00"), thumbprint, []byte(*c.ID)))
	return p, nil
}

// parse reads the form of a proof, and the key in it.
func parse(proof string) (*jose.JSONWebSignature, *jose.JSONWebKey, error) {
	if len(proof) > maxProof || strings.Count(proof, ".") != 2 || strings.ContainsFunc(proof, isForeign) {
		return nil, nil, Error("the DPoP proof is not a JWT of at most 8192 bytes")
	}
	signed, err := jose.ParseSignedCompact(proof, algorithms)
	if err != nil {
		return nil, nil, Error("the DPoP proof is not a JWT that is signed by one of " + strings.Join(Algorithms(), ", ") + " with a public jwk in its header")
	}
	header := signed.Signatures[0].Protected
	key := header.JSONWebKey
	switch _, critical := header.ExtraHeaders["crit"]; {
	case header.ExtraHeaders[jose.HeaderType] != "dpop+jwt":
		return nil, nil, Error("the typ of the DPoP proof is not dpop+jwt")
	case critical:
		return nil, nil, Error("the DPoP proof has crit in its header")
	case key == nil || !jwks.Fits(key.Key, jose.SignatureAlgorithm(header.Algorithm)),
		key.Use != "" && key.Use != "sig", key.Algorithm != "" && key.Algorithm != header.Algorithm:
		return nil, nil, Error("the jwk of the DPoP proof is not a public key for its alg: P-256, Ed25519, or RSA of 2048 to 4096 bits")
	}
	return signed, key, nil
}

// isForeign reports what no JWS in compact serialization has. The library skips white
// space.
func isForeign(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
}

// checkClaims compares what the proof was made for.
func (r *Request) checkClaims(c *claims) error {
	switch {
	case c.ID == nil || *c.ID == "" || len(*c.ID) > maxID:
		return Error("the jti of the DPoP proof is missing, or longer than 256 bytes")
	case c.Method != r.Method:
		return Error("the htm of the DPoP proof is not the method of the request")
	case !SameURL(c.URL, r.URL):
		return Error("the htu of the DPoP proof is not the URL of the request as clients know it, without query and fragment")
	case c.IssuedAt == nil:
		return Error("the iat of the DPoP proof is missing")
	case r.AccessToken != "" && c.AccessTokenHash != hashOf(r.AccessToken):
		return Error("the ath of the DPoP proof is not the hash of the access token")
	case r.CheckNonce != nil:
		return r.CheckNonce(c.Nonce)
	}
	if age := float64(r.Now.Unix()) - *c.IssuedAt; !(-clockSkew.Seconds() <= age && age <= clockSkew.Seconds()) {
		return Error("the iat of the DPoP proof is more than a minute off; make one for each request, and set the clock")
	}
	return nil
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// SameURL compares two URLs but for query and fragment, after the normalization of RFC
// 3986 sections 6.2.2.1, 6.2.2.2 and 6.2.3 (RFC 9449 section 4.3).
func SameURL(a, b string) bool {
	normalized, ok := normalize(a)
	other, alsoOK := normalize(b)
	return ok && alsoOK && normalized == other
}

// normalize is scheme, host and path in one form. It is false for what is no http URL
// with a host.
func normalize(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return "", false
	}
	host, path := strings.ToLower(u.Host), u.EscapedPath()
	host = strings.TrimSuffix(host, ":")
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	if path == "" {
		path = "/"
	}
	return u.Scheme + "://" + host + unescapeUnreserved(path), true
}

// unescapeUnreserved decodes the escapes of unreserved characters, and writes others in
// upper case. path is well-formed.
func unescapeUnreserved(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	const unreserved = "-._~"
	b := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			b = append(b, path[i])
			continue
		}
		decoded, _ := url.PathUnescape(path[i : i+3])
		if c := rune(decoded[0]); c < 0x80 && (!isForeign(c) || strings.ContainsRune(unreserved, c)) {
			b = append(b, decoded[0])
		} else {
			b = append(b, strings.ToUpper(path[i:i+3])...)
		}
		i += 2
	}
	return string(b)
}

const (
	// NonceLifetime is how long a nonce is good for.
	NonceLifetime = 2 * time.Minute
	// Remember is how long it has to be remembered that a proof was used.
	Remember = NonceLifetime + seal.Skew
)

// sealedNonce is the purpose of nonces.
const sealedNonce seal.Purpose = "dpop nonce"

// Nonce is the value of the header field DPoP-Nonce (RFC 9449 section 8): the time, sealed.
// Whoever has the keys takes it, because clients keep one nonce for a host, on which
// there can be a token endpoint, and resource servers.
func Nonce(keys *seal.Keys, now time.Time) string {
	return keys.Seal(sealedNonce, "", binary.BigEndian.AppendUint32(nil, uint32(now.Unix())))
}

// CheckNonce is nil for a nonce that is neither too old nor from the future, else
// [ErrNonce]. [seal.ErrUnknownKey] is in the chain of an error that newer keys may resolve.
func CheckNonce(keys *seal.Keys, nonce string, now time.Time) error {
	b, err := keys.Open(sealedNonce, "", nonce)
	if err != nil || len(b) != 4 {
		return errors.Join(ErrNonce, err)
	}
	if age := now.Unix() - int64(binary.BigEndian.Uint32(b)); age < -int64(seal.Skew.Seconds()) || age >= int64(NonceLifetime.Seconds()) {
		return ErrNonce
	}
	return nil
}
