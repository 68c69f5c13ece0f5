package idp

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

func rotating(c *Config) { c.Rotation = &RotationConfig{Grace: 30 * time.Second, Idle: 24 * time.Hour} }

// rotatingIdP numbers the refresh tokens that it gives, and takes the last one only.
type rotatingIdP struct {
	g     *sealedGateway
	given int
}

func (i *rotatingIdP) logIn(clientID string) string {
	i.given++
	return i.g.granted(clientID, nil, i.answer())
}

func (i *rotatingIdP) answer() string {
	return fmt.Sprintf(`{"access_token":"at","token_type":"Bearer","refresh_token":"idp-%d"}`, i.given)
}

// refresh is a refresh that reaches the IdP, which rotates its own token.
func (i *rotatingIdP) refresh(token string) (string, error) {
	sent, renewal, err := i.g.refresh("app", token)
	if err != nil {
		return "", err
	}
	if last := fmt.Sprintf("idp-%d", i.given); sent.Get("refresh_token") != last {
		i.g.t.Fatalf("the IdP gets %s after it gave %s: it would end the login", sent.Get("refresh_token"), last)
	}
	i.given++
	return i.g.granted("app", renewal, i.answer()), nil
}

func newRotatingIdP(t *testing.T, with ...func(*Config)) *rotatingIdP {
	return &rotatingIdP{g: newSealedGateway(t, append([]func(*Config){rotating}, with...)...)}
}

func (i *rotatingIdP) mustRefresh(token string) string {
	i.g.t.Helper()
	next, err := i.refresh(token)
	require.NoError(i.g.t, err)
	return next
}

func TestARotatingTokenSaysNothingOfTheIdPs(t *testing.T) {
	i := newRotatingIdP(t)
	require.Less(t, len(i.logIn("app")), 128)
	require.Equal(t, len(i.logIn("app")), len(i.g.granted("app", nil, `{"access_token":"a","token_type":"Bearer","refresh_token":"`+string(make([]byte, 0))+`x"}`)))
}

func TestEachRefreshReplacesTheToken(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	second := i.mustRefresh(first)
	i.g.pass(time.Hour)
	third := i.mustRefresh(second)
	i.g.pass(time.Hour)
	i.mustRefresh(third)
}

func TestATokenThatWasReplacedEndsItsFamily(t *testing.T) {
	synctest.Test(t, testATokenThatWasReplacedEndsItsFamily)
}

func testATokenThatWasReplacedEndsItsFamily(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	other := i.logIn("app")
	i.g.pass(time.Hour)
	i.given = 1
	current := i.mustRefresh(stolen)
	i.g.pass(31 * time.Second)
	_, err := i.refresh(stolen)
	require.ErrorIs(t, err, errReused)
	require.ErrorContains(t, err, "was replaced and used again, so that its login has ended here")
	require.Equal(t, InvalidGrant, AsError(err).Code)
	require.Nil(t, i.stored(current), "nothing is kept of it")
	for _, token := range []string{current, stolen} {
		_, err = i.refresh(token)
		require.ErrorContains(t, err, "log in again")
		require.NotErrorIs(t, err, errReused, "it is over, for the thief and for the client")
	}
	i.given = 2
	i.g.granted("app", nil, i.answer())
	_, _, err = i.g.refresh("app", other)
	require.NoError(t, err, "another login of the same user goes on")
}

func TestWithinTheGraceAllGetTheSameGeneration(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	here := i.mustRefresh(first)
	i.g.pass(29 * time.Second)
	there := i.mustRefresh(first) // another process, or a retry
	i.g.pass(time.Hour)
	after := i.mustRefresh(here)
	i.g.pass(10 * time.Second)
	i.mustRefresh(there)
	i.g.pass(time.Hour)
	i.mustRefresh(after)
}

