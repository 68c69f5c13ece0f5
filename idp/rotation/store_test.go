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

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

var errRefused = errors.New("connection refused")

type faulty struct {
	*replay.Memory
	load func() error // nil: it can be read
	swap swapper      // nil: it can be written
}

// swapper is what becomes of a swap, which carryOut carries out.
type swapper func(carryOut func() (bool, error)) (bool, error)

func (f *faulty) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if f.load != nil {
		if err := f.load(); err != nil {
			return nil, time.Time{}, err
		}
	}
	return f.Memory.Load(ctx, key)
}

func (f *faulty) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	carryOut := func() (bool, error) { return f.Memory.CompareAndSwap(ctx, key, old, replacement, ttl) }
	if f.swap == nil || ctx.Err() != nil {
		return carryOut()
	}
	return f.swap(carryOut)
}

// unreadable is the site over a store that can't be read.
func (s *scene) unreadable() *Families {
	return s.over(&faulty{Memory: s.store, load: func() error { return errRefused }})
}

// swapping is the site over a store whose swaps are others.
func (s *scene) swapping(swap swapper) *Families { return s.over(&faulty{Memory: s.store, swap: swap}) }

// breaking is swaps that fail after some.
func breaking(left int) swapper {
	return func(carryOut func() (bool, error)) (bool, error) {
		if left--; left < 0 {
			return false, errRefused
		}
		return carryOut()
	}
}

// unconfirmed is swaps that are carried out and fail all the same a few times, as those of a store
// whose replicas do not confirm.
func unconfirmed(times *int) swapper {
	return func(carryOut func() (bool, error)) (bool, error) {
		swapped, err := carryOut()
		if *times--; *times >= 0 {
			return false, errors.New("0 of 1 replicas have confirmed")
		}
		return swapped, err
	}
}

// overtaken is swaps that somebody else is a little faster than, a few times.
func overtaken(times int) swapper {
	return func(carryOut func() (bool, error)) (bool, error) {
		if times--; times >= 0 {
			return false, nil
		}
		return carryOut()
	}
}

// full is swaps for which there is no room.
func full(func() (bool, error)) (bool, error) { return false, replay.ErrFull }

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
			s.refuses(token, ErrForeign)
			_, err := s.Find(t.Context(), s.keys, token.Family)
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
	s.refuses(current, ErrRolledBack)
	require.Nil(t, s.stored(stolen))
	s.refuses(stolen, ErrOver)

	s = newScene(t)
	stolen = s.logIn()
	before = s.stored(stolen)
	s.put(stolen, nil)
	s.pass(25 * time.Hour)
	s.put(stolen, before)
	s.refuses(stolen, ErrOver, "a state has its time in it")
}

// FLUSHALL, or an eviction: what was replaced, however long ago, begins no family.
func TestAStoreThatForgotTakesNoToken(t *testing.T) {
	s, first := hourAfterLogin(t)
	second := s.mustRefresh(first)
	s.put(first, nil)
	for _, token := range []Place{first, second} {
		s.refuses(token, ErrOver)
		require.Nil(t, s.stored(first))
	}
}

func TestAStoreThatFails(t *testing.T) { synctest.Test(t, testAStoreThatFails) }

