package idp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestLogoutsThatAreRejected(t *testing.T) {
	none := func(c *Config) { c.LogoutProtocol = NoLogout }
	cognito := func(c *Config) { c.LogoutProtocol = CognitoLogout }
	for name, tc := range map[string]struct {
		query, says string
		with        func(*Config)
	}{
		"a broken escape": {"client_id=app&x=%zz", "percent", func(*Config) {}},
		"another client's page": {"client_id=server&returnTo=https://app.example/bye", "not one that is registered", func(c *Config) {
			registered(c)
			c.Clients[1].ReturnTo = []string{"https://server.example/bye"}
		}},
		"two pages":                      {"returnTo=https://a.example/&post_logout_redirect_uri=https://b.example/", "mean the same and differ", func(*Config) {}},
		"a client outside ASCII":         {"client_id=%C3%A4", "client_id must be printable ASCII", func(*Config) {}},
		"no client for Cognito":          {"returnTo=https://a.example/", "client_id is missing", cognito},
		"a page that nobody else checks": {"returnTo=https://a.example/", "with endpoint logout none nobody else checks it", none},
	} {
		_, err := testPolicy(t, tc.with).parseLogout(tc.query)
		require.ErrorContains(t, err, tc.says, name)
		requireWellFormed(t, err)
	}
	p := testPolicy(t, none)
	out := must.Have(p.parseLogout("client_id=app"))(t)
	require.Empty(t, out.logoutURL(p), "there is no page to go to")
	out = must.Have(p.parseLogout("state=s"))(t)
	require.Empty(t, out.logoutURL(p), "nor for a state")
	p = testPolicy(t, none, func(c *Config) {
		registered(c)
		c.Clients[0].ReturnTo = []string{"https://app.example/bye?x=1"}
	})
	out = must.Have(p.parseLogout("client_id=app&state=s&returnTo=https%3A%2F%2Fapp.example%2Fbye%3Fx%3D1"))(t)
	require.Equal(t, "https://app.example/bye?x=1&state=s", out.logoutURL(p))
	p = testPolicy(t, none, registered)
	for state, want := range map[string]string{"": "https://app.example/bye", "&state=s": "https://app.example/bye?state=s"} {
		out = must.Have(p.parseLogout("client_id=app&returnTo=https://app.example/bye" + state))(t)
		require.Equal(t, want, out.logoutURL(p))
		require.Equal(t, "app", out.Registered)
	}
}

// OpenID Connect RP-Initiated Logout 1.0 section 2.
func TestHintsOfALogout(t *testing.T) {
	const hints = "id_token_hint=a.b.c&logout_hint=ada&ui_locales=de&state=s"
	for protocol, want := range map[LogoutProtocol]string{
		Auth0Logout:       "https://idp.example/v2/logout?client_id=app&" + hints,
		RPInitiatedLogout: "https://idp.example/v2/logout?client_id=app&" + hints,
		CognitoLogout:     "https://idp.example/v2/logout?client_id=app",
		NoLogout:          "",
	} {
		p := testPolicy(t, func(c *Config) { c.LogoutProtocol = protocol })
		out := must.Have(p.parseLogout("client_id=app&" + hints))(t)
		require.Equal(t, want, out.logoutURL(p), protocol)
	}
}

func TestALogoutThroughTheGateway(t *testing.T) {
	result := newServed(t).do("GET", "/v2/logout?client_id=app&returnTo=https://app.example/", "")
	require.Equal(t, http.StatusFound, result.Status)
	require.Equal(t, "https://idp.example/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F", result.Header.Get("Location"))
	none := newServed(t, func(c *Config) { c.LogoutProtocol = NoLogout })
	require.Contains(t, string(none.do("GET", "/v2/logout", "").Body), "Logged out of the app")
	require.Equal(t, oauth.InvalidRequest, none.do("GET", "/v2/logout?x=%zz", "").Decision.Refusal.Code)
}

func loggingOut(c *Config) { c.BackchannelLogout, c.Issuer = true, "https://idp.example" }

