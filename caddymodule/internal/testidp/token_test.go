package testidp

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

func TestUserInfoGivesWhatTheScopesAskFor(t *testing.T) {
	user := user{"ada", map[string]any{"sub": "1", "name": "Ada", "email": "ada@example.com", "email_verified": false}}
	require.Equal(t, map[string]any{}, user.claimsFor([]string{"openid"}))
	require.Equal(t, map[string]any{"name": "Ada"}, user.claimsFor([]string{"openid", "profile"}))
	require.Equal(t, map[string]any{"email": "ada@example.com", "email_verified": false}, user.claimsFor([]string{"openid", "email"}))
}

func TestUserInfoErrors(t *testing.T) {
	tn := startTenant(t, Config{})
	require.Equal(t, "Bearer", tn.get(PathUserInfo).Header.Get("WWW-Authenticate"))
	response := tn.userInfo("eyJhbGciOiJub25lIn0.e30.")
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
	require.Contains(t, response.Header.Get("WWW-Authenticate"), `error="invalid_token"`)
	require.Equal(t, "invalid_token", response.json(t)["error"])
}

func TestExchangeErrors(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	verifier := oauth2.GenerateVerifier()
	for name, test := range map[string]struct {
		change url.Values
		want   string
	}{
		"wrong verifier":     {url.Values{"code_verifier": {oauth2.GenerateVerifier()}}, "invalid_grant"},
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
			form := url.Values{
				"grant_type": {"authorization_code"}, "client_id": {"dev-native"}, "code": {tn.code("ada", verifier)},
				"redirect_uri": {testRedirect}, "code_verifier": {verifier},
			}
			for parameter, values := range test.change {
				form[parameter] = values
			}
			response := tn.post(PathToken, form)
			require.GreaterOrEqual(t, response.StatusCode, 400, response.body)
			require.Equal(t, test.want, response.json(t)["error"], response.body)
			require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		})
	}
}

func TestParametersOfTheTokenEndpointAreReadFromTheBodyOnly(t *testing.T) {
	tn := startTenant(t, Config{})
	require.Equal(t, "invalid_request", tn.post(PathToken+"?grant_type=refresh_token", url.Values{"client_id": {"dev-native"}}).json(t)["error"])
}

func TestASecondUseOfACodeRevokesItsTokens(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	verifier := oauth2.GenerateVerifier()
	code := tn.code("ada", verifier)

	first := tn.exchange(code, verifier)
	require.Equal(t, http.StatusOK, first.StatusCode, first.body)
	accessToken := first.json(t)["access_token"].(string)
	require.Equal(t, http.StatusOK, tn.userInfo(accessToken).StatusCode)

	require.Equal(t, "invalid_grant", tn.exchange(code, verifier).json(t)["error"])
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(accessToken).StatusCode)
	require.Equal(t, "invalid_grant", tn.refresh(first.json(t)["refresh_token"].(string)).json(t)["error"])
}

func TestOfParallelExchangesOfOneCodeOneSucceeds(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	verifier := oauth2.GenerateVerifier()
	code := tn.code("ada", verifier)

	statuses := make([]int, 20)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() { statuses[i] = tn.exchange(code, verifier).StatusCode })
	}
	group.Wait()
	succeeded := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			succeeded++
		}
	}
	require.Equal(t, 1, succeeded)
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
	first := tn.logIn("ada")

	response := tn.refresh(first.RefreshToken)
	require.Equal(t, http.StatusOK, response.StatusCode, response.body)
	second := response.json(t)
	require.NotEqual(t, first.RefreshToken, second["refresh_token"])
	require.NotEmpty(t, second["id_token"])
	require.Equal(t, http.StatusOK, tn.userInfo(second["access_token"].(string)).StatusCode)

	require.Equal(t, "invalid_grant", tn.refresh(first.RefreshToken).json(t)["error"])
	require.Equal(t, "invalid_grant", tn.refresh(second["refresh_token"].(string)).json(t)["error"])
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(second["access_token"].(string)).StatusCode)
}

func TestNoRefreshTokenWithoutOfflineAccess(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	verifier := "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636 appendix B
	code := tn.get(authorizeQuery(nil)).location(t).Query().Get("code")
	tokens := tn.exchange(code, verifier).json(t)
	require.NotEmpty(t, tokens["access_token"])
	require.NotContains(t, tokens, "refresh_token")
}