func testAStoreThatFails(t *testing.T) {
	s, token := hourAfterLogin(t)
	_, err := s.swapping(breaking(0)).Take(t.Context(), s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	lease := must.Have(s.swapping(breaking(1)).Take(t.Context(), s.keys, token))(t)
	_, err = lease.Finish(t.Context(), "idp-2")
	require.ErrorIs(t, err, ErrStore)

	s = newScene(t)
	stolen := s.logIn()
	s.pass(time.Hour)
	s.mustRefresh(stolen)
	s.pass(time.Hour)
	_, err = s.swapping(breaking(0)).Take(t.Context(), s.keys, stolen)
	require.ErrorIs(t, err, ErrStore, "a family that could not be ended has not ended")
	require.NotErrorIs(t, err, ErrReused)
}

func TestAnotherNodesKeyIsLookedFor(t *testing.T) {
	s, token := hourAfterLogin(t)
	unknowing := must.Have(seal.NewKeys([][]byte{make([]byte, 32)}, func() time.Time { return s.now }))(t)
	_, err := s.Take(t.Context(), unknowing, token)
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	s.mustRefresh(token)
}

// A failover to a replica that has not heard of the lease loses nothing else: what the IdP gave is
// recorded.
func TestALeaseThatTheStoreHasLost(t *testing.T) {
	s, token := hourAfterLogin(t)
	before := s.stored(token)
	lease := must.Have(s.take(token))(t)
	s.put(token, before)
	next := must.Have(s.finish(lease))(t)
	s.pass(time.Hour)
	s.mustRefresh(next)
}

// A store that was replaced by another one, and has not heard of it, does not have the logins from
// since then. What it can't stand by ends none.
func TestAStoreThatWasReplaced(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	replaced := s.over(&faulty{Memory: replay.NewMemory(10, time.Now), swap: breaking(0)})
	_, err := replaced.Take(t.Context(), s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	_, err = replaced.Find(t.Context(), s.keys, token.Family)
	require.ErrorIs(t, err, ErrStore)
}

// A store that is away for a moment, as Redis is while it restarts, loses no login: not the IdP's new
// token, which is the only one that an IdP that rotates takes, and not the lease. What fails may have
// been carried out.
func TestAStoreThatRestarts(t *testing.T) {
	errRejected := errors.New("the IdP rejects the refresh")
	for _, carriesOut := range []bool{false, true} {
		for name, tc := range map[string]struct {
			after, away time.Duration // of a refresh that takes 1 s at the IdP
			want        error         // of that refresh
			comes       time.Duration // another one, then
		}{
			"while it is at the IdP":              {after: 900 * time.Millisecond, away: 300 * time.Millisecond},
			"until shortly before its lease ends": {after: 900 * time.Millisecond, away: 33 * time.Second},
			"for longer than its lease":           {after: 900 * time.Millisecond, away: 40 * time.Second, want: ErrStore},
			"before its lease, for too long":      {away: 4 * time.Second, want: ErrStore},
			"while others wait":                   {after: 900 * time.Millisecond, away: 300 * time.Millisecond, comes: 500 * time.Millisecond},
			"while others come, and are faster":   {after: 900 * time.Millisecond, away: 350 * time.Millisecond, comes: 1251 * time.Millisecond},
			"while the IdP rejects, and then not": {after: 900 * time.Millisecond, away: 300 * time.Millisecond, want: errRejected},
		} {
			t.Run(fmt.Sprint(name, carriesOut), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newScene(t).inRealTime()
					var from, until time.Time
					away := func() error {
						if now := time.Now(); !now.Before(from) && now.Before(until) {
							return errRefused
						}
						return nil
					}
					s.Families = s.over(&faulty{Memory: s.store, load: away, swap: func(carryOut func() (bool, error)) (bool, error) {
						if err := away(); err != nil {
							if carriesOut {
								_, _ = carryOut()
							}
							return false, err
						}
						return carryOut()
					}})
					token := s.logIn()
					time.Sleep(time.Hour)
					from = time.Now().Add(tc.after)
					until = from.Add(tc.away)
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
					if tc.comes > 0 {
						others.Go(func() {
							time.Sleep(tc.comes)
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
						next, err = refresh(token, false) // nothing was sent
					}
					require.NoError(t, err)
					time.Sleep(time.Hour)
					must.Have(refresh(next, false))(t)
				})
			})
		}
	}
}

func TestAnUnconfirmedSwapIsConfirmedOrFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		times := 3
		store := &faulty{Memory: replay.NewMemory(10, time.Now), swap: unconfirmed(&times)}
		require.True(t, must.Have(swap(t.Context(), store, replay.Key{1}, nil, []byte("a"), time.Hour))(t))
		require.Equal(t, -1, times, "it was asked until it has confirmed")

		times = 1000
		soon, cancel := context.WithTimeout(t.Context(), storeWait)
		defer cancel()
		_, err := swap(soon, store, replay.Key{1}, []byte("a"), []byte("b"), time.Hour)
		require.ErrorContains(t, err, "replicas")
	})
}

func TestARefreshThatOthersOvertake(t *testing.T) {
	s, first := hourAfterLogin(t)
	lease := must.Have(s.swapping(overtaken(2)).Take(t.Context(), s.keys, first))(t)
	require.Equal(t, lease.held, s.stored(first), "the lease is taken in the store, too")
	require.NoError(t, lease.Release(t.Context()))
	second := s.mustRefresh(first)
	s.pass(time.Hour)
	_, err := s.swapping(overtaken(2)).Take(t.Context(), s.keys, first)
	require.ErrorIs(t, err, ErrReused, "in the end it is noticed")
	s.refuses(second, ErrOver)
}

func TestALoginThatCantBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		for says, families := range map[string]*Families{
			"connection refused": s.unreadable(), "a new family is known": s.swapping(overtaken(1)), "the replay store is full": s.swapping(full),
		} {
			_, err := families.Begin(t.Context(), s.keys, newFamily(), "idp-1", Session{})
			require.ErrorContains(t, err, says)
		}
		_, err := s.unreadable().Take(t.Context(), s.keys, s.logIn())
		require.ErrorIs(t, err, ErrStore)
	})
}
