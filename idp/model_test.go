package idp

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// This file explores what two honest users and an attacker can do to one another,
// in every order up to a depth, with the policy's own functions between them.
// The IdP is the worst there is: it checks no PKCE, and gives a token for a code
// as often as it is asked. What must hold:
//
//   - the attacker never holds a token of somebody else's account,
//   - an honest user's app never gets a token of another account,
//   - a code of the IdP buys one token through the gateway, and so does a login,
//   - no browser is sent to a client that is no longer registered.
//
// Each rule is also switched off: then the model must find the hole that the
// rule closes, or its silence would prove nothing.

// modelRules are the gateway's rules, true where they apply.
type modelRules struct {
	binding      bool // a code is bound to its login; off: any verifier of a login that began here will do
	nonce        bool // the ID token is held to the login's nonce
	secret       bool // the IdP wants the gateway's secret; off: anybody redeems there
	rawClaim     bool // the IdP's code is claimed; off: the sealed one is
	loginClaim   bool // the login is claimed
	registration bool // client and redirect URI are looked up when state is opened
}

var allModelRules = modelRules{true, true, true, true, true, true}

// capabilities are what the attacker can do beyond being a user himself.
type capabilities struct {
	stealRaw    bool // reads codes and states on their way from the IdP to the callback
	stealSealed bool // reads codes at the app's redirect URI
	seeNonce    bool // reads the honest users' authorization requests
	inject      bool // puts responses into an honest user's browser, with the state that its app expects
	lure        bool // has honest users open links of his
}

// The users, and the logins that they begin at the gateway: one each, and
// mallory a second one without a nonce, by a client that the operator removes.
const (
	alice = iota
	bob
	mallory
	malloryAgain
	modelLogins
)

const modelCallback = "https://gateway.example/oauth/callback"

var (
	modelNames = [...]string{"alice", "bob", "mallory", "mallory's second login"}
	// modelNonces are those of the logins when the apps ask for ID tokens.
	modelNonces = [modelLogins]string{"nonce-a", "nonce-b", "nonce-m", ""}
)

// modelCode is a code of the IdP.
type modelCode struct {
	account, nonce, state int8 // nonce and state by the login whose they are, -1 for none
	known                 bool // to mallory
	tokens                int8 // given for it through the gateway
	claimed               bool
}

// modelSealed is a code of the gateway: a code of the IdP, sealed to a login.
type modelSealed struct {
	code, login    int8
	known, claimed bool
}

const maxModelCodes = 4

// world is a state of the exploration.
type world struct {
	codes    [maxModelCodes]modelCode
	numCodes int8
	sealed   [5]modelSealed
	numSeals int8
	consents [2]bool // honest users that went to the IdP
	inHand   [2]int8 // the sealed code at an honest user's app, -1 for none
	redeemed [2]bool
	served   [modelLogins]bool // logins that have their token
	removed  bool              // mallory's second client
}

// explorer runs the policy.
type explorer struct {
	rules    modelRules
	can      capabilities
	idTokens bool // the apps ask for ID tokens
	before   *Policy
	after    *Policy // mallory's second client removed
	keys     *seal.Keys
	now      time.Time

	verifiers [modelLogins]pkce.Verifier
	clients   [modelLogins]string
	nonces    [modelLogins]string
	states    [modelLogins]string

	// What the policy said, by code, logins and whether the client was removed.
	callbacks   [maxModelCodes][modelLogins][2]*string
	grants      [maxModelCodes][modelLogins][modelLogins][2]*bool
	nonceChecks [modelLogins + 1][modelLogins]*bool
	seen        map[world]int // with the depth that was left
	violations
}

// violations are kinds of it, each with the shortest path found; path is the one that is explored.
type violations struct {
	path  []string
	holes map[string][]string
}

// found records a violation that action leads to.
func (v *violations) found(kind, action string) {
	if path := v.holes[kind]; path == nil || len(path) > len(v.path)+1 {
		v.holes[kind] = append(slices.Clone(v.path), action)
	}
}

