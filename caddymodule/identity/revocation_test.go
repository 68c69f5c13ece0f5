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
	reached, sent := g.idp.form(t)
	require.Equal(t, "/revocation", reached.path)
	require.Equal(t, url.Values{"token": {"idp-refresh-1"}, "token_type_hint": {"refresh_token"}, "client_id": {"app"}}, sent)

	// What was not sealed here is the IdP's: an access token.
	require.Equal(t, 200, g.post("/oauth/revoke", revokeBody("at-1", "token_type_hint", "access_token")).StatusCode)
	_, sent = g.idp.form(t)
	require.Equal(t, url.Values{"token": {"at-1"}, "token_type_hint": {"access_token"}, "client_id": {"app"}}, sent)
}

func TestScriptsMayRevoke(t *testing.T) {
	g := newGateway(t, "parameters oauth\ncallback\nendpoint revoke /revocation\nclient app {\nredirect_uri https://app.example/cb\norigin https://app.example\n}")
	g.idp.respondWith(respondJSON(200, ``))
	for origin, allowed := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": ""} {
		require.Equal(t, allowed, g.do(http.MethodOptions, "/oauth/revoke", "", "Origin", origin, "Access-Control-Request-Method", "POST").Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, allowed, g.post("/oauth/revoke", revokeBody("at-1"), "Origin", origin).Header.Get("Access-Control-Allow-Origin"))
	}
}
