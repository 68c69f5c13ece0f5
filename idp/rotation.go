package idp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
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
	// processes that share it, and for retries after a lost response. Zero:
	// DefaultRotationGrace.
	Grace time.Duration
	// Idle is how long a family lives without being used. Zero: DefaultRotationIdle.
	Idle time.Duration
	// Turn is how long the IdP may take to respond. Refreshes of a family go to the
	// IdP one after the other, because it may rotate its own token, too.
	Turn time.Duration
}

// The defaults and bounds of a [RotationConfig].
const (
	DefaultRotationGrace = 30 * time.Second
	DefaultRotationIdle  = 30 * 24 * time.Hour
	defaultRotationTurn  = 35 * time.Second
	maxRotationGrace     = 10 * time.Minute
	maxRotationIdle      = 400 * 24 * time.Hour
)

// adoptedFor is how long it is remembered that a refresh token from before
// rotation was used, which has no end of its own.
const adoptedFor = maxRotationIdle

// A request waits for its turn for at most turnWait, and looks every turnPoll.
const (
	turnWait = 10 * time.Second
	turnPoll = 50 * time.Millisecond
)

func (c RotationConfig) compile() (*RotationConfig, error) {
	if c.Grace == 0 {
		c.Grace = DefaultRotationGrace
	}
	if c.Idle == 0 {
		c.Idle = DefaultRotationIdle
	}
	if c.Turn == 0 {
		c.Turn = defaultRotationTurn
	}
	if c.Grace < time.Second || c.Grace > maxRotationGrace {
		return nil, fmt.Errorf("rotate_refresh: grace must be between 1s and %s", maxRotationGrace)
	}
	if c.Idle < time.Hour || c.Idle > maxRotationIdle {
		return nil, errors.New("rotate_refresh: idle must be between 1h and 400d")
	}
	return &c, nil
}

// Rotates reports that refresh tokens change with each use.
func (p *Policy) Rotates() bool { return p.rotation != nil }

// familyState is where a family stands, as the store has it.
type familyState struct {
	// ended: no token of the family is good any more. Only of an adopted one;
	// others are removed.
	ended bool
	// adopted: it began with a token that had no generation.
	adopted    bool
	generation uint32
	// changed is when the generation was given out, busy until when a request of
	// the family may be at the IdP; by the store's clock. Zero: never, and none is.
	changed, busy time.Time
	// token is the IdP's refresh token, sealed.
	token string
}

const (
	familyEnded byte = 1 << iota
	familyAdopted
)

// encode is
//
//	flags (1) | generation (4) | changed, busy: in Unix milliseconds (8 each) | token
func (f *familyState) encode() []byte {
	b := make([]byte, 1, 32+len(f.token))
	if f.ended {
		b[0] |= familyEnded
	}
	if f.adopted {
		b[0] |= familyAdopted
	}
	b = binary.BigEndian.AppendUint32(b, f.generation)
	for _, t := range [...]time.Time{f.changed, f.busy} {
		milli := int64(0)
		if !t.IsZero() {
			milli = t.UnixMilli()
		}
		b = binary.BigEndian.AppendUint64(b, uint64(milli))
	}
	return append(b, f.token...)
}

func decodeFamily(value []byte) (familyState, bool) {
	r := sealedReader{rest: value}
	flags, generation, changed, busy := r.bytes(1), r.bytes(4), r.bytes(8), r.bytes(8)
	if r.failed {
		return familyState{}, false
	}
	at := func(b []byte) time.Time {
		if milli := binary.BigEndian.Uint64(b); milli != 0 {
			return time.UnixMilli(int64(milli))
		}
		return time.Time{}
	}
	return familyState{
		ended: flags[0]&familyEnded != 0, adopted: flags[0]&familyAdopted != 0,
		generation: binary.BigEndian.Uint32(generation), changed: at(changed), busy: at(busy), token: string(r.rest),
	}, true
}

// sealedFamilyToken is the purpose of the IdP's refresh tokens in the store.
const sealedFamilyToken seal.Purpose = "refresh token in store"