// requireFound requires that within depth steps there is a way to a hole, and logs the shortest.
func (v *violations) requireFound(t *testing.T, hole string, depth int, explore func(depth int) map[string][]string) {
	t.Helper()
	for steps := 1; steps <= depth && v.holes[hole] == nil; steps++ {
		explore(steps)
	}
	require.NotEmpty(t, v.holes[hole])
	t.Log(strings.Join(v.holes[hole], "; "))
}

func newExplorer(t *testing.T, rules modelRules, can capabilities, idTokens bool) *explorer {
	now := time.Unix(1_800_000_000, 0)
	keys := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, func() time.Time { return now }))(t)
	config := Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters,
		Callback: &CallbackConfig{},
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb"}},
			{ID: "other", RedirectURIs: []string{"https://other.example/cb"}},
		},
	}
	x := &explorer{
		rules: rules, can: can, idTokens: idTokens, keys: keys, now: now,
		clients: [modelLogins]string{"app", "app", "app", "other"},
		seen:    make(map[world]int), violations: violations{holes: make(map[string][]string)},
	}
	x.before = must.Have(NewPolicy(config))(t)
	config.Clients = config.Clients[:1]
	x.after = must.Have(NewPolicy(config))(t)
	if !rules.registration {
		x.after = x.before
	}
	if idTokens {
		x.nonces = modelNonces
	}
	if can.seeNonce {
		x.nonces[malloryAgain] = x.nonces[alice]
	}
	for login := range x.states {
		x.verifiers[login] = pkce.Verifier(strings.Repeat(string(rune('a'+login)), 43))
		q := url.Values{
			"response_type": {"code"}, "client_id": {x.clients[login]}, "code_challenge_method": {"S256"},
			"code_challenge": {string(x.verifiers[login].S256())}, "state": {"state of " + modelNames[login]},
		}
		if x.nonces[login] != "" {
			q.Set("nonce", x.nonces[login])
		}
		request := must.Have(x.before.parseAuthorize(q.Encode()))(t)
		at := must.Have(url.Parse(request.authorizeURL(x.before, x.sealing())))(t)
		x.states[login] = at.Query().Get("state")
	}
	return x
}

func (x *explorer) sealing() sealer {
	return sealer{Keys: x.keys, Now: x.now, Callback: modelCallback}
}

// explore finds holes within depth steps.
func (x *explorer) explore(depth int) map[string][]string {
	clear(x.seen)
	x.step(world{inHand: [2]int8{-1, -1}}, depth)
	return x.holes
}

func (x *explorer) step(w world, depth int) {
	if depth == 0 || x.seen[w] >= depth {
		return
	}
	x.seen[w] = depth
	x.consent(w, depth)
	x.callback(w, depth)
	x.redeem(w, depth)
	if !w.removed {
		next := w
		next.removed = true
		x.take("the operator removes mallory's second client", next, depth)
	}
}

// take goes on in the next state.
func (x *explorer) take(action string, next world, depth int) {
	x.path = append(x.path, action)
	x.step(next, depth-1)
	x.path = x.path[:len(x.path)-1]
}

// consent: somebody logs in at the IdP, which issues a code.
func (x *explorer) consent(w world, depth int) {
	issue := func(action string, code modelCode, next world) {
		if next.numCodes < int8(len(next.codes)) {
			next.codes[next.numCodes] = code
			next.numCodes++
			x.take(action, next, depth)
		}
	}
	for user := range int8(2) {
		if !w.consents[user] {
			next := w
			next.consents[user] = true
			issue(modelNames[user]+" logs in", modelCode{account: user, nonce: user, state: user, known: x.can.stealRaw}, next)
		}
	}
	for _, login := range []int8{mallory, malloryAgain} {
		issue("mallory logs in with "+modelNames[login], modelCode{account: mallory, nonce: login, state: login, known: true}, w)
		if x.can.lure {
			issue("alice opens the link of "+modelNames[login],
				modelCode{account: alice, nonce: login, state: login, known: x.can.stealRaw}, w)
		}
	}
	if x.can.seeNonce {
		issue("mallory logs in at the IdP with alice's nonce", modelCode{account: mallory, nonce: alice, state: -1, known: true}, w)
	}
}

