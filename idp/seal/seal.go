// Package seal encrypts and authenticates the short values that a gateway gives
// away and gets back: the state of a login that is under way at the identity
// provider, the code that the client redeems, its access tokens, and its refresh tokens,
// which last ([Keys.SealLasting]).
//
// Any other sealed value is base64url without padding (RFC 4648 section 5) of
//
//	version (1 byte) | key id (3 bytes) | hour (4 bytes) | nonce (12 bytes) | ciphertext | tag (16 bytes)
//
// encrypted with AES-256-GCM under a key that HKDF-SHA-256 (RFC 5869) derives
// from a master key for one purpose and one hour. So a value sealed for one
// purpose never opens for another, and no key encrypts more than one hour's
// values, far below the 2^32 that random nonces allow (NIST SP 800-38D section
// 8.3). The first eight bytes and the caller's context are additional data.
//
// # Files
//
//	seal.go: values of one hour's key: format, age
//	lasting.go: values that last
//	master.go: what a sealing key must be
//	keyring.go: keys that several gateways share
//	fields.go: the fields of a plaintext
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"
	"time"
)

// Purpose separates the keys of values that must not be taken for one another.
type Purpose string

// MinMaster is the length of the shortest master key, in bytes.
const MinMaster = 32

// MaxAge is how long a value can be opened at most, whatever it says of its own
// lifetime. It bounds the keys that are derived for values from outside.
const MaxAge = 48 * time.Hour

// Skew is how far ahead the clock of another node may be.
const Skew = 2 * time.Minute

// Overhead is the number of bytes that sealing adds, before base64url.
const Overhead = headerLength + 12 + 16

const (
	version      = 1
	headerLength = 8
)

// The errors of [Keys.Open].
var (
	// ErrInvalid: not sealed with these keys for this purpose and context,
	// altered, or older than [MaxAge].
	ErrInvalid = errors.New("not a value that was sealed here")
	// ErrUnknownKey: well-formed, but sealed with a master key that is not among
	// these. Another node may have a newer one.
	ErrUnknownKey = errors.New("sealed with a key that is not known here")
)

// Keys are master keys and what is derived from them. They are safe for
// concurrent use.
type Keys struct {
	masters []master // the first one seals
	now     func() time.Time

	mu      sync.RWMutex
	derived map[derivation]cipher.AEAD
}

type master struct {
	id          [3]byte
	key         []byte
	fingerprint hash.Cloner // with its key: see [Keys.Fingerprint]
}

type derivation struct {
	master  int
	purpose Purpose
	hour    uint32
}

// NewKeys makes keys from masters of at least [MinMaster] random bytes. The
// first one seals, all of them open. now is time.Now except in tests.
func NewKeys(masters [][]byte, now func() time.Time) (*Keys, error) {
	if len(masters) == 0 {
		return nil, errors.New("no master key")
	}
	k := &Keys{now: now, derived: make(map[derivation]cipher.AEAD)}
	for i, key := range masters {
		if len(key) < MinMaster {
			return nil, fmt.Errorf("master key %d has %d bytes; it needs at least %d", i+1, len(key), MinMaster)
		}
		added := master{
			id: [3]byte(deriveKey(key, nil, "identity gateway key id", 3)), key: key,
			fingerprint: hmac.New(sha256.New, deriveKey(key, nil, "identity gateway fingerprint", sha256.Size)).(hash.Cloner),
		}
		for j, other := range k.masters {
			if other.id == added.id {
				return nil, fmt.Errorf("master keys %d and %d have the same id; leave one out", j+1, i+1)
			}
		}
		k.masters = append(k.masters, added)
	}
	return k, nil
}

// Seal is plaintext, sealed for a purpose. What opens it must name the same context.
func (k *Keys) Seal(purpose Purpose, context string, plaintext []byte) string {
	hour := hourOf(k.now())
	b := newBuffer(headerLength, context, plaintext)
	b = append(append(b, version), k.masters[0].id[:]...)
	b = binary.BigEndian.AppendUint32(b, hour)
	return sealIn(b, k.aead(derivation{0, purpose, hour}), context, plaintext)
}

// newBuffer has room for all that [sealIn] makes.
func newBuffer(header int, context string, plaintext []byte) []byte {
	sealed := header + 12 + len(plaintext) + 16
	return make([]byte, 0, header+len(context)+sealed+base64.RawURLEncoding.EncodedLen(sealed))
}

// sealIn seals a plaintext behind a header, and makes the text of both, in the header's buffer.
func sealIn(header []byte, aead cipher.AEAD, context string, plaintext []byte) string {
	data := append(header, context...)
	start := append(data[len(data):], header...)
	sealed := aead.Seal(start, nil, plaintext, data)
	return string(base64.RawURLEncoding.AppendEncode(sealed[len(sealed):], sealed))
}

