package idp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// RotationConfig has each refresh replace the refresh token (RFC 9700 section
// 4.14.2). What the IdP gives stays here, in the replay store; clients get tokens
// that name their login and a generation. The refresh tokens of one login are a
// family: when one is used again after its time, somebody has a copy, and the whole
// family ends.
type RotationConfig struct {
	// Grace is how long the token before the current one is good, too: for
	// processes that share it, and for retries after a lost response. It ends early
	// when the current one is used. Zero: DefaultRotationGrace.
	Grace time.Duration
	// Idle is how long a family lives without being used. Zero: DefaultRotationIdle.
	Idle time.Duration
	// Lease is how long the IdP may take to respond, and the store to record it.
	// Refreshes of a family go to the IdP one after the other, because it may rotate
	// its own token, too.
	Lease time.Duration
}

// The defaults and bounds of a [RotationConfig].
const (
	DefaultRotationGrace = 30 * time.Second
	DefaultRotationIdle  = 30 * 24 * time.Hour
	defaultRotationLease = 35 * time.Second
	maxRotationGrace     = 10 * time.Minute
	maxRotationIdle      = 400 * 24 * time.Hour
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

// storeWait is how long a store that fails is tried again before anything was sent to
// the IdP. It was seen to take up to half a second to restart.
const storeWait = 3 * time.Second

// The pauses between two attempts at a store that fails.
const (
	firstRetry = 25 * time.Millisecond
	lastRetry  = 400 * time.Millisecond
)

// compileRotation reads [Config.Rotation].
func (p *Policy) compileRotation(config Config) error {
	if config.Rotation == nil {
		return nil
	}
	c := RotationConfig{
		Grace: cmp.Or(config.Rotation.Grace, DefaultRotationGrace), Idle: cmp.Or(config.Rotation.Idle, DefaultRotationIdle),
		Lease: cmp.Or(config.Rotation.Lease, defaultRotationLease),
	}
	if c.Grace < time.Second || c.Grace > maxRotationGrace {
		return fmt.Errorf("rotate_refresh: grace must be between 1s and %s", maxRotationGrace)
	}
	if c.Idle < time.Hour || c.Idle > maxRotationIdle {
		return errors.New("rotate_refresh: idle must be between 1h and 400d")
	}
	p.rotation, p.waiting = &c, &leaseQueues{families: make(map[family]int)}
	return nil
}

// Rotates reports whether refresh tokens change with each use.
func (p *Policy) Rotates() bool { return p.rotation != nil }

// familyState is where a family stands, as the store has it, sealed.
type familyState struct {
	generation uint32
	// changed is when the generation was given out, used when a token of it was used
	// first, busy until when a request of the family may be at the IdP; by the store's
	// clock. Zero: never, and none is.
	changed, used, busy time.Time
	// token is the IdP's refresh token.
	token string
	// session is the login at the IdP, zero if logouts of it are not looked at, or not known.
	session session
}

// flagSession, in a generation, says that a session follows.
const flagSession uint32 = 1 << 31

// encode is
//
//	generation (4) | changed, used, busy: in Unix milliseconds (8 each) | session (72), if there is one | token
func (f *familyState) encode() []byte {
	b := make([]byte, 0, 28+sessionLength+len(f.token))
	generation := f.generation
	if f.session != (session{}) {
		generation |= flagSession
	}
	b = binary.BigEndian.AppendUint32(b, generation)
	for _, t := range [...]time.Time{f.changed, f.used, f.busy} {
		milli := int64(0)
		if !t.IsZero() {
			milli = t.UnixMilli()
		}
		b = binary.BigEndian.AppendUint64(b, uint64(milli))
	}
	if f.session != (session{}) {
		b = f.session.append(b)
	}
	return append(b, f.token...)
}

func decodeFamily(value []byte) (f familyState, ok bool) {
	r := sealedReader{rest: value}
	generation := r.bytes(4)
	for _, t := range [...]*time.Time{&f.changed, &f.used, &f.busy} {
		b := r.bytes(8)
		if r.failed {
			return familyState{}, false
		}
		if milli := binary.BigEndian.Uint64(b); milli != 0 {
			*t = time.UnixMilli(int64(milli))
		}
	}
	f.generation = binary.BigEndian.Uint32(generation)
	if f.generation&flagSession != 0 {
		f.generation &^= flagSession
		f.session = readSession(&r)
	}
	f.token = string(r.rest)
	return f, !r.failed
}

// sealedFamily is the purpose of the states in the store.
const sealedFamily seal.Purpose = "refresh token family"

func (p *Policy) familyKey(f family) replay.Key {
	return sha256.Sum256([]byte("refresh\x00" + p.authURL.String() + "\x00" + string(f[:])))
}

// sealFamily seals a state for its family: who writes to the store can make none, nor
// give one family the state of another.
func (p *Policy) sealFamily(keys *seal.Keys, f family, state *familyState) []byte {
	return keys.SealLasting(nil, sealedFamily, p.refreshContext()+"\x00"+string(f[:]), state.encode())
}

// openFamily opens what the store has of a family. [errForeignState] is in the chain
// of an error.
func (p *Policy) openFamily(keys *seal.Keys, f family, value []byte) (familyState, error) {
	b, _, err := keys.OpenLasting(sealedFamily, p.refreshContext()+"\x00"+string(f[:]), string(value))
	state, ok := decodeFamily(b)
	if err == nil && !ok {
		err = seal.ErrInvalid
	}
	if err != nil {
		e := familyOver(nil)
		e.cause = fmt.Errorf("%w: %w", errForeignState, err)
		return state, e
	}
	return state, nil
}

// familyTTL is how long the store keeps a family.
func (p *Policy) familyTTL() time.Duration { return p.rotation.Idle + p.rotation.Grace }

// leaseQueues counts who waits for a lease of each family.
type leaseQueues struct {
	mu       sync.Mutex
	families map[family]int
}

// enter reports whether one more may wait, who then has to leave.
func (q *leaseQueues) enter(f family) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.families[f] == maxWaiting {
		return false
	}
	q.families[f]++
	return true
}