// callback: a browser, or mallory himself, loads the callback with a code and a state.
func (x *explorer) callback(w world, depth int) {
	for code := range w.numCodes {
		c := w.codes[code]
		for login := range int8(modelLogins) {
			owned := login >= mallory
			carried := c.state == login // the browser that the IdP sent on
			sealed := x.seal(w, code, login)
			if sealed == "" {
				continue
			}
			if w.removed && x.clients[login] == "other" {
				x.found("a browser is sent to a client that is not registered", "callback for "+modelNames[login])
				continue
			}
			// Mallory knows his own states, and others' if he reads what goes to the callback.
			if c.known && (owned || x.can.stealRaw) {
				x.addSealed(w, depth, fmt.Sprintf("mallory loads the callback with code %d and the state of %s", code, modelNames[login]),
					modelSealed{code: code, login: login, known: true}, -1)
			}
			if carried {
				recipient := login
				if owned {
					recipient = -1 // the app in that browser expects another state, or is mallory's
				}
				known := x.can.stealSealed || c.account == mallory
				x.addSealed(w, depth, fmt.Sprintf("the browser loads the callback with code %d and the state of %s", code, modelNames[login]),
					modelSealed{code: code, login: login, known: known}, recipient)
			}
			if x.can.inject && c.known && !owned {
				x.addSealed(w, depth, fmt.Sprintf("mallory has %s's browser load the callback with code %d", modelNames[login], code),
					modelSealed{code: code, login: login, known: x.can.stealSealed}, login)
			}
		}
	}
	if !x.can.inject {
		return
	}
	for sealed := range w.numSeals {
		for user := range int8(2) {
			if w.sealed[sealed].known && w.inHand[user] != sealed {
				next := w
				next.inHand[user] = sealed
				x.take(fmt.Sprintf("mallory puts sealed code %d into %s's app", sealed, modelNames[user]), next, depth)
			}
		}
	}
}

func (x *explorer) addSealed(w world, depth int, action string, s modelSealed, recipient int8) {
	same := 0
	for i := range w.numSeals {
		if w.sealed[i].code == s.code && w.sealed[i].login == s.login {
			same++
		}
	}
	if same >= 2 || int(w.numSeals) == len(w.sealed) {
		return
	}
	w.sealed[w.numSeals] = s
	if recipient >= 0 {
		w.inHand[recipient] = w.numSeals
	}
	w.numSeals++
	x.take(action, w, depth)
}

// redeem: an app, or mallory, exchanges a code.
func (x *explorer) redeem(w world, depth int) {
	for user := range int8(2) {
		if sealed := w.inHand[user]; sealed >= 0 && !w.redeemed[user] {
			if next, account := x.exchange(w, sealed, user); account >= 0 {
				next.redeemed[user] = true
				action := fmt.Sprintf("%s's app redeems sealed code %d", modelNames[user], sealed)
				if account != user {
					x.found("an honest app gets a token of another account", action)
					continue
				}
				x.take(action, next, depth)
			}
		}
	}
	for sealed := range w.numSeals {
		for _, login := range []int8{mallory, malloryAgain} {
			if !w.sealed[sealed].known {
				continue
			}
			if next, account := x.exchange(w, sealed, login); account >= 0 {
				action := fmt.Sprintf("mallory redeems sealed code %d with the verifier of %s", sealed, modelNames[login])
				if account != mallory {
					x.found("mallory gets a token of another account", action)
					continue
				}
				x.take(action, next, depth)
			}
		}
	}
	if !x.rules.secret {
		for code := range w.numCodes {
			if w.codes[code].known && w.codes[code].account != mallory {
				x.found("mallory gets a token of another account", fmt.Sprintf("mallory redeems code %d at the IdP", code))
			}
		}
	}
}

