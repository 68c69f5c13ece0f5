package seal

import (
	"crypto/cipher"
	"crypto/rand"
)

// A lasting value, such as a refresh token, is opened months after it was sealed.
// It is base64url without padding of
//
//	version (1 byte) | key id (3 bytes) | salt (16 bytes) | nonce (12 bytes) | ciphertext | tag (16 bytes)
//
// Each value has a key of its own, derived from a master, its purpose and its
// salt, so that neither the number of values nor their age needs a bound.
const (
	lastingVersion = 2
	saltLength     = 16
)

// LastingOverhead is the number of bytes that [Keys.SealLasting] adds, before base64url.
const LastingOverhead = 4 + saltLength + 12 + 16

// SealLasting is [Keys.Seal] for a value that is good for as long as its master is
// among the keys.
func (k *Keys) SealLasting(purpose Purpose, context string, plaintext []byte) string {
	b := newBuffer(4+saltLength, context, plaintext)
	b = append(append(b, lastingVersion), k.masters[0].id[:]...)
	b = b[:len(b)+saltLength]
	_, _ = rand.Read(b[4:]) // never returns an error
	return sealIn(b, deriveLasting(k.masters[0].key, purpose, b[4:]), context, plaintext)
}

// OpenLasting returns what [Keys.SealLasting] sealed for a purpose in a context, or
// [ErrInvalid] or [ErrUnknownKey]. current reports that the first master sealed it,
// which seals now; a value of another one is best replaced.
func (k *Keys) OpenLasting(purpose Purpose, context, sealed string) (plaintext []byte, current bool, err error) {
	raw, ok := decode(sealed)
	if !ok || len(raw) < LastingOverhead || raw[0] != lastingVersion {
		return nil, false, ErrInvalid
	}
	for i := range k.masters {
		if k.masters[i].id != [3]byte(raw[1:4]) {
			continue
		}
		header, body := raw[:4+saltLength], raw[4+saltLength:]
		aead := deriveLasting(k.masters[i].key, purpose, header[4:])
		if plaintext, err = aead.Open(body[:0], nil, body, additionalData(header, context)); err != nil {
			return nil, false, ErrInvalid
		}
		return plaintext, i == 0, nil
	}
	return nil, false, ErrUnknownKey
}

func deriveLasting(key []byte, purpose Purpose, salt []byte) cipher.AEAD {
	return newAEAD(deriveKey(key, salt, "identity gateway seal lasting "+string(purpose), 32))
}
