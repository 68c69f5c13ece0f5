package identity

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALoginPassesThroughTheGateway(t *testing.T) {
	g := newGateway(t, "")

	a := g.get("/authorize?" + authorizeQuery(verifier1))
	require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	location, err := url.Parse(a.Header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, g.idp.URL+"/authorize", location.Scheme+"://"+location.Host+location.Path)
	want, err := url.ParseQuery(authorizeQuery(verifier1))
	require.NoError(t, err)
	require.Equal(t, want, location.Query())
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Empty(t, g.idp.reached(), "the browser goes to the IdP, the gateway does not")

	a = g.post("/oauth/token", tokenBody(verifier1, "code-1", "schema", "[object Blob]", "other", "x"))
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.JSONEq(t, recordedToken, a.body)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	sent, err := url.ParseQuery(reached[0].body)
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"app"}, "code": {"code-1"},
		"redirect_uri": {"https://app.example/cb"}, "code_verifier": {verifier1},
	}, sent)
	require.Equal(t, strings.TrimPrefix(g.idp.URL, "http://"), reached[0].host)

	a = g.get("/userinfo", "Authorization", "Bearer at-1")
	require.Equal(t, http.StatusOK, a.StatusCode, a.body)
	require.JSONEq(t, `{"sub":"u1"}`, a.body)
	require.Equal(t, "Bearer at-1", g.idp.reached()[0].header.Get("Authorization"))

	a = g.get("/v2/logout?clientId=app&returnTo=https%3A%2F%2Fapp.example%2F&federated")
	require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	require.Equal(t, g.idp.URL+"/v2/logout?client_id=app&returnTo=https%3A%2F%2Fapp.example%2F&federated", a.Header.Get("Location"))

	require.Equal(t, http.StatusTeapot, g.get("/elsewhere").StatusCode)
}