// exchange redeems a sealed code at the gateway with the verifier and client of
// a login, and returns the account of the token, -1 for none.
func (x *explorer) exchange(w world, number, login int8) (world, int8) {
	s := &w.sealed[number]
	c := &w.codes[s.code]
	if x.rules.binding {
		if !x.opens(w, number, login) {
			return w, -1
		}
	}
	claimed := &c.claimed
	if !x.rules.rawClaim {
		claimed = &s.claimed
	}
	if *claimed || x.rules.loginClaim && w.served[s.login] {
		return w, -1
	}
	*claimed = true
	if x.rules.binding && x.rules.nonce && !x.nonceHolds(c, s.login) {
		return w, -1 // the login is given back
	}
	if w.served[s.login] {
		x.found("a login gets two tokens", fmt.Sprintf("sealed code %d is redeemed", number))
	}
	w.served[s.login] = true
	if c.tokens++; c.tokens > 1 {
		x.found("a code buys two tokens", fmt.Sprintf("sealed code %d is redeemed", number))
	}
	return w, c.account
}

func (x *explorer) policy(w world) *Policy {
	if w.removed {
		return x.after
	}
	return x.before
}

// seal is Callback's code for a login, "" if the browser stays at the gateway.
func (x *explorer) seal(w world, code, login int8) string {
	known := &x.callbacks[code][login][index(w.removed)]
	if *known == nil {
		sealed := ""
		response, err := x.policy(w).takeCallback(x.sealing(), callbackRequest{Code: rawName(code), State: x.states[login]})
		if err == nil {
			target, _ := url.Parse(response.Header.Get("Location"))
			sealed = target.Query().Get("code")
		}
		*known = &sealed
	}
	return **known
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func rawName(code int8) string { return fmt.Sprint("code-of-the-idp-", code) }

// opens is openCodeGrant's verdict.
func (x *explorer) opens(w world, number, login int8) bool {
	s := w.sealed[number]
	known := &x.grants[s.code][s.login][login][index(w.removed)]
	if *known == nil {
		opened := false
		form := url.Values{
			"grant_type": {"authorization_code"}, "client_id": {x.clients[login]},
			"code": {x.seal(world{}, s.code, s.login)}, "code_verifier": {string(x.verifiers[login])},
		}
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		if request, err := x.policy(w).parseToken("", header, form.Encode()); err == nil {
			grant, err := request.openCodeGrant(x.policy(w), x.sealing())
			opened = err == nil && grant.login.Code == rawName(s.code)
		}
		*known = &opened
	}
	return **known
}

// nonceHolds is [upstream.Upstream.CheckIDToken]'s verdict on the ID token that the IdP gives for a code.
func (x *explorer) nonceHolds(c *modelCode, of int8) bool {
	if !x.idTokens {
		return true
	}
	known := &x.nonceChecks[c.nonce+1][of]
	if *known != nil {
		return **known
	}
	claims := `{"aud":"app"}`
	if c.nonce >= 0 && x.nonces[c.nonce] != "" {
		claims = `{"aud":"app","nonce":"` + x.nonces[c.nonce] + `"}`
	}
	idToken := "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
	holds := x.before.idp.CheckIDToken(answerOf(`{"id_token":"`+idToken+`"}`), &login.Login{ClientID: "app", Nonce: login.HashNonce(x.nonces[of])}, "app") == nil
	*known = &holds
	return holds
}

// modelDepth is the number of steps that are explored. The longest of the attacks
// below takes four.
const modelDepth = 6

func TestNoOrderOfStepsBreaksALogin(t *testing.T) {
	depth := modelDepth
	if testing.Short() {
		depth = 4
	}
	for name, tc := range map[string]struct {
		can      capabilities
		idTokens bool
	}{
		"codes stolen at the app":               {capabilities{stealSealed: true}, true},
		"codes stolen at the app, no ID tokens": {capabilities{stealSealed: true}, false},
		"codes stolen at the callback and app":  {capabilities{stealRaw: true, stealSealed: true}, true},
		"responses injected":                    {capabilities{inject: true}, true},
		"stolen at the callback, and injected":  {capabilities{stealRaw: true, stealSealed: true, inject: true}, true},
		"lured":                                 {capabilities{lure: true}, true},
		"lured, stolen at the callback":         {capabilities{lure: true, inject: true}, true},
		"nonces seen, codes stolen at the app":  {capabilities{seeNonce: true, stealSealed: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, newExplorer(t, allModelRules, tc.can, tc.idTokens).explore(depth))
		})
	}
}

