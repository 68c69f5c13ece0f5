package requiretoken_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An agent in a browser finds the login by the challenge: its preflight has to pass, and it has to
// read the 401. Nothing else is open to it.
func TestAnAgentInABrowserReadsTheChallenge(t *testing.T) {
	i := newIssuer(t)
	const block = `
		@silent path /silent*
		@broken path /broken*
		require_token {issuer} ` + audience + ` {
			public /public
			%
		}
		respond @silent "no CORS here" 405
		respond @broken 204
		reverse_proxy {app}`
	asked := []string{"Origin", "https://agent.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type,mcp-protocol-version"}
	open := site(t, i, strings.Replace(block, "%", "", 1))
	for _, path := range []string{"/silent", "/broken"} {
		answer := send(t, http.MethodOptions, open.URL()+path, asked...)
		require.Equal(t, 204, answer.StatusCode, path)
		require.Equal(t, "*", answer.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "*", answer.Header.Get("Access-Control-Allow-Methods"))
		require.Equal(t, "Authorization, *", answer.Header.Get("Access-Control-Allow-Headers"))
		require.Empty(t, answer.Header.Get("Access-Control-Allow-Credentials"))
		require.Empty(t, answer.body)
	}
	answer := send(t, http.MethodOptions, open.URL()+"/app", asked...)
	require.Equal(t, []string{"https://the-app.example"}, answer.Header["Access-Control-Allow-Origin"], "the app's own answer stands")
	require.Equal(t, 200, answer.StatusCode)

	refused := send(t, http.MethodPost, open.URL()+"/silent", "Origin", "https://agent.example")
	require.Equal(t, 401, refused.StatusCode)
	require.Equal(t, "*", refused.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, refused.Header.Get("Access-Control-Allow-Credentials"))
	require.Contains(t, refused.Header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate")
	require.Equal(t, "*", send(t, http.MethodPost, open.URL()+"/silent", "Origin", "null", "Authorization", "Bearer wrong").Header.Get("Access-Control-Allow-Origin"))

	passed := send(t, http.MethodPost, open.URL()+"/silent", "Origin", "https://agent.example", "Authorization", "Bearer "+i.token(t))
	require.Equal(t, 405, passed.StatusCode)
	require.Empty(t, passed.Header.Get("Access-Control-Allow-Origin"), "what passes is for the app to open")
	require.Equal(t, 401, send(t, http.MethodOptions, open.URL()+"/silent", "Origin", "https://agent.example").StatusCode, "no preflight")

	named := site(t, i, strings.Replace(block, "%", "origin https://app.example", 1))
	answer = send(t, http.MethodOptions, named.URL()+"/silent", asked...)
	require.Equal(t, 405, answer.StatusCode, "only these origins, where some are named")
	require.Empty(t, answer.Header.Get("Access-Control-Allow-Origin"))
	asked[1] = "https://app.example"
	answer = send(t, http.MethodOptions, named.URL()+"/silent", asked...)
	require.Equal(t, 204, answer.StatusCode)
	require.Equal(t, "https://app.example", answer.Header.Get("Access-Control-Allow-Origin"))
	require.Equal(t, []string{"Origin"}, answer.Header["Vary"])
}
