package testidp

import (
	"maps"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUserInfo(t *testing.T) {
	user := user{"ada", map[string]any{"sub": "1", "name": "Ada", "email": "ada@example.com", "email_verified": false}}
	require.Equal(t, map[string]any{}, user.claimsFor([]string{"openid"}))
	require.Equal(t, map[string]any{"name": "Ada"}, user.claimsFor([]string{"openid", "profile"}))
	require.Equal(t, map[string]any{"email": "ada@example.com", "email_verified": false}, user.claimsFor([]string{"openid", "email"}))

	tn := startTenant(t, Config{})
	require.Equal(t, "Bearer", tn.get(PathUserInfo).Header.Get("WWW-Authenticate"))
	response := tn.userInfo("eyJhbGciOiJub25lIn0.e30.")
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
	require.Contains(t, response.Header.Get("WWW-Authenticate"), `error="invalid_token"`)
}

func TestExchangeErrors(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	for name, test := range map[string]struct {
		change url.Values
		want   string
	}{
		"wrong verifier":     {url.Values{"code_verifier": {testChallenge}}, "invalid_grant"},
		"no verifier":        {url.Values{"code_verifier": nil}, "invalid_request"},
		"other redirect URI": {url.Values{"redirect_uri": {"http://127.0.0.1:1/callback"}}, "invalid_grant"},
		"no redirect URI":    {url.Values{"redirect_uri": nil}, "invalid_grant"},
		"other client":       {url.Values{"client_id": {"dev-spa"}}, "invalid_grant"},
		"unknown client":     {url.Values{"client_id": {"somebody"}}, "invalid_client"},
		"invented code":      {url.Values{"code": {"AAAA"}}, "invalid_grant"},
		"no code":            {url.Values{"code": nil}, "invalid_request"},
		"code twice":         {url.Values{"code": {"AAAA", "BBBB"}}, "invalid_request"},
		"no grant type":      {url.Values{"grant_type": nil}, "invalid_request"},
		"password grant":     {url.Values{"grant_type": {"password"}}, "unsupported_grant_type"},
		"no refresh token":   {url.Values{"grant_type": {"refresh_token"}}, "invalid_request"},
		"invented token":     {url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"v1.AAAA"}}, "invalid_grant"},
	} {
		t.Run(name, func(t *testing.T) {
			response := tn.post(PathToken, exchangeForm(tn.code(), test.change))
			require.GreaterOrEqual(t, response.StatusCode, 400, response.body)
			require.Equal(t, test.want, response.json(t)["error"], response.body)
			require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		})
	}
	inTheURL := tn.post(PathToken+"?grant_type=refresh_token", url.Values{"client_id": {"dev-native"}})
	require.Equal(t, "invalid_request", inTheURL.json(t)["error"])
}

func TestASecondUseOfACodeRevokesItsTokens(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	code := tn.code()
	var first atomic.Value
	var succeeded atomic.Int32
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if response := tn.post(PathToken, exchangeForm(code, nil)); response.StatusCode == http.StatusOK {
				succeeded.Add(1)
				first.Store(response.json(t))
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, succeeded.Load())
	tokens := first.Load().(map[string]any)
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(tokens["access_token"]).StatusCode)
	require.Equal(t, "invalid_grant", tn.refresh(tokens["refresh_token"]).json(t)["error"])
}

func TestACodeExpires(t *testing.T) {
	now := time.Now()
	s := newStore(func() time.Time { return now }, 10)
	code := s.issueCode(new(login))
	now = now.Add(time.Minute)
	_, err := s.redeemCode(&Behavior{Strict: true}, code, "", "", "")
	require.ErrorContains(t, err, "expired")
}

func TestRefreshTokensRotateAndAReuseEndsTheFamily(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	first := tn.logIn()
	second := tn.refresh(first["refresh_token"]).json(t)
	require.NotEqual(t, first["refresh_token"], second["refresh_token"])
	require.NotEmpty(t, second["id_token"])
	require.Equal(t, http.StatusOK, tn.userInfo(second["access_token"]).StatusCode)

	require.Equal(t, "invalid_grant", tn.refresh(first["refresh_token"]).json(t)["error"])
	require.Equal(t, "invalid_grant", tn.refresh(second["refresh_token"]).json(t)["error"])
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(second["access_token"]).StatusCode)

	revoked := tn.logIn()
	require.Equal(t, http.StatusOK, tn.post(PathRevoke, url.Values{"client_id": {"dev-native"}, "token": {revoked["refresh_token"].(string)}}).StatusCode)
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(revoked["access_token"]).StatusCode)

	online := tn.post(PathToken, exchangeForm(tn.get(authorizeQuery(nil)).location(t).Query().Get("code"), nil)).json(t)
	require.NotEmpty(t, online["access_token"])
	require.NotContains(t, online, "refresh_token", "without offline_access")
}

