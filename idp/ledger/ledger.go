// Package ledger remembers the logins that began at the gateway and holds
// each token exchange to one of them, so that PKCE does not depend on the
// identity provider's own checks (RFC 9700 section 2.1.1: a PKCE downgrade must
// not succeed).
//
// A login is noted when its authorization request passes ([Ledger.Remember]).
// An exchange has to name that login by client, verifier and redirect URI
// ([Ledger.Begin]) and holds its verifier and its code while the IdP is asked;
// meanwhile another exchange of either is rejected. A token spends both
// ([Reservation.Commit]); an error spends neither
// ([Reservation.Release]).
//
// Only hashes are kept: neither memory, snapshots nor storage hold a code, a
// challenge or a redirect URI.
package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"
)

// Defaults of a ledger's bounds. A login takes one entry while it is pending
// and two after its exchange, each until the TTL has passed.
const (
	DefaultTTL      = 15 * time.Minute
	DefaultCapacity = 1_000_000
)

// The reasons why an exchange is rejected or a login is not stored. Any other
// error is a failure of the ledger itself.
var (
	// ErrUnknown: no login with this client, verifier and redirect URI began
	// here within the TTL.
	ErrUnknown = errors.New("no such login began here")
	// ErrSpent: the verifier or the code has bought a token before.
	ErrSpent = errors.New("the verifier or the code is spent")
	// ErrBusy: an exchange of the same verifier or code is under way.
	ErrBusy = errors.New("an exchange of the same verifier or code is under way")
	// ErrFull: the ledger holds as much as it may and nothing that may be dropped.
	ErrFull = errors.New("the ledger is full")
)

// Login is what binds an authorization request and its token exchange.
type Login struct {
	ClientID string
	// Challenge is the S256 code_challenge, at the exchange computed from the
	// code_verifier.
	Challenge string
	// RedirectURI is "" if none was sent. It has to be the same at both
	// (RFC 6749 section 4.1.3).
	RedirectURI string
}

// Ledger is the memory of logins. Implementations are safe for concurrent use.
type Ledger interface {
	// Remember notes that a login began. The same login may begin again.
	Remember(ctx context.Context, login Login) error
	// Begin reserves the login's verifier and the code for one exchange. It
	// fails with ErrUnknown, ErrSpent, ErrBusy, ErrFull or a failure of the
	// ledger; in none of these cases may the IdP be asked.
	Begin(ctx context.Context, login Login, code string) (*Reservation, error)
}

// Reservation is the right to one exchange. As with [database/sql.Tx], the first
// of Commit and Release ends it; Release after that does nothing. It is not safe
// for concurrent use.
type Reservation struct {
	settler settler
	keys    keys
	ended   bool
}

// settler ends reservations.
type settler interface {
	commit(ctx context.Context, k keys) error
	release(ctx context.Context, k keys)
}

// Commit spends the verifier and the code. If it fails, the token must not be
// handed out.
func (r *Reservation) Commit(ctx context.Context) error {
	if r.ended {
		return errors.New("the reservation has ended")
	}
	r.ended = true
	return r.settler.commit(ctx, r.keys)
}

// Release spends nothing: the IdP issued no token.
func (r *Reservation) Release(ctx context.Context) {
	if !r.ended {
		r.ended = true
		r.settler.release(ctx, r.keys)
	}
}

// key is the first half of a SHA-256: 128 bits, for which no second preimage
// can be found.
type key [16]byte

// keys are what one exchange touches. The verifier's key has no client in it
// and neither has the code's: each buys one token, whoever brings it.
type keys struct{ login, verifier, code key }

func newKeys(login Login, code string) keys {
	return keys{
		login:    loginKey(login),
		verifier: hash('v', login.Challenge, "", ""),
		code:     hash('c', code, "", ""),
	}
}

func loginKey(login Login) key {
	return hash('l', login.ClientID, login.Challenge, login.RedirectURI)
}

// hash is a hash of the kind and the three strings with their boundaries: 0xff
// occurs in no UTF-8 string.
func hash(kind byte, a, b, c string) key {
	var buffer [512]byte
	message := append(buffer[:0], kind)
	message = append(message, a...)
	message = append(message, 0xff)
	message = append(message, b...)
	message = append(message, 0xff)
	message = append(message, c...)
	sum := sha256.Sum256(message)
	return key(sum[:16])
}
