package dpop

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

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
	return string(keys.Seal(nil, sealedNonce, "", binary.BigEndian.AppendUint32(nil, uint32(now.Unix()))))
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