// newLogoutAgent is an agent whose IdP signs with ES256 and ends logins.
func newLogoutAgent(t testing.TB, with ...func(*Config)) *agent {
	a := newAgent(t, true, append([]func(*Config){rotating, loggingOut}, with...)...)
	m := *a.sealed.idp.Metadata()
	m.IDTokenAlgorithms = []string{"ES256"}
	a.use(a.sealed.withMetadata(&m))
	return a
}

// redeemWith is a login with some claims in the ID token, which is made now.
func (a *agent) redeemWith(claims ...any) *Result {
	a.t.Helper()
	a.parts.Replay = replay.NewMemory(100, a.parts.Now) // the test's code is the same each time
	a.claims = replacedClaims(map[string]any{"iat": a.sealed.now.Unix()}, pairs(claims))
	result := a.redeem(a.logIn())
	a.claims = nil // a refresh brings none
	return result
}

// logInAs is the tokens of that.
func (a *agent) logInAs(claims ...any) granted {
	a.t.Helper()
	return a.answer(a.redeemWith(claims...))
}

// logoutToken is a logout token of user-1; with replaces claims and typ, nil removes one.
func (a *agent) logoutToken(key *dpoptest.Key, with ...any) string {
	now := a.sealed.now
	return signedJWT(key, "logout+jwt", map[string]any{
		"iss": "https://idp.example", "aud": "gateway", "sub": "user-1", "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(),
		"events": map[string]any{upstream.LogoutEvent: map[string]any{}},
	}, with)
}

func (a *agent) logOut(token string) *Result {
	return a.do("POST", "/oauth/backchannel_logout", url.Values{"logout_token": {token}}.Encode())
}

// ends has the IdP log somebody out.
func (a *agent) ends(with ...any) {
	a.t.Helper()
	result := a.logOut(a.logoutToken(a.keys.Key, with...))
	require.Equal(a.t, 200, result.Status, string(result.Body))
	require.Equal(a.t, "no-store", result.Header.Get("Cache-Control"))
	require.Empty(a.t, result.Body)
}

// isOut reports whether a refresh token is of a login that has ended.
func (a *agent) isOut(g granted) bool {
	a.t.Helper()
	result := a.renew(g.RefreshToken)
	if result.Status != 200 {
		a.refuses(result, oauth.InvalidGrant, "logged out")
		return true
	}
	return false
}

