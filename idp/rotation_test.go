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
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	other := i.logIn("app")
	i.g.pass(time.Hour)
	i.given = 1
	current := i.mustRefresh(stolen)
	i.g.pass(31 * time.Second)
	_, err := i.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)
	require.ErrorContains(t, err, "was replaced and used again, so that its login has ended here")
	require.Equal(t, InvalidGrant, AsError(err).Code)
	require.Nil(t, i.stored(current), "nothing is kept of it")
	for _, token := range []string{current, stolen} {
		_, err = i.refresh(token)
		require.ErrorContains(t, err, "log in again")
		require.NotErrorIs(t, err, ErrReused, "it is over, for the thief and for the client")
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
		i.g.pass(5 * time.Second)
		token = i.mustRefresh(token)
	}
	i.g.pass(5 * time.Second)
	i.mustRefresh(first)
	i.g.pass(time.Hour)
	i.mustRefresh(token)
}

// The store's clock may be set back, or be that of a server that took another one's place.
// A token that was replaced would be good until it is right again, and nobody would
// notice the thief.
func TestAClockThatWasSetBackDoesNotLengthenTheGrace(t *testing.T) {
	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	current := i.mustRefresh(stolen)
	i.g.pass(-6 * time.Hour)
	next := i.mustRefresh(current)
	i.g.pass(31 * time.Second)
	i.mustRefresh(next) // the generation began anew by the clock that there is now
	_, err := i.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)

	stolen = i.logIn("app")
	i.g.pass(time.Hour)
	i.mustRefresh(stolen)
	i.g.pass(-time.Minute)
	i.mustRefresh(stolen) // clocks may differ by as much
	i.g.pass(-2 * time.Minute)
	_, err = i.refresh(stolen)
	require.ErrorIs(t, err, ErrReused)
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
	p, now := &Policy{rotation: &RotationConfig{Turn: time.Minute}}, time.Unix(1_800_000_000, 0)
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

	// One that began before rotation is remembered for longer than it is good.
	i = newRotatingIdP(t)
	old := newSealedGateway(t).granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-0"}`)
	token = i.mustRefresh(old)
	i.g.pass(25 * time.Hour)
	require.NotNil(t, i.stored(token))
	_, err = i.refresh(token)
	require.ErrorContains(t, err, "not used for too long")
}

// stored is what the store has of a token's family.
func (i *rotatingIdP) stored(token string) []byte {
	i.g.t.Helper()
	opened, _, err := i.g.openRefreshToken(i.g.s.Keys, token)
	require.NoError(i.g.t, err)
	value, _, err := i.g.store.Load(i.g.t.Context(), i.g.familyKey(opened.rotation.family))
	require.NoError(i.g.t, err)
	return value
}

// A store that was restored from a copy does not know the last tokens, whose clients
// have done nothing wrong.
func TestAGenerationThatTheStoreDoesNotKnowYet(t *testing.T) {
	i := newRotatingIdP(t)
	first := i.logIn("app")
	before := i.stored(first)
	i.g.pass(time.Hour)
	second := i.mustRefresh(first)
	opened, _, err := i.g.openRefreshToken(i.g.s.Keys, second)
	require.NoError(t, err)
	restored, err := i.g.store.CompareAndSwap(t.Context(), i.g.familyKey(opened.rotation.family), i.stored(second), before, time.Hour)
	require.NoError(t, err)
	require.True(t, restored)
	_, err = i.refresh(second)
	require.Equal(t, InvalidGrant, AsError(err).Code)
	require.NotErrorIs(t, err, ErrReused)
	require.Equal(t, before, i.stored(second), "it goes on for whom the store knows")
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
	require.ErrorContains(t, i.g.EndTurn(t.Context(), broken, &again), "connection refused", "for the log")
	require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, renewal))
	_, other, err := i.g.refresh("app", token)
	require.NoError(t, err)
	held := i.stored(token)
	require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, renewal))
	require.Equal(t, held, i.stored(token), "the turn is another request's now")
	require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, other))
}