func TestAGenerationIsNotReplacedWhileItIsNew(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	token := i.mustRefresh(first)
	for range 3 { // one process asks for other audiences at once, a slower one comes with the first token
		i.g.pass(3 * time.Second)
		token = i.mustRefresh(token)
	}
	i.g.pass(3 * time.Second)
	i.mustRefresh(first)
	i.g.pass(time.Hour)
	i.mustRefresh(token)
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
				i := newRotatingIdP(t)
				stolen := i.logIn("app")
				i.g.pass(time.Hour)
				current := i.mustRefresh(stolen)
				if tc.used != 0 {
					i.g.pass(tc.used)
					current = i.mustRefresh(current)
					i.g.pass(time.Second)
					current = i.mustRefresh(current)
					i.g.pass(-time.Second)
				}
				i.g.pass(tc.comes - tc.used)
				_, err := i.refresh(stolen)
				if tc.good {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, errReused)
				_, err = i.refresh(current)
				require.ErrorContains(t, err, "log in again")
			})
		})
	}
}

// RFC 9700 section 4.14.2: a refresh that the IdP rejects has used nothing.
func TestASuccessorThatBroughtNothingLeavesTheGrace(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	second := i.mustRefresh(first)
	_, renewal, err := i.g.refresh("app", second)
	require.NoError(t, err)
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, renewal))
	i.g.pass(29 * time.Second)
	i.mustRefresh(first)
}

// The store's clock may be set back, or be that of a server that took another one's place.
// A token that was replaced would be good until it is right again, and nobody would
// notice the thief.
func TestAClockThatWasSetBackDoesNotLengthenTheGrace(t *testing.T) {
	synctest.Test(t, testAClockThatWasSetBackDoesNotLengthenTheGrace)
}

func testAClockThatWasSetBackDoesNotLengthenTheGrace(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	current := i.mustRefresh(stolen)
	i.g.pass(-6 * time.Hour)
	next := i.mustRefresh(current)
	i.g.pass(31 * time.Second)
	i.mustRefresh(next) // the generation began anew by the clock that there is now
	_, err := i.refresh(stolen)
	require.ErrorIs(t, err, errReused)

	stolen = i.logIn("app")
	i.g.pass(time.Hour)
	i.mustRefresh(stolen)
	i.g.pass(-time.Minute)
	i.mustRefresh(stolen) // clocks may differ by as much
	i.g.pass(-2 * time.Minute)
	_, err = i.refresh(stolen)
	require.ErrorIs(t, err, errReused)
}

func TestATurnOfAClockThatWasSetBackIsOver(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	_, _, err := i.g.refresh("app", token) // its process is killed
	require.NoError(t, err)
	i.g.pass(-6 * time.Hour)
	i.mustRefresh(token)
}

// The clocks of two nodes differ by seal.Skew at most: a turn that ends later than one that
// began now is of a clock that was set back since.
func TestTheLatestTurn(t *testing.T) {
	p, now := &Policy{rotation: &RotationConfig{Lease: time.Minute}}, time.Unix(1_800_000_000, 0)
	latest := now.Add(time.Minute + seal.Skew)
	require.True(t, p.isBusy(&familyState{busy: latest}, now))
	require.False(t, p.isBusy(&familyState{busy: latest.Add(1)}, now))
}

func TestAFamilyThatIsNotUsedEnds(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	for range 3 {
		i.g.pass(23 * time.Hour)
		token = i.mustRefresh(token)
	}
	i.g.pass(25 * time.Hour)
	_, err := i.refresh(token)
	require.ErrorContains(t, err, "not used for too long")
}

// family is the one of a client's token.
func (i *rotatingIdP) family(token string) family {
	i.g.t.Helper()
	opened, _, err := i.g.openRefreshToken(i.g.s.Keys, token)
	require.NoError(i.g.t, err)
	return opened.rotation.family
}

// stored is what the store has of a token's family.
func (i *rotatingIdP) stored(token string) []byte {
	i.g.t.Helper()
	value, _, err := i.g.store.Load(i.g.t.Context(), i.g.familyKey(i.family(token)))
	require.NoError(i.g.t, err)
	return value
}

