package rotation

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// scene is a site with a store, and an IdP that numbers the refresh tokens that it gives, and
// takes the last one only.
type scene struct {
	*Families
	t     testing.TB
	store *replay.Memory
	keys  *seal.Keys
	now   time.Time
	given int
}

func newScene(t testing.TB, with ...func(*Config, *Site)) *scene {
	config, site := Config{Grace: 30 * time.Second, Idle: 24 * time.Hour}, Site{IdP: "https://idp.example", Context: "site"}
	for _, change := range with {
		change(&config, &site)
	}
	config = must.Have(config.Complete())(t)
	s := &scene{t: t, now: time.Unix(1_800_000_000, 0)}
	s.keys = must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return s.now }))(t)
	s.store = replay.NewMemory(1000, func() time.Time { return s.now })
	s.Families = New(config, site, s.store)
	return s
}

// over is the same site over another store.
func (s *scene) over(store replay.StateStore) *Families { return New(s.config, s.site, store) }

// inRealTime has the store go by the clock of the bubble.
func (s *scene) inRealTime() *scene {
	s.store = replay.NewMemory(10, time.Now)
	s.Families = s.over(s.store)
	return s
}

func (s *scene) pass(d time.Duration) { s.now = s.now.Add(d) }

func newFamily() (f Family) {
	_, _ = rand.Read(f[:])
	return f
}

// logIn begins a login, of a session if one is given.
func (s *scene) logIn(of ...Session) Place {
	s.t.Helper()
	s.given++
	return must.Have(s.Begin(s.t.Context(), s.keys, newFamily(), fmt.Sprintf("idp-%d", s.given), append(of, Session{})[0]))(s.t)
}

func hourAfterLogin(t testing.TB) (*scene, Place) {
	s := newScene(t)
	at := s.logIn()
	s.pass(time.Hour)
	return s, at
}

func (s *scene) take(at Place) (*Lease, error) { return s.Take(s.t.Context(), s.keys, at) }

// finish has the IdP give its next token.
func (s *scene) finish(l *Lease) (Place, error) {
	s.given++
	return l.Finish(s.t.Context(), fmt.Sprintf("idp-%d", s.given))
}

// refresh is a refresh that reaches the IdP, which rotates its own token.
func (s *scene) refresh(at Place) (Place, error) {
	lease, err := s.take(at)
	if err != nil {
		return Place{}, err
	}
	if last := fmt.Sprintf("idp-%d", s.given); lease.Token() != last {
		s.t.Fatalf("the IdP gets %s after it gave %s: it would end the login", lease.Token(), last)
	}
	return s.finish(lease)
}

func (s *scene) refuses(at Place, want error, because ...any) {
	s.t.Helper()
	_, err := s.take(at)
	require.ErrorIs(s.t, err, want, because...)
}

func (s *scene) mustRefresh(at Place) Place {
	s.t.Helper()
	return must.Have(s.refresh(at))(s.t)
}

func TestATokenThatWasReplacedEndsItsFamily(t *testing.T) {
	synctest.Test(t, testATokenThatWasReplacedEndsItsFamily)
}

func testATokenThatWasReplacedEndsItsFamily(t *testing.T) {
	s := newScene(t)
	stolen := s.logIn()
	other := s.logIn()
	s.pass(time.Hour)
	s.given = 1
	current := s.mustRefresh(stolen)
	s.pass(31 * time.Second)
	_, err := s.take(stolen)
	require.ErrorIs(t, err, ErrReused)
	var ended *Ended
	require.ErrorAs(t, err, &ended)
	require.Equal(t, "idp-2", ended.Token, "for the IdP to revoke")
	require.Nil(t, s.stored(current), "nothing is kept of it")
	for _, token := range []Place{current, stolen} {
		s.refuses(token, ErrOver, "for the thief and for the client")
	}
	_, err = s.take(other)
	require.NoError(t, err, "another login of the same user goes on")
}

func TestWithinTheGraceAllGetTheSameGeneration(t *testing.T) {
	s, first := hourAfterLogin(t)
	here := s.mustRefresh(first)
	s.pass(29 * time.Second)
	there := s.mustRefresh(first) // another process, or a retry
	s.pass(time.Hour)
	after := s.mustRefresh(here)
	s.pass(10 * time.Second)
	s.mustRefresh(there)
	s.pass(time.Hour)
	s.mustRefresh(after)
}

func TestAGenerationIsNotReplacedWhileItIsNew(t *testing.T) {
	s, first := hourAfterLogin(t)
	token := s.mustRefresh(first)
	for range 3 { // one process asks for other audiences at once, a slower one comes with the first token
		s.pass(3 * time.Second)
		token = s.mustRefresh(token)
	}
	s.pass(3 * time.Second)
	s.mustRefresh(first)
	s.pass(time.Hour)
	s.mustRefresh(token)
}