func (p *Policy) familyKey(f family) replay.Key {
	return sha256.Sum256([]byte("refresh\x00" + p.authURL.String() + "\x00" + string(f[:])))
}

// sealForStore seals the IdP's token for a family.
func (p *Policy) sealForStore(keys *seal.Keys, f family, token string) string {
	return string(keys.SealLasting(nil, sealedFamilyToken, p.refreshContext()+"\x00"+string(f[:]), []byte(token)))
}

func (p *Policy) openFromStore(keys *seal.Keys, f family, sealed string) (string, error) {
	token, _, err := keys.OpenLasting(sealedFamilyToken, p.refreshContext()+"\x00"+string(f[:]), sealed)
	return string(token), err
}

// familyTTL is how long the store keeps a family.
func (p *Policy) familyTTL(state *familyState) time.Duration {
	switch {
	case state.generation == 0: // an adopted one: the IdP has not said yet that its token is one
		return 2 * p.rotation.Turn
	case state.adopted:
		return adoptedFor
	}
	return p.rotation.Idle + p.rotation.Grace
}

// adopt gives a token from before rotation a family, which it has from its first
// use on: the same one each time.
func (p *Policy) adopt(r *Renewal) {
	sum := sha256.Sum256([]byte("adopted\x00" + r.opened.clientID + "\x00" + r.token))
	r.opened.rotation = &rotation{family: family(sum[:16])}
	r.adopted = true
}

// turn is the right to be the only request of a family at the IdP.
type turn struct {
	key family
	// before is what the store had, held what it has for as long as the turn lasts.
	before, held []byte
	state        familyState
	// advances: the request is to begin a new generation.
	advances bool
	// now is the store's time at taken.
	now   time.Time
	taken time.Time
}

// ErrReused is in the chain of the error for a refresh token that was replaced and
// used again: its family has ended.
var ErrReused = errors.New("a refresh token was used again after it was replaced")

func familyOver(cause error) *Error {
	e := reject(InvalidGrant, "RFC 9700 section 4.14.2", "the refresh token was replaced, revoked or not used for too long; log in again")
	if cause != nil {
		e.Description = "the refresh token was replaced and used again, so that its login has ended here; log in again"
		e.cause = cause
	}
	return e
}

// ErrStore is in the chain of the error for a refresh that the replay store could
// not decide.
var ErrStore = errors.New("the replay store failed")

func storeFailed(err error) *Error {
	e := Unavailable("the gateway can't tell at the moment whether this refresh token is the current one; try again", "5")
	if errors.Is(err, replay.ErrFull) {
		e = Unavailable("too many logins at the moment; try again later", "60")
	}
	e.cause = fmt.Errorf("%w: %w", ErrStore, err)
	return e
}

// TakeTurn holds a rotating refresh token to its family, and waits until no other
// request of the family is at the IdP. After it, [Policy.SealTokens] or
// [Policy.EndTurn] must be called.
func (p *Policy) TakeTurn(ctx context.Context, store replay.StateStore, s Sealing, r *Renewal) error {
	if r.opened.rotation == nil {
		p.adopt(r)
	}
	at := r.opened.rotation
	key := p.familyKey(at.family)
	for deadline := time.Now().Add(turnWait); ; {
		value, now, err := store.Load(ctx, key)
		if err != nil {
			return storeFailed(err)
		}
		taken := time.Now()
		state, known := decodeFamily(value)
		if value == nil && r.adopted {
			state, known = familyState{adopted: true, token: p.sealForStore(s.Keys, at.family, r.token)}, true
		}
		switch {
		case !known || state.ended || at.generation > state.generation,
			!state.changed.IsZero() && now.After(state.changed.Add(p.rotation.Idle+p.rotation.Grace)):
			return familyOver(nil)
		case !p.isGood(at.generation, &state, now):
			ended, err := p.endFamily(ctx, store, key, value, &state)
			if err != nil {
				return storeFailed(err)
			}
			if ended {
				return familyOver(ErrReused)
			}
			continue // somebody has just changed it
		case p.isBusy(&state, now):
			if time.Now().After(deadline) {
				return Unavailable("another refresh of this login is under way; try again", "2")
			}
			if err := pause(ctx, turnPoll); err != nil {
				return storeFailed(err)
			}
			continue
		}
		t := &turn{
			key: at.family, before: value, state: state, now: now, taken: taken,
			// The generation before is good only as long as the current one does not advance.
			advances: !p.isNew(&state, now),
		}
		if r.token, err = p.openFromStore(s.Keys, at.family, state.token); err != nil {
			e := familyOver(nil)
			e.cause = err
			return e
		}
		busy := state
		busy.busy = now.Add(p.rotation.Turn)
		t.held = busy.encode()
		swapped, err := store.CompareAndSwap(ctx, key, value, t.held, p.familyTTL(&state))
		if err != nil {
			return storeFailed(err)
		}
		if swapped {
			r.turn = t
			return nil
		}
	}
}

