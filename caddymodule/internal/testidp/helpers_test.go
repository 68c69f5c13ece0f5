package testidp

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	testRedirect = "http://127.0.0.1:49152/callback"
	// RFC 7636 appendix B.
	testVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	testChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// tenant is a running provider and a browser in front of it.
type tenant struct {
	t       *testing.T
	url     string
	browser *http.Client
}

func startTenant(t *testing.T, config Config) *tenant {
	t.Helper()
	p, err := New(config, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	tn := &tenant{t: t, url: server.URL}
	tn.newBrowser()
	return tn
}

// newBrowser forgets all cookies. It follows no redirect: tests look at each.
func (tn *tenant) newBrowser() {
	jar, err := cookiejar.New(nil)
	require.NoError(tn.t, err)
	tn.browser = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// reply is a response with its whole body.
type reply struct {
	*http.Response
	body string
}

// do sends a form, if there is one; header are names and values.
func (tn *tenant) do(method, path string, form url.Values, header ...string) reply {
	tn.t.Helper()
	r, err := http.NewRequest(method, tn.url+strings.TrimPrefix(path, tn.url), strings.NewReader(form.Encode()))
	require.NoError(tn.t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := tn.browser.Do(r)
	require.NoError(tn.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(tn.t, err)
	return reply{response, string(body)}
}

func (tn *tenant) get(path string) reply { return tn.do(http.MethodGet, path, nil) }

func (tn *tenant) post(path string, form url.Values) reply {
	return tn.do(http.MethodPost, path, form)
}

func (r reply) location(t *testing.T) *url.URL {
	t.Helper()
	location, err := r.Location()
	require.NoError(t, err, "status %d: %s", r.StatusCode, r.body)
	return location
}

func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var value map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.body), &value), r.body)
	return value
}

// authorizeQuery is the path of a login with other parameters than usual; nil leaves one out.
func authorizeQuery(change url.Values) string {
	query := url.Values{
		"client_id": {"dev-native"}, "redirect_uri": {testRedirect}, "response_type": {"code"}, "scope": {"openid profile"}, "state": {"xyz"},
		"code_challenge": {testChallenge}, "code_challenge_method": {"S256"},
	}
	maps.Copy(query, change)
	return PathAuthorize + "?" + query.Encode()
}

// chooseUser goes through the login page as a person would.
func (tn *tenant) chooseUser(authorize reply, username string) reply {
	tn.t.Helper()
	require.Equal(tn.t, http.StatusFound, authorize.StatusCode, authorize.body)
	page := tn.get(authorize.Header.Get("Location"))
	require.Equal(tn.t, http.StatusOK, page.StatusCode, page.body)
	state := regexp.MustCompile(`name="state" value="([^"]+)"`).FindStringSubmatch(page.body)
	require.NotNil(tn.t, state, page.body)
	return tn.post(PathLogin, url.Values{"state": {state[1]}, "username": {username}})
}

// code is that of a login for offline access.
func (tn *tenant) code() string {
	tn.t.Helper()
	response := tn.get(authorizeQuery(url.Values{"scope": {"openid profile email offline_access"}}))
	if response.location(tn.t).Path == PathLogin {
		response = tn.chooseUser(response, "ada")
	}
	code := response.location(tn.t).Query().Get("code")
	require.NotEmpty(tn.t, code, response.Header.Get("Location"))
	return code
}

// exchangeForm is the form of an exchange with other parameters than usual; nil leaves one out.
func exchangeForm(code string, change url.Values) url.Values {
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"dev-native"}, "code": {code},
		"redirect_uri": {testRedirect}, "code_verifier": {testVerifier},
	}
	maps.Copy(form, change)
	return form
}

// logIn is the token response of a whole login.
func (tn *tenant) logIn() map[string]any {
	tn.t.Helper()
	response := tn.post(PathToken, exchangeForm(tn.code(), nil))
	require.Equal(tn.t, http.StatusOK, response.StatusCode, response.body)
	return response.json(tn.t)
}

func (tn *tenant) refresh(token any) reply {
	return tn.post(PathToken, url.Values{"grant_type": {"refresh_token"}, "client_id": {"dev-native"}, "refresh_token": {token.(string)}})
}

func (tn *tenant) userInfo(accessToken any) reply {
	return tn.do(http.MethodGet, PathUserInfo, nil, "Authorization", "Bearer "+accessToken.(string))
}
