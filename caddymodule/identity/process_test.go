package identity

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
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

// TestLogsHoldNoSecrets makes a hostile run with all logs on, in the format
// oauth_redact and once more without it, and looks for what was sent: each secret is
// in the one log and not in the others.
func TestLogsHoldNoSecrets(t *testing.T) {
	t.Setenv("TEST_IDENTITY_KEY", "SECRET"+testKey+"SECRET")
	t.Setenv("TEST_IDENTITY_CREDENTIAL", "SECRETsecret")
	for _, frontChannel := range []string{"redirect", "proxy"} {
		t.Run(frontChannel, func(t *testing.T) {
			rec := newRecorder(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.Contains(r.URL.Path, "authorize"):
					w.Header().Set("Set-Cookie", "idp=SECRETcookie1")
					w.Header().Set("Location", "https://app.example/cb?code=SECRETcode0&state="+r.URL.Query().Get("state"))
					w.WriteHeader(302)
				case strings.Contains(r.URL.Path, "userinfo"):
					w.WriteHeader(500)
				default:
					respondJSON(200, `{"access_token":"SECRETtoken1","refresh_token":"SECRETtoken2","token_type":"Bearer"}`)(w, r)
				}
			})
			root := t.TempDir()
			n := startNode(t, rec, root, `{
				debug
				{admin}
				storage file_system {root}/data
				log default {
					level DEBUG
					output file {root}/all.log
					format oauth_redact json
				}
				log bare {
					level DEBUG
					output file {root}/bare.log
					format json
				}
				servers {
					log_credentials
				}
			}
			http://127.0.0.1:{port} {
				log {
					output file {root}/site.log
					format oauth_redact console
				}
				log_append query {http.request.uri.query}
				log_append body {http.request.body}
				log_append outcome {http.identity_gateway.outcome}
				log_append reference {http.identity_gateway.reference}
				identity_gateway {idp} {
					front_channel `+frontChannel+`
					callback
					sealing_key {env.TEST_IDENTITY_KEY}
					client app {
						redirect_uri https://app.example/cb
						idp_client app {
							secret {env.TEST_IDENTITY_CREDENTIAL}
						}
					}
				}
				@front path /authorize /v2/logout
				reverse_proxy @front {idp}
			}`)
			const verifier = "SECRETverifierSECRETverifierSECRETverifier00"
			const code = "SECRETcode1"
			query := authorizeQuery(verifier, "state", "SECRETstate")
			n.get("/authorize?" + query)
			n.get("/authorize?"+query, "Accept", "application/json")
			n.get("/authorize?" + query + "&code_verifier=" + verifier + "&scope=twice")
			n.get("/AUTHORIZE?code=" + code)
			n.get("/elsewhere?code="+code, "Referer", "https://app.example/cb?code="+code)
			callback := "/oauth/callback?code=SECRETcode6&error_description=the+words+of+the+IdP&state=" + n.begin(verifier, "state", "SECRETstate").Get("state")
			n.get(callback)
			n.get(callback + "&code=SECRETcode7")
			n.get(callback + "x")
			sealed := n.logIn(verifier, "SECRETcode8")
			n.post("/oauth/token", tokenBody(verifier, sealed))
			n.post("/oauth/token", tokenBody(verifier, sealed))
			n.post("/oauth/token?code="+code, tokenBody(verifier, code))
			n.post("/oauth/token", tokenBody(verifier, code, "refresh_token", "SECRETtoken3", "client_secret", "SECRETsecret"))
			n.post("/oauth/token", tokenBody(verifier, code))
			n.post("/oauth/token", tokenBody(verifier, code)+"&code="+code)
			n.post("/oauth/token", "grant_type=refresh_token&client_id=app&refresh_token=SECRETtoken3", "Authorization", "Basic U0VDUkVU")
			n.get("/userinfo?access_token=SECRETtoken1", "Authorization", "Bearer SECRETtoken1")
			n.get("/userinfo", "Authorization", "Bearer SECRETtoken1", "Cookie", "a=SECRETcookie")
			n.get("/v2/logout?id_token_hint=SECRETtoken4&returnTo=https%3A%2F%2Fapp.example%2F%3Fcode%3DSECRETcode5")
			rec.Close()
			n.get("/userinfo", "Authorization", "Bearer SECRETtoken1")
			n.get("/authorize?"+query, "Accept", "application/json")
			n.stop()

			logs := make(map[string]string)
			for _, name := range []string{"all", "bare", "site"} {
				log, err := os.ReadFile(filepath.Join(root, name+".log"))
				require.NoError(t, err)
				logs[name] = string(log)
			}
			for _, name := range []string{"all", "bare"} {
				require.Contains(t, logs[name], "no response from the identity provider", "error log")
			}
			require.Greater(t, strings.Count(logs["site"], "handled request"), 10, "access log")
			require.Contains(t, logs["site"], "invalid_grant", "placeholders of the decision")
			for line := range strings.Lines(logs["all"]) {
				require.True(t, json.Valid([]byte(line)), line)
			}
			require.Contains(t, logs["site"], `"uri": "/oauth/callback?code=REDACTED&error_description=REDACTED&state=REDACTED"`, "what the IdP says of a user is not shown")
			secrets := []string{
				sealed, verifier, "SECRETstate", "SECRETcode0", "SECRETcode1", "SECRETcode6", "SECRETcode7", "SECRETcode5", "SECRETtoken1", "SECRETtoken3", "SECRETtoken4",
				"SECRETcookie", "SECRETsecret", "U0VDUkVU",
			}
			if frontChannel == "redirect" { // only its proxy sees that code
				secrets = slices.DeleteFunc(secrets, func(secret string) bool { return secret == "SECRETcode0" })
			}
			for _, secret := range secrets {
				require.Contains(t, logs["bare"], secret, "it would be there")
				for _, name := range []string{"all", "site"} {
					for line := range strings.Lines(logs[name]) {
						require.NotContains(t, line, secret, name)
					}
				}
			}
			require.NotContains(t, logs["all"]+logs["site"], "SECRET")
		})
	}
}