// TestEachRuleClosesAHole switches one rule off at a time.
func TestEachRuleClosesAHole(t *testing.T) {
	const (
		stolen   = "mallory gets a token of another account"
		injected = "an honest app gets a token of another account"
		twice    = "a code buys two tokens"
		served   = "a login gets two tokens"
		sent     = "a browser is sent to a client that is not registered"
	)
	for name, tc := range map[string]struct {
		off      func(*modelRules)
		can      capabilities
		idTokens bool
		hole     string
	}{
		"binding, a thief redeems": {func(r *modelRules) { r.binding = false }, capabilities{stealSealed: true}, true, stolen},
		"binding, a thief injects": {func(r *modelRules) { r.binding = false }, capabilities{inject: true}, true, injected},
		"nonce, a thief redeems":   {func(r *modelRules) { r.nonce = false }, capabilities{stealRaw: true}, true, stolen},
		"nonce, a thief injects":   {func(r *modelRules) { r.nonce = false }, capabilities{stealRaw: true, inject: true}, true, injected},
		"secret":                   {func(r *modelRules) { r.secret = false }, capabilities{stealRaw: true}, true, stolen},
		"claim by the IdP's code":  {func(r *modelRules) { r.rawClaim = false }, capabilities{}, false, twice},
		"claim by the login":       {func(r *modelRules) { r.loginClaim = false }, capabilities{lure: true}, true, served},
		"registration at open":     {func(r *modelRules) { r.registration = false }, capabilities{}, true, sent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := allModelRules
			tc.off(&rules)
			x := newExplorer(t, rules, tc.can, tc.idTokens)
			x.requireFound(t, tc.hole, modelDepth, x.explore)
		})
	}
}

// TestWhatNoRuleCanStop names the residues: what only the IdP, or nobody, can
// prevent. If one of them is closed one day, the documentation has to say so.
func TestWhatNoRuleCanStop(t *testing.T) {
	for name, tc := range map[string]struct {
		can      capabilities
		idTokens bool
		hole     string
	}{
		"a lured user's code is stolen at the app":        {capabilities{lure: true, stealSealed: true}, true, "mallory gets a token of another account"},
		"the IdP's code is stolen, no ID token":           {capabilities{stealRaw: true}, false, "mallory gets a token of another account"},
		"the IdP's code is stolen, and the nonce is seen": {capabilities{stealRaw: true, seeNonce: true}, true, "mallory gets a token of another account"},
		"the IdP's code is injected, no ID token":         {capabilities{inject: true}, false, "an honest app gets a token of another account"},
		"a response is injected, and the nonce is seen":   {capabilities{inject: true, seeNonce: true}, true, "an honest app gets a token of another account"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newExplorer(t, allModelRules, tc.can, tc.idTokens)
			x.requireFound(t, tc.hole, modelDepth, x.explore)
		})
	}
}

