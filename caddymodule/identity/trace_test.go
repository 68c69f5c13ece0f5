package identity

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a log pipeline gets of a login: a line of the access log for each request, and one for
// the tokens, all with its id.
func TestALoginIsTracedInTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	root := t.TempDir()
	n := startNode(t, newRecorder(t, respondJSON(200, `{"access_token":"e30.eyJzdWIiOiJhZGFAZXhhbXBsZS5jb20ifQ.c2ln","token_type":"Bearer","scope":"email profile","refresh_token":"idp-refresh"}`)), root, `{
	admin off
	storage file_system {root}
	log default {
		output file {root}/log
		format oauth_redact json
	}
}
http://127.0.0.1:{port} {
	log
	identity_gateway {idp} {
		parameters oauth
		callback
		endpoint revoke /revocation
		client app {
			redirect_uri https://app.example/cb
		}
	}
}
`)
	code := n.logIn(verifier1, "idp-code")
	stolen := n.post("/oauth/token", tokenBody(verifier2, code))
	require.Equal(t, 400, stolen.StatusCode)
	token := n.post("/oauth/token", tokenBody(verifier1, code)).refreshToken(t)
	token = n.post("/oauth/token", refreshBody(token)).refreshToken(t)
	require.Equal(t, 200, n.get("/userinfo", "Authorization", "Bearer e30.eyJzdWIiOiJhZGFAZXhhbXBsZS5jb20ifQ.c2ln").StatusCode)
	require.Equal(t, 200, n.post("/oauth/revoke", revokeBody(token)).StatusCode)
	n.stop()

	log, err := os.ReadFile(filepath.Join(root, "log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "ada@example.com")
	type line struct {
		Logger, Msg, Reference, Scope, Subject string
		LoginID                                string `json:"login_id"`
		TokenID                                string `json:"token_id"`
		ClientID                               string `json:"client_id"`
		Grant                                  string `json:"grant_type"`
		Level                                  string
		WithRefreshToken                       bool `json:"with_refresh_token"`
		WithIDToken                            bool `json:"with_id_token"`
		Request                                struct{ URI string }
	}
	paths, audit, login := []string{}, []line{}, ""
	for text := range strings.Lines(string(log)) {
		var l line
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		switch {
		case strings.HasPrefix(l.Logger, "http.log.access"):
			path, _, _ := strings.Cut(l.Request.URI, "?")
			paths = append(paths, path)
			require.NotEmpty(t, l.Reference, text)
		case l.Msg == "tokens issued":
			audit = append(audit, l)
		case l.Msg == "request rejected":
			require.Equal(t, stolen.Header.Get("Gateway-Reference"), l.Reference)
		default:
			continue
		}
		if strings.HasSuffix(l.Request.URI, "/userinfo") {
			require.NotEmpty(t, audit)
			require.Equal(t, audit[0].TokenID, l.TokenID, "found by the access token")
			continue
		}
		if login == "" {
			login = l.LoginID
		}
		require.Regexp(t, "^[A-Z2-7]{10}$", l.LoginID, text)
		require.Equal(t, login, l.LoginID, text)
	}
	require.Equal(t, []string{"/authorize", "/oauth/callback", "/oauth/token", "/oauth/token", "/oauth/token", "/userinfo", "/oauth/revoke"}, paths)
	require.Len(t, audit, 2)
	for i, grant := range []string{"authorization_code", "refresh_token"} {
		require.Equal(t, line{
			Logger: "http.handlers.identity_gateway", Level: "info", Msg: "tokens issued", Reference: audit[i].Reference, LoginID: login, TokenID: audit[0].TokenID,
			ClientID: "app", Grant: grant, Scope: "email profile", Subject: audit[0].Subject, WithRefreshToken: true,
		}, audit[i])
	}
	require.Regexp(t, "^[A-Z2-7]{16}$", audit[0].Subject)

	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed: the query of the monitoring folder is not tried")
	}
	table, err := exec.Command("jq", "-Rnr", "--arg", "login", login, "-f", "../monitoring/login.jq", filepath.Join(root, "log")).CombinedOutput()
	require.NoError(t, err, "%s", table)
	require.Equal(t, len(paths)+len(audit)+1, strings.Count(string(table), "\n"), "%s", table)
	require.Contains(t, string(table), "GET /userinfo")
}