// state is where a token's family stands.
func (i *rotatingIdP) state(token string) familyState {
	i.g.t.Helper()
	state, err := i.g.openFamily(i.g.s.Keys, i.family(token), i.stored(token))
	require.NoError(i.g.t, err)
	return state
}

// put has the store hold a value for a token's family, as somebody may who writes to it.
func (i *rotatingIdP) put(token string, value []byte) {
	i.g.t.Helper()
	swapped, err := i.g.store.CompareAndSwap(i.g.t.Context(), i.g.familyKey(i.family(token)), i.stored(token), value, 48*time.Hour)
	require.NoError(i.g.t, err)
	require.True(i.g.t, swapped)
}

// The attacker writes to the store, and has a client's token that was replaced. He can
// make no state in which it is good.
func TestWhoWritesToTheStoreMakesNoState(t *testing.T) {
	for name, forged := range map[string]func(i *rotatingIdP, token string, value []byte) []byte{
		"without the key": func(*rotatingIdP, string, []byte) []byte {
			return (&familyState{generation: 1, token: "idp-1"}).encode()
		},
		"of a login of his own": func(i *rotatingIdP, _ string, _ []byte) []byte { return i.stored(i.logIn("app")) },
		"of a site with other addresses": func(i *rotatingIdP, token string, _ []byte) []byte {
			other := newSealedGateway(i.g.t, rotating, func(c *Config) { c.PublicURL = "https://other.example" })
			return other.sealFamily(i.g.s.Keys, i.family(token), &familyState{generation: 1, token: "idp-1"})
		},
		"a refresh token of his own": func(i *rotatingIdP, _ string, _ []byte) []byte { return []byte(i.logIn("app")) },
		"altered":                    func(_ *rotatingIdP, _ string, value []byte) []byte { value[40] ^= 1; return value },
		"cut":                        func(_ *rotatingIdP, _ string, value []byte) []byte { return value[:len(value)-4] },
		"empty":                      func(*rotatingIdP, string, []byte) []byte { return []byte{} },
	} {
		t.Run(name, func(t *testing.T) {
			i := newRotatingIdP(t)
			token := i.logIn("app")
			value := i.stored(token)
			i.put(token, forged(i, token, value))
			_, err := i.refresh(token)
			require.ErrorIs(t, err, errForeignState)
			require.Equal(t, InvalidGrant, AsError(err).Code)
			_, _, err = i.g.revoke("app", token)
			require.ErrorIs(t, err, errForeignState)
		})
	}
}

// What the store had once, it may have again: it is good for who has the token of that
// time, until the client comes with a newer one.
func TestAnOldStateThatIsPutBackEndsTheLogin(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	before := i.stored(stolen)
	i.g.pass(time.Hour)
	current := i.mustRefresh(stolen)
	i.put(stolen, before)
	_, err := i.refresh(current)
	require.ErrorIs(t, err, errRolledBack)
	require.Equal(t, InvalidGrant, AsError(err).Code)
	require.Nil(t, i.stored(stolen))
	_, err = i.refresh(stolen)
	require.ErrorContains(t, err, "log in again")

	i = newRotatingIdP(t)
	stolen = i.logIn("app")
	before = i.stored(stolen)
	i.put(stolen, nil)
	i.g.pass(25 * time.Hour)
	i.put(stolen, before)
	_, err = i.refresh(stolen)
	require.ErrorContains(t, err, "not used for too long", "a state has its time in it")
}

// FLUSHALL, or an eviction: what was replaced, however long ago, begins no family.
func TestAStoreThatForgotTakesNoToken(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	second := i.mustRefresh(first)
	i.put(first, nil)
	for _, token := range []string{first, second} {
		_, err := i.refresh(token)
		require.Equal(t, InvalidGrant, AsError(err).Code)
		require.Nil(t, i.stored(first))
	}
}