func TestWhatTheIdPRejectsStaysWhereItWas(t *testing.T) {
	i := newRotatingIdP(t)
	token := i.logIn("app")
	i.g.pass(time.Hour)
	for range 3 {
		_, renewal, err := i.g.refresh("app", token)
		require.NoError(t, err)
		require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, renewal))
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
	i.g.pass(defaultRotationTurn)
	next := i.mustRefresh(token)
	require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, abandoned), "which comes too late to undo anything")
	state, known := decodeFamily(i.stored(next))
	require.True(t, known)
	require.True(t, state.busy.IsZero(), "the turn is over, whatever becomes of the clock")
	i.g.pass(time.Hour)
	next = i.mustRefresh(next)

	i.g.pass(time.Hour)
	_, late, err := i.g.refresh("app", next)
	require.NoError(t, err)
	i.g.pass(defaultRotationTurn)
	i.mustRefresh(next)
	_, err = i.g.SealTokens(t.Context(), i.g.store, i.g.s, &TokenRequest{ClientID: "app"}, late, []byte(i.answer()))
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
			r, err := g.ParseToken("", formHeader(), refreshForm("app", token))
			if err != nil {
				t.Error(err)
				return
			}
			renewal, err := g.OpenRefreshToken(g.s, &r)
			if err == nil {
				err = g.TakeTurn(context.Background(), g.store, g.s, renewal)
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
			if _, err = g.SealTokens(context.Background(), g.store, g.s, &r, renewal, []byte(grantedByIdP)); err != nil {
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
	require.ErrorIs(t, err, ErrReused)
	_, err = i.g.SealTokens(t.Context(), i.g.store, i.g.s, &TokenRequest{ClientID: "app"}, underWay, []byte(i.answer()))
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

// TestTurningRotationOn lets tokens go on that were sealed, or given by the IdP, before.
func TestTurningRotationOn(t *testing.T) {
	for name, unsealed := range map[string]bool{"a sealed token": false, "a token of the IdP": true} {
		t.Run(name, func(t *testing.T) {
			i := newRotatingIdP(t, func(c *Config) { c.AcceptUnsealedRefreshUntil = time.Unix(2_000_000_000, 0) })
			old := "idp-0"
			if !unsealed {
				old = newSealedGateway(t).granted("app", nil, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-0"}`)
			}
			// The IdP rejects it once, for whatever reason: nothing is left of that.
			_, renewal, err := i.g.refresh("app", old)
			require.NoError(t, err)
			require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, renewal))
			value, _, err := i.g.store.Load(t.Context(), i.g.familyKey(renewal.opened.rotation.family))
			require.NoError(t, err)
			require.Nil(t, value, "junk must not fill the store")

			first := i.mustRefresh(old)
			i.g.pass(10 * time.Second)
			i.mustRefresh(old) // a retry
			i.g.pass(time.Hour)
			second := i.mustRefresh(first)
			_, err = i.refresh(old)
			require.ErrorIs(t, err, ErrReused)
			_, err = i.refresh(old)
			require.ErrorContains(t, err, "log in again")
			require.NotErrorIs(t, err, ErrReused, "it has ended once")
			require.NotErrorIs(t, err, seal.ErrInvalid, "and not because of a key")
			_, err = i.refresh(second)
			require.Error(t, err)
			i.g.pass(300 * 24 * time.Hour)
			_, err = i.refresh(old)
			require.Error(t, err, "nor does it begin anew after a while")
		})
	}
}

func TestTurningRotationOffEndsWhatRotated(t *testing.T) {
	token := newRotatingIdP(t).logIn("app")
	_, _, err := newSealedGateway(t).refresh("app", token)
	require.ErrorContains(t, err, "no longer does")
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

func TestAStoreThatFails(t *testing.T) {
	g := newSealedGateway(t, rotating)
	broken := &brokenStore{Memory: g.store}
	body, err := g.SealTokens(t.Context(), broken, g.s, &TokenRequest{ClientID: "app"}, nil, []byte(grantedByIdP))
	require.ErrorIs(t, err, ErrNotRecorded)
	require.Contains(t, string(body), `"access_token":"at"`, "the user is logged in all the same")
	require.NotContains(t, string(body), "refresh")

	token := g.granted("app", nil, grantedByIdP)
	g.pass(time.Hour)
	r, err := g.ParseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.OpenRefreshToken(g.s, &r)
	require.NoError(t, err)
	require.Equal(t, 503, AsError(g.TakeTurn(t.Context(), broken, g.s, renewal)).Status)
	broken.left = 1
	require.NoError(t, g.TakeTurn(t.Context(), broken, g.s, renewal))
	_, err = g.SealTokens(t.Context(), broken, g.s, &r, renewal, []byte(grantedByIdP))
	require.Equal(t, 503, AsError(err).Status)
	require.NotContains(t, err.Error(), "refused", "which is for the log")

	i := newRotatingIdP(t)
	stolen := i.logIn("app")
	i.g.pass(time.Hour)
	i.mustRefresh(stolen)
	i.g.pass(time.Hour)
	r, err = i.g.ParseToken("", formHeader(), refreshForm("app", stolen))
	require.NoError(t, err)
	renewal, err = i.g.OpenRefreshToken(i.g.s, &r)
	require.NoError(t, err)
	err = i.g.TakeTurn(t.Context(), &brokenStore{Memory: i.g.store}, i.g.s, renewal)
	require.ErrorIs(t, err, ErrStore, "a family that could not be ended has not ended")
	require.Equal(t, 503, AsError(err).Status)
}

// lasting notes for how long values are kept.
type lasting struct {
	*replay.Memory
	ttl time.Duration
}

func (l *lasting) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	l.ttl = ttl
	return l.Memory.CompareAndSwap(ctx, key, old, replacement, ttl)
}

// blind is a store that can't be read.
type blind struct{ *replay.Memory }

func (blind) Load(context.Context, replay.Key) ([]byte, time.Time, error) {
	return nil, time.Time{}, errors.New("read timeout")
}

func TestHowLongAnEndIsRemembered(t *testing.T) {
	g := newSealedGateway(t, rotating)
	store := &lasting{Memory: g.store}
	ended, err := g.endFamily(t.Context(), store, replay.Key{1}, nil, &familyState{adopted: true})
	require.NoError(t, err)
	require.True(t, ended)
	require.Equal(t, adoptedFor, store.ttl, "as long as a token from before rotation could be tried")
}

func TestAnotherNodesKeyIsLookedFor(t *testing.T) {
	g := newSealedGateway(t, rotating)
	token := g.granted("app", nil, grantedByIdP)
	g.pass(time.Hour)
	r, err := g.ParseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.OpenRefreshToken(g.s, &r)
	require.NoError(t, err)
	unknowing, err := seal.NewKeys([][]byte{make([]byte, 32)}, func() time.Time { return g.now })
	require.NoError(t, err)
	require.ErrorIs(t, g.TakeTurn(t.Context(), g.store, Sealing{Keys: unknowing, Now: g.now}, renewal), seal.ErrUnknownKey)
	require.NoError(t, g.TakeTurn(t.Context(), g.store, g.s, renewal))
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
		require.InDelta(t, turnWait.Seconds(), time.Since(began).Seconds(), 2*turnPoll.Seconds())

		require.NoError(t, g.EndTurn(t.Context(), g.store, renewal))
		require.NoError(t, g.EndTurn(t.Context(), g.store, renewal), "a second time")
		require.NoError(t, g.EndTurn(t.Context(), g.store, nil))
		_, _, err = g.refresh("app", token)
		require.NoError(t, err)
	})
}

