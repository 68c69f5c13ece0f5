package rotation

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

var ada = Whose{Login: "K3VJ5QWZ7M", User: "ada", Agent: "claude.ai"}

// Each name ends the logins that have it, so far.
func TestWhatAnOperatorEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		kind  Kind
		ended string
		ends  bool
	}{
		"the login":            {OfLogin, "K3VJ5QWZ7M", true},
		"the user":             {OfUser, "ada", true},
		"the agent":            {OfAgent, "claude.ai", true},
		"another login":        {OfLogin, "AAAAAAAAAA", false},
		"another user":         {OfUser, "Ada", false},
		"another agent":        {OfAgent, "claude.ai:443", false},
		"a user who is called": {OfUser, "claude.ai", false},
		"an agent that is":     {OfAgent, "ada", false},
	} {
		s := newScene(t)
		before := s.logIn()
		issued := s.now
		s.pass(time.Minute)
		other := s.over(s.store) // at another node
		require.False(t, other.Endings.Has(ada, issued))
		for range 2 { // it can be done again
			require.NoError(t, s.End(t.Context(), tc.kind, tc.ended, s.now), name)
		}
		require.Equal(t, tc.ends, s.Endings.Has(ada, issued), name)
		require.Eventually(t, func() bool { return other.Endings.Has(ada, issued) == tc.ends }, 5*time.Second, 100*time.Millisecond, name)

		lease := must.Have(other.Take(t.Context(), s.keys, before))(t)
		err := lease.CheckEnded(t.Context(), ada)
		if !tc.ends {
			require.NoError(t, err, name)
			must.Have(lease.Finish(t.Context(), ""))(t)
			continue
		}
		require.ErrorIs(t, err, ErrLoggedOut, name)
		var ended *Ended
		require.ErrorAs(t, err, &ended)
		require.NotEmpty(t, ended.Token, "which the IdP revokes")
		require.NoError(t, lease.Release(t.Context()))
		s.refuses(before, ErrOver, "for whoever has its tokens, whatever its names are")

		s.pass(time.Minute)
		again := Whose{Login: "BBBBBBBBBB", User: ada.User, Agent: ada.Agent}
		lease = must.Have(s.take(s.logIn()))(t)
		require.NoError(t, lease.CheckEnded(t.Context(), again), "who logs in again is in")
		require.False(t, s.Endings.Has(again, s.now))
	}
}

// An ending that comes while the IdP is asked ends what that gives.
func TestAnEndingOvertakesARefresh(t *testing.T) {
	s, at := hourAfterLogin(t)
	lease := must.Have(s.take(at))(t)
	require.NoError(t, lease.CheckEnded(t.Context(), ada))
	require.NoError(t, s.End(t.Context(), OfUser, "ada", s.now))
	s.pass(time.Second)
	next := must.Have(lease.Finish(t.Context(), "idp-new"))(t)
	require.ErrorIs(t, lease.CheckEnded(t.Context(), ada), ErrLoggedOut)
	s.refuses(next, ErrOver)
}

// The list takes a bounded place, is forgotten when no access token can be left, and says so
// when it is full; refresh tokens have ended all the same.
func TestEndingsAreBounded(t *testing.T) {
	s := newScene(t)
	for i := range maxEndings {
		require.NoError(t, s.End(t.Context(), OfUser, fmt.Sprint(i), s.now))
	}
	issued := s.now
	require.ErrorIs(t, s.End(t.Context(), OfUser, "ada", s.now), ErrManyEndings)
	require.ErrorIs(t, s.CheckEnded(t.Context(), ada, issued), ErrLoggedOut)
	require.NoError(t, s.End(t.Context(), OfUser, "7", s.now), "which is there")
	s.pass(endingsFor)
	require.NoError(t, s.End(t.Context(), OfUser, "ada", s.now))
	require.Len(t, s.Endings.known.Load().at, 1)
	require.ErrorIs(t, s.CheckEnded(t.Context(), Whose{User: "0"}, issued), ErrLoggedOut, "refresh tokens live longer")
}

// A list that cannot be read is not taken for none, and one that was read before counts.
func TestAListThatCannotBeRead(t *testing.T) {
	s := newScene(t)
	require.NoError(t, s.End(t.Context(), OfUser, "ada", s.now))
	value, _, err := s.store.Load(t.Context(), s.Endings.key())
	require.NoError(t, err)
	must.Have(s.store.CompareAndSwap(t.Context(), s.Endings.key(), value, value[1:], time.Hour))(t)
	require.ErrorIs(t, s.End(t.Context(), OfUser, "eve", s.now), ErrStore)
	time.Sleep(fresh)
	require.True(t, s.Endings.Has(ada, s.now))
}

func FuzzEndings(f *testing.F) {
	f.Add(encodeEndings(map[replay.Key]int64{{1}: 1_800_000_000_000}))
	f.Fuzz(func(t *testing.T, value []byte) {
		at, err := decodeEndings(value, time.Unix(0, 0))
		if err == nil {
			require.LessOrEqual(t, len(at)*endingLength, len(value))
		}
	})
}
