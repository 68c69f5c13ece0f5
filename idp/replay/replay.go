// Package replay records which authorization codes were redeemed, so that each
// buys one token (RFC 6749 section 4.1.2, RFC 9700 section 2.1.1), and where the
// refresh tokens of logins stand that change with each use (section 4.14.2).
//
// A code is claimed before it is sent to the identity provider. The claim stays
// for as long as the code could be presented again, or is given back if the
// provider certainly did not redeem it.
//
// # Files
//
//	replay.go: what a store must do; errors; how long a write may take
//	memory.go: claims in memory
//	state.go: where refresh tokens stand, in memory
//	once.go: how many values of one holder are used, each once
package replay

import (
	"context"
	"errors"
	"time"
)

// Key identifies a code, or a login, without revealing it: the SHA-256 of the
// identity provider and its code, or of what tells the login from others.
type Key [32]byte

// The errors of [Store.Claim] that say what is the matter. Any other error
// means that the store could not decide.
var (
	// ErrClaimed: the code was redeemed, or is being redeemed.
	ErrClaimed = errors.New("the code is claimed already")
	// ErrFull: the store has no room. It never forgets one claim for another.
	ErrFull = errors.New("the replay store is full")
)

// Store records claims. Implementations are safe for concurrent use; of any
// number of concurrent claims for one key, at any number of nodes that share
// the store, one succeeds.
type Store interface {
	// Claim records key for ttl, or until the claim is released. With any error
	// nothing may be sent to the identity provider.
	Claim(ctx context.Context, key Key, ttl time.Duration) (Claim, error)
}

// Claim is the right to redeem one code once.
type Claim interface {
	// Release gives the claim back, after which the key can be claimed again. It
	// never removes a claim other than this one. If it fails, the code stays
	// claimed until the claim expires, which is safe.
	Release(ctx context.Context) error
}

// StateStore is a [Store] that also keeps small values, each of which any number
// of nodes change in turns.
type StateStore interface {
	Store
	// Load returns the value of key, nil if there is none, and the time by the
	// store's clock, which all nodes share.
	Load(ctx context.Context, key Key) (value []byte, now time.Time, err error)
	// CompareAndSwap replaces the value old of key by another one, which is kept for
	// ttl, and reports whether it did: not if key has another value than old. nil
	// stands for no value, as old or as replacement: as both, the store says that there is
	// none, and stands by it as by a change. After an error the value may be either.
	CompareAndSwap(ctx context.Context, key Key, old, replacement []byte, ttl time.Duration) (bool, error)
}

// WriteTimeout bounds what is written after an answer of the identity provider, or given back: it has
// to be, even for a client that has left. [Detached] is a context for it.
const WriteTimeout = 5 * time.Second

// Detached goes on for [WriteTimeout] whatever becomes of ctx.
func Detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), WriteTimeout)
}

// Pinger is a [Store] that can tell whether it would answer.
type Pinger interface {
	// Ping returns why no code could be claimed now. There is no secret in the error.
	Ping(ctx context.Context) error
}

// Namer is a [Store] that can tell which one it is.
type Namer interface {
	// Name is the same at all gateways that share the store, and differs from that of
	// any other. There is no secret in it.
	Name() string
}

// Counter is a [Store] that knows how many claims it holds.
type Counter interface {
	// Len is the number of claims. Those that have been over for a short time may count.
	Len() int
	// Cap is the largest number of claims that it can hold.
	Cap() int
}