func TestAClientThatGoesAwayWhileItWaits(t *testing.T) {
	g := newSealedGateway(t, rotating)
	token := g.granted("app", nil, grantedByIdP)
	_, _, err := g.refresh("app", token)
	require.NoError(t, err)
	r, err := g.ParseToken("", formHeader(), refreshForm("app", token))
	require.NoError(t, err)
	renewal, err := g.OpenRefreshToken(g.s, &r)
	require.NoError(t, err)
	gone, leave := context.WithCancel(t.Context())
	leave()
	err = g.TakeTurn(gone, g.store, g.s, renewal)
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
	i := newRotatingIdP(t)
	first := i.logIn("app")
	i.g.pass(time.Hour)
	take := func(token string) (*Renewal, error) {
		r, err := i.g.ParseToken("", formHeader(), refreshForm("app", token))
		require.NoError(t, err)
		renewal, err := i.g.OpenRefreshToken(i.g.s, &r)
		require.NoError(t, err)
		return renewal, i.g.TakeTurn(t.Context(), &overtaken{i.g.store, 2}, i.g.s, renewal)
	}
	renewal, err := take(first)
	require.NoError(t, err)
	require.Equal(t, renewal.turn.held, i.stored(first), "the turn is taken in the store, too")
	require.NoError(t, i.g.EndTurn(t.Context(), i.g.store, renewal))
	second := i.mustRefresh(first)
	i.g.pass(time.Hour)
	_, err = take(first)
	require.ErrorIs(t, err, ErrReused, "in the end it is noticed")
	_, err = take(second)
	require.ErrorContains(t, err, "log in again")
}

func TestALoginThatCantBeRecorded(t *testing.T) {
	g := newSealedGateway(t, rotating)
	for says, store := range map[string]replay.StateStore{
		"connection refused":       deaf{},
		"a new family is known":    &overtaken{g.store, 1},
		"the replay store is full": full{},
		"read timeout":             blind{g.store},
	} {
		body, err := g.SealTokens(t.Context(), store, g.s, &TokenRequest{ClientID: "app"}, nil, []byte(grantedByIdP))
		require.ErrorIs(t, err, ErrNotRecorded)
		require.ErrorContains(t, err, says)
		require.NotContains(t, string(body), "idp-refresh")
		require.Contains(t, string(body), `"access_token":"at"`)
	}
	r, err := g.ParseToken("", formHeader(), refreshForm("app", g.granted("app", nil, grantedByIdP)))
	require.NoError(t, err)
	renewal, err := g.OpenRefreshToken(g.s, &r)
	require.NoError(t, err)
	err = g.TakeTurn(t.Context(), deaf{}, g.s, renewal)
	require.ErrorIs(t, err, ErrStore)
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
	require.Equal(t, 24*time.Hour+30*time.Second, p.familyTTL(&familyState{generation: 1}))
	require.Equal(t, 2*p.rotation.Turn, p.familyTTL(&familyState{adopted: true}))
	require.Equal(t, 400*24*time.Hour, p.familyTTL(&familyState{adopted: true, generation: 1}))
	require.True(t, p.Rotates())
	require.False(t, newSealedGateway(t).Rotates())
}