// Who has used the successor has it: what comes later with the token before is a copy,
// even within the grace.
func TestASuccessorThatWasUsedEndsTheGrace(t *testing.T) {
	for _, tc := range []struct {
		name        string
		used, comes time.Duration // after the first refresh
		good        bool
	}{
		{name: "it is not used", comes: 29 * time.Second, good: true},
		{name: "the request was under way", used: 5 * time.Second, comes: 15*time.Second - 1, good: true},
		{name: "it was not", used: 5 * time.Second, comes: 15 * time.Second},
		{name: "the grace is not longer for it", used: 25 * time.Second, comes: 30 * time.Second},
	} {
		// Whatever a refresh takes is added to the store's time: here it takes none.
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, stolen := hourAfterLogin(t)
				current := s.mustRefresh(stolen)
				if tc.used != 0 {
					s.pass(tc.used)
					current = s.mustRefresh(current)
					s.pass(time.Second)
					current = s.mustRefresh(current)
					s.pass(-time.Second)
				}
				s.pass(tc.comes - tc.used)
				_, err := s.refresh(stolen)
				if tc.good {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, ErrReused)
				s.refuses(current, ErrOver)
			})
		})
	}
}

// RFC 9700 section 4.14.2: a refresh that the IdP rejects has used nothing.
func TestASuccessorThatBroughtNothingLeavesTheGrace(t *testing.T) {
	s, first := hourAfterLogin(t)
	second := s.mustRefresh(first)
	lease := must.Have(s.take(second))(t)
	require.NoError(t, lease.Release(t.Context()))
	s.pass(29 * time.Second)
	s.mustRefresh(first)
}

// The store's clock may be set back, or be that of a server that took another one's place.
// A token that was replaced would be good until it is right again, and nobody would
// notice the thief.
func TestAClockThatWasSetBackDoesNotLengthenTheGrace(t *testing.T) {
	synctest.Test(t, testAClockThatWasSetBackDoesNotLengthenTheGrace)
}

func testAClockThatWasSetBackDoesNotLengthenTheGrace(t *testing.T) {
	s, stolen := hourAfterLogin(t)
	current := s.mustRefresh(stolen)
	s.pass(-6 * time.Hour)
	next := s.mustRefresh(current)
	s.pass(31 * time.Second)
	s.mustRefresh(next) // the generation began anew by the clock that there is now
	s.refuses(stolen, ErrReused)

	stolen = s.logIn()
	s.pass(time.Hour)
	s.mustRefresh(stolen)
	s.pass(-time.Minute)
	s.mustRefresh(stolen) // clocks may differ by as much
	s.pass(-2 * time.Minute)
	s.refuses(stolen, ErrReused)
}

func TestAFamilyThatIsNotUsedEnds(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	for range 3 {
		s.pass(23 * time.Hour)
		token = s.mustRefresh(token)
	}
	s.pass(25 * time.Hour)
	_, err := s.refresh(token)
	require.ErrorContains(t, err, "not used for too long")
}

func (s *scene) stored(at Place) []byte {
	s.t.Helper()
	value, _, err := s.store.Load(s.t.Context(), s.key(at.Family))
	require.NoError(s.t, err)
	return value
}

// put has the store hold a value for a token's family, as somebody may who writes to it.
func (s *scene) put(at Place, value []byte) {
	s.t.Helper()
	swapped := must.Have(s.store.CompareAndSwap(s.t.Context(), s.key(at.Family), s.stored(at), value, 48*time.Hour))(s.t)
	require.True(s.t, swapped)
}

// RFC 6749 section 6: the IdP may issue a new refresh token, or leave the old one.
func TestAnIdPThatDoesNotRotate(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	for range 3 {
		s.pass(time.Hour)
		lease := must.Have(s.take(token))(t)
		require.Equal(t, "idp-1", lease.Token())
		next := must.Have(lease.Finish(t.Context(), ""))(t)
		require.Equal(t, token.Generation+1, next.Generation, "the client's changes all the same")
		token = next
	}
}

func TestConfigurations(t *testing.T) {
	const grace, idle = "rotate_refresh: grace must be between 1s and 10m0s", "rotate_refresh: idle must be between 1h and 400d"
	for c, says := range map[Config]string{
		{Grace: time.Second - 1}: grace, {Grace: 10*time.Minute + 1}: grace, {Idle: time.Hour - 1}: idle, {Idle: 400*24*time.Hour + 1}: idle,
		{Grace: 10 * time.Minute, Idle: 400 * 24 * time.Hour}: "", {Grace: time.Second, Idle: time.Hour, Lease: time.Second}: "",
	} {
		if _, err := c.Complete(); says == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, says)
		}
	}
	require.Equal(t, Config{Grace: 30 * time.Second, Idle: 30 * 24 * time.Hour, Lease: 35 * time.Second}, must.Have(Config{}.Complete())(t))
}

// TestWhatIsGood is the table of the generations, each at a time after the last change.
func TestWhatIsGood(t *testing.T) {
	s := newScene(t)
	changed := time.Unix(1_800_000_000, 0)
	for _, tc := range []struct {
		generation uint32
		after      time.Duration
		want       bool
	}{
		{5, 0, true},
		{5, 30 * time.Second, true},
		{5, 24 * time.Hour, true},
		{4, 0, true},
		{4, 30*time.Second - 1, true},
		{4, 30 * time.Second, false},
		{3, 0, false},
		{6, 0, false},
		{4, -seal.Skew, true},
		{4, -seal.Skew - 1, false},
		{5, -seal.Skew - 1, true},
	} {
		require.Equal(t, tc.want, s.isGood(tc.generation, &state{generation: 5, changed: changed}, changed.Add(tc.after)), "%+v", tc)
	}
	require.Equal(t, 24*time.Hour+30*time.Second, s.config.ttl())
}