func TestRevocation(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	token := tn.logIn("ada")
	response := tn.post(PathRevoke, url.Values{"client_id": {"dev-native"}, "token": {token.RefreshToken}})
	require.Equal(t, http.StatusOK, response.StatusCode, response.body)
	require.Equal(t, http.StatusUnauthorized, tn.userInfo(token.AccessToken).StatusCode)
}

func TestCrossOriginRequestsOfRegisteredPagesOnly(t *testing.T) {
	tn := startTenant(t, Config{})
	preflight := func(origin string) string {
		request, err := http.NewRequest(http.MethodOptions, tn.url+PathToken, nil)
		require.NoError(t, err)
		request.Header.Set("Origin", origin)
		request.Header.Set("Access-Control-Request-Method", "POST")
		response, err := tn.browser.Do(request)
		require.NoError(t, err)
		return readResponse(t, response).Header.Get("Access-Control-Allow-Origin")
	}
	require.Equal(t, "http://localhost:5173", preflight("http://localhost:5173"))
	require.Empty(t, preflight("https://evil.example"))
	require.Empty(t, preflight("http://localhost.evil.example"))
	require.Empty(t, preflight("null"))
}

// RFC 6749 sections 2.3.1 and 3.2.1: a confidential client authenticates for both
// grants, and a code that was rejected for somebody else is still good.
func TestAConfidentialClientAuthenticates(t *testing.T) {
	const secret = "a secret: with % and +"
	tn := startTenant(t, Config{Clients: []Client{{ID: "dev-native", Secret: secret, RedirectURIs: []string{testRedirect}}}})
	type authentication struct{ basic, form string }
	send := func(form url.Values, a authentication) fullResponse {
		form.Set("client_id", "dev-native")
		if a.form != "" {
			form.Set("client_secret", a.form)
		}
		request, err := http.NewRequest(http.MethodPost, tn.url+PathToken, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if a.basic != "" {
			request.SetBasicAuth("dev-native", url.QueryEscape(a.basic))
		}
		response, err := tn.browser.Do(request)
		require.NoError(t, err)
		return readResponse(t, response)
	}
	for name, good := range map[string]authentication{"client_secret_basic": {basic: secret}, "client_secret_post": {form: secret}} {
		t.Run(name, func(t *testing.T) {
			verifier := oauth2.GenerateVerifier()
			form := url.Values{
				"grant_type": {"authorization_code"}, "code": {tn.code("ada", verifier)},
				"redirect_uri": {testRedirect}, "code_verifier": {verifier},
			}
			for _, bad := range []authentication{{}, {basic: "guess"}, {form: "guess"}} {
				rejected := send(maps.Clone(form), bad)
				require.Equal(t, http.StatusUnauthorized, rejected.StatusCode, rejected.body)
				require.Equal(t, "invalid_client", rejected.json(t)["error"])
			}
			token := send(form, good)
			require.Equal(t, http.StatusOK, token.StatusCode, token.body)

			form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token.json(t)["refresh_token"].(string)}}
			rejected := send(maps.Clone(form), authentication{})
			require.Equal(t, http.StatusUnauthorized, rejected.StatusCode, rejected.body)
			require.Equal(t, http.StatusOK, send(form, good).StatusCode)
		})
	}
}

func TestPushedRequests(t *testing.T) {
	tn := startTenant(t, Config{Clients: []Client{
		{ID: "web", Secret: "s3cret", RedirectURIs: []string{testRedirect}},
		{ID: "native", RedirectURIs: []string{testRedirect}},
	}})
	request := func(with ...string) url.Values {
		q := url.Values{
			"client_id": {"web"}, "client_secret": {"s3cret"}, "response_type": {"code"}, "redirect_uri": {testRedirect}, "state": {"xyz"}, "scope": {"openid"},
			"code_challenge": {oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier())}, "code_challenge_method": {"S256"},
		}
		for i := 0; i < len(with); i += 2 {
			q.Set(with[i], with[i+1])
		}
		return q
	}
	pushed := tn.post(PathPAR, request())
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

	require.Equal(t, http.StatusUnauthorized, tn.post(PathPAR, request("client_secret", "wrong")).StatusCode)
	require.Equal(t, http.StatusUnauthorized, tn.post(PathPAR, request("client_id", "nobody")).StatusCode)
	require.Equal(t, http.StatusBadRequest, tn.post(PathPAR, request("request_uri", "urn:x")).StatusCode)
	require.Equal(t, http.StatusCreated, tn.post(PathPAR, request("client_id", "native")).StatusCode, "a public client")
	require.Equal(t, tn.url+PathPAR, tn.get(PathDiscovery).json(t)["pushed_authorization_request_endpoint"])
}
