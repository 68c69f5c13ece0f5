package rotation

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The attacker writes to the store, and has a client's token that was replaced. He can
// make no state in which it is good.
func TestWhoWritesToTheStoreMakesNoState(t *testing.T) {
	for name, forged := range map[string]func(s *scene, at Place, value []byte) []byte{
		"without the key":       func(*scene, Place, []byte) []byte { return (&state{generation: 1, token: "idp-1"}).encode() },
		"of a login of his own": func(s *scene, _ Place, _ []byte) []byte { return s.stored(s.logIn()) },
		"of another site": func(s *scene, at Place, _ []byte) []byte {
			return New(s.config, Site{s.site.IdP, "other", false}, s.store).seal(s.keys, at.Family, &state{generation: 1, token: "idp-1"})
		},
		"altered": func(_ *scene, _ Place, value []byte) []byte { value[40] ^= 1; return value },
		"cut":     func(_ *scene, _ Place, value []byte) []byte { return value[:len(value)-4] },
		"empty":   func(*scene, Place, []byte) []byte { return []byte{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			token := s.logIn()
			s.put(token, forged(s, token, s.stored(token)))
			_, err := s.refresh(token)
			require.ErrorIs(t, err, ErrForeign)
			_, err = s.Find(t.Context(), s.keys, token.Family)
			require.ErrorIs(t, err, ErrForeign)
		})
	}
}

// What the store had once, it may have again: it is good for who has the token of that
// time, until the client comes with a newer one.
func TestAnOldStateThatIsPutBackEndsTheLogin(t *testing.T) {
	s := newScene(t)
	stolen := s.logIn()
	before := s.stored(stolen)
	s.pass(time.Hour)
	current := s.mustRefresh(stolen)
	s.put(stolen, before)
	_, err := s.refresh(current)
	require.ErrorIs(t, err, ErrRolledBack)
	require.Nil(t, s.stored(stolen))
	_, err = s.refresh(stolen)
	require.ErrorIs(t, err, ErrOver)

	s = newScene(t)
	stolen = s.logIn()
	before = s.stored(stolen)
	s.put(stolen, nil)
	s.pass(25 * time.Hour)
	s.put(stolen, before)
	_, err = s.refresh(stolen)
	require.ErrorIs(t, err, ErrOver, "a state has its time in it")
}

// FLUSHALL, or an eviction: what was replaced, however long ago, begins no family.
func TestAStoreThatForgotTakesNoToken(t *testing.T) {
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
	second := s.mustRefresh(first)
	s.put(first, nil)
	for _, token := range []Place{first, second} {
		_, err := s.refresh(token)
		require.ErrorIs(t, err, ErrOver)
		require.Nil(t, s.stored(first))
	}
}

// brokenStore fails from the second swap on.
type brokenStore struct {
	*replay.Memory
	left int
}

func (b *brokenStore) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if b.left--; b.left < 0 {
		return false, errors.New("connection refused")
	}
	return b.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
}

func TestAStoreThatFails(t *testing.T) { synctest.Test(t, testAStoreThatFails) }

func testAStoreThatFails(t *testing.T) {
	s := newScene(t)
	broken := &brokenStore{Memory: s.store}
	token := s.logIn()
	s.pass(time.Hour)
	_, err := s.over(broken).Take(t.Context(), s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	broken.left = 1
	lease, err := s.over(broken).Take(t.Context(), s.keys, token)
	require.NoError(t, err)
	_, err = lease.Finish(t.Context(), "idp-2")
	require.ErrorIs(t, err, ErrStore)

	s = newScene(t)
	stolen := s.logIn()
	s.pass(time.Hour)
	s.mustRefresh(stolen)
	s.pass(time.Hour)
	_, err = s.over(&brokenStore{Memory: s.store}).Take(t.Context(), s.keys, stolen)
	require.ErrorIs(t, err, ErrStore, "a family that could not be ended has not ended")
	require.NotErrorIs(t, err, ErrReused)
}

// blind is a store that can't be read.
type blind struct{ *replay.Memory }

func (blind) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("read timeout")
}