// Each logout token is one that an attacker could have: none ends anybody's login. The one that
// they differ from does.
func TestLogoutTokens(t *testing.T) {
	a := newLogoutAgent(t)
	login := a.logInAs("sid", "s1")
	sign := func(with ...any) string { return a.logoutToken(a.keys.Key, with...) }
	now := a.sealed.now
	secret := &dpoptest.Key{Algorithm: jose.HS256, Private: []byte(strings.Repeat("s3cret", 8))}
	good := sign()
	for name, tc := range map[string]struct{ token, says string }{
		"signed by somebody else":                {a.logoutToken(dpoptest.NewKey()), "not signed with a key"},
		"signed with the client's secret":        {a.logoutToken(secret), "not a JWT"},
		"unsigned":                               {"eyJhbGciOiJub25lIn0." + strings.Split(good, ".")[1] + ".", "not a JWT"},
		"with another payload":                   {strings.Split(good, ".")[0] + "." + strings.Split(sign("sub", "user-2"), ".")[1] + "." + strings.Split(good, ".")[2], "not signed"},
		"an ID token of the user":                {sign("events", nil, "nonce", "n", "typ", "JWT"), "nonce"},
		"an ID token without a nonce":            {sign("events", nil, "typ", "JWT"), "no event"},
		"an ID token with an event":              {sign("nonce", "n"), "nonce"},
		"an access token":                        {sign("typ", "at+jwt"), "typ"},
		"a security event":                       {sign("typ", "secevent+jwt"), "typ"},
		"another event":                          {sign("events", map[string]any{"http://schemas.openid.net/event/other": map[string]any{}}), "no event"},
		"an event that is no object":             {sign("events", map[string]any{upstream.LogoutEvent: true}), "no event"},
		"events that are a list":                 {sign("events", []string{upstream.LogoutEvent}), "can't be read"},
		"for another client of the IdP":          {sign("aud", "somebody-else"), "aud"},
		"for another client, too":                {sign("aud", []string{"gateway", "somebody-else"}), "aud"},
		"for the client's id at the gateway":     {sign("aud", "app"), "aud"},
		"for nobody":                             {sign("aud", nil), "aud"},
		"of another IdP":                         {sign("iss", "https://evil.example"), "issuer"},
		"of no IdP":                              {sign("iss", nil), "issuer"},
		"of nobody":                              {sign("sub", nil), "neither"},
		"without an id":                          {sign("jti", nil), "jti"},
		"with a long id":                         {sign("jti", strings.Repeat("x", 257)), "jti"},
		"that has expired":                       {sign("exp", now.Add(-time.Hour).Unix()), "expired"},
		"that never expires":                     {sign("exp", nil), "expired"},
		"that was kept for later":                {sign("iat", now.Add(-time.Hour).Unix(), "exp", now.Add(time.Hour).Unix()), "iat"},
		"from the future, for logins until then": {sign("iat", now.Add(time.Hour).Unix(), "exp", now.Add(2*time.Hour).Unix()), "iat"},
		"without a time":                         {sign("iat", nil), "iat"},
		"a long one":                             {sign("x", strings.Repeat("x", upstream.MaxLogoutToken)), "longer"},
		"encrypted":                              {"eyJ.a.b.c.d", "not a JWT"},
		"text":                                   {"user-1", "not a JWT"},
		"none":                                   {"", "missing"},
	} {
		result := a.logOut(tc.token)
		a.refuses(result, oauth.InvalidRequest, tc.says)
		require.Equal(t, 400, result.Status, name)
		require.Equal(t, "no-store", result.Header.Get("Cache-Control"), name)
		require.False(t, a.isOut(login), name)
	}
	for name, result := range map[string]*Result{
		"in the URL":   a.do("POST", "/oauth/backchannel_logout?logout_token="+good, ""),
		"twice":        a.do("POST", "/oauth/backchannel_logout", "logout_token="+good+"&logout_token="+good),
		"as JSON":      a.do("POST", "/oauth/backchannel_logout", `{"logout_token":"`+good+`"}`, "Content-Type", "application/json"),
		"by a browser": a.do("GET", "/oauth/backchannel_logout?logout_token="+good, ""),
	} {
		require.GreaterOrEqual(t, result.Status, 400, name)
		require.False(t, a.isOut(login), name)
	}
	require.Equal(t, 200, a.logOut(good).Status)
	require.True(t, a.isOut(login))
}

func TestTheTypOfALogoutToken(t *testing.T) {
	for _, typ := range []any{nil, "JWT", "logout+jwt", "application/logout+JWT"} {
		a := newLogoutAgent(t)
		login := a.logInAs()
		a.ends("typ", typ)
		require.True(t, a.isOut(login), typ)
	}
}

// Section 2.4: sid ends one session, sub all of a user. Nobody else's end.
func TestWhoseLoginsALogoutEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		logout []any
		ended  []string
	}{
		"a session":                   {[]any{"sub", nil, "sid", "s1"}, []string{"one"}},
		"a session of the user":       {[]any{"sid", "s1"}, []string{"one", "without a session"}},
		"the user":                    {nil, []string{"one", "two", "without a session"}},
		"another user":                {[]any{"sub", "user-2"}, []string{"another user's"}},
		"a session that nobody has":   {[]any{"sub", nil, "sid", "s9"}, nil},
		"a session named as the user": {[]any{"sub", nil, "sid", "user-1"}, nil},
		"a user named as the session": {[]any{"sub", "s1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := newLogoutAgent(t)
			logins := map[string]granted{
				"one": a.logInAs("sid", "s1"), "two": a.logInAs("sid", "s2"), "without a session": a.logInAs(), "another user's": a.logInAs("sub", "user-2", "sid", "s3"),
			}
			a.ends(tc.logout...)
			for login, tokens := range logins {
				require.Equal(t, slices.Contains(tc.ended, login), a.isOut(tokens), login)
			}
			again := a.logInAs("iat", a.sealed.now.Add(2*time.Minute).Unix(), "sid", "s1")
			require.False(t, a.isOut(again), "who logs in again is in")
		})
	}
}