// Open returns what was sealed for a purpose in a context, or [ErrInvalid] or
// [ErrUnknownKey].
func (k *Keys) Open(purpose Purpose, context, sealed string) ([]byte, error) {
	raw, ok := decode(sealed)
	if !ok || len(raw) < Overhead || raw[0] != version {
		return nil, ErrInvalid
	}
	header, hour := raw[:headerLength], binary.BigEndian.Uint32(raw[4:headerLength])
	now := k.now()
	if hour > hourOf(now.Add(Skew)) || hour < hourOf(now.Add(-MaxAge)) {
		return nil, ErrInvalid
	}
	for i := range k.masters {
		if k.masters[i].id != [3]byte(raw[1:4]) {
			continue
		}
		body := raw[headerLength:]
		plaintext, err := k.aead(derivation{i, purpose, hour}).Open(body[:0], nil, body, additionalData(header, context))
		if err != nil {
			return nil, ErrInvalid
		}
		return plaintext, nil
	}
	return nil, ErrUnknownKey
}

// Fingerprint stands for a text where it must not be read, such as in logs: 16 letters and
// digits. Only who has the key that seals can tell whose it is.
func (k *Keys) Fingerprint(purpose Purpose, text string) string {
	mac := must(k.masters[0].fingerprint.Clone())
	mac.Write([]byte(string(purpose) + "\x00" + text))
	return base32.StdEncoding.EncodeToString(mac.Sum(nil)[:10])
}

// decode decodes base64url of which each value has one form only.
func decode(sealed string) ([]byte, bool) {
	// The decoder skips line breaks, which would let one value have many forms.
	if strings.IndexByte(sealed, '\r') >= 0 || strings.IndexByte(sealed, '\n') >= 0 {
		return nil, false
	}
	raw, err := strictBase64.DecodeString(sealed)
	return raw, err == nil
}

var strictBase64 = base64.RawURLEncoding.Strict()

func additionalData(header []byte, context string) []byte {
	return append(append(make([]byte, 0, len(header)+len(context)), header...), context...)
}

// hourOf counts hours since 1970.
func hourOf(t time.Time) uint32 { return uint32(t.Unix() / 3600) }

// aead is the cipher of a derivation, made on first use.
func (k *Keys) aead(d derivation) cipher.AEAD {
	k.mu.RLock()
	aead := k.derived[d]
	k.mu.RUnlock()
	if aead != nil {
		return aead
	}
	info := binary.BigEndian.AppendUint32([]byte("identity gateway seal "+d.purpose+" "), d.hour)
	aead = newAEAD(deriveKey(k.masters[d.master].key, nil, string(info), 32))
	k.mu.Lock()
	defer k.mu.Unlock()
	oldest := hourOf(k.now().Add(-MaxAge))
	for other := range k.derived {
		if other.hour < oldest {
			delete(k.derived, other)
		}
	}
	k.derived[d] = aead
	return aead
}

func deriveKey(key, salt []byte, info string, length int) []byte {
	return must(hkdf.Key(sha256.New, key, salt, info, length))
}

func newAEAD(key []byte) cipher.AEAD {
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(key))))
}

// must is for functions that fail for other lengths and ciphers only than those here.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// AccessTokenPrefix begins a sealed value that is an access token, so that it is taken for
// no other issuer's, and found by who searches for leaked secrets.
const AccessTokenPrefix = "igat_"

// IsAccessToken reports whether a token has the form of a gateway's access tokens, or is one in
// another spelling, which is good nowhere.
func IsAccessToken(token string) bool {
	n := len(AccessTokenPrefix)
	return len(token) >= n && strings.EqualFold(token[:n], AccessTokenPrefix)
}

// Sealed is nil for a value that was sealed with one of these keys, whatever for, and for any
// that is good for hours only; else it is [ErrInvalid], or [ErrUnknownKey] for one that lasts.
// Nothing is opened: altered values have their beginning still.
func (k *Keys) Sealed(s string) error {
	if !IsSealed(s) {
		return ErrInvalid
	}
	raw, _ := decode(withoutPrefix(s))
	if raw[0] == version || slices.ContainsFunc(k.masters, func(m master) bool { return m.id == [3]byte(raw[1:4]) }) {
		return nil
	}
	return ErrUnknownKey
}

// withoutPrefix is a sealed value without [AccessTokenPrefix], in either case.
func withoutPrefix(s string) string {
	if n := len(AccessTokenPrefix); len(s) > n && strings.EqualFold(s[:n], AccessTokenPrefix) {
		return s[n:]
	}
	return s
}

// IsSealed reports whether s has the form of a sealed value, whoever sealed it. Of
// other base64url of that length, one in 256 has it, too.
func IsSealed(s string) bool {
	s = withoutPrefix(s)
	if len(s) < base64.RawURLEncoding.EncodedLen(Overhead) || s[0] != 'A' { // as each version begins
		return false
	}
	raw, ok := decode(s)
	switch {
	case !ok:
		return false
	case raw[0] == version:
		const firstHour, lastHour = 50 * 365 * 24, 130 * 365 * 24 // of the 21st century
		hour := binary.BigEndian.Uint32(raw[4:headerLength])
		return hour > firstHour && hour < lastHour
	}
	return raw[0] == lastingVersion && len(raw) >= LastingOverhead
}
