package replay

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Once sees to it that what a holder can make any number of, such as DPoP proofs (RFC 9449
// section 11.1), is used once. It is safe for concurrent use.
type Once struct {
	store  Store
	each   int
	window time.Duration
	now    func() time.Time

	mu    sync.Mutex
	since time.Time
	used  map[Key]int // by whoever has used them
}

// NewOnce makes one that remembers in a store, which a single holder can't fill: he may use
// each keys within a window, which is about as long as they are remembered.
func NewOnce(store Store, each int, window time.Duration, now func() time.Time) *Once {
	return &Once{store: store, each: each, window: window, now: now, used: make(map[Key]int)}
}

// Claim uses a key of a holder, who was checked to be that. The errors are those of
// [Store.Claim].
func (o *Once) Claim(ctx context.Context, key Key, ttl time.Duration, holder Key) error {
	_, err := o.Hold(ctx, key, ttl, holder)
	return err
}

// Hold is [Once.Claim] of a key that can be given back.
func (o *Once) Hold(ctx context.Context, key Key, ttl time.Duration, holder Key) (Claim, error) {
	if !o.mayUse(holder) {
		return nil, ErrFull
	}
	claim, err := o.store.Claim(ctx, key, ttl)
	if errors.Is(err, ErrClaimed) {
		o.giveBack(holder) // a thief who sends it again takes nothing of the holder's
	}
	return claim, err
}

func (o *Once) giveBack(holder Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.used[holder] > 0 {
		o.used[holder]--
	}
}

func (o *Once) mayUse(holder Key) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.now(); now.Sub(o.since) >= o.window || now.Before(o.since) {
		o.since, o.used = now, make(map[Key]int)
	}
	if o.used[holder] >= o.each {
		return false
	}
	o.used[holder]++
	return true
}