// A login is of one client at the IdP, and so is a logout.
func TestALogoutAtOneClientOnly(t *testing.T) {
	a := newLogoutAgent(t, func(c *Config) { c.Clients[1].IdPClient = &IdPClientConfig{ID: "other-gateway", Secret: "s3cret"} })
	login := a.logInAs("sid", "s1")
	a.ends("aud", "other-gateway", "sid", "s1")
	require.False(t, a.isOut(login))
	a.ends("aud", []string{"other-gateway", "gateway"}, "sid", "s1")
	require.True(t, a.isOut(login))
}

// A logout goes for the logins up to its time, whenever it arrives. Its token is good once, and
// would end no later login if it were sent again.
func TestALogoutThatArrivesLate(t *testing.T) {
	a := newLogoutAgent(t)
	early := a.logInAs()
	token := a.logoutToken(a.keys.Key)
	a.sealed.pass(time.Minute)
	late := a.logInAs()
	require.Equal(t, 200, a.logOut(token).Status)
	require.True(t, a.isOut(early))
	require.False(t, a.isOut(late))
	a.refuses(a.logOut(token), oauth.InvalidRequest, "used before")
	require.False(t, a.isOut(late))
}

// A session that the IdP uses again after its logout is another login.
func TestASessionThatIsUsedAgain(t *testing.T) {
	a := newLogoutAgent(t)
	a.ends("sub", nil, "sid", "s1")
	a.refuses(a.redeemWith("sid", "s1"), oauth.InvalidGrant, "logged out")
	a.sealed.pass(time.Second)
	require.False(t, a.isOut(a.logInAs("sid", "s1")))
}

// A code from before a logout brings no login that outlives it, whenever it is redeemed, and
// however young its ID token is. A login from after it is another one, however old the IdP's own.
func TestACodeFromBeforeALogout(t *testing.T) {
	sub, sid := []any(nil), []any{"sub", nil, "sid", "s1"}
	for name, tc := range map[string]struct {
		logout []any
		// afterwards is how long after the logout the IdP's code comes, and is redeemed.
		afterwards time.Duration
		// shown is when the user has shown at the IdP who he is, after the logout; nil: not said.
		shown any
		// again: the login begins after the logout.
		again, refused bool
	}{
		"of the user":                                          {sub, time.Second, nil, false, true},
		"of the session":                                       {sid, time.Second, nil, false, true},
		"of the session, by a code held back":                  {sid, 63 * time.Second, nil, false, true},
		"of a user who had logged in before":                   {sub, time.Second, -time.Hour, false, true},
		"of a user who was at the login page":                  {sub, 10 * time.Second, 5 * time.Second, false, false},
		"of the user, who logs in again":                       {sub, time.Second, nil, true, false},
		"of the session, which is used again":                  {sid, time.Second, nil, true, false},
		"of another login of a user, whom the IdP knows still": {sub, time.Second, -time.Hour, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := newLogoutAgent(t)
			a.sealed.pass(time.Hour)
			state := ""
			if !tc.again {
				state = a.begun()
				a.sealed.pass(time.Second)
			}
			loggedOut := a.sealed.now
			a.ends(tc.logout...)
			a.sealed.pass(500 * time.Millisecond)
			if tc.again {
				state = a.begun()
			}
			a.sealed.pass(tc.afterwards)
			a.claims = map[string]any{"iat": a.sealed.now.Unix(), "sid": "s1"}
			if shown, ok := tc.shown.(time.Duration); ok {
				a.claims["auth_time"] = loggedOut.Add(shown).Unix()
			}
			result := a.redeem(a.calledBack(state))
			a.claims = nil
			if tc.refused {
				a.refuses(result, oauth.InvalidGrant, "logged out")
				return
			}
			login := a.answer(result)
			require.False(t, a.isOut(login))
			a.sealed.pass(time.Minute)
			a.ends(tc.logout...)
			require.True(t, a.isOut(login), "the next logout ends it")
		})
	}
}

