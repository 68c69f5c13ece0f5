package identity

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// An IdP that does not know the callback tells nobody but the user: the log has what to
// register there, once, however many hosts requests name.
func TestTheLogSaysWhichCallbackToRegister(t *testing.T) {
	g := newGateway(t, "parameters oauth\ncallback")
	lines := g.logged(zapcore.InfoLevel)
	logIn := func(host string, header ...string) {
		a := g.get("/authorize?"+authorizeQuery(verifier1, "redirect_uri", "http://127.0.0.1/cb"), append(header, "Host", host)...)
		require.Equal(t, http.StatusFound, a.StatusCode, a.body)
	}
	noted := lines.TakeAll // nothing else is logged at a login

	logIn("login.example.com")
	logIn("login.example.com")
	entries := noted()
	require.Len(t, entries, 1)
	require.Equal(t, zapcore.InfoLevel, entries[0].Level)
	require.Equal(t, "http://login.example.com/oauth/callback", entries[0].ContextMap()["callback"])

	logIn("proxied.example.com", "X-Forwarded-Proto", "https")
	entries = noted()
	require.Len(t, entries, 1)
	require.Equal(t, zapcore.WarnLevel, entries[0].Level)
	require.Contains(t, entries[0].Message, "trusted_proxies")

	logIn("shared.example.com", "X-Forwarded-Prefix", "/id")
	entries = noted()
	require.Len(t, entries, 1)
	require.Equal(t, zapcore.WarnLevel, entries[0].Level)
	require.Contains(t, entries[0].Message, "it removes /id from paths; set public_url")

	for i := range 2 * maxNotedCallbacks {
		logIn(fmt.Sprintf("host%d.example.com", i))
	}
	require.Len(t, lines.TakeAll(), maxNotedCallbacks-3)
}

func TestARefusalIsFoundByItsReference(t *testing.T) {
	g := newGateway(t, "parameters oauth\nclient app {\nredirect_uri https://app.example/cb\norigin https://app.example\n}\nclient other {\nredirect_uri https://other.example/cb\n}")
	lines := g.logged(zapcore.InfoLevel)
	for _, test := range []struct {
		name                                string
		response                            *response
		endpoint, outcome, clientID, source string
	}{
		{"a page", g.get("/authorize?client_id=app&redirect_uri=https://evil.example/", "Accept", "text/html"), "authorize", "invalid_request", "app", "RFC 9700 section 2.1"},
		{"a redirect", g.get("/authorize?" + authorizeQuery(verifier1, "code_challenge", "")), "authorize", "invalid_request", "app", "RFC 7636 section 4.4.1"},
		{"JSON", g.post("/oauth/token", "client_id=app&grant_type=password"), "token", "unsupported_grant_type", "app", "RFC 9700 section 2.4"},
		{
			"an unregistered client", g.post("/oauth/token", "client_id=a-secret-pasted-here&grant_type=refresh_token&refresh_token=r"),
			"token", "invalid_client", "", "RFC 6749 section 5.2",
		},
		{"a challenge", g.get("/userinfo"), "userinfo", "invalid_token", "", "RFC 6750 section 3"},
		{"path confusion", g.get("/AUTHORIZE"), "authorize", "path_confusion", "", "RFC 3986 section 6.2"},
		{"another method", g.do("PUT", "/oauth/token", ""), "token", "invalid_request", "", "RFC 9110 section 15.5.6"},
		{"a logout", g.get("/v2/logout?client_id=other&returnTo=javascript:alert(1)"), "logout", "invalid_request", "other", "RFC 9700 section 4.11"},
	} {
		t.Run(test.name, func(t *testing.T) {
			reference := test.response.Header.Get("Gateway-Reference")
			require.NotEmpty(t, reference)
			found := lines.FilterField(zap.String("reference", reference)).All()
			require.Len(t, found, 1)
			logged := found[0].ContextMap()
			require.Equal(t, []any{test.endpoint, test.outcome, test.clientID, test.source}, []any{logged["endpoint"], logged["outcome"], logged["client_id"], logged["source"]})
			if strings.Contains(test.response.Header.Get("Content-Type"), "html") && test.response.StatusCode == 400 {
				require.Contains(t, test.response.body, "<code>"+reference+"</code>", "the page shows it")
			}
		})
	}
	for _, line := range lines.All() {
		require.NotContains(t, line.ContextMap(), "a-secret-pasted-here")
	}

	read := g.post("/oauth/token", "client_id=app&grant_type=password", "Origin", "https://app.example")
	require.Contains(t, read.Header.Get("Access-Control-Expose-Headers"), "Gateway-Reference", "scripts may read it")
}

func TestAFailureOfTheIdPHasAReference(t *testing.T) {
	g := inFrontOf(t, newRecorder(t, respondJSON(200, `not JSON`)), "parameters oauth")
	lines := g.logged(zapcore.InfoLevel)
	refused := g.post("/oauth/token", tokenBody(verifier1, "code-1"))
	require.Equal(t, 502, refused.StatusCode)
	require.Equal(t, 1, lines.FilterMessage("request rejected").FilterField(zap.String("reference", refused.Header.Get("Gateway-Reference"))).Len(), "%v", refused.Header)
	require.Empty(t, g.post("/oauth/token", "").Header.Values("Gateway-Reference")[1:], "one only")
}

// A second gateway behind this one has placeholders of its own.
func TestARequestThatPassesHasNoDecision(t *testing.T) {
	g := loaded(t, "identity_gateway https://idp.example", t.TempDir())
	replacer := caddy.NewReplacer()
	w := httptest.NewRecorder()
	r := caddyhttp.PrepareRequest(httptest.NewRequest(http.MethodGet, "/elsewhere", nil), replacer, w, new(caddyhttp.Server))
	passed := false
	require.NoError(t, g.ServeHTTP(w, r, caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error {
		_, known := replacer.Get("http.identity_gateway.outcome")
		require.False(t, known)
		passed = true
		return nil
	})))
	require.True(t, passed)
}

// What a log pipeline gets of a login: a line of the access log for each request, and one for
// the tokens, all with its id.
func TestALoginIsTracedInTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	root := t.TempDir()
	n := startNode(t, newRecorder(t, respondJSON(200, `{"access_token":"e30.eyJzdWIiOiJhZGFAZXhhbXBsZS5jb20ifQ.c2ln","token_type":"Bearer","scope":"email profile","refresh_token":"idp-refresh"}`)), root, `{
	{admin}
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
	for _, l := range logLines[line](t, filepath.Join(root, "log")) {
		switch {
		case strings.HasPrefix(l.Logger, "http.log.access"):
			path, _, _ := strings.Cut(l.Request.URI, "?")
			paths = append(paths, path)
			require.NotEmpty(t, l.Reference, l)
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
		require.Regexp(t, "^[A-Z2-7]{10}$", l.LoginID, l)
		require.Equal(t, login, l.LoginID, l)
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

	log, err := os.ReadFile(filepath.Join(root, "log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "ada@example.com")

	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed: the query of the monitoring folder is not tried")
	}
	table, err := exec.Command("jq", "-Rnr", "--arg", "login", login, "-f", "../monitoring/login.jq", filepath.Join(root, "log")).CombinedOutput()
	require.NoError(t, err, "%s", table)
	require.Equal(t, len(paths)+len(audit)+1, strings.Count(string(table), "\n"), "%s", table)
	require.Contains(t, string(table), "GET /userinfo")
}
