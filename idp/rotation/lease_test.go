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
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The clocks of two nodes differ by seal.Skew at most: a turn that ends later than one that
// began now is of a clock that was set back since.
func TestTheLatestTurn(t *testing.T) {
	f, now := &Families{config: Config{Lease: time.Minute}}, time.Unix(1_800_000_000, 0)
	latest := now.Add(time.Minute + seal.Skew)
	require.True(t, f.isBusy(&state{busy: latest}, now))
	require.False(t, f.isBusy(&state{busy: latest.Add(1)}, now))
}

func TestALeaseEndsOnce(t *testing.T) {
	s, token := hourAfterLogin(t)
	lease := must.Have(s.take(token))(t)
	again := *lease
	again.families = s.swapping(breaking(0))
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, again.Release(soon), "connection refused", "for the log")
	require.NoError(t, lease.Release(t.Context()))
	other := must.Have(s.take(token))(t)
	held := s.stored(token)
	lease.over = false
	require.NoError(t, lease.Release(t.Context()))
	require.Equal(t, held, s.stored(token), "the lease is another request's now")
	require.NoError(t, other.Release(t.Context()))
	require.NoError(t, (*Lease)(nil).Release(t.Context()))
}

// What the IdP gave is kept, while the client tries again with the token that it has.
func TestWhatTheIdPGaveIsKeptForARequestThatFails(t *testing.T) {
	s, token := hourAfterLogin(t)
	lease := must.Have(s.take(token))(t)
	s.given++
	require.NoError(t, lease.Keep(t.Context(), fmt.Sprintf("idp-%d", s.given)))
	known := must.Have(s.Find(t.Context(), s.keys, token.Family))(t)
	require.Equal(t, "idp-2", known.Token, "if the gateway is killed now")
	require.NoError(t, lease.Release(t.Context()))
	s.pass(time.Hour)
	next := s.mustRefresh(token)

	s.pass(time.Hour)
	lease = must.Have(s.take(next))(t)
	s.given++
	require.NoError(t, lease.Keep(t.Context(), fmt.Sprintf("idp-%d", s.given)))
	require.NoError(t, lease.Keep(t.Context(), ""), "the IdP gave none")
	at := must.Have(lease.Finish(t.Context(), ""))(t)
	require.Equal(t, next.Generation+1, at.Generation)
	s.mustRefresh(at)
	require.NoError(t, (*Lease)(nil).Keep(t.Context(), "idp-2"))
}

func TestALeaseThatNobodyEndsIsOverByItself(t *testing.T) {
	s, token := hourAfterLogin(t)
	abandoned := must.Have(s.take(token))(t)
	s.pass(defaultLease)
	next := s.mustRefresh(token)
	require.NoError(t, abandoned.Release(t.Context()), "which comes too late to undo anything")
	state := must.Have(s.open(s.keys, next.Family, s.stored(next)))(t)
	require.True(t, state.busy.IsZero(), "the lease is over, whatever becomes of the clock")
	s.pass(time.Hour)
	next = s.mustRefresh(next)

	s.pass(time.Hour)
	late := must.Have(s.take(next))(t)
	s.pass(defaultLease)
	s.mustRefresh(next)
	at, err := s.finish(late)
	require.NoError(t, err, "the login goes on")
	state = must.Have(s.open(s.keys, at.Family, s.stored(at)))(t)
	require.Equal(t, at.Generation, state.generation)
	require.Equal(t, "idp-4", state.token, "that of the slow one may be the older one")
}

func TestARefreshDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token := s.logIn()
		lease := must.Have(s.take(token))(t)
		began := time.Now()
		s.refuses(token, ErrBusy)
		require.InDelta(t, leaseWait.Seconds(), time.Since(began).Seconds(), 2*leasePoll.Seconds())

		require.NoError(t, lease.Release(t.Context()))
		require.NoError(t, lease.Release(t.Context()), "a second time")
		must.Have(s.take(token))(t)
	})
}