// Who refreshes, or redeems a code, while the IdP logs him out gets no token.
func TestALogoutOvertakesARequest(t *testing.T) {
	a := newLogoutAgent(t)
	login := a.logInAs()
	answer := a.idp
	overtaken := func(r *http.Request) (*http.Response, error) {
		a.respond(answer)
		a.ends()
		return answer(r)
	}
	a.respond(overtaken)
	require.True(t, a.isOut(login))
	a.refuses(a.renew(login.RefreshToken), oauth.InvalidGrant, "was replaced, revoked")

	a.sealed.pass(time.Minute)
	a.respond(overtaken)
	a.refuses(a.redeemWith(), oauth.InvalidGrant, "logged out")
}

// A login whose IdP sent no ID token, or one of somebody else's, is not known to be of any session.
func TestLoginsThatNoLogoutEnds(t *testing.T) {
	a := newLogoutAgent(t)
	for name, body := range map[string]string{
		"no ID token": `{"access_token":"at","token_type":"Bearer"}`,
		"not a JWT":   `{"access_token":"at","token_type":"Bearer","id_token":"x"}`,
	} {
		s := a.sealed.session(&login.Login{ClientID: "app", Began: a.sealed.now}, "app", answerOf(body), a.sealed.now)
		require.Zero(t, s, name)
	}
	login := a.logInAs()
	a.ends()
	off := *a.sealed.Policy
	off.served[BackchannelLogout] = false
	a.use(&off)
	a.families = off.families(a.sealed.store)
	require.False(t, a.isOut(login), "with the option off, nothing is looked at")
}

// Introspection knows of a logout at once, whether the login has a refresh token or not.
func TestAccessTokensAfterALogout(t *testing.T) {
	for name, refresh := range map[string]any{"with a refresh token": "idp-refresh", "without one": nil} {
		t.Run(name, func(t *testing.T) {
			a := newLogoutAgent(t)
			a.token["refresh_token"] = refresh
			one, two := a.logInAs("sid", "s1"), a.logInAs("sid", "s2")
			require.Contains(t, string(a.ask("server-a", one.AccessToken).Body), `"active":true`)
			a.ends("sid", "s1")
			require.JSONEq(t, `{"active":false}`, string(a.ask("server-a", one.AccessToken).Body))
			require.Contains(t, string(a.ask("server-a", two.AccessToken).Body), `"active":true`)
			_, err := gatewaytoken.Open(t.Context(), seal.Static(a.sealed.s.Keys), gatewayURL, one.AccessToken, a.sealed.now)
			require.NoError(t, err, "who opens it, and asks nobody, takes it until it expires")
			a.families = a.sealed.families(failing{a.sealed.store})
			require.Equal(t, 503, a.ask("server-a", two.AccessToken).Status)
		})
	}
}

// A login that has ended is revoked at the IdP when its client refreshes.
func TestTheIdPsTokenOfALoggedOutUserIsRevoked(t *testing.T) {
	a := newLogoutAgent(t)
	m := *a.sealed.idp.Metadata()
	m.RevocationEndpoint = &url.URL{Scheme: "https", Host: "idp.example", Path: "/revoke"}
	a.use(a.sealed.withMetadata(&m))
	login := a.logInAs()
	a.ends()
	require.True(t, a.isOut(login))
	sent := a.sent[len(a.sent)-1]
	require.Equal(t, "/revoke", sent.URL.Path)
	require.Equal(t, "idp-refresh", sent.form.Get("token"))
	require.Equal(t, 400, a.renew(login.RefreshToken).Status)
}

// noSwaps is a store that records no values.
type noSwaps struct{ replay.StateStore }

func (noSwaps) CompareAndSwap(context.Context, replay.Key, []byte, []byte, time.Duration) (bool, error) {
	return false, replay.ErrFull
}

