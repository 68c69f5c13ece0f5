package identity

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const recordedRefresh = `{"access_token":"at-1","token_type":"Bearer","expires_in":60,"refresh_token":"idp-refresh-1"}`

const twoClients = `
client app {
	redirect_uri https://app.example/cb
}
client other {
	redirect_uri https://other.example/cb
}
`

// refreshToken is the client's refresh token after a login.
func (g *gateway) refreshToken() string {
	g.t.Helper()
	g.idp.respondWith(respondJSON(200, recordedRefresh))
	verifier := newVerifier()
	a := g.post("/oauth/token", tokenBody(verifier, g.logIn(verifier, "code-"+rand.Text())))
	require.Equal(g.t, 200, a.StatusCode, a.body)
	g.idp.reached()
	return a.refreshToken(g.t)
}

// refreshToken is the one in a token response, "" if there is none.
func (a *response) refreshToken(t testing.TB) string {
	t.Helper()
	var answer struct {
		RefreshToken string `json:"refresh_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &answer), a.body)
	return answer.RefreshToken
}

func refreshBody(token string, with ...string) string {
	return replaceIn(url.Values{"grant_type": {"refresh_token"}, "client_id": {"app"}, "refresh_token": {token}}, with)
}

func TestARefreshTokenIsSealedToItsClient(t *testing.T) {
	g := newGateway(t, "parameters oauth\n"+twoClients+"callback")
	token := g.refreshToken()
	require.NotContains(t, token, "idp-refresh")
	for name, body := range map[string]string{
		"another client": refreshBody(token, "client_id", "other"),
		"the IdP's own":  refreshBody("idp-refresh-1"),
		"altered":        refreshBody(token[:len(token)-3] + "AAA"),
	} {
		a := g.post("/oauth/token", body)
		require.Equal(t, "invalid_grant", a.code(), name)
	}
	require.Empty(t, g.idp.reached())

	a := g.post("/oauth/token", refreshBody(token))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.NotContains(t, a.body, "idp-refresh")
	sent, err := url.ParseQuery(g.idp.reached()[0].body)
	require.NoError(t, err)
	require.Equal(t, "idp-refresh-1", sent.Get("refresh_token"))
	require.Equal(t, 200, g.post("/oauth/token", refreshBody(a.refreshToken(t))).StatusCode)
}

func TestWithoutCallbackRefreshTokensPassAsTheyAre(t *testing.T) {
	g := newGateway(t, "parameters oauth\n"+twoClients)
	g.idp.respondWith(respondJSON(200, recordedRefresh))
	a := g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, recordedRefresh, a.body)
	require.Equal(t, recordedRefresh, g.post("/oauth/token", refreshBody("idp-refresh-1")).body)
}

func TestARefreshTokenOutlivesTheGateway(t *testing.T) {
	rec, folder := newRecorder(t, respondJSON(200, recordedRefresh)), t.TempDir()
	start := func() (*gateway, func()) {
		g, cleanup, err := provision(t, "identity_gateway "+rec.URL+" {\nparameters oauth\n"+twoClients+"callback\n}", folder)
		require.NoError(t, err)
		return &gateway{serve(t, g), rec, t}, cleanup
	}
	first, stop := start()
	token := first.refreshToken()
	stop()
	second, stop := start()
	t.Cleanup(stop)
	require.Equal(t, 200, second.post("/oauth/token", refreshBody(token)).StatusCode)

	keys, err := filepath.Glob(filepath.Join(folder, keysFolder, "*"))
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NoError(t, os.Remove(keys[0]))
	third, stop := start()
	t.Cleanup(stop)
	a := third.post("/oauth/token", refreshBody(token))
	require.Equal(t, "invalid_grant", a.code())
	require.Contains(t, a.body, "log in again")
}

func TestALongRefreshTokenFitsIntoTheLimits(t *testing.T) {
	g := newGateway(t, "parameters oauth\n"+twoClients+"callback")
	g.idp.respondWith(respondJSON(200, strings.Replace(recordedRefresh, "idp-refresh-1", strings.Repeat("r", 32<<10), 1)))
	a := g.post("/oauth/token", tokenBody(verifier1, g.logIn(verifier1, "code-1")))
	require.Equal(t, 200, a.StatusCode)
	a = g.post("/oauth/token", refreshBody(a.refreshToken(t)))
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
}
