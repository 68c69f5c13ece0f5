package identity

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// nodeConfig is the environment variable that makes this test binary a gateway.
const nodeConfig = "IDENTITY_TEST_NODE"

// TestNodeProcess is no test: it is the other process of the tests below. It
// runs the Caddyfile named in the environment until its standard input ends.
func TestNodeProcess(t *testing.T) {
	file := os.Getenv(nodeConfig)
	if file == "" {
		t.Skip("runs as a child of other tests only")
	}
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt(source, map[string]any{"filename": file})
	require.NoError(t, err)
	require.NoError(t, caddy.Load(config, true))
	fmt.Println("READY")
	_, _ = io.Copy(io.Discard, os.Stdin)
	require.NoError(t, caddy.Stop())
}

// node is a gateway in a process of its own.
type node struct {
	*gateway
	stop func() // orderly
	kill func() // SIGKILL
}

// startNode runs a Caddyfile in which {port} stands for a free port and {root}
// for a folder.
func startNode(t *testing.T, rec *recorder, root, source string) *node {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)

	file := filepath.Join(t.TempDir(), "Caddyfile")
	source = strings.NewReplacer("{port}", port, "{root}", root, "{idp}", rec.URL).Replace(source)
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	process := exec.Command(os.Args[0], "-test.run=^TestNodeProcess$", "-test.v")
	process.Env = append(os.Environ(), nodeConfig+"="+file, "XDG_CONFIG_HOME="+root, "XDG_DATA_HOME="+root)
	process.Stderr = io.Discard
	stdin, err := process.StdinPipe()
	require.NoError(t, err)
	stdout, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	ready := make(chan bool, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "READY") {
				ready <- true
			}
		}
		ready <- false
	}()
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			_ = stdin.Close()
			_ = process.Wait()
		}
	}
	t.Cleanup(stop)
	select {
	case ok := <-ready:
		require.True(t, ok, "the node did not start")
	case <-time.After(time.Minute):
		t.Fatal("the node did not start in time")
	}
	kill := func() {
		stopped = true
		_ = process.Process.Kill()
		_ = process.Wait()
	}
	n := &node{stop: stop, kill: kill}
	n.gateway = &gateway{idp: rec, t: t}
	n.gateway.Server = &httptest.Server{URL: "http://127.0.0.1:" + port}
	return n
}

const callbackNode = `{
	admin off
	storage file_system {root}/shared
}
http://127.0.0.1:{port} {
	identity_gateway {idp} {
		callback http://localhost/oauth/callback
		client app {
			redirect_uri https://app.example/cb
		}
	}
}`

// A login is kept by nobody: any process with the same storage goes on with it.
func TestALoginCrossesProcessesThatAreKilled(t *testing.T) {
	rec := newRecorder(t, nil)
	root := t.TempDir()
	first := startNode(t, rec, root, callbackNode)
	state := first.begin(verifier1).Get("state")
	second := startNode(t, rec, root, callbackNode)
	first.kill()
	code := second.callBack(state, "code-1")
	second.kill()
	third := startNode(t, rec, root, callbackNode)
	a := third.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Contains(t, third.post("/oauth/token", tokenBody(verifier1, code)).body, "redeemed before")
	require.Len(t, rec.reached(), 1)
}

// TestLogsHoldNoSecrets makes a hostile run with all logs on, under the log
// filter of Caddyfile.example, and looks for what was sent.
func TestLogsHoldNoSecrets(t *testing.T) {
	example, err := os.ReadFile("../../Caddyfile.example")
	require.NoError(t, err)
	fields := regexp.MustCompile(`(?s)fields \{.*?\n\t\t\t\}`).FindString(string(example))
	require.NotEmpty(t, fields, "the filter of Caddyfile.example")

	t.Setenv("TEST_IDENTITY_KEY", "SECRETkeySECRETkeySECRETkeySECRETkey")
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
				admin off
				storage file_system {root}/data
				log default {
					level DEBUG
					output file {root}/all.log
					format filter {
						wrap json
						`+fields+`
					}
				}
			}
			http://127.0.0.1:{port} {
				log
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
			}`)
			const verifier = "SECRETverifierSECRETverifierSECRETverifier00"
			const code = "SECRETcode1"
			query := authorizeQuery(verifier, "state", "SECRETstate")
			n.get("/authorize?" + query)
			n.get("/authorize?"+query, "Accept", "application/json")
			n.get("/authorize?" + query + "&code_verifier=" + verifier + "&scope=twice")
			n.get("/AUTHORIZE?code=" + code)
			n.get("/elsewhere?code="+code, "Referer", "https://app.example/cb?code="+code)
			callback := "/oauth/callback?code=SECRETcode6&error_description=SECRETdescription&state=" + n.begin(verifier, "state", "SECRETstate").Get("state")
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

			log, err := os.ReadFile(filepath.Join(root, "all.log"))
			require.NoError(t, err)
			require.Greater(t, strings.Count(string(log), "handled request"), 10, "access log")
			require.Contains(t, string(log), "upstream roundtrip", "debug log")
			require.Contains(t, string(log), "no response from the identity provider", "error log")
			for line := range strings.Lines(string(log)) {
				require.NotContains(t, line, "SECRET")
				require.NotContains(t, line, url.QueryEscape("SECRET"))
				require.NotContains(t, line, "U0VDUkVU")
				require.NotContains(t, line, sealed)
				require.True(t, json.Valid([]byte(line)))
			}
		})
	}
}