func (q *leaseQueues) leave(f family) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.families[f]--; q.families[f] == 0 {
		delete(q.families, f)
	}
}

// lease is the right to be the only request of a family at the IdP.
type lease struct {
	key family
	// before is what the store had, held what it has for as long as the lease lasts.
	before, held []byte
	state        familyState
	// advances: the request is to begin a new generation. uses: its token is of the
	// current one, and does not.
	advances, uses bool
	// now is the store's time at taken.
	now   time.Time
	taken time.Time
}

// What is in the chain of the error for a refresh token whose use has ended its
// family: see [Policy.endedCall].
var (
	// errReused: it was replaced before.
	errReused = errors.New("a refresh token was used again after it was replaced")
	// errRolledBack: it is newer than what the store has of its family.
	errRolledBack = errors.New("the replay store has an older state of a login than its refresh token: it was restored from a copy, has lost what it was given last, or somebody has put an old value back")
)

// errForeignState is in the chain of the error for a refresh token whose family has a
// state in the store that was not sealed for it.
var errForeignState = errors.New("the replay store has a value for a login that no configured key has sealed for it: the key was removed, or somebody else writes to the store")

func familyOver(cause error) *Error {
	e := reject(InvalidGrant, "RFC 9700 section 4.14.2", "the refresh token was replaced, revoked or not used for too long; log in again")
	switch e.cause = cause; {
	case errors.Is(cause, errReused):
		e.Description = "the refresh token was replaced and used again, so that its login has ended here; log in again"
	case errors.Is(cause, errRolledBack):
		e.Description = "the gateway has lost where the refresh tokens of this login stand, so that it has ended here; log in again"
	}
	return e
}

// errStore is in the chain of the error for a refresh that the replay store could
// not decide.
var errStore = errors.New("the replay store failed")

func storeFailed(err error) *Error {
	e := Unavailable("the gateway can't tell at the moment whether this refresh token is the current one; try again", "5")
	if errors.Is(err, replay.ErrFull) {
		e = Unavailable("too many logins at the moment; try again later", "60")
	}
	e.cause = fmt.Errorf("%w: %w", errStore, err)
	return e
}

// takeLease holds a rotating refresh token to its family, and waits until no other
// request of the family is at the IdP. What was good when it came stays so. After it,
// [Policy.sealTokens] or [Policy.endLease] must be called.
func (p *Policy) takeLease(ctx context.Context, store replay.StateStore, s sealer, r *refreshGrant) error {
	at := r.opened.rotation
	if !p.waiting.enter(at.family) {
		return Unavailable("too many refreshes of this login wait for each other; refresh once and share the token, or try again", "1")
	}
	defer p.waiting.leave(at.family)
	key := p.familyKey(at.family)
	var arrived time.Time // by the store's clock
	good := false
	for deadline := time.Now().Add(leaseWait); ; {
		value, now, err := store.Load(ctx, key)
		if err != nil {
			// One that was there when the request came may be restarting.
			if canWait := good && time.Now().Before(deadline); !canWait || pause(ctx, leasePoll) != nil {
				return storeFailed(err)
			}
			continue
		}
		t := &lease{key: at.family, before: value, now: now, taken: time.Now()}
		if t.state, err = p.livingFamily(s.Keys, at.family, value, now); err != nil {
			return err
		}
		if err := p.checkSession(ctx, store, &t.state.session); err != nil {
			return p.endLoggedOut(ctx, store, r, t, err)
		}
		arrived = cmp.Or(arrived, now)
		if good = (good || p.isGood(at.generation, &t.state, arrived)) && at.generation <= t.state.generation; !good {
			if err := p.endReused(ctx, store, r, t); err != nil {
				return err
			}
			continue
		}
		held := false
		if p.isBusy(&t.state, now) {
			err = waitForLease(ctx, deadline)
		} else {
			held, err = p.holdLease(ctx, store, s, t, at.generation)
		}
		switch {
		case err != nil:
			return err
		case held:
			r.token, r.lease = t.state.token, t
			return nil
		}
	}
}