// RFC 6749 section 6: the IdP may issue a new refresh token, or leave the old one.
func TestAnIdPThatDoesNotRotate(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	for range 3 {
		i.g.pass(time.Hour)
		sent, renewal, err := i.g.refresh("app", token)
		require.NoError(t, err)
		require.Equal(t, "idp-1", sent.Get("refresh_token"))
		token = i.g.granted("app", renewal, `{"access_token":"at","token_type":"Bearer"}`)
		require.NotEmpty(t, token, "the gateway's own changes all the same")
	}
}

func TestATurnEndsOnce(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	_, renewal, err := i.g.refresh("app", token)
	require.NoError(t, err)
	broken := &brokenStore{Memory: i.g.store}
	again := *renewal
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, i.g.endLease(soon, broken, &again), "connection refused", "for the log")
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, renewal))
	_, other, err := i.g.refresh("app", token)
	require.NoError(t, err)
	held := i.stored(token)
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, renewal))
	require.Equal(t, held, i.stored(token), "the turn is another request's now")
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, other))
}

func TestWhatTheIdPRejectsStaysWhereItWas(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	for range 3 {
		_, renewal, err := i.g.refresh("app", token)
		require.NoError(t, err)
		require.NoError(t, i.g.endLease(t.Context(), i.g.store, renewal))
		i.g.pass(time.Minute)
	}
	i.mustRefresh(token)
}

func TestATurnThatNobodyEndsIsOverByItself(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	_, abandoned, err := i.g.refresh("app", token)
	require.NoError(t, err)
	i.g.pass(defaultRotationLease)
	next := i.mustRefresh(token)
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, abandoned), "which comes too late to undo anything")
	require.True(t, i.state(next).busy.IsZero(), "the turn is over, whatever becomes of the clock")
	i.g.pass(time.Hour)
	next = i.mustRefresh(next)

	i.g.pass(time.Hour)
	_, late, err := i.g.refresh("app", next)
	require.NoError(t, err)
	i.g.pass(defaultRotationLease)
	i.mustRefresh(next)
	_, err = i.g.sealBody(t.Context(), i.g.store, i.g.s, &tokenRequest{ClientID: "app"}, late, []byte(i.answer()))
	require.Error(t, err, "the response of the slow one is withheld: the IdP's token in it may be the older one")
}

