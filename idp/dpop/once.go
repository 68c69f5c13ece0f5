package dpop

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// Once sees to it that each proof is used once (RFC 9449 section 11.1), or whatever else a
// holder can make any number of. It is safe for concurrent use.
type Once struct {
	store replay.Store
	each  int
	now   func() time.Time

	mu    sync.Mutex
	since time.Time
	used  map[replay.Key]int // by whoever has used them
}

// NewOnce makes one that remembers in a store, which a single holder of tokens can't fill:
// he may use each proofs in the time for which they are remembered.
func NewOnce(store replay.Store, each int, now func() time.Time) *Once {
	return &Once{store: store, each: each, now: now, used: make(map[replay.Key]int)}
}

// Use uses a proof of a holder, whom his grant or key identifies, and whose right to it was
// checked. The errors are those of [replay.Store.Claim].
func (o *Once) Use(ctx context.Context, p *Proof, holder replay.Key) error {
	return o.Claim(ctx, p.ID, Remember, holder)
}

// Claim uses a key of a holder, for which it is remembered for a time that is not much
// longer than [Remember].
func (o *Once) Claim(ctx context.Context, key replay.Key, ttl time.Duration, holder replay.Key) error {
	_, err := o.Hold(ctx, key, ttl, holder)
	return err
}

// Hold is [Once.Claim] of a key that can be given back.
func (o *Once) Hold(ctx context.Context, key replay.Key, ttl time.Duration, holder replay.Key) (replay.Claim, error) {
	if !o.mayUse(holder) {
		return nil, replay.ErrFull
	}
	claim, err := o.store.Claim(ctx, key, ttl)
	if errors.Is(err, replay.ErrClaimed) {
		o.giveBack(holder) // a thief who sends it again takes nothing of the holder's
	}
	return claim, err
}

func (o *Once) giveBack(holder replay.Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.used[holder] > 0 {
		o.used[holder]--
	}
}

func (o *Once) mayUse(holder replay.Key) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.now(); now.Sub(o.since) >= Remember || now.Before(o.since) {
		o.since, o.used = now, make(map[replay.Key]int)
	}
	if o.used[holder] >= o.each {
		return false
	}
	o.used[holder]++
	return true
}
