package rotation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func TestAFamilyIsReadAsItWasWritten(t *testing.T) {
	for _, s := range []state{
		{},
		{generation: 7, changed: time.UnixMilli(1_800_000_000_123), used: time.UnixMilli(1_800_000_001_123), busy: time.UnixMilli(1_800_000_035_123), token: "idp"},
	} {
		b := s.encode()
		read, ok := decode(b)
		require.True(t, ok)
		require.Equal(t, s, read)
		for cut := range 28 {
			_, ok := decode(b[:cut])
			require.False(t, ok, cut)
		}
	}
	_, ok := decode(nil)
	require.False(t, ok)
}

// FuzzFamily: what the store has is read as it was written, or not at all.
func FuzzFamily(f *testing.F) {
	f.Add((&state{generation: 7, busy: time.UnixMilli(1), token: "idp"}).encode())
	f.Add((&state{generation: 7, token: "idp", session: Session{sid: replay.Key{1}, began: Moment{time.Unix(1_800_000_000, 0), time.UnixMilli(1_800_000_000_001)}}}).encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, value []byte) {
		s, ok := decode(value)
		if !ok {
			return
		}
		again, ok := decode(s.encode())
		if !ok || again != s {
			t.Fatalf("%+v becomes %+v", s, again)
		}
	})
}

func TestAFamilyThatIsEnded(t *testing.T) {
	s, first := hourAfterLogin(t)
	second := s.mustRefresh(first)
	known := must.Have(s.Find(t.Context(), s.keys, first.Family))(t)
	require.Equal(t, "idp-2", known.Token, "the one that the IdP knows now")
	s.pass(time.Hour)
	third := s.mustRefresh(second)
	ended := must.Have(known.End(t.Context()))(t)
	require.False(t, ended, "a refresh has overtaken it: it has to be found again")
	known = must.Have(s.Find(t.Context(), s.keys, first.Family))(t)
	known.families = s.swapping(breaking(0))
	_, err := known.End(t.Context())
	require.ErrorIs(t, err, ErrStore)
	known.families = s.Families
	ended = must.Have(known.End(t.Context()))(t)
	require.True(t, ended)
	s.refuses(third, ErrOver)
	_, err = s.Find(t.Context(), s.keys, first.Family)
	require.ErrorIs(t, err, ErrOver)
	_, err = s.unreadable().Find(t.Context(), s.keys, first.Family)
	require.ErrorIs(t, err, ErrStore)
}

// stateOfFormat1 is a state as a store has it since format 1: family 8 of the site, at generation 5.
const stateOfFormat1 = "AqaH2PQAKYomRiqqmNTnyrVNx02cQlCUQNUkbHICyzkXVFTvrHUb1BvFXtW0kRf4aFev8HDz45NMWAWbOQke-9qWB7EKePpymcHYE01rhczGFU8dYoVfOg"

// An upgrade ends no login: what an older gateway has stored, this one opens.
func TestAStoredStateStillOpens(t *testing.T) {
	s := newScene(t)
	opened := must.Have(s.open(s.keys, Family{8}, []byte(stateOfFormat1)))(t)
	require.Equal(t, state{generation: 5, changed: s.now, used: s.now.Add(time.Millisecond), token: "of the IdP"}, opened)
}