// endReused ends the family of a refresh token that is not good. There is no error if
// somebody has just changed the family.
func (p *Policy) endReused(ctx context.Context, store replay.StateStore, r *refreshGrant, t *lease) error {
	ended, err := store.CompareAndSwap(ctx, p.familyKey(t.key), t.before, nil, 0)
	switch {
	case err != nil:
		return storeFailed(err)
	case !ended:
		return nil
	}
	r.ended = t.state.token
	return familyOver(signOf(r.opened.rotation.generation, &t.state))
}

// endLoggedOut ends the family of a login whose session the IdP has ended, unless whether it has
// is not known. One that has just changed ends with its next refresh.
func (p *Policy) endLoggedOut(ctx context.Context, store replay.StateStore, r *refreshGrant, t *lease, err error) error {
	if !errors.Is(err, errLoggedOut) {
		return err
	}
	if ended, failed := store.CompareAndSwap(ctx, p.familyKey(t.key), t.before, nil, 0); ended && failed == nil {
		r.ended = t.state.token
	}
	return err
}

// livingFamily is the state of a family that has not ended.
func (p *Policy) livingFamily(keys *seal.Keys, f family, value []byte, now time.Time) (familyState, error) {
	if value == nil {
		return familyState{}, familyOver(nil)
	}
	state, err := p.openFamily(keys, f, value)
	if err == nil && now.After(state.changed.Add(p.familyTTL())) {
		return state, familyOver(nil)
	}
	return state, err
}

// holdLease writes a lease into the store, for a token of a generation. It is false if
// somebody else was faster.
func (p *Policy) holdLease(ctx context.Context, store replay.StateStore, s sealer, t *lease, generation uint32) (bool, error) {
	if generation == t.state.generation {
		// The generation before is good only as long as the current one does not advance.
		t.advances = !p.isNew(&t.state, t.now)
		t.uses = !t.advances
	}
	busy := t.state
	busy.busy = t.now.Add(p.rotation.Lease)
	t.held = p.sealFamily(s.Keys, t.key, &busy)
	swapped, err := p.swapLease(ctx, store, t)
	if err != nil {
		_, _ = store.CompareAndSwap(context.WithoutCancel(ctx), p.familyKey(t.key), t.held, t.before, p.familyTTL())
		return false, storeFailed(err)
	}
	return swapped, nil
}

// waitForLease waits a moment for the refresh that is under way.
func waitForLease(ctx context.Context, deadline time.Time) error {
	if time.Now().After(deadline) {
		return Unavailable("another refresh of this login is under way; try again", "2")
	}
	if err := pause(ctx, leasePoll); err != nil {
		return storeFailed(err)
	}
	return nil
}

// signOf is what a generation that is not good is a sign of: a copy of a token, or a
// store that has lost what it held.
func signOf(generation uint32, state *familyState) error {
	if generation > state.generation {
		return errRolledBack
	}
	return errReused
}

// swapLease is done even for a client that leaves: a lease that nobody knows of would
// have all others wait.
func (p *Policy) swapLease(ctx context.Context, store replay.StateStore, t *lease) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	return swap(ctx, store, p.familyKey(t.key), t.before, t.held, p.familyTTL())
}

// endedCall is the request that has the IdP revoke its refresh token (RFC 7009 section
// 2.1) after the request r has ended a family. ok is false if it has not, or if no
// revocation endpoint is known. authorization is the header of r.
func (p *Policy) endedCall(r *tokenRequest, renewal *refreshGrant, authorization string, now time.Time) (call formCall, ok bool, err error) {
	if renewal == nil || renewal.ended == "" || !p.revokesAtIdP() {
		return formCall{}, false, nil
	}
	call, err = p.revocationCall(&revocationRequest{client: *r}, &revokedToken{token: renewal.ended, hint: hintRefreshToken}, authorization, now)
	return call, err == nil, err
}

// isGood reports whether a generation may be used at a time: the current one, and the one
// before it until the grace is over, or the current one has been used.
func (p *Policy) isGood(generation uint32, state *familyState, now time.Time) bool {
	if generation == state.generation {
		return true
	}
	return generation+1 == state.generation && p.isNew(state, now) &&
		(state.used.IsZero() || now.Before(state.used.Add(underWay)))
}

