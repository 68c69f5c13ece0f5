package testidp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

const testRedirect = "http://127.0.0.1:49152/callback"

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

func (tn *tenant) oauth() *oauth2.Config {
	return &oauth2.Config{
		ClientID: "dev-native", RedirectURL: testRedirect, Scopes: []string{"openid", "profile", "email", "offline_access"},
		Endpoint: oauth2.Endpoint{AuthURL: tn.url + PathAuthorize, TokenURL: tn.url + PathToken, AuthStyle: oauth2.AuthStyleInParams},
	}
}

func (tn *tenant) get(path string) fullResponse {
	tn.t.Helper()
	response, err := tn.browser.Get(tn.absolute(path))
	require.NoError(tn.t, err)
	return readResponse(tn.t, response)
}

func (tn *tenant) post(path string, form url.Values) fullResponse {
	tn.t.Helper()
	response, err := tn.browser.PostForm(tn.absolute(path), form)
	require.NoError(tn.t, err)
	return readResponse(tn.t, response)
}

func (tn *tenant) absolute(path string) string {
	base, err := url.Parse(tn.url)
	require.NoError(tn.t, err)
	target, err := base.Parse(path)
	require.NoError(tn.t, err)
	return target.String()
}

type fullResponse struct {
	*http.Response
	body string
}

func readResponse(t *testing.T, response *http.Response) fullResponse {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return fullResponse{response, string(body)}
}

func (r fullResponse) location(t *testing.T) *url.URL {
	t.Helper()
	location, err := r.Location()
	require.NoError(t, err, "status %d: %s", r.StatusCode, r.body)
	return location
}

func (r fullResponse) json(t *testing.T) map[string]any {
	t.Helper()
	var value map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.body), &value), r.body)
	return value
}

// chooseUser goes through the login page as a person would.
func (tn *tenant) chooseUser(authorize fullResponse, username string) fullResponse {
	tn.t.Helper()
	require.Equal(tn.t, http.StatusFound, authorize.StatusCode, authorize.body)
	page := tn.get(authorize.Header.Get("Location"))
	require.Equal(tn.t, http.StatusOK, page.StatusCode, page.body)
	state := regexp.MustCompile(`name="state" value="([^"]+)"`).FindStringSubmatch(page.body)
	require.NotNil(tn.t, state, page.body)
	return tn.post(PathLogin, url.Values{"state": {state[1]}, "username": {username}})
}

// logIn returns the tokens of a whole login.
func (tn *tenant) logIn(username string) *oauth2.Token {
	tn.t.Helper()
	verifier := oauth2.GenerateVerifier()
	code := tn.code(username, verifier)
	token, err := tn.oauth().Exchange(context.Background(), code, oauth2.VerifierOption(verifier))
	require.NoError(tn.t, err)
	return token
}

func (tn *tenant) code(username, verifier string) string {
	tn.t.Helper()
	response := tn.get(tn.oauth().AuthCodeURL("xyz", oauth2.S256ChallengeOption(verifier)))
	if location := response.location(tn.t); location.Path == PathLogin {
		response = tn.chooseUser(response, username)
	}
	code := response.location(tn.t).Query().Get("code")
	require.NotEmpty(tn.t, code, response.Header.Get("Location"))
	return code
}

func (tn *tenant) exchange(code, verifier string) fullResponse {
	return tn.post(PathToken, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"dev-native"}, "code": {code},
		"redirect_uri": {testRedirect}, "code_verifier": {verifier},
	})
}

func (tn *tenant) refresh(token string) fullResponse {
	return tn.post(PathToken, url.Values{"grant_type": {"refresh_token"}, "client_id": {"dev-native"}, "refresh_token": {token}})
}

func (tn *tenant) userInfo(accessToken string) fullResponse {
	tn.t.Helper()
	request, err := http.NewRequest(http.MethodGet, tn.url+PathUserInfo, nil)
	require.NoError(tn.t, err)
	request.Header.Set("Authorization", "Bearer "+accessToken)
	response, err := tn.browser.Do(request)
	require.NoError(tn.t, err)
	return readResponse(tn.t, response)
}
