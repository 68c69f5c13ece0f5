package testidp

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAuthorizeErrors(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	for name, test := range map[string]struct {
		change url.Values
		want   string // "": shown, and not sent to the client
	}{
		"unknown client":                    {url.Values{"client_id": {"somebody"}}, ""},
		"no client":                         {url.Values{"client_id": nil}, ""},
		"no redirect URI":                   {url.Values{"redirect_uri": nil}, ""},
		"redirect URI elsewhere":            {url.Values{"redirect_uri": {"https://evil.example/callback"}}, ""},
		"redirect URI with a user name":     {url.Values{"redirect_uri": {"http://127.0.0.1:80@evil.example/callback"}}, ""},
		"redirect URI with a fragment":      {url.Values{"redirect_uri": {testRedirect + "#x"}}, ""},
		"redirect URI on a look-alike host": {url.Values{"redirect_uri": {"http://127.0.0.1.evil.example/callback"}}, ""},
		"client twice":                      {url.Values{"client_id": {"dev-native", "dev-spa"}}, ""},
		"redirect URI twice":                {url.Values{"redirect_uri": {testRedirect, testRedirect}}, ""},

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
			if test.want == "" {
				require.Equal(t, http.StatusBadRequest, response.StatusCode)
				require.Empty(t, response.Header.Get("Location"))
				require.Contains(t, response.body, "For development only")
				return
			}
			require.Equal(t, http.StatusFound, response.StatusCode)
			location := response.location(t)
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
	for _, again := range []string{silent, authorizeQuery(nil)} {
		require.NotEmpty(t, tn.get(again).location(t).Query().Get("code"), "the session of the browser is enough")
	}
	require.Equal(t, PathLogin, tn.get(authorizeQuery(url.Values{"prompt": {"login"}})).location(t).Path, "prompt=login asks again")
	tn.newBrowser()
	require.Equal(t, "login_required", tn.get(silent).location(t).Query().Get("error"), "another browser has no session")

	auto := startTenant(t, Config{AutoLogin: "grace"})
	require.NotEmpty(t, auto.get(silent).location(t).Query().Get("code"))
	auto.newBrowser()
	require.Equal(t, "Grace Hopper", auto.userInfo(auto.logIn()["access_token"]).json(t)["name"])
}

func TestResponseModes(t *testing.T) {
	tn := startTenant(t, Config{AutoLogin: "ada"})
	ask := func(mode string) reply { return tn.get(authorizeQuery(url.Values{"response_mode": {mode}})) }

	query := ask("query").location(t)
	require.NotEmpty(t, query.Query().Get("code"))
	require.Equal(t, "xyz", query.Query().Get("state"))
	require.Regexp(t, `^http://127\.0\.0\.1:49152/callback#code=[A-Z2-7]+&state=xyz$`, ask("fragment").Header.Get("Location"))
	form := ask("form_post").body
	require.Contains(t, form, `<form method="post" action="`+testRedirect+`">`)
	require.Regexp(t, `name="code" value="[A-Z2-7]+"`, form)
	require.Contains(t, form, `name="state" value="xyz"`)
	message := ask("web_message")
	require.Regexp(t, `postMessage\(\{type: "authorization_response", response: \{"code":"[A-Z2-7]+","state":"xyz"\}\}, "http://127.0.0.1:49152"\)`, message.body)
	require.NotContains(t, message.Header.Get("Content-Security-Policy"), "frame-ancestors")
}

func TestALoginPageIsGoodOnce(t *testing.T) {
	tn := startTenant(t, Config{})
	page := func() url.Values {
		return url.Values{"state": {tn.get(authorizeQuery(nil)).location(t).Query().Get("state")}, "username": {"ada"}}
	}
	cancel := page()
	cancel.Set("action", "cancel")
	cancelled := tn.post(PathLogin, cancel)
	require.Equal(t, http.StatusSeeOther, cancelled.StatusCode)
	require.Equal(t, "access_denied", cancelled.location(t).Query().Get("error"))
	form := page()
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
