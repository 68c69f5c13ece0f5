package rotation

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func loggingOut(_ *Config, site *Site) { site.Logouts = true }

// session is one of user-1 at the client app.
func (s *scene) session(sid string) Session {
	return NewSession(s.site.IdP, "app", sid, "user-1", s.moment())
}

// moment is now, by clocks that agree.
func (s *scene) moment() Moment { return Moment{s.now, s.now} }

func TestASessionIsReadAsItWasWritten(t *testing.T) {
	s := newScene(t)
	written := s.session("s1")
	w := new(seal.Writer)
	written.Write(w)
	require.Equal(t, written, ReadSession(&seal.Reader{Rest: w.B}))
	require.Zero(t, ReadSession(&seal.Reader{Rest: w.B[1:]}))
}

// OpenID Connect Back-Channel Logout 1.0 section 2.4: sid ends one session, sub all of a user.
func TestWhoseLoginsALogoutEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		client, sid, sub string
		one, two, none   bool // what has ended of two sessions, and one that is not known
	}{
		"a session":                   {"app", "s1", "", true, false, false},
		"a session of the user":       {"app", "s1", "user-1", true, false, true},
		"the user":                    {"app", "", "user-1", true, true, true},
		"another user":                {"app", "", "user-2", false, false, false},
		"at another client":           {"other", "s1", "user-1", false, false, false},
		"a session named as the user": {"app", "user-1", "", false, false, false},
	} {
		s := newScene(t, loggingOut)
		one, two, none := s.session("s1"), s.session("s2"), s.session("")
		for range 2 { // it can be done again
			require.NoError(t, s.EndSessions(t.Context(), []string{"third", tc.client}, tc.sid, tc.sub, s.moment()))
		}
		for session, ended := range map[Session]bool{one: tc.one, two: tc.two, none: tc.none, {}: false} {
			require.Equal(t, ended, errors.Is(s.CheckSession(t.Context(), session), ErrLoggedOut), name)
			require.NoError(t, newScene(t).over(s.store).CheckSession(t.Context(), session), "nothing is looked at")
		}
		s.pass(2 * time.Minute)
		require.NoError(t, s.CheckSession(t.Context(), s.session("s1")), "who logs in again is in")
	}
}

// A login that began before a logout has ended, one that began after it has not: whatever the
// clocks say, and however late the logout is heard of. Times are in seconds; the logout is at 100
// by the IdP's clock.
func TestWhichLoginsALogoutEnds(t *testing.T) {
	at := func(idp, here float64) Moment {
		return Moment{time.Unix(int64(idp), 0), time.UnixMilli(int64(here * 1000))}
	}
	for name, tc := range map[string]struct {
		logout, began Moment
		ended         bool
	}{
		"before it":               {at(100, 100.5), at(90, 90), true},
		"after it":                {at(100, 100.5), at(110, 110), false},
		"in the second before it": {at(100, 100.5), at(100, 100.4), true},
		"in the second after it":  {at(100, 100.5), at(100, 100.6), false},
		"after it, by an IdP that takes a second to answer": {at(100, 100.5), at(99, 100.6), false},
		"before it, by gateways that hear of it later":      {at(100, 160), at(90, 90), true},
		"after it, by gateways that hear of it later":       {at(100, 160), at(110, 110), false},
		"before it, by gateways that are ahead":             {at(100, 200.5), at(90, 190), true},
		"after it, by gateways that are ahead":              {at(100, 200.5), at(110, 210), false},
		"before it, by gateways that are behind":            {at(100, 10.5), at(90, 1), true},
		"after it, by gateways that are behind":             {at(100, 10.5), at(110, 20), false},
		"before it, by a user who proved who he is after":   {at(100, 100.5), at(110, 90), false},
	} {
		s := newScene(t, loggingOut)
		require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "", "user-1", tc.logout), name)
		require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "s2", "", tc.logout), name)
		for _, session := range []Session{
			NewSession(s.site.IdP, "app", "s1", "user-1", tc.began), NewSession(s.site.IdP, "app", "s2", "user-2", tc.began), NewSession(s.site.IdP, "app", "", "user-1", tc.began),
		} {
			require.Equal(t, tc.ended, errors.Is(s.CheckSession(t.Context(), session), ErrLoggedOut), name)
		}
	}
}