// A logout that can't be recorded, or whose keys can't be had, is 400, and the IdP may try again.
func TestALogoutThatFails(t *testing.T) {
	a := newLogoutAgent(t)
	login, token, families := a.logInAs(), a.logoutToken(a.keys.Key), a.families
	for name, fails := range map[string]func(bool){
		"the store is full": func(on bool) {
			if a.families = families; on {
				a.families = a.sealed.families(noSwaps{a.sealed.store})
			}
		},
		"the store is away": func(on bool) {
			if a.families = families; on {
				a.families = a.sealed.families(failing{a.sealed.store})
			}
		},
		"the keys are away": func(on bool) { a.keys.away = on },
	} {
		fails(true)
		result := a.logOut(token)
		require.Equal(t, 400, result.Status, name)
		require.Equal(t, "no-store", result.Header.Get("Cache-Control"), name)
		require.Equal(t, LogoutFailed, result.Incidents[0].Kind, name)
		fails(false)
		require.False(t, a.isOut(login), name)
	}
	require.Equal(t, 200, a.logOut(token).Status)
	require.True(t, a.isOut(login))

	login = a.logInAs("iat", a.sealed.now.Add(time.Second).Unix())
	a.sealed.pass(time.Second)
	a.logouts = replay.NewOnce(failingStore{a.sealed.store}, 10, dpop.Remember, a.parts.Now)
	require.Equal(t, 200, a.logOut(a.logoutToken(a.keys.Key)).Status, "nobody can tell whether its token was used before")
	require.True(t, a.isOut(login))

	login = a.logInAs("iat", a.sealed.now.Add(time.Second).Unix())
	a.sealed.pass(time.Second)
	token, a.logouts = a.logoutToken(a.keys.Key, "jti", "j1"), replay.NewOnce(a.parts.Replay, 10, dpop.Remember, a.parts.Now)
	_, err := a.logouts.Hold(t.Context(), sha256.Sum256([]byte("logout token\x00"+a.sealed.idp.AuthURL().String()+"\x00j1")), time.Minute, replay.Key{})
	require.NoError(t, err)
	a.refuses(a.logOut(token), oauth.InvalidRequest, "used before")
	require.True(t, a.isOut(login), "the gateway that used it may have been killed")
}

// One user who logs out all the time does not keep others from it.
func TestAFloodOfLogouts(t *testing.T) {
	a := newLogoutAgent(t)
	others := a.logInAs("sub", "user-2")
	var failed error
	a.logouts = replay.NewOnce(a.parts.Replay, 50, dpop.Remember, a.parts.Now)
	for range 60 {
		if result := a.logOut(a.logoutToken(a.keys.Key)); result.Status != 200 {
			failed = result.Decision.Refusal
		}
	}
	require.ErrorContains(t, failed, "can't record")
	a.ends("sub", "user-2")
	require.True(t, a.isOut(others))
}

// A logout is known for as long as a login from before it can be refreshed.
func TestALogoutIsKnownForLongEnough(t *testing.T) {
	a := newLogoutAgent(t)
	login := a.logInAs()
	a.ends()
	a.sealed.pass(a.sealed.rotation.Idle + a.sealed.rotation.Grace - time.Second)
	require.True(t, a.isOut(login))
}

func TestBadBackchannelLogouts(t *testing.T) {
	requireMistakes(t, map[string]func(*Config){
		"rotate_refresh": func(c *Config) { c.Rotation = nil },
		"discover":       func(c *Config) { c.Issuer = "" },
		"client blocks":  func(c *Config) { c.Clients = nil },
	}, rotating, loggingOut)
	off := newAgent(t, true, rotating)
	require.NotEqual(t, 200, serveOrNext(off, "/oauth/backchannel_logout"))
}

// serveOrNext is the status of a POST, 0 if it is for the next handler.
func serveOrNext(a *agent, path string) int {
	if result := a.do("POST", path, "logout_token=x"); result != nil {
		return result.Status
	}
	return 0
}