func TestTwoRefreshesAreNeverAtTheIdPAtOnce(t *testing.T) {
	g := newSealedGateway(t, rotating)
	g.store = replay.NewMemory(10, time.Now)
	token := g.granted("app", nil, grantedByIdP)
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			r, err := g.parseToken("", formHeader(), refreshForm("app", token))
			if err != nil {
				t.Error(err)
				return
			}
			renewal, err := g.openRefreshGrant(g.s, &r)
			if err == nil {
				err = g.takeLease(context.Background(), g.store, g.s, renewal)
			}
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
			if _, err = g.sealBody(context.Background(), g.store, g.s, &r, renewal, []byte(grantedByIdP)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestAFamilyThatEndsMeanwhileGetsNoToken(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	current := i.mustRefresh(stolen)
	i.g.pass(time.Hour)
	_, underWay, err := i.g.refresh("app", current)
	require.NoError(t, err)
	_, err = i.refresh(stolen)
	require.ErrorIs(t, err, errReused)
	_, err = i.g.sealBody(t.Context(), i.g.store, i.g.s, &tokenRequest{ClientID: "app"}, underWay, []byte(i.answer()))
	require.Equal(t, InvalidGrant, AsError(err).Code)
}

func TestARotatingTokenIsItsClientsOnly(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	_, _, err := i.g.refresh("single", token)
	require.ErrorContains(t, err, "another client")
	i.mustRefresh(token)
}

// Several sites may share an IdP, its keys and a client. What one has given is good at a
// site only that has the same addresses, as far as they are configured, and the same rule.
func TestARefreshTokenIsGoodAtItsSiteOnly(t *testing.T) {
	here := func(rotates bool) func(*Config) {
		return func(c *Config) {
			c.Callback, c.PublicURL = new(CallbackConfig), "https://here.example"
			if rotates {
				rotating(c)
			}
		}
	}
	for name, there := range map[string]func(*Config){
		"another callback path": func(c *Config) { c.Callback.Path = "/other" },
		"another public_url":    func(c *Config) { c.PublicURL = "https://there.example" },
		"no public_url":         func(c *Config) { c.PublicURL = "" },
		"another rule": func(c *Config) {
			if c.Rotation != nil {
				c.Rotation = nil
			} else {
				rotating(c)
			}
		},
	} {
		for _, rotates := range []bool{false, true} {
			first := newSealedGateway(t, here(rotates))
			token := first.granted("app", nil, grantedByIdP)
			first.pass(time.Hour)
			second := newSealedGateway(t, here(rotates), there)
			second.store, second.now = first.store, first.now
			_, _, err := second.refresh("app", token)
			require.ErrorContains(t, err, "did not issue the refresh token", "%s, %t", name, rotates)
			_, _, err = second.revoke("app", token)
			require.ErrorIs(t, err, seal.ErrInvalid, "%s, %t: a stranger's token, for the IdP to judge", name, rotates)
			_, _, err = first.refresh("app", token)
			require.NoError(t, err)
		}
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
	g := newSealedGateway(t, rotating)
	broken := &brokenStore{Memory: g.store}
	body, err := g.sealBody(t.Context(), broken, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(grantedByIdP))
	require.ErrorIs(t, err, errNotRecorded)
	require.Contains(t, string(body), `"access_token":"at"`, "the user is logged in all the same")
	require.NotContains(t, string(body), "refresh")

	token := g.granted("app", nil, grantedByIdP)
	g.pass(time.Hour)
	r, err := g.parseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.openRefreshGrant(g.s, &r)
	require.NoError(t, err)
	require.Equal(t, 503, AsError(g.takeLease(t.Context(), broken, g.s, renewal)).Status)
	broken.left = 1
	require.NoError(t, g.takeLease(t.Context(), broken, g.s, renewal))
	_, err = g.sealBody(t.Context(), broken, g.s, &r, renewal, []byte(grantedByIdP))
	require.Equal(t, 503, AsError(err).Status)
	require.NotContains(t, err.Error(), "refused", "which is for the log")

	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	i.mustRefresh(stolen)
	i.g.pass(time.Hour)
	r, err = i.g.parseToken("", formHeader(), refreshForm("app", stolen))
	require.NoError(t, err)
	renewal, err = i.g.openRefreshGrant(i.g.s, &r)
	require.NoError(t, err)
	err = i.g.takeLease(t.Context(), &brokenStore{Memory: i.g.store}, i.g.s, renewal)
	require.ErrorIs(t, err, errStore, "a family that could not be ended has not ended")
	require.Equal(t, 503, AsError(err).Status)
}

// blind is a store that can't be read.
type blind struct{ *replay.Memory }

func (blind) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("read timeout")
}

func TestAnotherNodesKeyIsLookedFor(t *testing.T) {
	g := newSealedGateway(t, rotating)
	token := g.granted("app", nil, grantedByIdP)
	g.pass(time.Hour)
	r, err := g.parseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.openRefreshGrant(g.s, &r)
	require.NoError(t, err)
	unknowing, err := seal.NewKeys([][]byte{make([]byte, 32)}, func() time.Time { return g.now })
	require.NoError(t, err)
	require.ErrorIs(t, g.takeLease(t.Context(), g.store, sealer{Keys: unknowing, Now: g.now}, renewal), seal.ErrUnknownKey)
	require.NoError(t, g.takeLease(t.Context(), g.store, g.s, renewal))
}

func TestBadRotations(t *testing.T) {
	for says, c := range map[string]RotationConfig{
		"rotate_refresh: grace must be between 1s and 10m0s": {Grace: time.Hour}, "idle must be": {Idle: time.Minute}, "between 1h and 400d": {Idle: 401 * 24 * time.Hour},
	} {
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Callback: &CallbackConfig{}, Rotation: &c})
		require.ErrorContains(t, err, says)
	}
	_, err := NewPolicy(Config{AuthURL: "https://idp.example", Rotation: &RotationConfig{}})
	require.ErrorContains(t, err, "needs callback")
}

func TestARefreshDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newSealedGateway(t, rotating)
		g.store = replay.NewMemory(10, time.Now)
		token := g.granted("app", nil, grantedByIdP)
		_, renewal, err := g.refresh("app", token)
		require.NoError(t, err)
		began := time.Now()
		_, _, err = g.refresh("app", token)
		require.ErrorContains(t, err, "another refresh of this login is under way")
		require.Equal(t, 503, AsError(err).Status)
		require.Equal(t, "2", AsError(err).RetryAfter)
		require.InDelta(t, leaseWait.Seconds(), time.Since(began).Seconds(), 2*leasePoll.Seconds())

		require.NoError(t, g.endLease(t.Context(), g.store, renewal))
		require.NoError(t, g.endLease(t.Context(), g.store, renewal), "a second time")
		require.NoError(t, g.endLease(t.Context(), g.store, nil))
		_, _, err = g.refresh("app", token)
		require.NoError(t, err)
	})
}

// What was good when it came is good, however long it waits for its turn.
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
				g := newSealedGateway(t, func(c *Config) { c.Rotation = &RotationConfig{Grace: tc.grace} })
				g.store = replay.NewMemory(10, time.Now)
				refresh := func(token string) string {
					_, renewal, err := g.refresh("app", token)
					if err != nil {
						t.Error(err)
						return ""
					}
					time.Sleep(tc.idp)
					body, err := g.sealBody(t.Context(), g.store, g.s, &tokenRequest{ClientID: "app"}, renewal, []byte(grantedByIdP))
					if err != nil {
						t.Error(err)
						return ""
					}
					return clientToken(t, body)
				}
				shared := g.granted("app", nil, grantedByIdP)
				time.Sleep(time.Hour)
				if tc.comes > 0 {
					refresh(shared)
					time.Sleep(tc.comes)
				}
				tokens := make([]string, tc.tabs)
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
func TestReuseDoesNotWaitForItsTurn(t *testing.T) {
	synctest.Test(t, testReuseDoesNotWaitForItsTurn)
}

func testReuseDoesNotWaitForItsTurn(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	current := i.mustRefresh(stolen)
	i.g.pass(31 * time.Second)
	_, underWay, err := i.g.refresh("app", current)
	require.NoError(t, err)
	_, _, err = i.g.refresh("app", stolen)
	require.ErrorIs(t, err, errReused)
	_, err = i.g.sealBody(t.Context(), i.g.store, i.g.s, &tokenRequest{ClientID: "app"}, underWay, []byte(i.answer()))
	require.ErrorContains(t, err, "log in again")
}

func TestHowManyRefreshesOfALoginWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newSealedGateway(t, rotating)
		g.store = replay.NewMemory(10, time.Now)
		token, other := g.granted("app", nil, grantedByIdP), g.granted("app", nil, grantedByIdP)
		_, atIdP, err := g.refresh("app", token)
		require.NoError(t, err)
		var waiting sync.WaitGroup
		for range maxWaiting {
			waiting.Go(func() {
				if _, _, err := g.refresh("app", token); AsError(err).RetryAfter != "2" {
					t.Error("it did not wait:", err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		_, _, err = g.refresh("app", token)
		require.ErrorContains(t, err, "too many refreshes of this login wait")
		require.Equal(t, 503, AsError(err).Status)
		require.Equal(t, "1", AsError(err).RetryAfter)
		require.Zero(t, time.Since(began), "at once")
		_, _, err = g.refresh("app", other)
		require.NoError(t, err, "another login does not wait")
		waiting.Wait()
		require.NoError(t, g.endLease(t.Context(), g.store, atIdP))
		_, _, err = g.refresh("app", token)
		require.NoError(t, err)
		require.Empty(t, g.waiting.families)
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
// the only one that an IdP that rotates takes, and not the turn.
func TestAStoreThatRestarts(t *testing.T) {
	for _, carriesOut := range []bool{false, true} {
		restart := func(store *restarting, after, d time.Duration) {
			store.from = time.Now().Add(after)
			store.until = store.from.Add(d)
		}
		for name, tc := range map[string]struct {
			when   func(store *restarting) // of a refresh that takes 1 s at the IdP
			status int                     // of that refresh; 0 is success
		}{
			"while it is at the IdP":              {when: func(s *restarting) { restart(s, 900*time.Millisecond, 300*time.Millisecond) }},
			"until shortly before its turn ends":  {when: func(s *restarting) { restart(s, 900*time.Millisecond, 33*time.Second) }},
			"for longer than its turn":            {when: func(s *restarting) { restart(s, 900*time.Millisecond, 40*time.Second) }, status: 503},
			"before its turn, for too long":       {when: func(s *restarting) { restart(s, 0, 4*time.Second) }, status: 503},
			"while others wait":                   {when: func(s *restarting) { restart(s, 900*time.Millisecond, 300*time.Millisecond) }},
			"while others come, and are faster":   {when: func(s *restarting) { restart(s, 900*time.Millisecond, 350*time.Millisecond) }},
			"while the IdP rejects, and then not": {when: func(s *restarting) { restart(s, 900*time.Millisecond, 300*time.Millisecond) }, status: 400},
		} {
			t.Run(fmt.Sprint(name, carriesOut), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					i := newRotatingIdP(t)
					store := &restarting{Memory: replay.NewMemory(10, time.Now), carriesOut: carriesOut}
					i.g.store = store.Memory
					token := i.logIn("app")
					time.Sleep(time.Hour)
					tc.when(store)
					refresh := func(token string, rejects bool) (string, error) {
						r, err := i.g.parseToken("", formHeader(), refreshForm("app", token))
						require.NoError(t, err)
						renewal, err := i.g.openRefreshGrant(i.g.s, &r)
						require.NoError(t, err)
						if err := i.g.takeLease(t.Context(), store, i.g.s, renewal); err != nil {
							return "", err
						}
						time.Sleep(time.Second)
						if rejects {
							soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
							defer cancel()
							return "", errors.Join(reject(InvalidScope, "", ""), i.g.endLease(soon, store, renewal))
						}
						if last := fmt.Sprintf("idp-%d", i.given); renewal.token != last {
							t.Errorf("the IdP gets %s after it gave %s: it would end the login", renewal.token, last)
						}
						i.given++
						body, err := i.g.sealBody(t.Context(), store, i.g.s, &r, renewal, []byte(i.answer()))
						if err != nil {
							return "", err
						}
						return clientToken(t, body), nil
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
					next, err := refresh(token, tc.status == 400)
					others.Wait()
					if tc.status != 0 {
						require.Equal(t, tc.status, AsError(err).Status, "%v", err)
						time.Sleep(time.Minute)
						if tc.status == 400 || i.given == 1 {
							next, err = refresh(token, false)
							require.NoError(t, err, "nothing was sent")
						} else {
							return // the IdP's token is lost
						}
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

func TestATurnThatIsNotConfirmedIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newRotatingIdP(t)
		i.g.store = replay.NewMemory(10, time.Now)
		token := i.logIn("app")
		time.Sleep(time.Hour)
		r, err := i.g.parseToken("", formHeader(), refreshForm("app", token))
		require.NoError(t, err)
		renewal, err := i.g.openRefreshGrant(i.g.s, &r)
		require.NoError(t, err)
		err = i.g.takeLease(t.Context(), &unconfirmed{i.g.store, 1000}, i.g.s, renewal)
		require.ErrorIs(t, err, errStore)
		began := time.Now()
		i.mustRefresh(token)
		require.Zero(t, time.Since(began), "nobody waits for it")
	})
}

func TestAClientThatGoesAwayWhileItWaits(t *testing.T) {
	g := newSealedGateway(t, rotating)
	token := g.granted("app", nil, grantedByIdP)
	_, _, err := g.refresh("app", token)
	require.NoError(t, err)
	r, err := g.parseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.openRefreshGrant(g.s, &r)
	require.NoError(t, err)
	gone, leave := context.WithCancel(t.Context())
	leave()
	err = g.takeLease(gone, g.store, g.s, renewal)
	require.ErrorIs(t, err, errStore)
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
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	take := func(token string) (*refreshGrant, error) {
		r, err := i.g.parseToken("", formHeader(), refreshForm("app", token))
		require.NoError(t, err)
		renewal, err := i.g.openRefreshGrant(i.g.s, &r)
		require.NoError(t, err)
		return renewal, i.g.takeLease(t.Context(), &overtaken{i.g.store, 2}, i.g.s, renewal)
	}
	renewal, err := take(first)
	require.NoError(t, err)
	require.Equal(t, renewal.lease.held, i.stored(first), "the turn is taken in the store, too")
	require.NoError(t, i.g.endLease(t.Context(), i.g.store, renewal))
	second := i.mustRefresh(first)
	i.g.pass(time.Hour)
	_, err = take(first)
	require.ErrorIs(t, err, errReused, "in the end it is noticed")
	_, err = take(second)
	require.ErrorContains(t, err, "log in again")
}

func TestALoginThatCantBeRecorded(t *testing.T) { synctest.Test(t, testALoginThatCantBeRecorded) }

func testALoginThatCantBeRecorded(t *testing.T) {
	g := newSealedGateway(t, rotating)
	for says, store := range map[string]replay.StateStore{
		"connection refused":       deaf{},
		"a new family is known":    &overtaken{g.store, 1},
		"the replay store is full": full{},
		"read timeout":             blind{g.store},
	} {
		body, err := g.sealBody(t.Context(), store, g.s, &tokenRequest{ClientID: "app"}, nil, []byte(grantedByIdP))
		require.ErrorIs(t, err, errNotRecorded)
		require.ErrorContains(t, err, says)
		require.NotContains(t, string(body), "idp-refresh")
		require.Contains(t, string(body), `"access_token":"at"`)
	}
	r, err := g.parseToken("", formHeader(), refreshForm("app", g.granted("app", nil, grantedByIdP)))
	require.NoError(t, err)
	renewal, err := g.openRefreshGrant(g.s, &r)
	require.NoError(t, err)
	err = g.takeLease(t.Context(), deaf{}, g.s, renewal)
	require.ErrorIs(t, err, errStore)
	require.Equal(t, "5", AsError(err).RetryAfter)
}

// full is a store without room.
type full struct{ deaf }

func (full) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Unix(1_800_000_000, 0), nil
}

func (full) CompareAndSwap(context.Context, replay.Key, []byte, []byte, time.Duration) (bool, error) {
	return false, replay.ErrFull
}

// TestWhatIsGood is the table of the generations, each at a time after the last change.
func TestWhatIsGood(t *testing.T) {
	p := newSealedGateway(t, rotating)
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
		require.Equal(t, tc.want, p.isGood(tc.generation, &familyState{generation: 5, changed: changed}, changed.Add(tc.after)), "%+v", tc)
	}
	require.Equal(t, 24*time.Hour+30*time.Second, p.familyTTL())
	require.True(t, p.Rotates())
	require.False(t, newSealedGateway(t).Rotates())
}