// isGood reports a generation that may be used: the current one, and the one
// before it until the grace is over.
func (p *Policy) isGood(generation uint32, state *familyState, now time.Time) bool {
	return generation == state.generation || generation+1 == state.generation && p.isNew(state, now)
}

// isNew reports that the grace of the current generation is not over. One of the future
// was given out before the store's clock was set back.
func (p *Policy) isNew(state *familyState, now time.Time) bool {
	return now.Before(state.changed.Add(p.rotation.Grace)) && !now.Before(state.changed.Add(-seal.Skew))
}

// isBusy reports that another request of the family may be at the IdP.
func (p *Policy) isBusy(state *familyState, now time.Time) bool {
	return now.Before(state.busy) && !now.Before(state.busy.Add(-p.rotation.Turn-seal.Skew))
}

// endFamily ends a family that the store has with value, and reports whether it did.
func (p *Policy) endFamily(ctx context.Context, store replay.StateStore, key replay.Key, value []byte, state *familyState) (bool, error) {
	var replacement []byte
	if state.adopted {
		replacement = (&familyState{ended: true}).encode()
	}
	return store.CompareAndSwap(ctx, key, value, replacement, adoptedFor)
}

// EndTurn gives a turn back whose request brought no token: the family is where it
// was before.
func (p *Policy) EndTurn(ctx context.Context, store replay.StateStore, r *Renewal) error {
	if r == nil || r.turn == nil {
		return nil
	}
	t := r.turn
	r.turn = nil
	_, err := store.CompareAndSwap(ctx, p.familyKey(t.key), t.held, t.before, p.familyTTL(&t.state))
	return err
}

// finishTurn records what the IdP gave, and is the client's new place in the family.
func (p *Policy) finishTurn(ctx context.Context, store replay.StateStore, s Sealing, r *Renewal, token string) (*rotation, error) {
	t := r.turn
	r.turn = nil
	next := t.state
	next.busy = time.Time{}
	if t.advances {
		next.generation++
		next.changed = t.now.Add(time.Since(t.taken))
	}
	if token != "" {
		next.token = p.sealForStore(s.Keys, t.key, token)
	}
	swapped, err := store.CompareAndSwap(ctx, p.familyKey(t.key), t.held, next.encode(), p.familyTTL(&next))
	switch {
	case err != nil:
		return nil, storeFailed(err)
	case !swapped:
		return nil, familyOver(nil) // it ended, or the turn took too long
	}
	return &rotation{t.key, next.generation}, nil
}

// beginFamily begins the family of a login.
func (p *Policy) beginFamily(ctx context.Context, store replay.StateStore, s Sealing, token string) (*rotation, error) {
	var f family
	_, _ = rand.Read(f[:]) // never returns an error
	_, now, err := store.Load(ctx, p.familyKey(f))
	if err != nil {
		return nil, err
	}
	state := familyState{generation: 1, changed: now, token: p.sealForStore(s.Keys, f, token)}
	swapped, err := store.CompareAndSwap(ctx, p.familyKey(f), nil, state.encode(), p.familyTTL(&state))
	if err == nil && !swapped {
		err = errors.New("a new family is known already")
	}
	return &rotation{f, 1}, err
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
