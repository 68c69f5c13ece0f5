package rotation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

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
	config, site := Config{Grace: 30 * time.Second, Idle: 24 * time.Hour}, Site{IdP: "https://idp.example", Context: "site", CodeLifetime: time.Minute}
	for _, change := range with {
		change(&config, &site)
	}
	config, err := config.Complete()
	require.NoError(t, err)
	s := &scene{t: t, now: time.Unix(1_800_000_000, 0)}
	s.keys, err = seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return s.now })
	require.NoError(t, err)
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

// pass lets time go by.
func (s *scene) pass(d time.Duration) { s.now = s.now.Add(d) }

func (s *scene) logIn() Place {
	s.t.Helper()
	s.given++
	at, err := s.Begin(s.t.Context(), s.keys, fmt.Sprintf("idp-%d", s.given), Session{})
	require.NoError(s.t, err)
	return at
}

func (s *scene) take(at Place) (*Lease, error) { return s.Take(s.t.Context(), s.keys, at) }

// finish has the IdP give its next token.
func (s *scene) finish(l *Lease) (Place, error) {
	s.given++
	return l.Finish(s.t.Context(), s.keys, fmt.Sprintf("idp-%d", s.given))
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

func (s *scene) mustRefresh(at Place) Place {
	s.t.Helper()
	next, err := s.refresh(at)
	require.NoError(s.t, err)
	return next
}

func TestEachRefreshReplacesTheToken(t *testing.T) {
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
	second := s.mustRefresh(first)
	s.pass(time.Hour)
	third := s.mustRefresh(second)
	s.pass(time.Hour)
	s.mustRefresh(third)
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
	_, err := s.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)
	var ended *Ended
	require.ErrorAs(t, err, &ended)
	require.Equal(t, "idp-2", ended.Token, "for the IdP to revoke")
	require.Nil(t, s.stored(current), "nothing is kept of it")
	for _, token := range []Place{current, stolen} {
		_, err = s.refresh(token)
		require.ErrorIs(t, err, ErrOver, "for the thief and for the client")
	}
	_, err = s.take(other)
	require.NoError(t, err, "another login of the same user goes on")
}

func TestWithinTheGraceAllGetTheSameGeneration(t *testing.T) {
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
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
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
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
				s := newScene(t)
				stolen := s.logIn()
				s.pass(time.Hour)
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
				_, err = s.refresh(current)
				require.ErrorIs(t, err, ErrOver)
			})
		})
	}
}

// RFC 9700 section 4.14.2: a refresh that the IdP rejects has used nothing.
func TestASuccessorThatBroughtNothingLeavesTheGrace(t *testing.T) {
	s := newScene(t)
	first := s.logIn()
	s.pass(time.Hour)
	second := s.mustRefresh(first)
	lease, err := s.take(second)
	require.NoError(t, err)
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
	s := newScene(t)
	stolen := s.logIn()
	s.pass(time.Hour)
	current := s.mustRefresh(stolen)
	s.pass(-6 * time.Hour)
	next := s.mustRefresh(current)
	s.pass(31 * time.Second)
	s.mustRefresh(next) // the generation began anew by the clock that there is now
	_, err := s.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)

	stolen = s.logIn()
	s.pass(time.Hour)
	s.mustRefresh(stolen)
	s.pass(-time.Minute)
	s.mustRefresh(stolen) // clocks may differ by as much
	s.pass(-2 * time.Minute)
	_, err = s.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)
}

func TestATurnOfAClockThatWasSetBackIsOver(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	_, err := s.take(token) // its process is killed
	require.NoError(t, err)
	s.pass(-6 * time.Hour)
	s.mustRefresh(token)
}

