package identity

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// TestNoSecretLeavesTheGateway runs logins, refreshes, revocations and mistakes with
// every log on, and then looks for everything secret in what the gateway wrote and
// answered: its logs, its errors, the adapted configuration, the admin API, the saved
// configuration and the metrics.
func TestNoSecretLeavesTheGateway(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	const sealingKey, clientSecret = "the-sealing-key-that-nobody-may-see-0123456789", "the-client-secret-that-nobody-may-see"
	root, secretFile := t.TempDir(), filepath.Join(t.TempDir(), "client_secret")
	require.NoError(t, os.WriteFile(secretFile, []byte(clientSecret+"\n"), 0o600))
	t.Setenv("TEST_IDENTITY_SEALING_KEY", sealingKey)
	rec := newRecorder(t, respondJSON(200, recordedRefresh))
	source := `{
	{admin}
	skip_install_trust
	auto_https off
	storage file_system {root}
	log default {
		level DEBUG
		output file {root}/log
	}
}
http://127.0.0.1:{port} {
	bind 127.0.0.1
	metrics /metrics
	identity_gateway {idp} {
		parameters  oauth
		callback
		sealing_key {env.TEST_IDENTITY_SEALING_KEY}
		rotate_refresh {
			grace 1s
		}
		endpoint revoke /revocation
		client app {
			redirect_uri https://app.example/cb
			idp_client gateway {
				secret {file.` + secretFile + `}
			}
		}
	}
}
`
	n := startNode(t, rec, root, source)
	var answers strings.Builder
	keep := func(a *response) *response {
		if a.StatusCode >= 400 {
			_, _ = answers.WriteString(a.body)
			require.NoError(t, a.Header.Write(&answers))
		}
		return a
	}
	upstream := n.begin(verifier1)
	code := n.callBack(upstream.Get("state"), "idp-code-1")
	keep(n.post("/oauth/token", tokenBody(verifier2, code)))
	granted := n.post("/oauth/token", tokenBody(verifier1, code))
	require.Equal(t, 200, granted.StatusCode, granted.body)
	first := granted.refreshToken(t)
	time.Sleep(1100 * time.Millisecond)
	current := n.post("/oauth/token", refreshBody(first)).refreshToken(t)
	require.NotEmpty(t, current)
	rec.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	keep(n.post("/oauth/token", refreshBody(current)))
	keep(n.post("/oauth/revoke", revokeBody(current)))
	rec.respondWith(respondJSON(200, recordedRefresh))
	time.Sleep(1100 * time.Millisecond)
	require.Equal(t, "invalid_grant", keep(n.post("/oauth/token", refreshBody(first))).code())
	keep(n.post("/oauth/token", refreshBody("idp-refresh-1")))
	keep(n.post("/oauth/token", refreshBody(current, "client_secret", "guessed-secret")))
	keep(n.post("/oauth/revoke", revokeBody(current, "client_id", "nobody")))
	keep(n.post("/oauth/token", tokenBody(verifier1, code))) // which ends the login
	keep(n.get("/oauth/callback?" + url.Values{"code": {"idp-code-2"}, "state": {upstream.Get("state") + "A"}}.Encode()))

	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(strings.NewReplacer("{admin}", "", "{port}", "9", "{root}", root, "{idp}", rec.URL).Replace(source)), nil)
	require.NoError(t, err)
	ask := func(path string) string {
		body, err := n.process.Get(path)
		require.NoError(t, err)
		return string(body)
	}
	written := map[string]string{
		"responses": answers.String(), "adapt": string(adapted),
		"admin API": ask("/config/"), "metrics": ask("/metrics") + n.get("/metrics").body,
	}
	n.stop()
	saved, err := os.ReadFile(filepath.Join(root, "caddy", "autosave.json"))
	require.NoError(t, err)
	written["saved configuration"] = string(saved)
	log, err := os.ReadFile(filepath.Join(root, "log"))
	require.NoError(t, err)
	var own strings.Builder
	for line := range strings.Lines(string(log)) {
		// Caddy's own access and proxy logs repeat URLs and headers: see TestLogsHoldNoSecrets.
		if !strings.Contains(line, `"logger":"http.log.access`) && !strings.Contains(line, `"logger":"http.handlers.reverse_proxy"`) {
			_, _ = own.WriteString(line)
		}
	}
	written["log"] = own.String()
	require.Contains(t, written["log"], "used again after it was replaced", "the log is that of this run")
	require.Contains(t, written["log"], "request rejected")
	require.Contains(t, written["log"], "tokens issued")
	require.Contains(t, written["metrics"], "caddy_identity_gateway_refresh_reuse_total 1")
	require.Contains(t, written["admin API"], "{env.TEST_IDENTITY_SEALING_KEY}", "placeholders stay what they are")

	secrets := map[string]string{
		"sealing key": sealingKey, "client secret": clientSecret, "guessed secret": "guessed-secret", "the IdP's code": "idp-code-", "the client's code": code,
		"state": upstream.Get("state"), "verifier": verifier1, "other verifier": verifier2, "the IdP's refresh token": "idp-refresh-",
		"first refresh token": first, "current refresh token": current, "access token": "at-1",
	}
	for where, text := range written {
		for name, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s: has the %s", where, name)
			}
		}
	}
	for _, name := range []string{"sealing key", "client secret"} {
		require.NotContains(t, string(log), secrets[name], "nor is it in any line of Caddy's")
	}
}

func TestMistakesInSecretsDoNotShowThem(t *testing.T) {
	t.Setenv("TEST_IDENTITY_BAD", "s3cret")
	t.Setenv("TEST_IDENTITY_ODD", "s3cret\x01s3cret-s3cret-s3cret-s3cret-s3cret")
	for _, options := range []string{
		"callback\nsealing_key {env.TEST_IDENTITY_BAD}",
		"callback\nsealing_key {env.TEST_IDENTITY_ODD} {env.TEST_IDENTITY_ODD}",
		"callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client app {\nsecret {env.TEST_IDENTITY_ODD}\n}\n}",
		"callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client app {\nsecret {env.TEST_IDENTITY_BAD} private_key_jwt\n}\n}",
	} {
		_, _, err := provision(t, "identity_gateway https://idp.example {\n"+options+"\n}", t.TempDir())
		require.Error(t, err, options)
		require.NotContains(t, err.Error(), "s3cret", options)
	}
}