func TestAnotherNodesKeyIsLookedFor(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	unknowing, err := seal.NewKeys([][]byte{make([]byte, 32)}, func() time.Time { return s.now })
	require.NoError(t, err)
	_, err = s.Take(t.Context(), unknowing, token)
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	s.mustRefresh(token)
}

// A failover to a replica that has not heard of the lease loses nothing else: what the IdP gave is
// recorded.
func TestALeaseThatTheStoreHasLost(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	before := s.stored(token)
	lease, err := s.take(token)
	require.NoError(t, err)
	s.put(token, before)
	next, err := s.finish(lease)
	require.NoError(t, err)
	s.pass(time.Hour)
	s.mustRefresh(next)
}

// A store that was replaced by another one, and has not heard of it, does not have the logins from
// since then. What it can't stand by ends none.
func TestAStoreThatWasReplaced(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	replaced := s.over(&brokenStore{Memory: replay.NewMemory(10, time.Now)})
	_, err := replaced.Take(t.Context(), s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	_, err = replaced.Find(t.Context(), s.keys, token.Family)
	require.ErrorIs(t, err, ErrStore)
}

// restarting is a store that fails for a while, as Redis does while it restarts. What
// fails may have been carried out.
type restarting struct {
	*replay.Memory
	from, until time.Time
	carriesOut  bool
}

func (r *restarting) isAway() bool { return !time.Now().Before(r.from) && time.Now().Before(r.until) }

var errRestarting = errors.New("connection refused")

func (r *restarting) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	value, now, err := r.Memory.Load(ctx, key)
	if r.isAway() {
		return nil, time.Time{}, errRestarting
	}
	return value, now, err
}

func (r *restarting) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if !r.isAway() {
		return r.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
	}
	if r.carriesOut {
		_, _ = r.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
	}
	return false, errRestarting
}

// A store that is away for a moment loses no login: not the IdP's new token, which is
// the only one that an IdP that rotates takes, and not the lease.
func TestAStoreThatRestarts(t *testing.T) {
	errRejected := errors.New("the IdP rejects the refresh")
	for _, carriesOut := range []bool{false, true} {
		restart := func(store *restarting, after, d time.Duration) {
			store.from = time.Now().Add(after)
			store.until = store.from.Add(d)
		}
		for name, tc := range map[string]struct {
			after, away time.Duration // of a refresh that takes 1 s at the IdP
			want        error         // of that refresh
		}{
			"while it is at the IdP":              {after: 900 * time.Millisecond, away: 300 * time.Millisecond},
			"until shortly before its lease ends": {after: 900 * time.Millisecond, away: 33 * time.Second},
			"for longer than its lease":           {after: 900 * time.Millisecond, away: 40 * time.Second, want: ErrStore},
			"before its lease, for too long":      {away: 4 * time.Second, want: ErrStore},
			"while others wait":                   {after: 900 * time.Millisecond, away: 300 * time.Millisecond},
			"while others come, and are faster":   {after: 900 * time.Millisecond, away: 350 * time.Millisecond},
			"while the IdP rejects, and then not": {after: 900 * time.Millisecond, away: 300 * time.Millisecond, want: errRejected},
		} {
			t.Run(fmt.Sprint(name, carriesOut), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newScene(t).inRealTime()
					store := &restarting{Memory: s.store, carriesOut: carriesOut}
					s.Families = s.over(store)
					token := s.logIn()
					time.Sleep(time.Hour)
					restart(store, tc.after, tc.away)
					refresh := func(token Place, rejects bool) (Place, error) {
						lease, err := s.take(token)
						if err != nil {
							return Place{}, err
						}
						time.Sleep(time.Second)
						if rejects {
							soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
							defer cancel()
							return Place{}, errors.Join(errRejected, lease.Release(soon))
						}
						if last := fmt.Sprintf("idp-%d", s.given); lease.Token() != last {
							t.Errorf("the IdP gets %s after it gave %s: it would end the login", lease.Token(), last)
						}
						return s.finish(lease)
					}
					var others sync.WaitGroup
					comes := map[string]time.Duration{"while others wait": 500 * time.Millisecond, "while others come, and are faster": 1251 * time.Millisecond}
					if after := comes[name]; after > 0 {
						others.Go(func() {
							time.Sleep(after)
							if _, err := refresh(token, false); err != nil {
								t.Error(err)
							}
						})
					}
					next, err := refresh(token, errors.Is(tc.want, errRejected))
					others.Wait()
					if tc.want != nil {
						require.ErrorIs(t, err, tc.want)
						if s.given > 1 {
							return // the IdP's token is lost
						}
						time.Sleep(time.Minute)
						next, err = refresh(token, false)
						require.NoError(t, err, "nothing was sent")
					}
					require.NoError(t, err)
					time.Sleep(time.Hour)
					_, err = refresh(next, false)
					require.NoError(t, err)
				})
			})
		}
	}
}