// What was good when it came is good, however long it waits for its lease.
func TestTheGraceIsJudgedByArrival(t *testing.T) {
	for name, tc := range map[string]struct {
		grace, idp, comes time.Duration
		tabs              int
	}{
		"the token before, shortly before the grace is over": {grace: 30 * time.Second, idp: 5 * time.Second, comes: 27500 * time.Millisecond, tabs: 2},
		"five tabs, a grace of two responses":                {grace: 3 * time.Second, idp: 1500 * time.Millisecond, tabs: 5},
		"six tabs, a grace of less than one response":        {grace: time.Second, idp: 1500 * time.Millisecond, tabs: 6},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, func(c *Config, _ *Site) { c.Grace, c.Idle = tc.grace, 0 }).inRealTime()
				refresh := func(token Place) Place {
					lease, err := s.take(token)
					if err != nil {
						t.Error(err)
						return Place{}
					}
					time.Sleep(tc.idp)
					next, err := lease.Finish(t.Context(), "idp")
					if err != nil {
						t.Error(err)
					}
					return next
				}
				shared := s.logIn()
				time.Sleep(time.Hour)
				if tc.comes > 0 {
					refresh(shared)
					time.Sleep(tc.comes)
				}
				tokens := make([]Place, tc.tabs)
				var tabs sync.WaitGroup
				for i := range tokens {
					tabs.Go(func() { tokens[i] = refresh(shared) })
				}
				tabs.Wait()
				time.Sleep(time.Hour)
				for _, token := range tokens {
					tabs.Go(func() { refresh(token) })
				}
				tabs.Wait()
			})
		})
	}
}

// Whoever tries again within the grace, and finds the lease of a gateway that was killed, is no thief
// when it is over. One who comes later than that is.
func TestTheGraceOutlivesALeaseThatNobodyEnds(t *testing.T) {
	for _, tabs := range []int{1, 3} {
		s, first := hourAfterLogin(t)
		s.mustRefresh(first) // the response is lost
		s.pass(20 * time.Second)
		_, err := s.take(first) // its gateway is killed
		require.NoError(t, err)
		s.pass(defaultLease + time.Second)
		for range tabs {
			next := s.mustRefresh(first)
			require.Equal(t, first.Generation+1, next.Generation)
			s.pass(time.Second)
		}
		s.pass(time.Minute)
		s.refuses(first, ErrReused)
	}
}

// A thief who comes late is noticed at once, also while a refresh is under way.
func TestReuseDoesNotWaitForItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, stolen := hourAfterLogin(t)
		current := s.mustRefresh(stolen)
		s.pass(31 * time.Second)
		underWay := must.Have(s.take(current))(t)
		s.refuses(stolen, ErrReused)
		_, err := s.finish(underWay)
		require.ErrorIs(t, err, ErrOver)
	})
}

func TestHowManyRefreshesOfALoginWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token, other := s.logIn(), s.logIn()
		atIdP := must.Have(s.take(token))(t)
		var waiting sync.WaitGroup
		for range maxWaiting {
			waiting.Go(func() {
				if _, err := s.take(token); !errors.Is(err, ErrBusy) {
					t.Error("it did not wait:", err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		s.refuses(token, ErrCrowded)
		require.Zero(t, time.Since(began), "at once")
		_, err := s.take(other)
		require.NoError(t, err, "another login does not wait")
		waiting.Wait()
		require.NoError(t, atIdP.Release(t.Context()))
		must.Have(s.take(token))(t)
		require.Empty(t, s.waiting)
	})
}

func TestALeaseThatIsNotConfirmedIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token := s.logIn()
		time.Sleep(time.Hour)
		_, err := s.swapping(unconfirmed(new(1000))).Take(t.Context(), s.keys, token)
		require.ErrorIs(t, err, ErrStore)
		began := time.Now()
		s.mustRefresh(token)
		require.Zero(t, time.Since(began), "nobody waits for it")
	})
}

func TestAClientThatGoesAwayWhileItWaits(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	must.Have(s.take(token))(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := s.Take(gone, s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	require.ErrorIs(t, err, context.Canceled)
}