// This file explores what the processes of an honest app, a thief who copies its
// refresh token, and another client can do to one login, in every order up to a
// depth, with the policy's own functions between them. The IdP rotates its own
// refresh tokens and ends the login when it sees one twice. What must hold:
//
//   - the other client never renews, whatever it holds,
//   - the IdP never sees a token that it has replaced,
//   - after a token was used beyond its time, no token of the login renews,
//   - the app is not logged out as long as nobody stole anything, its processes read
//     their token where they share it, at the latest while one that reads a newer one
//     there has its use under way, and they retry within the grace.
//
// As in model_test.go, each rule is also switched off, and then the model must find
// the hole that the rule closes.

// refreshRules are the gateway's rules, true where they apply.
type refreshRules struct {
	client bool // a token renews for its client only
	ends   bool // a use beyond its time ends the login; off: it is only refused
	grace  bool // the token before is good for a while; off: for a second
	newest bool // the IdP gets its newest token; off: the one that the client's was made with
}

var allRefreshRules = refreshRules{true, true, true, true}

// refreshCapabilities are what may happen beside refreshes.
type refreshCapabilities struct {
	steal bool // a thief copies what the first process holds
	other bool // the thief has a client of his own, at the same registration
	lose  bool // a response does not reach the first process, which keeps its token
	fail  bool // the IdP is down
}

// The steps of the clock: within the grace, and beyond it.
const (
	modelGrace = 30 * time.Second
	shortPause = 5 * time.Second
	longPause  = 2 * modelGrace
)

// stateMap is a replay.StateStore that can be copied.
type stateMap struct {
	replay.Store
	values map[replay.Key][]byte
	now    *time.Time
}

func (m *stateMap) Load(_ context.Context, key replay.Key) ([]byte, time.Time, error) {
	return m.values[key], *m.now, nil
}

func (m *stateMap) CompareAndSwap(_ context.Context, key replay.Key, old, replacement []byte, _ time.Duration) (bool, error) {
	value, there := m.values[key]
	switch {
	case there != (old != nil) || !bytes.Equal(value, old):
		return false, nil
	case replacement == nil:
		delete(m.values, key)
	default:
		m.values[key] = replacement
	}
	return true, nil
}

// renewer is a holder of a refresh token.
type renewer int

const (
	firstProcess renewer = iota
	secondProcess
	thief
	renewers
)

var renewerNames = [...]string{"the app", "the app's second process", "the thief"}

// held is a token that somebody holds, and what the model knows of it.
type held struct {
	token string
	made  string // the IdP's, with which it was made
}

// refreshWorld is a state of the exploration.
type refreshWorld struct {
	values map[replay.Key][]byte
	now    time.Time
	given  int // by the IdP, one after the other
	holds  [renewers]held
	shared held // where the app's processes keep it
	stolen bool
	owes   bool // the first process has lost a response, and has to retry in time
	used   bool // a process has used the token that they share now
	over   bool // a token was used beyond its time
}

func (w *refreshWorld) clone() *refreshWorld {
	next := *w
	next.values = maps.Clone(w.values)
	return &next
}

type refreshExplorer struct {
	t     *testing.T
	rules refreshRules
	can   refreshCapabilities
	gate  *Policy
	keys  *seal.Keys
	violations
}

func newRefreshExplorer(t *testing.T, rules refreshRules, can refreshCapabilities) *refreshExplorer {
	grace := modelGrace
	if !rules.grace {
		grace = time.Second
	}
	shared := &IdPClientConfig{ID: "gateway", Secret: "s"}
	policy := must.Have(NewPolicy(Config{
		AuthURL: "https://idp.example", Parameters: OAuthParameters, Callback: &CallbackConfig{}, Rotation: &rotation.Config{Grace: grace},
		Clients: []ClientConfig{
			{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: shared},
			{ID: "other", RedirectURIs: []string{"https://other.example/cb"}, IdPClient: shared},
		},
	}))(t)
	keys := must.Have(seal.NewKeys([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now))(t)
	return &refreshExplorer{t: t, rules: rules, can: can, gate: policy, keys: keys, violations: violations{holes: make(map[string][]string)}}
}

func (x *refreshExplorer) sealing(w *refreshWorld) sealer { return sealer{Keys: x.keys, Now: w.now} }

func idpToken(number int) string { return fmt.Sprint("idp-", number) }

func numberedAnswer(number int) []byte {
	return []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":"` + idpToken(number) + `"}`)
}

func (x *refreshExplorer) explore(depth int) map[string][]string {
	w := &refreshWorld{values: make(map[replay.Key][]byte), now: time.Unix(1_800_000_000, 0), given: 1}
	store := &stateMap{values: w.values, now: &w.now}
	body, err := x.gate.sealBody(x.t.Context(), x.gate.families(store), x.sealing(w), &tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find("app")}}, nil, numberedAnswer(1))
	require.NoError(x.t, err)
	first := held{clientToken(x.t, body), idpToken(1)}
	w.holds[firstProcess], w.holds[secondProcess], w.shared = first, first, first
	w.now = w.now.Add(time.Hour)
	x.step(w, depth)
	return x.holes
}