// unconfirmed is a store that carries swaps out and fails all the same, as one does whose
// replicas do not confirm, a few times.
type unconfirmed struct {
	*replay.Memory
	times int
}

func (u *unconfirmed) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	swapped, err := u.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
	if u.times--; u.times >= 0 {
		return false, errors.New("0 of 1 replicas have confirmed")
	}
	return swapped, err
}

func TestAnUnconfirmedSwapIsConfirmedOrFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &unconfirmed{Memory: replay.NewMemory(10, time.Now), times: 3}
		swapped, err := swap(t.Context(), store, replay.Key{1}, nil, []byte("a"), time.Hour)
		require.NoError(t, err)
		require.True(t, swapped)
		require.Equal(t, -1, store.times, "it was asked until it has confirmed")

		store.times = 1000
		soon, cancel := context.WithTimeout(t.Context(), storeWait)
		defer cancel()
		_, err = swap(soon, store, replay.Key{1}, []byte("a"), []byte("b"), time.Hour)
		require.ErrorContains(t, err, "replicas")
	})
}

// overtaken is a store in which somebody else is always a little faster, a few times.
type overtaken struct {
	*replay.Memory
	times int
}

func (o *overtaken) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if o.times--; o.times >= 0 {
		return false, nil
	}
	return o.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
}

func TestARefreshThatOthersOvertake(t *testing.T) {
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
	take := func(token Place) (*Lease, error) {
		return s.over(&overtaken{s.store, 2}).Take(t.Context(), s.keys, token)
	}
	lease, err := take(first)
	require.NoError(t, err)
	require.Equal(t, lease.held, s.stored(first), "the lease is taken in the store, too")
	require.NoError(t, lease.Release(t.Context()))
	second := s.mustRefresh(first)
	s.pass(time.Hour)
	_, err = take(first)
	require.ErrorIs(t, err, ErrReused, "in the end it is noticed")
	_, err = s.take(second)
	require.ErrorIs(t, err, ErrOver)
}

// deaf is a store that answers nothing.
type deaf struct{ replay.StateStore }

func (deaf) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("connection refused")
}

// full is a store without room.
type full struct{ replay.StateStore }

func (full) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Unix(1_800_000_000, 0), nil
}

func (full) CompareAndSwap(context.Context, replay.Key, []byte, []byte, time.Duration) (bool, error) {
	return false, replay.ErrFull
}

func TestALoginThatCantBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		for says, store := range map[string]replay.StateStore{
			"connection refused":       deaf{},
			"a new family is known":    &overtaken{s.store, 1},
			"the replay store is full": full{},
			"read timeout":             blind{s.store},
		} {
			_, err := s.over(store).Begin(t.Context(), s.keys, newFamily(), "idp-1", Session{})
			require.ErrorContains(t, err, says)
		}
		_, err := s.over(deaf{}).Take(t.Context(), s.keys, s.logIn())
		require.ErrorIs(t, err, ErrStore)
	})
}