func TestCrossOriginRequestsOfRegisteredPagesOnly(t *testing.T) {
	tn := startTenant(t, Config{})
	for origin, want := range map[string]string{
		"http://localhost:5173": "http://localhost:5173", "https://evil.example": "", "http://localhost.evil.example": "", "null": "",
	} {
		preflight := tn.do(http.MethodOptions, PathToken, nil, "Origin", origin, "Access-Control-Request-Method", "POST")
		require.Equal(t, want, preflight.Header.Get("Access-Control-Allow-Origin"), origin)
	}
}

// RFC 6749 sections 2.3.1 and 3.2.1: a confidential client authenticates for both
// grants, and a code that was rejected for somebody else is still good.
func TestAConfidentialClientAuthenticates(t *testing.T) {
	const secret = "a secret: with % and +"
	tn := startTenant(t, Config{Clients: []Client{{ID: "dev-native", Secret: secret, RedirectURIs: []string{testRedirect}}}})
	type authentication struct{ basic, form string }
	send := func(form url.Values, a authentication) reply {
		form = maps.Clone(form)
		if a.form != "" {
			form.Set("client_secret", a.form)
		}
		var header []string
		if a.basic != "" {
			r := &http.Request{Header: make(http.Header)}
			r.SetBasicAuth("dev-native", url.QueryEscape(a.basic))
			header = []string{"Authorization", r.Header.Get("Authorization")}
		}
		return tn.do(http.MethodPost, PathToken, form, header...)
	}
	for name, good := range map[string]authentication{"client_secret_basic": {basic: secret}, "client_secret_post": {form: secret}} {
		t.Run(name, func(t *testing.T) {
			form := exchangeForm(tn.code(), nil)
			for _, bad := range []authentication{{}, {basic: "guess"}, {form: "guess"}} {
				rejected := send(form, bad)
				require.Equal(t, http.StatusUnauthorized, rejected.StatusCode, rejected.body)
				require.Equal(t, "invalid_client", rejected.json(t)["error"])
			}
			token := send(form, good)
			require.Equal(t, http.StatusOK, token.StatusCode, token.body)

			form = url.Values{"grant_type": {"refresh_token"}, "client_id": {"dev-native"}, "refresh_token": {token.json(t)["refresh_token"].(string)}}
			require.Equal(t, http.StatusUnauthorized, send(form, authentication{}).StatusCode)
			require.Equal(t, http.StatusOK, send(form, good).StatusCode)
		})
	}
}

func TestPushedRequests(t *testing.T) {
	tn := startTenant(t, Config{Clients: []Client{
		{ID: "web", Secret: "s3cret", RedirectURIs: []string{testRedirect}},
		{ID: "native", RedirectURIs: []string{testRedirect}},
	}})
	push := func(with ...string) reply {
		q := url.Values{
			"client_id": {"web"}, "client_secret": {"s3cret"}, "response_type": {"code"}, "redirect_uri": {testRedirect}, "state": {"xyz"}, "scope": {"openid"},
			"code_challenge": {testChallenge}, "code_challenge_method": {"S256"},
		}
		for i := 0; i < len(with); i += 2 {
			q.Set(with[i], with[i+1])
		}
		return tn.post(PathPAR, q)
	}
	pushed := push()
	require.Equal(t, http.StatusCreated, pushed.StatusCode, pushed.body)
	uri := pushed.json(t)["request_uri"].(string)
	at := func(clientID string) string {
		return PathAuthorize + "?" + url.Values{"client_id": {clientID}, "request_uri": {uri}, "scope": {"admin"}}.Encode()
	}
	require.Equal(t, http.StatusBadRequest, tn.get(at("native")).StatusCode, "another client's")
	done := tn.chooseUser(tn.get(at("web")), "ada").location(t).Query()
	require.Equal(t, "xyz", done.Get("state"))
	require.NotEmpty(t, done.Get("code"))
	require.Equal(t, http.StatusBadRequest, tn.get(at("web")).StatusCode, "used up")

	require.Equal(t, http.StatusUnauthorized, push("client_secret", "wrong").StatusCode)
	require.Equal(t, http.StatusUnauthorized, push("client_id", "nobody").StatusCode)
	require.Equal(t, http.StatusBadRequest, push("request_uri", "urn:x").StatusCode)
	require.Equal(t, http.StatusCreated, push("client_id", "native").StatusCode, "a public client")
	require.Equal(t, tn.url+PathPAR, tn.get(PathDiscovery).json(t)["pushed_authorization_request_endpoint"])
}