// An earlier logout that arrives late takes nothing back.
func TestTheLatestLogoutCounts(t *testing.T) {
	s := newScene(t, loggingOut)
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "", "user-1", s.moment()))
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "", "user-1", Moment{s.now.Add(-time.Hour), s.now.Add(time.Minute)}))
	require.ErrorIs(t, s.CheckSession(t.Context(), s.session("s1")), ErrLoggedOut)
}

// The family of a login that the IdP has ended ends with its next refresh, unless it has just
// changed.
func TestARefreshAfterALogout(t *testing.T) {
	s := newScene(t, loggingOut)
	at := s.logIn(s.session("s1"))
	lease := must.Have(s.take(at))(t)
	require.NoError(t, lease.Release(t.Context()))
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "", s.moment()))
	var ended *Ended
	_, err := s.swapping(overtaken(1)).Take(t.Context(), s.keys, at)
	require.ErrorIs(t, err, ErrLoggedOut)
	require.False(t, errors.As(err, &ended))
	_, err = s.take(at)
	require.ErrorAs(t, err, &ended)
	require.Equal(t, &Ended{ErrLoggedOut, "idp-1"}, ended)
	s.refuses(at, ErrOver)
}

func TestALogoutThatTheStoreCantTell(t *testing.T) {
	s := newScene(t, loggingOut)
	at := s.logIn(s.session("s1"))
	for _, sid := range []string{"s1", ""} {
		require.ErrorIs(t, s.unreadable().CheckSession(t.Context(), s.session(sid)), ErrStore)
	}
	require.ErrorIs(t, s.swapping(full).EndSessions(t.Context(), []string{"app"}, "s1", "", s.moment()), replay.ErrFull)

	// What can't be read is not taken for no logout.
	must.Have(s.store.CompareAndSwap(t.Context(), s.session("s1").sub, nil, []byte("x"), time.Hour))(t)
	s.refuses(at, ErrStore)
	require.Error(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "user-1", s.moment()))
}

// A logout that is recorded, and that nobody has confirmed, is lost with the store that has it: the
// IdP is told that it failed, and sends it again.
func TestALogoutThatIsSentAgainIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, loggingOut)
		times := 1000
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		logOut := func(ctx context.Context) error {
			return s.swapping(unconfirmed(&times)).EndSessions(ctx, []string{"app"}, "s1", "", s.moment())
		}
		require.ErrorContains(t, logOut(soon), "replicas")
		times = 3
		require.NoError(t, logOut(t.Context()))
		require.Equal(t, -1, times, "it was asked until it has confirmed")
	})
}

// The IdP may have ended a session while it granted a token for it. A reply that is lost then is
// asked for again.
func TestALookAfterTheIdPHasGranted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t, loggingOut)
		at, times := s.logIn(s.session("s1")), 0
		families := s.over(&faulty{Memory: s.store, load: func() error {
			if times--; times >= 0 {
				return errRefused
			}
			return nil
		}})
		finish := func() *Lease {
			s.pass(time.Hour)
			lease := must.Have(families.Take(t.Context(), s.keys, at))(t)
			at = must.Have(s.finish(lease))(t)
			return lease
		}
		lease := finish()
		times = 3
		require.NoError(t, lease.CheckSession(t.Context()))
		times = 1000
		require.ErrorIs(t, lease.CheckSession(t.Context()), ErrStore)
		times = 0

		lease = finish()
		require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "", s.moment()))
		var ended *Ended
		require.ErrorAs(t, lease.CheckSession(t.Context()), &ended)
		require.Equal(t, &Ended{ErrLoggedOut, fmt.Sprintf("idp-%d", s.given)}, ended, "what the IdP gave last")
		require.Nil(t, s.stored(at))
	})
}
