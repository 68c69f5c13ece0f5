package identity

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func revokeBody(token string, with ...string) string {
	return replaceIn(url.Values{"client_id": {"app"}, "token": {token}}, with)
}

func TestARefreshTokenIsRevokedAtTheIdP(t *testing.T) {
	g := newGateway(t, "parameters oauth\n"+twoClients+"callback\nendpoint revoke /revocation")
	token := g.refreshToken()
	require.Equal(t, "invalid_grant", g.post("/oauth/revoke", revokeBody(token, "client_id", "other")).code())
	require.Empty(t, g.idp.reached())

	g.idp.respondWith(respondJSON(200, ``))
	a := g.post("/oauth/revoke", revokeBody(token))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Empty(t, a.body)
	reached := g.idp.reached()
	require.Len(t, reached, 1)
	require.Equal(t, "/revocation", reached[0].path)
	sent, err := url.ParseQuery(reached[0].body)
	require.NoError(t, err)
	require.Equal(t, url.Values{"token": {"idp-refresh-1"}, "token_type_hint": {"refresh_token"}, "client_id": {"app"}}, sent)

	// What was not sealed here is the IdP's: an access token.
	require.Equal(t, 200, g.post("/oauth/revoke", revokeBody("at-1", "token_type_hint", "access_token")).StatusCode)
	sent, err = url.ParseQuery(g.idp.reached()[0].body)
	require.NoError(t, err)
	require.Equal(t, url.Values{"token": {"at-1"}, "token_type_hint": {"access_token"}, "client_id": {"app"}}, sent)
}

func TestScriptsMayRevoke(t *testing.T) {
	g := newGateway(t, "parameters oauth\ncallback\nendpoint revoke /revocation\nclient app {\nredirect_uri https://app.example/cb\norigin https://app.example\n}")
	r, err := http.NewRequest(http.MethodOptions, g.URL+"/oauth/revoke", nil)
	require.NoError(t, err)
	r.Header.Set("Origin", "https://app.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	require.Equal(t, "https://app.example", g.do(r).Header.Get("Access-Control-Allow-Origin"))
	g.idp.respondWith(respondJSON(200, ``))
	require.Equal(t, "https://app.example", g.post("/oauth/revoke", revokeBody("at-1"), "Origin", "https://app.example").Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, g.post("/oauth/revoke", revokeBody("at-1"), "Origin", "https://evil.example").Header.Get("Access-Control-Allow-Origin"))
}
