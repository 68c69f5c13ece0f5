package rotation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// A request waits for its lease for at most leaseWait, and looks every leasePoll. At most
// maxWaiting requests of a family wait at one gateway.
const (
	leaseWait  = 10 * time.Second
	leasePoll  = 50 * time.Millisecond
	maxWaiting = 16
)

// underWay is how long after the first use of a token the one before it is still good:
// requests with that may be on their way, or be tried again.
const underWay = 10 * time.Second

// Lease is the right to be the only request of a family at the IdP.
type Lease struct {
	families *Families
	family   Family
	keys     *seal.Keys
	// before is what the store had, held what it has for as long as the lease lasts, and back what
	// a request that brought no token leaves. It says what before said, and is not the same: a
	// command of this lease that comes late does nothing after it.
	before, held, back []byte
	state              state
	// given is when the newest token of the family was given out before, by the store's clock.
	given time.Time
	// advances: the request is to begin a new generation. uses: its token is of the
	// current one, and does not.
	advances, uses bool
	// now is the store's time at taken.
	now   time.Time
	taken time.Time
	over  bool // it was finished or released
}

// Token is the IdP's refresh token.
func (l *Lease) Token() string { return l.state.token }

// enter reports whether one more request may wait for a family, which then has to leave.
func (f *Families) enter(of Family) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting[of] == maxWaiting {
		return false
	}
	f.waiting[of]++
	return true
}

func (f *Families) leave(of Family) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting[of]--; f.waiting[of] == 0 {
		delete(f.waiting, of)
	}
}

// Take holds a refresh token to its family, and waits until no other request of the family is
// at the IdP. What was good when it came stays so. After it, [Lease.Finish] or [Lease.Release]
// must be called. The errors are those of this package; one that has ended the family is an
// [Ended].
func (f *Families) Take(ctx context.Context, keys *seal.Keys, at Place) (*Lease, error) {
	if !f.enter(at.Family) {
		return nil, ErrCrowded
	}
	defer f.leave(at.Family)
	var arrived time.Time // by the store's clock
	good := false
	for deadline := time.Now().Add(leaseWait); ; {
		value, now, err := f.store.Load(ctx, f.key(at.Family))
		if err != nil {
			// One that was there when the request came may be restarting.
			if canWait := good && time.Now().Before(deadline); !canWait || pause(ctx, leasePoll) != nil {
				return nil, storeFailed(err)
			}
			continue
		}
		l := &Lease{families: f, family: at.Family, keys: keys, before: value, now: now, taken: time.Now()}
		if l.state, err = f.living(ctx, keys, at.Family, value, now); err != nil {
			return nil, err
		}
		l.given = l.state.changed
		if err := f.CheckSession(ctx, l.state.session); err != nil {
			return nil, l.endLoggedOut(ctx, err)
		}
		arrived = cmp.Or(arrived, now)
		good = (good || f.isGood(at.Generation, &l.state, arrived)) && at.Generation <= l.state.generation
		left := f.isLeft(at.Generation, &l.state, now)
		if !good && !left {
			if err := l.endReused(ctx, at.Generation); err != nil {
				return nil, err
			}
			continue
		}
		held := false
		if f.isBusy(&l.state, now) {
			err = waitForLease(ctx, deadline)
		} else {
			if left && !f.isNew(&l.state, now) {
				l.state.changed = now // the grace begins anew, for all who had to wait
			}
			held, err = l.hold(ctx, at.Generation)
		}
		switch {
		case err != nil:
			return nil, err
		case held:
			return l, nil
		}
	}
}

// living is the state of a family that has not ended.
func (f *Families) living(ctx context.Context, keys *seal.Keys, of Family, value []byte, now time.Time) (state, error) {
	if value == nil {
		return state{}, f.missing(ctx, of)
	}
	s, err := f.open(keys, of, value)
	if err == nil && now.After(s.changed.Add(f.config.ttl())) {
		return s, ErrOver
	}
	return s, err
}

