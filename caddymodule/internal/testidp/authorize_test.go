package testidp

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

const testChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" // RFC 7636 appendix B

func authorizeQuery(change url.Values) string {
	query := url.Values{
		"client_id": {"dev-native"}, "redirect_uri": {testRedirect}, "response_type": {"code"},
		"scope": {"openid profile"}, "state": {"xyz"},
		"code_challenge": {testChallenge}, "code_challenge_method": {"S256"},
	}
	for name, values := range change {
		query[name] = values
	}
	return PathAuthorize + "?" + query.Encode()
}

func TestAuthorizeErrorsThatAreShownAndNotSent(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	for name, change := range map[string]url.Values{
		"unknown client":                    {"client_id": {"somebody"}},
		"no client":                         {"client_id": nil},
		"no redirect URI":                   {"redirect_uri": nil},
		"redirect URI elsewhere":            {"redirect_uri": {"https://evil.example/callback"}},
		"redirect URI with a user name":     {"redirect_uri": {"http://127.0.0.1:80@evil.example/callback"}},
		"redirect URI with a fragment":      {"redirect_uri": {testRedirect + "#x"}},
		"redirect URI on a look-alike host": {"redirect_uri": {"http://127.0.0.1.evil.example/callback"}},
		"client twice":                      {"client_id": {"dev-native", "dev-spa"}},
		"redirect URI twice":                {"redirect_uri": {testRedirect, testRedirect}},
	} {
		t.Run(name, func(t *testing.T) {
			response := tn.get(authorizeQuery(change))
			require.Equal(t, http.StatusBadRequest, response.StatusCode)
			require.Empty(t, response.Header.Get("Location"))
			require.Contains(t, response.body, "For development only")
		})
	}
}

func TestAuthorizeErrorsThatAreSentToTheClient(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	for name, test := range map[string]struct {
		change url.Values
		want   string
	}{
		"no PKCE":                   {url.Values{"code_challenge": nil, "code_challenge_method": nil}, "invalid_request"},
		"plain PKCE":                {url.Values{"code_challenge_method": {"plain"}}, "invalid_request"},
		"method absent means plain": {url.Values{"code_challenge_method": nil}, "invalid_request"},
		"short challenge":           {url.Values{"code_challenge": {testChallenge[:42]}}, "invalid_request"},
		"padded challenge":          {url.Values{"code_challenge": {testChallenge + "="}}, "invalid_request"},
		"token response type":       {url.Values{"response_type": {"token"}}, "unsupported_response_type"},
		"no response type":          {url.Values{"response_type": nil}, "unsupported_response_type"},
		"no scope":                  {url.Values{"scope": nil}, "invalid_request"},
		"unknown response mode":     {url.Values{"response_mode": {"pigeon"}}, "invalid_request"},
		"request object":            {url.Values{"request": {"e30.e30."}}, "request_not_supported"},
	} {
		t.Run(name, func(t *testing.T) {
			response := tn.get(authorizeQuery(test.change))
			location := response.location(t)
			require.Equal(t, http.StatusFound, response.StatusCode)
			require.Equal(t, "127.0.0.1:49152", location.Host)
			require.Equal(t, test.want, location.Query().Get("error"))
			require.Equal(t, "xyz", location.Query().Get("state"))
			require.Empty(t, location.Query().Get("code"))
		})
	}
}

func TestPromptNoneNeedsASession(t *testing.T) {
	tn := startTenant(t, Config{})
	silent := authorizeQuery(url.Values{"prompt": {"none"}})
	require.Equal(t, "login_required", tn.get(silent).location(t).Query().Get("error"))

	require.NotEmpty(t, tn.chooseUser(tn.get(authorizeQuery(nil)), "grace").location(t).Query().Get("code"))
	require.NotEmpty(t, tn.get(silent).location(t).Query().Get("code"), "the session of the browser is enough")

	require.Equal(t, PathLogin, tn.get(authorizeQuery(url.Values{"prompt": {"login"}})).location(t).Path, "prompt=login asks again")

	tn.newBrowser()
	require.Equal(t, "login_required", tn.get(silent).location(t).Query().Get("error"), "another browser has no session")
}

func TestAutoLoginFinishesWithoutThePage(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "grace"})
	for _, prompt := range []url.Values{nil, {"prompt": {"none"}}} {
		tn.newBrowser()
		require.NotEmpty(t, tn.get(authorizeQuery(prompt)).location(t).Query().Get("code"))
	}
	require.Equal(t, "Grace Hopper", tn.userInfo(tn.logIn("grace").AccessToken).json(t)["name"])
}

func TestResponseModes(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	ask := func(mode string) fullResponse { return tn.get(authorizeQuery(url.Values{"response_mode": {mode}})) }

	query := ask("query").location(t)
	require.NotEmpty(t, query.Query().Get("code"))
	require.Equal(t, "xyz", query.Query().Get("state"))

	fragment := ask("fragment").location(t)
	require.Empty(t, fragment.RawQuery)
	values, err := url.ParseQuery(fragment.Fragment)
	require.NoError(t, err)
	require.NotEmpty(t, values.Get("code"))

	form := ask("form_post")
	require.Equal(t, http.StatusOK, form.StatusCode)
	require.Contains(t, form.body, `<form method="post" action="`+testRedirect+`">`)
	require.Regexp(t, `name="code" value="[A-Z2-7]+"`, form.body)
	require.Contains(t, form.body, `name="state" value="xyz"`)

	message := ask("web_message")
	require.Equal(t, http.StatusOK, message.StatusCode)
	require.Regexp(t, `postMessage\(\{type: "authorization_response", response: \{"code":"[A-Z2-7]+","state":"xyz"\}\}, "http://127.0.0.1:49152"\)`, message.body)
	require.NotContains(t, message.Header.Get("Content-Security-Policy"), "frame-ancestors")
}

func TestCancelOnThePageIsAccessDenied(t *testing.T) {
	tn := startTenant(t, Config{})
	page := tn.get(authorizeQuery(nil)).location(t)
	response := tn.post(PathLogin, url.Values{"state": {page.Query().Get("state")}, "action": {"cancel"}})
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	require.Equal(t, "access_denied", response.location(t).Query().Get("error"))
}

func TestALoginPageIsGoodOnce(t *testing.T) {
	tn := startTenant(t, Config{})
	page := tn.get(authorizeQuery(nil)).location(t)
	form := url.Values{"state": {page.Query().Get("state")}, "username": {"ada"}}
	require.NotEmpty(t, tn.post(PathLogin, form).location(t).Query().Get("code"))
	require.Equal(t, http.StatusBadRequest, tn.post(PathLogin, form).StatusCode)
	require.Equal(t, http.StatusBadRequest, tn.get(PathLogin+"?state=invented").StatusCode)
}

func TestTheLoginPageSaysWhatItIs(t *testing.T) {
	tn := startTenant(t, Config{})
	for _, path := range []string{tn.get(authorizeQuery(nil)).Header.Get("Location"), PathIndex, PathLogout} {
		require.Contains(t, tn.get(path).body, "For development only", path)
	}
}

func TestLoggedInAtOnceFromTheCookieOfAnEarlierLogin(t *testing.T) {
	tn := startTenant(t, Config{})
	tn.logIn("noor")
	location := tn.get(tn.oauth().AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier()))).location(t)
	require.NotEmpty(t, location.Query().Get("code"))
}