// generation is that of a token.
func (x *refreshExplorer) generation(h held) uint32 {
	opened, _, err := x.gate.codec.OpenRefreshToken(x.keys, h.token)
	if err != nil {
		x.t.Fatal(err)
	}
	return opened.Place.Generation
}

func clientToken(t testing.TB, body []byte) string {
	answer, ok := upstream.ReadToken(body)
	require.True(t, ok)
	return must.Have(answer.RefreshTokenText())(t)
}

func (x *refreshExplorer) take(action string, next *refreshWorld, depth int) {
	x.path = append(x.path, action)
	x.step(next, depth-1)
	x.path = x.path[:len(x.path)-1]
}

func (x *refreshExplorer) step(w *refreshWorld, depth int) {
	if depth == 0 {
		return
	}
	for who := range renewers {
		if w.holds[who].token != "" {
			x.renew(w, who, depth)
		}
	}
	if x.can.other && w.stolen {
		x.renewAsOther(w, depth)
	}
	if x.can.steal && !w.stolen {
		next := w.clone()
		next.stolen, next.holds[thief] = true, w.holds[firstProcess]
		x.take("the thief copies the app's token", next, depth)
	}
	next := w.clone()
	next.now = w.now.Add(shortPause)
	if !w.owes { // who lost a response retries before the grace is over
		if w.used {
			next.holds[firstProcess], next.holds[secondProcess] = w.shared, w.shared
		}
		x.take("5 seconds pass", next, depth)
		long := w.clone()
		long.now = w.now.Add(longPause)
		long.holds[firstProcess], long.holds[secondProcess] = w.shared, w.shared // they read it before they refresh
		x.take("a minute passes", long, depth)
	}
}

// attempt is a refresh by a client: what the gateway says, and what the IdP gets.
func (x *refreshExplorer) attempt(w *refreshWorld, clientID string, with held) (*refreshGrant, *stateMap, error) {
	store := &stateMap{values: w.values, now: &w.now}
	r := tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find(clientID)}, tokenForm: tokenForm{RefreshToken: with.token}}
	grant, err := r.openRefreshGrant(x.gate, x.sealing(w))
	if err == nil {
		before := maps.Clone(w.values)
		if grant.lease, err = x.gate.families(store).Take(context.Background(), x.keys, *grant.opened.Place); errors.Is(err, rotation.ErrReused) && !x.rules.ends {
			w.values = before
		}
	}
	return grant, store, err
}