// isNew reports whether the grace of the current generation is not over. One of the future
// was given out before the store's clock was set back.
func (p *Policy) isNew(state *familyState, now time.Time) bool {
	return now.Before(state.changed.Add(p.rotation.Grace)) && !now.Before(state.changed.Add(-seal.Skew))
}

// isBusy reports whether another request of the family may be at the IdP.
func (p *Policy) isBusy(state *familyState, now time.Time) bool {
	return now.Before(state.busy) && !now.Before(state.busy.Add(-p.rotation.Lease-seal.Skew))
}

// endLease gives a lease back whose request brought no token: the family is where it
// was before. A store that fails is tried again until ctx is over.
func (p *Policy) endLease(ctx context.Context, store replay.StateStore, r *refreshGrant) error {
	if r == nil || r.lease == nil {
		return nil
	}
	t := r.lease
	r.lease = nil
	_, err := swap(ctx, store, p.familyKey(t.key), t.held, t.before, p.familyTTL())
	return err
}

// finishTurn records what the IdP gave, and is the client's new place in the family. A
// store that fails is tried again until the lease is over: the IdP may take no other
// token than the one that is to be recorded.
func (p *Policy) finishTurn(ctx context.Context, store replay.StateStore, s sealer, r *refreshGrant, token string) (*rotation, error) {
	t := r.lease
	r.lease = nil
	ctx, cancel := context.WithDeadline(ctx, t.taken.Add(p.rotation.Lease))
	defer cancel()
	next, now := t.state, t.now.Add(time.Since(t.taken))
	next.busy = time.Time{}
	switch {
	case t.advances:
		next.generation++
		next.changed, next.used = now, time.Time{}
	case t.uses && next.used.IsZero():
		next.used = now
	}
	if token != "" {
		next.token = token
	}
	key := p.familyKey(t.key)
	swapped, err := swap(ctx, store, key, t.held, p.sealFamily(s.Keys, t.key, &next), p.familyTTL())
	if err == nil && !swapped {
		swapped, err = p.isRecorded(ctx, store, s, t.key, &next)
	}
	switch {
	case err != nil:
		return nil, storeFailed(err)
	case !swapped:
		return nil, familyOver(nil) // it ended, or the lease took too long
	}
	return &rotation{t.key, next.generation}, nil
}

// isRecorded reports whether the store has a state, or one that another request has made
// of it since: the reply that said so may have been lost.
func (p *Policy) isRecorded(ctx context.Context, store replay.StateStore, s sealer, f family, want *familyState) (bool, error) {
	value, _, err := load(ctx, store, p.familyKey(f))
	if value == nil || err != nil {
		return false, err
	}
	state, err := p.openFamily(s.Keys, f, value)
	return err == nil && state.generation == want.generation && state.token == want.token &&
		state.changed.UnixMilli() == want.changed.UnixMilli(), nil
}

// beginFamily begins the family of a login.
func (p *Policy) beginFamily(ctx context.Context, store replay.StateStore, s sealer, of session, token string) (*rotation, error) {
	ctx, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	var f family
	_, _ = rand.Read(f[:]) // never returns an error
	_, now, err := load(ctx, store, p.familyKey(f))
	if err != nil {
		return nil, err
	}
	state := familyState{generation: 1, changed: now, token: token, session: of}
	swapped, err := swap(ctx, store, p.familyKey(f), nil, p.sealFamily(s.Keys, f, &state), p.familyTTL())
	if err == nil && !swapped {
		err = errors.New("a new family is known already")
	}
	return &rotation{f, 1}, err
}

// swap replaces a value as [replay.StateStore.CompareAndSwap] does, and tries again
// until ctx is over if that fails. Nobody else puts replacement into the store.
func swap(ctx context.Context, store replay.StateStore, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	failed := false
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		swapped, err := store.CompareAndSwap(ctx, key, old, replacement, ttl)
		switch {
		case err == nil && (swapped || !failed):
			return swapped, nil
		case errors.Is(err, replay.ErrFull) && old == nil:
			return false, err
		case err != nil:
			if failed = true; pause(ctx, wait) != nil {
				return false, err
			}
		}
		// One that failed may have been carried out all the same: what is there tells.
		value, _, loadErr := load(ctx, store, key)
		switch {
		case loadErr != nil:
			return false, cmp.Or(err, loadErr)
		case bytes.Equal(value, replacement):
			// Once more, for a store that could not keep it as safely as it should.
			old = replacement
		case err == nil:
			return false, nil
		}
	}
}

// load is [replay.StateStore.Load], again until ctx is over if that fails.
func load(ctx context.Context, store replay.StateStore, key replay.Key) ([]byte, time.Time, error) {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		value, now, err := store.Load(ctx, key)
		if err == nil {
			return value, now, nil
		}
		if pause(ctx, wait) != nil {
			return nil, time.Time{}, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
