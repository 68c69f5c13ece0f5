package identity

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientsFindTheGatewayByItsMetadata(t *testing.T) {
	g, _ := discovering(t, "public_url https://login.example\ncallback\n"+registeredClient)
	read := func(path string) map[string]any {
		a := g.get(path, "Origin", "https://anybody.example", "X-Forwarded-Host", "evil.example")
		require.Equal(t, http.StatusOK, a.StatusCode, a.body)
		require.Equal(t, "application/json", a.Header.Get("Content-Type"))
		require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(a.body), &d))
		require.Equal(t, "https://login.example/oauth/token", d["token_endpoint"], "never what a request says")
		return d
	}
	require.Equal(t, "https://login.example", read("/.well-known/oauth-authorization-server")["issuer"])
	openID := read("/.well-known/openid-configuration")
	require.Equal(t, g.idp.URL, openID["issuer"])
	require.Equal(t, g.idp.URL+"/keys", openID["jwks_uri"])

	for method, status := range map[string]int{http.MethodOptions: 204, http.MethodPost: 405, http.MethodHead: 200} {
		r, err := http.NewRequest(method, g.URL+"/.well-known/oauth-authorization-server", nil)
		require.NoError(t, err)
		r.Header.Set("Origin", "https://anybody.example")
		require.Equal(t, status, g.do(r).StatusCode, method)
	}
}

func TestWithoutAPublicURLThereIsNoMetadata(t *testing.T) {
	g := newGateway(t, "")
	require.Equal(t, http.StatusTeapot, g.get("/.well-known/oauth-authorization-server").StatusCode, "it is the next handler's")
	g = newGateway(t, "public_url https://login.example")
	require.Equal(t, http.StatusOK, g.get("/.well-known/oauth-authorization-server").StatusCode)
	a := g.get("/.well-known/openid-configuration")
	require.Equal(t, http.StatusNotFound, a.StatusCode)
	require.Contains(t, a.body, "discover")
}