// FuzzLogoutToken: whatever the claims, what is accepted is for the gateway alone, of its IdP, of
// now, and names somebody.
func FuzzLogoutToken(f *testing.F) {
	a := newLogoutAgent(f)
	for _, with := range [][]any{nil, {"sid", "s1", "sub", nil}, {"nonce", "n"}, {"aud", []string{"gateway", "x"}}, {"events", nil}, {"iat", 1.8e9 + 0.5}} {
		payload, _ := jose.ParseSigned(a.logoutToken(a.keys.Key, with...), jwks.Algorithms())
		f.Add(payload.UnsafePayloadWithoutVerification())
	}
	f.Fuzz(func(t *testing.T, claims []byte) {
		_, token, err := a.sealed.idp.ParseLogoutToken(signedBy(t, jose.ES256, a.keys.Private, "", claims), a.sealed.idpClients, a.sealed.now)
		if err != nil {
			requireWellFormed(t, err)
			return
		}
		if age := a.sealed.now.Sub(token.Issued); age > upstream.MaxLogoutTokenAge+3*time.Minute || age < -3*time.Minute {
			t.Fatalf("%+v is %s old", token, age)
		}
		if len(token.Clients) == 0 || token.Clients[0] != "gateway" || token.Subject == "" && token.Session == "" || token.ID == "" {
			t.Fatalf("%+v is accepted", token)
		}
	})
}

// lossy is a store that loses the request or the reply of one call, counted from 0, or can't be
// read any more.
type lossy struct {
	replay.StateStore
	left         int
	reply, blind bool
}

func (l *lossy) loses() bool {
	l.left--
	return l.left == -1
}

func (l *lossy) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	if l.loses() || l.blind {
		return nil, time.Time{}, errors.New("read timeout")
	}
	return l.StateStore.Load(ctx, key)
}

func (l *lossy) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	if !l.loses() {
		return l.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
	}
	if l.reply {
		_, _ = l.StateStore.CompareAndSwap(ctx, key, old, replacement, ttl)
	}
	return false, errors.New("read timeout")
}

// Whatever call of the store is lost after the IdP has answered, the client gets its token, or is
// told to try again and then gets it: the IdP takes each of its refresh tokens once.
func TestALostCallAfterTheIdPHasAnswered(t *testing.T) {
	for _, reply := range []bool{false, true} {
		for call := range 8 {
			synctest.Test(t, func(t *testing.T) {
				a := newLogoutAgent(t)
				store := &lossy{StateStore: a.sealed.store, reply: reply}
				a.families = a.sealed.families(store)
				given := 0
				answer := a.idp
				a.respond(func(r *http.Request) (*http.Response, error) {
					if given++; given > 1 {
						require.Equal(t, fmt.Sprint("idp-refresh-", given-1), a.sent[len(a.sent)-1].form.Get("refresh_token"), "the IdP's newest")
					}
					a.token["refresh_token"] = fmt.Sprint("idp-refresh-", given)
					store.left = call
					return answer(r)
				})
				login := a.logInAs("sid", "s1")
				require.NotEmpty(t, login.RefreshToken)
				for range 3 {
					a.sealed.pass(time.Hour)
					store.left = -1
					result := a.renew(login.RefreshToken)
					if result.Status >= 500 {
						result = a.renew(login.RefreshToken)
					}
					login = a.answer(result)
				}
			})
		}
	}
}

// What the store can't tell for longer, after the IdP has answered, it tells at the next refresh:
// the client has its token, and the login has ended all the same if the IdP has ended it.
func TestASessionThatTheStoreCantTellAfterTheIdPHasAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newLogoutAgent(t)
		store := &lossy{StateStore: a.sealed.store}
		a.families = a.sealed.families(store)
		answer := a.idp
		a.respond(func(r *http.Request) (*http.Response, error) {
			store.blind = true
			return answer(r)
		})
		login := a.logInAs("sid", "s1")
		require.NotEmpty(t, login.AccessToken)
		require.Empty(t, login.RefreshToken, "it could not be recorded")

		store.blind = false
		a.respond(answer)
		login = a.logInAs("sid", "s1")
		a.sealed.pass(time.Hour)
		a.respond(func(r *http.Request) (*http.Response, error) {
			a.ends("sid", "s1")
			store.blind = true
			return answer(r)
		})
		result := a.renew(login.RefreshToken)
		login = a.answer(result)
		require.Equal(t, RefreshFailed, result.Incidents[0].Kind)
		store.blind = false
		a.respond(answer)
		require.True(t, a.isOut(login))
	})
}
