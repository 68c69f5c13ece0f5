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

func TestScriptsMayRevoke(t *testing.T) {
	g := newGateway(t, "parameters oauth\ncallback\nendpoint revoke /revocation\nclient app {\nredirect_uri https://app.example/cb\norigin https://app.example\n}")
	g.idp.respondWith(respondJSON(200, ``))
	for origin, allowed := range map[string]string{"https://app.example": "https://app.example", "https://evil.example": ""} {
		require.Equal(t, allowed, g.do(http.MethodOptions, "/oauth/revoke", "", "Origin", origin, "Access-Control-Request-Method", "POST").Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, allowed, g.post("/oauth/revoke", revokeBody("at-1"), "Origin", origin).Header.Get("Access-Control-Allow-Origin"))
	}
}