// The clocks of two nodes differ by seal.Skew at most: a turn that ends later than one that
// began now is of a clock that was set back since.
func TestTheLatestTurn(t *testing.T) {
	f, now := &Families{config: Config{Lease: time.Minute}}, time.Unix(1_800_000_000, 0)
	latest := now.Add(time.Minute + seal.Skew)
	require.True(t, f.isBusy(&state{busy: latest}, now))
	require.False(t, f.isBusy(&state{busy: latest.Add(1)}, now))
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

// stored is what the store has of a token's family.
func (s *scene) stored(at Place) []byte {
	s.t.Helper()
	value, _, err := s.store.Load(s.t.Context(), s.key(at.Family))
	require.NoError(s.t, err)
	return value
}

// put has the store hold a value for a token's family, as somebody may who writes to it.
func (s *scene) put(at Place, value []byte) {
	s.t.Helper()
	swapped, err := s.store.CompareAndSwap(s.t.Context(), s.key(at.Family), s.stored(at), value, 48*time.Hour)
	require.NoError(s.t, err)
	require.True(s.t, swapped)
}

// The attacker writes to the store, and has a client's token that was replaced. He can
// make no state in which it is good.
func TestWhoWritesToTheStoreMakesNoState(t *testing.T) {
	for name, forged := range map[string]func(s *scene, at Place, value []byte) []byte{
		"without the key":       func(*scene, Place, []byte) []byte { return (&state{generation: 1, token: "idp-1"}).encode() },
		"of a login of his own": func(s *scene, _ Place, _ []byte) []byte { return s.stored(s.logIn()) },
		"of another site": func(s *scene, at Place, _ []byte) []byte {
			return New(s.config, Site{s.site.IdP, "other", false, 0}, s.store).seal(s.keys, at.Family, &state{generation: 1, token: "idp-1"})
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

// RFC 6749 section 6: the IdP may issue a new refresh token, or leave the old one.
func TestAnIdPThatDoesNotRotate(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	for range 3 {
		s.pass(time.Hour)
		lease, err := s.take(token)
		require.NoError(t, err)
		require.Equal(t, "idp-1", lease.Token())
		next, err := lease.Finish(t.Context(), s.keys, "")
		require.NoError(t, err)
		require.Equal(t, token.Generation+1, next.Generation, "the client's changes all the same")
		token = next
	}
}

func TestALeaseEndsOnce(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	lease, err := s.take(token)
	require.NoError(t, err)
	again := *lease
	again.families = s.over(&brokenStore{Memory: s.store})
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, again.Release(soon), "connection refused", "for the log")
	require.NoError(t, lease.Release(t.Context()))
	other, err := s.take(token)
	require.NoError(t, err)
	held := s.stored(token)
	lease.over = false
	require.NoError(t, lease.Release(t.Context()))
	require.Equal(t, held, s.stored(token), "the lease is another request's now")
	require.NoError(t, other.Release(t.Context()))
	require.NoError(t, (*Lease)(nil).Release(t.Context()))
}

func TestWhatTheIdPRejectsStaysWhereItWas(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	for range 3 {
		lease, err := s.take(token)
		require.NoError(t, err)
		require.NoError(t, lease.Release(t.Context()))
		s.pass(time.Minute)
	}
	s.mustRefresh(token)
}

// What the IdP gave is kept, while the client tries again with the token that it has.
func TestALeaseThatStays(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	lease, err := s.take(token)
	require.NoError(t, err)
	lease.Stay()
	at, err := s.finish(lease)
	require.NoError(t, err)
	require.Equal(t, token, at)
	s.pass(time.Hour)
	s.mustRefresh(token)
}

func TestALeaseThatNobodyEndsIsOverByItself(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	s.pass(time.Hour)
	abandoned, err := s.take(token)
	require.NoError(t, err)
	s.pass(defaultLease)
	next := s.mustRefresh(token)
	require.NoError(t, abandoned.Release(t.Context()), "which comes too late to undo anything")
	state, err := s.open(s.keys, next.Family, s.stored(next))
	require.NoError(t, err)
	require.True(t, state.busy.IsZero(), "the lease is over, whatever becomes of the clock")
	s.pass(time.Hour)
	next = s.mustRefresh(next)

	s.pass(time.Hour)
	late, err := s.take(next)
	require.NoError(t, err)
	s.pass(defaultLease)
	s.mustRefresh(next)
	_, err = s.finish(late)
	require.ErrorIs(t, err, ErrOver, "the response of the slow one is withheld: the IdP's token in it may be the older one")
}

func TestTwoRefreshesAreNeverAtTheIdPAtOnce(t *testing.T) {
	s := newScene(t).inRealTime()
	token := s.logIn()
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			lease, err := s.take(token)
			if err != nil {
				t.Error(err)
				return
			}
			if !mu.TryLock() {
				t.Error("two at once")
				return
			}
			time.Sleep(20 * time.Millisecond)
			mu.Unlock()
			if _, err = lease.Finish(t.Context(), s.keys, "idp-2"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestAFamilyThatEndsMeanwhileGetsNoToken(t *testing.T) {
	s := newScene(t)
	stolen := s.logIn()
	s.pass(time.Hour)
	current := s.mustRefresh(stolen)
	s.pass(time.Hour)
	underWay, err := s.take(current)
	require.NoError(t, err)
	_, err = s.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)
	_, err = s.finish(underWay)
	require.ErrorIs(t, err, ErrOver)
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
	_, err = lease.Finish(t.Context(), s.keys, "idp-2")
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

func TestConfigurations(t *testing.T) {
	for says, c := range map[string]Config{
		"rotate_refresh: grace must be between 1s and 10m0s": {Grace: time.Hour}, "idle must be": {Idle: time.Minute}, "between 1h and 400d": {Idle: 401 * 24 * time.Hour},
	} {
		_, err := c.Complete()
		require.ErrorContains(t, err, says)
	}
	for c, says := range map[Config]string{
		{Grace: time.Second - 1}: "grace", {Grace: 10*time.Minute + 1}: "grace", {Idle: time.Hour - 1}: "idle", {Idle: 400*24*time.Hour + 1}: "idle",
		{Grace: 10 * time.Minute, Idle: 400 * 24 * time.Hour}: "", {Grace: time.Second, Idle: time.Hour, Lease: time.Second}: "",
	} {
		_, err := c.Complete()
		require.Equal(t, says == "", err == nil, c)
		if says != "" {
			require.ErrorContains(t, err, says)
		}
	}
	defaults, err := Config{}.Complete()
	require.NoError(t, err)
	require.Equal(t, Config{Grace: 30 * time.Second, Idle: 30 * 24 * time.Hour, Lease: 35 * time.Second}, defaults)
}

func TestARefreshDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token := s.logIn()
		lease, err := s.take(token)
		require.NoError(t, err)
		began := time.Now()
		_, err = s.take(token)
		require.ErrorIs(t, err, ErrBusy)
		require.InDelta(t, leaseWait.Seconds(), time.Since(began).Seconds(), 2*leasePoll.Seconds())

		require.NoError(t, lease.Release(t.Context()))
		require.NoError(t, lease.Release(t.Context()), "a second time")
		_, err = s.take(token)
		require.NoError(t, err)
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
					next, err := lease.Finish(t.Context(), s.keys, "idp")
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

// A thief who comes late is noticed at once, also while a refresh is under way.
func TestReuseDoesNotWaitForItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t)
		stolen := s.logIn()
		s.pass(time.Hour)
		current := s.mustRefresh(stolen)
		s.pass(31 * time.Second)
		underWay, err := s.take(current)
		require.NoError(t, err)
		_, err = s.take(stolen)
		require.ErrorIs(t, err, ErrReused)
		_, err = s.finish(underWay)
		require.ErrorIs(t, err, ErrOver)
	})
}

func TestHowManyRefreshesOfALoginWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token, other := s.logIn(), s.logIn()
		atIdP, err := s.take(token)
		require.NoError(t, err)
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
		_, err = s.take(token)
		require.ErrorIs(t, err, ErrCrowded)
		require.Zero(t, time.Since(began), "at once")
		_, err = s.take(other)
		require.NoError(t, err, "another login does not wait")
		waiting.Wait()
		require.NoError(t, atIdP.Release(t.Context()))
		_, err = s.take(token)
		require.NoError(t, err)
		require.Empty(t, s.waiting)
	})
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

func TestALeaseThatIsNotConfirmedIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScene(t).inRealTime()
		token := s.logIn()
		time.Sleep(time.Hour)
		_, err := s.over(&unconfirmed{s.store, 1000}).Take(t.Context(), s.keys, token)
		require.ErrorIs(t, err, ErrStore)
		began := time.Now()
		s.mustRefresh(token)
		require.Zero(t, time.Since(began), "nobody waits for it")
	})
}

func TestAClientThatGoesAwayWhileItWaits(t *testing.T) {
	s := newScene(t)
	token := s.logIn()
	_, err := s.take(token)
	require.NoError(t, err)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = s.Take(gone, s.keys, token)
	require.ErrorIs(t, err, ErrStore)
	require.ErrorIs(t, err, context.Canceled)
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
	_, err = take(second)
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
			_, err := s.over(store).Begin(t.Context(), s.keys, "idp-1", Session{})
			require.ErrorContains(t, err, says)
		}
		_, err := s.over(deaf{}).Take(t.Context(), s.keys, s.logIn())
		require.ErrorIs(t, err, ErrStore)
	})
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
