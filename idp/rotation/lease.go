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
	// before is what the store had, held what it has for as long as the lease lasts.
	before, held []byte
	state        state
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

// Session is the login at the IdP.
func (l *Lease) Session() Session { return l.state.session }

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
		l := &Lease{families: f, family: at.Family, before: value, now: now, taken: time.Now()}
		if l.state, err = f.living(keys, at.Family, value, now); err != nil {
			return nil, err
		}
		if err := f.CheckSession(ctx, l.state.session); err != nil {
			return nil, l.endLoggedOut(ctx, err)
		}
		arrived = cmp.Or(arrived, now)
		if good = (good || f.isGood(at.Generation, &l.state, arrived)) && at.Generation <= l.state.generation; !good {
			if err := l.endReused(ctx, at.Generation); err != nil {
				return nil, err
			}
			continue
		}
		held := false
		if f.isBusy(&l.state, now) {
			err = waitForLease(ctx, deadline)
		} else {
			held, err = l.hold(ctx, keys, at.Generation)
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
func (f *Families) living(keys *seal.Keys, of Family, value []byte, now time.Time) (state, error) {
	if value == nil {
		return state{}, ErrOver
	}
	s, err := f.open(keys, of, value)
	if err == nil && now.After(s.changed.Add(f.config.ttl())) {
		return s, ErrOver
	}
	return s, err
}

// endReused ends the family of a refresh token that is not good. There is no error if
// somebody has just changed the family.
func (l *Lease) endReused(ctx context.Context, generation uint32) error {
	ended, err := l.families.store.CompareAndSwap(ctx, l.families.key(l.family), l.before, nil, 0)
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

// endLoggedOut ends the family of a login whose session the IdP has ended, unless whether it has
// is not known. One that has just changed ends with its next refresh.
func (l *Lease) endLoggedOut(ctx context.Context, err error) error {
	if !errors.Is(err, ErrLoggedOut) {
		return err
	}
	if ended, failed := l.families.store.CompareAndSwap(ctx, l.families.key(l.family), l.before, nil, 0); ended && failed == nil {
		return &Ended{err, l.state.token}
	}
	return err
}

// hold writes a lease into the store, for a token of a generation. It is false if
// somebody else was faster.
func (l *Lease) hold(ctx context.Context, keys *seal.Keys, generation uint32) (bool, error) {
	f := l.families
	if generation == l.state.generation {
		// The generation before is good only as long as the current one does not advance.
		l.advances = !f.isNew(&l.state, l.now)
		l.uses = !l.advances
	}
	busy := l.state
	busy.busy = l.now.Add(f.config.Lease)
	l.held = f.seal(keys, l.family, &busy)
	// Also for a client that leaves: a lease that nobody knows of would have all others wait.
	ctx = context.WithoutCancel(ctx)
	soon, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	swapped, err := swap(soon, f.store, f.key(l.family), l.before, l.held, f.config.ttl())
	if err != nil {
		_, _ = f.store.CompareAndSwap(ctx, f.key(l.family), l.held, l.before, f.config.ttl())
		return false, storeFailed(err)
	}
	return swapped, nil
}

// waitForLease waits a moment for the refresh that is under way.
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
	_, err := swap(ctx, l.families.store, l.families.key(l.family), l.held, l.before, l.families.config.ttl())
	return err
}

// Stay has [Lease.Finish] record what the IdP gives, while the client keeps the token that it has.
func (l *Lease) Stay() { l.advances, l.uses = false, false }

// Finish records the refresh token that the IdP gave, "" for none, and is the client's new place
// in the family. A store that fails is tried again until the lease is over: the IdP may take no
// other token than the one that is to be recorded.
func (l *Lease) Finish(ctx context.Context, keys *seal.Keys, token string) (Place, error) {
	f := l.families
	l.over = true
	ctx, cancel := context.WithDeadline(ctx, l.taken.Add(f.config.Lease))
	defer cancel()
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
	swapped, err := swap(ctx, f.store, f.key(l.family), l.held, f.seal(keys, l.family, &next), f.config.ttl())
	if err == nil && !swapped {
		swapped, err = f.isRecorded(ctx, keys, l.family, &next)
	}
	switch {
	case err != nil:
		return at, storeFailed(err)
	case !swapped:
		return at, ErrOver // it ended, or the lease took too long
	}
	return at, nil
}

// isRecorded reports whether the store has a state, or one that another request has made
// of it since: the reply that said so may have been lost.
func (f *Families) isRecorded(ctx context.Context, keys *seal.Keys, of Family, want *state) (bool, error) {
	value, _, err := load(ctx, f.store, f.key(of))
	if value == nil || err != nil {
		return false, err
	}
	s, err := f.open(keys, of, value)
	return err == nil && s.generation == want.generation && s.token == want.token &&
		s.changed.UnixMilli() == want.changed.UnixMilli(), nil
}
