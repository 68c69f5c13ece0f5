package identity

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/oauthredact"
)

// node is a gateway in a process of its own.
type node struct {
	*gateway
	process *testgateway.Process
}

// startNode loads Caddyfiles, one after the other, and runs the last one, with a folder for all that it keeps.
// In them {port} stands for a free port, {root} for the folder, and {admin} for the option admin.
func startNode(t *testing.T, rec *recorder, root string, sources ...string) *node {
	n, err := tryNode(t, rec, root, sources...)
	require.NoError(t, err)
	return n
}

// tryNode is startNode for what may not load.
func tryNode(t *testing.T, rec *recorder, root string, sources ...string) (*node, error) {
	address := testgateway.NewAddress(t)
	replacer := strings.NewReplacer("{port}", address[strings.LastIndexByte(address, ':')+1:], "{root}", root, "{idp}", rec.URL, "{admin}", testgateway.AdminOption)
	process, err := testgateway.StartCaddy(replacer.Replace(sources[0]), root, nil)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = process.Stop() }) // in order, so that what it covers counts
	for _, source := range sources[1:] {
		if err := process.Reload(replacer.Replace(source), false); err != nil {
			return nil, err
		}
	}
	return &node{&gateway{Server: &httptest.Server{URL: "http://" + address}, idp: rec, t: t}, process}, nil
}

// stop ends it in an orderly way.
func (n *node) stop() { require.NoError(n.t, n.process.Stop()) }

// logLines are the lines of a log in JSON.
func logLines[T any](t *testing.T, file string) (lines []T) {
	t.Helper()
	log, err := os.ReadFile(file)
	require.NoError(t, err)
	for text := range strings.Lines(string(log)) {
		var line T
		require.NoError(t, json.Unmarshal([]byte(text), &line), text)
		lines = append(lines, line)
	}
	return lines
}

const callbackNode = `{
	{admin}
	storage file_system {root}/shared
}
http://127.0.0.1:{port} {
	identity_gateway {idp} {
		callback
		public_url http://localhost
		client app {
			redirect_uri https://app.example/cb
		}
	}
}`

// A login is kept by nobody: any process with the same storage goes on with it. What was
// redeemed is kept.
func TestALoginCrossesProcessesThatAreKilled(t *testing.T) {
	rec := newRecorder(t, nil)
	root := t.TempDir()
	n := startNode(t, rec, root, callbackNode)
	again := func() {
		n.process.Kill()
		n = startNode(t, rec, root, callbackNode)
	}
	state := n.begin(verifier1).Get("state")
	again()
	code := n.callBack(state, "code-1")
	again()
	a := n.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, 200, a.StatusCode, a.body)
	again()
	require.Contains(t, n.post("/oauth/token", tokenBody(verifier1, code)).body, "redeemed before")
	require.Len(t, rec.reached(), 1)
}

// What a refresh token was replaced by is known after a kill, and that it was replaced.
func TestRefreshTokensRotateAcrossKills(t *testing.T) {
	rec := newRecorder(t, respondJSON(200, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh"}`))
	root := t.TempDir()
	source := strings.Replace(callbackNode, "callback", "callback\nrotate_refresh {\ngrace 1s\n}", 1)
	n := startNode(t, rec, root, source)
	refresh := func(token string) *response {
		n.process.Kill()
		n = startNode(t, rec, root, source)
		return n.post("/oauth/token", refreshBody(token))
	}
	verifier := newVerifier()
	first := n.post("/oauth/token", tokenBody(verifier, n.logIn(verifier, "code-1"))).refreshToken(t)
	time.Sleep(time.Second) // the grace
	a := refresh(first)
	require.Equal(t, 200, a.StatusCode, a.body)
	current := a.refreshToken(t)
	require.NotEqual(t, first, current)
	time.Sleep(time.Second)
	a = refresh(current)
	require.Equal(t, 200, a.StatusCode, a.body)
	time.Sleep(time.Second)
	require.Contains(t, refresh(current).body, "was replaced and used again")
	require.Equal(t, "invalid_grant", refresh(a.refreshToken(t)).code(), "the login has ended")
}