// missing is [ErrOver] for a family that the store does not have, unless it fails when it has to
// stand by that: it may be one that was replaced, and has not heard of it.
func (f *Families) missing(ctx context.Context, of Family) error {
	switch none, err := f.store.CompareAndSwap(ctx, f.key(of), nil, nil, 0); {
	case err != nil:
		return storeFailed(err)
	case !none:
		return ErrBusy // it came this moment
	}
	return ErrOver
}

// endReused ends the family of a refresh token that is not good. There is no error if
// somebody has just changed the family.
func (l *Lease) endReused(ctx context.Context, generation uint32) error {
	ended, err := l.end(ctx)
	switch {
	case err != nil:
		return storeFailed(err)
	case !ended:
		return nil
	case generation > l.state.generation:
		return &Ended{ErrRolledBack, l.state.token}
	}
	return &Ended{ErrReused, l.state.token}
}

// end ends the family, unless it has changed since, and tries for a while if the store fails: who
// ends it without knowing has nobody revoke the IdP's token.
func (l *Lease) end(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	return swap(ctx, l.families.store, l.families.key(l.family), l.before, nil, 0)
}

// endLoggedOut ends the family of a login whose session the IdP has ended, unless whether it has
// is not known. One that has just changed ends with its next refresh.
func (l *Lease) endLoggedOut(ctx context.Context, err error) error {
	if !errors.Is(err, ErrLoggedOut) {
		return err
	}
	if ended, failed := l.end(ctx); ended && failed == nil {
		return &Ended{err, l.state.token}
	}
	return err
}

// hold writes a lease into the store, for a token of a generation. It is false if
// somebody else was faster.
func (l *Lease) hold(ctx context.Context, generation uint32) (bool, error) {
	f := l.families
	if generation == l.state.generation {
		// The generation before is good only as long as the current one does not advance.
		l.advances = !f.isNew(&l.state, l.now)
		l.uses = !l.advances
	}
	l.sealHeld()
	// Also for a client that leaves: a lease that nobody knows of would have all others wait.
	ctx = context.WithoutCancel(ctx)
	soon, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	swapped, err := swap(soon, f.store, f.key(l.family), l.before, l.held, f.config.ttl())
	if err != nil {
		_, _ = f.store.CompareAndSwap(ctx, f.key(l.family), l.held, l.back, f.config.ttl())
		return false, storeFailed(err)
	}
	return swapped, nil
}

// sealHeld makes what the store has for as long as the lease lasts, and after it without a token.
func (l *Lease) sealHeld() {
	busy, back := l.state, l.state
	busy.busy, back.busy = l.now.Add(l.families.config.Lease), time.Time{}
	l.held, l.back = l.families.seal(l.keys, l.family, &busy), l.families.seal(l.keys, l.family, &back)
}

func waitForLease(ctx context.Context, deadline time.Time) error {
	if time.Now().After(deadline) {
		return ErrBusy
	}
	if err := pause(ctx, leasePoll); err != nil {
		return storeFailed(err)
	}
	return nil
}

// isGood reports whether a generation may be used at a time: the current one, and the one
// before it until the grace is over, or the current one has been used.
func (f *Families) isGood(generation uint32, s *state, now time.Time) bool {
	if generation == s.generation {
		return true
	}
	return generation+1 == s.generation && f.isNew(s, now) &&
		(s.used.IsZero() || now.Before(s.used.Add(underWay)))
}

// isLeft reports whether the generation before the current one may be used although the grace is
// over: a lease that began within it was never ended, because its gateway was killed, and
// whoever tried again had to wait for it.
func (f *Families) isLeft(generation uint32, s *state, now time.Time) bool {
	return generation+1 == s.generation && s.used.IsZero() && f.isNew(s, s.busy.Add(-f.config.Lease)) && now.Before(s.busy.Add(underWay))
}

