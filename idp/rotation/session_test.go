package rotation

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func loggingOut(_ *Config, site *Site) { site.Logouts = true }

// session is one of user-1 at the client app.
func (s *scene) session(sid string) Session {
	return NewSession(s.site.IdP, "app", sid, "user-1", s.now)
}

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
			require.NoError(t, s.EndSessions(t.Context(), []string{"third", tc.client}, tc.sid, tc.sub, s.now))
		}
		for session, ended := range map[Session]bool{one: tc.one, two: tc.two, none: tc.none, {}: false} {
			require.Equal(t, ended, errors.Is(s.CheckSession(t.Context(), session), ErrLoggedOut), name)
			require.NoError(t, newScene(t).over(s.store).CheckSession(t.Context(), session), "nothing is looked at")
		}
		s.pass(2 * time.Minute)
		require.NoError(t, s.CheckSession(t.Context(), s.session("s1")), "who logs in again is in")
	}
}

// A code that the IdP gave before a logout can bring a younger ID token.
func TestASessionThatIsUsedAgain(t *testing.T) {
	s := newScene(t, loggingOut)
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "", s.now))
	s.pass(time.Minute)
	require.ErrorIs(t, s.CheckSession(t.Context(), s.session("s1")), ErrLoggedOut)
	s.pass(time.Second)
	require.NoError(t, s.CheckSession(t.Context(), s.session("s1")))
}

// An earlier logout that arrives late takes nothing back.
func TestTheLatestLogoutCounts(t *testing.T) {
	s := newScene(t, loggingOut)
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "", "user-1", s.now))
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "", "user-1", s.now.Add(-time.Hour)))
	require.ErrorIs(t, s.CheckSession(t.Context(), s.session("s1")), ErrLoggedOut)
}

// The family of a login that the IdP has ended ends with its next refresh, unless it has just
// changed.
func TestARefreshAfterALogout(t *testing.T) {
	s := newScene(t, loggingOut)
	at, err := s.Begin(t.Context(), s.keys, "idp-1", s.session("s1"))
	require.NoError(t, err)
	lease, err := s.take(at)
	require.NoError(t, err)
	require.Equal(t, s.session("s1"), lease.Session())
	require.NoError(t, lease.Release(t.Context()))
	require.NoError(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "", s.now))
	var ended *Ended
	_, err = s.over(&overtaken{s.store, 1}).Take(t.Context(), s.keys, at)
	require.ErrorIs(t, err, ErrLoggedOut)
	require.False(t, errors.As(err, &ended))
	_, err = s.take(at)
	require.ErrorAs(t, err, &ended)
	require.Equal(t, &Ended{ErrLoggedOut, "idp-1"}, ended)
	_, err = s.take(at)
	require.ErrorIs(t, err, ErrOver)
}

func TestALogoutThatTheStoreCantTell(t *testing.T) {
	s := newScene(t, loggingOut)
	at, err := s.Begin(t.Context(), s.keys, "idp-1", s.session("s1"))
	require.NoError(t, err)
	for _, sid := range []string{"s1", ""} {
		require.ErrorIs(t, s.over(deaf{}).CheckSession(t.Context(), s.session(sid)), ErrStore)
	}
	require.ErrorIs(t, s.over(full{}).EndSessions(t.Context(), []string{"app"}, "s1", "", s.now), replay.ErrFull)

	// What can't be read is not taken for no logout.
	_, err = s.store.CompareAndSwap(t.Context(), s.session("s1").sub, nil, []byte("x"), time.Hour)
	require.NoError(t, err)
	_, err = s.take(at)
	require.ErrorIs(t, err, ErrStore)
	require.Error(t, s.EndSessions(t.Context(), []string{"app"}, "s1", "user-1", s.now))
}