// renew has somebody refresh as the app, in each way that it can end.
func (x *refreshExplorer) renew(w *refreshWorld, who renewer, depth int) {
	action := renewerNames[who] + " refreshes"
	next := w.clone()
	grant, store, err := x.attempt(next, "app", w.holds[who])
	if err != nil {
		if !w.stolen {
			x.found("the app is logged out", action)
		}
		if next.holds[who] = (held{}); errors.Is(err, rotation.ErrReused) {
			next.over = true
		}
		x.take(action+", in vain", next, depth)
		return
	}
	if w.over {
		x.found("a login goes on after a token was used beyond its time", action)
		return
	}
	if x.can.fail && who == firstProcess {
		down := w.clone()
		grant, _, err := x.attempt(down, "app", w.holds[who])
		if err = errors.Join(err, grant.lease.Release(context.Background())); err != nil {
			x.t.Fatal(err)
		}
		x.take(action+", and the IdP is down", down, depth)
	}
	sent := grant.lease.Token()
	if !x.rules.newest {
		sent = w.holds[who].made
	}
	if sent != idpToken(w.given) {
		x.found("the IdP sees a token that it has replaced", action)
		return
	}
	next.given++
	body, err := x.gate.sealBody(context.Background(), x.gate.families(store), x.sealing(next), &tokenRequest{Auth: clients.Auth{Party: x.gate.registry.Find("app")}}, grant, numberedAnswer(next.given))
	if err != nil {
		x.t.Fatal(err)
	}
	if x.can.lose && who == firstProcess {
		lost := next.clone()
		lost.owes = true
		x.take(action+", and the response is lost", lost, depth)
	}
	next.holds[who] = held{clientToken(x.t, body), idpToken(next.given)}
	if who != thief {
		next.owes, next.shared = false, next.holds[who]
		now := x.generation(next.shared)
		next.used = now == x.generation(w.holds[who]) || w.used && now == x.generation(w.shared)
	}
	x.take(action, next, depth)
}

// renewAsOther has the thief use the stolen token as a client of his own.
func (x *refreshExplorer) renewAsOther(w *refreshWorld, depth int) {
	const action = "the thief refreshes as another client"
	next := w.clone()
	clientID := "other"
	if !x.rules.client {
		clientID = "app" // nobody looks
	}
	if _, _, err := x.attempt(next, clientID, w.holds[thief]); err == nil {
		x.found("another client renews", action)
		return
	}
	if x.rules.client {
		x.take(action+", in vain", next, depth)
	}
}

// refreshModelDepth is the number of steps that are explored. The longest of the
// attacks below takes five.
const refreshModelDepth = 5

func TestNoOrderOfRefreshesBreaksALogin(t *testing.T) {
	depth := refreshModelDepth
	if testing.Short() {
		depth = 3
	}
	for name, can := range map[string]refreshCapabilities{
		"two processes":                 {},
		"responses are lost":            {lose: true, fail: true},
		"a thief":                       {steal: true},
		"a thief, and lost responses":   {steal: true, lose: true},
		"a thief with another client":   {steal: true, other: true},
		"a thief while the IdP is down": {steal: true, fail: true},
		"all of it":                     {steal: true, other: true, lose: true, fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, newRefreshExplorer(t, allRefreshRules, can).explore(depth))
		})
	}
}

// TestEachRefreshRuleClosesAHole switches one rule off at a time.
func TestEachRefreshRuleClosesAHole(t *testing.T) {
	for name, tc := range map[string]struct {
		off  func(*refreshRules)
		can  refreshCapabilities
		hole string
	}{
		"the client":                {func(r *refreshRules) { r.client = false }, refreshCapabilities{steal: true, other: true}, "another client renews"},
		"the end of the login":      {func(r *refreshRules) { r.ends = false }, refreshCapabilities{steal: true}, "a login goes on after a token was used beyond its time"},
		"the grace, two processes":  {func(r *refreshRules) { r.grace = false }, refreshCapabilities{}, "the app is logged out"},
		"the grace, lost responses": {func(r *refreshRules) { r.grace = false }, refreshCapabilities{lose: true}, "the app is logged out"},
		"the IdP's newest token":    {func(r *refreshRules) { r.newest = false }, refreshCapabilities{}, "the IdP sees a token that it has replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := allRefreshRules
			tc.off(&rules)
			x := newRefreshExplorer(t, rules, tc.can)
			x.requireFound(t, tc.hole, refreshModelDepth, x.explore)
		})
	}
}