// isNew reports whether the grace of the current generation is not over. One of the future
// was given out before the store's clock was set back.
func (f *Families) isNew(s *state, now time.Time) bool {
	return now.Before(s.changed.Add(f.config.Grace)) && !now.Before(s.changed.Add(-seal.Skew))
}

// isBusy reports whether another request of the family may be at the IdP.
func (f *Families) isBusy(s *state, now time.Time) bool {
	return now.Before(s.busy) && !now.Before(s.busy.Add(-f.config.Lease-seal.Skew))
}

// Release gives a lease back whose request brought no token, unless it was finished: the family
// is where it was before. A store that fails is tried again until ctx is over. l may be nil.
func (l *Lease) Release(ctx context.Context) error {
	if l == nil || l.over {
		return nil
	}
	l.over = true
	_, err := swap(ctx, l.families.store, l.families.key(l.family), l.held, l.back, l.families.config.ttl())
	return err
}

// Keep records the refresh token that the IdP gave, "" for none, while the lease goes on and the
// client keeps the token that it has: for a request that may fail yet, or has. The IdP may take
// no other token than this one. A store that fails is tried again until the lease is over.
func (l *Lease) Keep(ctx context.Context, token string) error {
	if l == nil || l.over || token == "" || token == l.state.token {
		return nil
	}
	held := l.held
	l.state.token = token
	l.sealHeld()
	_, err := l.record(ctx, held, l.held)
	return err
}

// record replaces what the store has while the lease lasts.
func (l *Lease) record(ctx context.Context, held, replacement []byte) (bool, error) {
	f := l.families
	ctx, cancel := context.WithDeadline(ctx, l.taken.Add(f.config.Lease))
	defer cancel()
	swapped, err := swap(ctx, f.store, f.key(l.family), held, replacement, f.config.ttl())
	if err == nil && !swapped {
		// A failover may have lost the lease, and nothing else.
		swapped, err = swap(ctx, f.store, f.key(l.family), l.before, replacement, f.config.ttl())
	}
	return swapped, err
}

// Finish records the refresh token that the IdP gave, "" for none, and is the client's new place
// in the family. A store that fails is tried again until the lease is over: the IdP may take no
// other token than the one that is to be recorded. Where another request was faster, the error is
// [ErrBusy], unless the client's place is the family's all the same.
func (l *Lease) Finish(ctx context.Context, token string) (Place, error) {
	f := l.families
	l.over = true
	next, now := l.state, l.now.Add(time.Since(l.taken))
	next.busy = time.Time{}
	switch {
	case l.advances:
		next.generation++
		next.changed, next.used = now, time.Time{}
	case l.uses && next.used.IsZero():
		next.used = now
	}
	next.token = cmp.Or(token, next.token)
	at := Place{l.family, next.generation}
	value := f.seal(l.keys, l.family, &next)
	recorded, err := l.record(ctx, l.held, value)
	switch {
	case err != nil:
		return at, storeFailed(err)
	case !recorded:
		return at, f.overtaken(ctx, l.keys, at)
	}
	l.before, l.state = value, next
	return at, nil
}

// CheckSession is [Families.CheckSessionRetrying] for the login, after [Lease.Finish]. An error that has
// ended the family is an [Ended].
func (l *Lease) CheckSession(ctx context.Context) error {
	return l.endLoggedOut(ctx, l.families.CheckSessionRetrying(ctx, l.state.session))
}

// overtaken is why a request can't have a place that it could not record, nil if it can: it was
// recorded, and the reply that said so was lost before the next request came, or that has made the
// same place. A client that is told to try again is not told that its login is over.
func (f *Families) overtaken(ctx context.Context, keys *seal.Keys, at Place) error {
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	value, now, err := load(ctx, f.store, f.key(at.Family))
	if err != nil {
		return storeFailed(err)
	}
	s, err := f.living(ctx, keys, at.Family, value, now)
	if err == nil && s.generation != at.Generation {
		err = ErrBusy
	}
	return err
}
