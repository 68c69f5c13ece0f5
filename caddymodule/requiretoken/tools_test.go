package requiretoken_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

const toolSite = `
require_token {issuer} https://api.example {
	scope read
	resource https://api.example.com/mcp
	tool delete_file scope files.write files.read
	tool drop_* {
		scope files.write
		claim groups admins root
	}
	tool * scope tools
}
reverse_proxy {app}`

// call posts a call of a tool, as a client of the current revision does.
func call(t *testing.T, url, token, tool string) *response {
	t.Helper()
	return post(t, url, token, callOf(tool), "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
}

func callOf(tool string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"}}`
}

// post posts a message, or a batch.
func post(t *testing.T, url, token, content string, header ...string) *response {
	t.Helper()
	return sendBody(t, http.MethodPost, url, content, append([]string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}, header...)...)
}

// logged is what a gateway, which is stopped for it, has written of calls.
func logged(t *testing.T, g *testgateway.Gateway, log string) (lines []map[string]any) {
	t.Helper()
	require.NoError(t, g.Stop())
	written, err := os.ReadFile(log)
	require.NoError(t, err)
	for line := range strings.SplitSeq(string(written), "\n") {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) == nil && fields["msg"] == "tool call" && fields["level"] == "info" {
			lines = append(lines, fields)
		}
	}
	return lines
}

// behindTools runs toolSite with a log.
func behindTools(t *testing.T, i *issuer, app, also string) (*testgateway.Gateway, string) {
	log := filepath.Join(t.TempDir(), "log")
	g, err := testgateway.Start(testgateway.Config{Log: log, Site: also + strings.NewReplacer("{issuer}", i.URL, "{app}", strings.TrimPrefix(app, "http://")).Replace(toolSite)})
	require.NoError(t, err)
	return g, log
}

func TestScopesByTool(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, toolSite)
	const metadata = `, resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"`
	for name, test := range map[string]struct {
		scope, tool string
		challenge   string // "" if the call passes
	}{
		"all of them":                     {"read files.write files.read", "delete_file", ""},
		"a tool without a rule":           {"read tools", "list_files", ""},
		"one is missing":                  {"read files.read", "delete_file", `scope="read files.write files.read"`},
		"that of every request, too":      {"none", "delete_file", `scope="read files.write files.read"`},
		"a tool without a rule, no scope": {"read", "list_files", `scope="read tools"`},
	} {
		t.Run(name, func(t *testing.T) {
			answer := call(t, g.URL()+"/mcp", i.token(t, "scope", test.scope), test.tool)
			if test.challenge == "" {
				require.Equal(t, http.StatusOK, answer.StatusCode, answer.body)
				return
			}
			require.Equal(t, http.StatusForbidden, answer.StatusCode)
			challenge := answer.Header.Get("WWW-Authenticate")
			require.Contains(t, challenge, `error="insufficient_scope"`)
			require.Contains(t, challenge, test.challenge+metadata)
		})
	}
}

// A user outside the group is told so, and no challenge has his agent log in again: it would do so
// for ever. A missing scope of one inside is one step up.
func TestToolsOfAGroup(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, toolSite)
	for name, test := range map[string]struct {
		scope  string
		groups any
		tool   string
		status int
		code   string
	}{
		"inside":                         {"read files.write", []string{"staff", "admins"}, "drop_table", 200, ""},
		"outside":                        {"read files.write", []string{"staff"}, "drop_table", 403, "access_denied"},
		"outside, and without the scope": {"read", []string{"staff"}, "drop_table", 403, "access_denied"},
		"inside, without the scope":      {"read", []string{"root"}, "drop_table", 403, "insufficient_scope"},
		"outside, by another spelling":   {"read tools files.write", []string{"staff"}, "Drop_Table", 403, "access_denied"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := post(t, g.URL()+"/mcp", i.token(t, "scope", test.scope, "groups", test.groups), callOf(test.tool))
			require.Equal(t, test.status, answer.StatusCode, answer.body)
			challenge := answer.Header.Get("WWW-Authenticate")
			switch test.code {
			case "insufficient_scope":
				require.Contains(t, challenge, `error="insufficient_scope"`)
				require.Contains(t, challenge, `scope="read files.write"`)
			case "access_denied":
				require.Empty(t, challenge)
				require.Contains(t, answer.body, `"error":"access_denied"`)
			}
		})
	}
	answer := post(t, g.URL()+"/mcp", i.token(t, "scope", "read tools files.write"), "["+callOf("list_files")+","+callOf("drop_table")+"]")
	require.Equal(t, http.StatusForbidden, answer.StatusCode, answer.body)
}

// What the fields say is no way around what the body says, and a client of this
// protocol can tell what is wrong.
func TestAToolByAnotherName(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, toolSite)
	answer := post(t, g.URL(), i.token(t, "scope", "read tools"), callOf("delete_file"), "Mcp-Name", "list_files")
	require.Equal(t, http.StatusBadRequest, answer.StatusCode)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the field Mcp-Name does not match the body"}}`, answer.body)
}

// Behind an upgrade no call would be seen. Java's HttpClient offers HTTP/2 with a POST, which is
// left out.
func TestNoUpgradeBesideACall(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, toolSite)
	for upgrade, want := range map[string]int{"h2c": http.StatusOK, "websocket": http.StatusBadRequest} {
		answer := post(t, g.URL()+"/mcp", i.token(t, "scope", "read tools"), callOf("list_files"),
			"Connection", "Upgrade, HTTP2-Settings", "Upgrade", upgrade, "Http2-Settings", "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA")
		require.Equal(t, want, answer.StatusCode, answer.body)
	}
}

// The server behind gets the body as it was, and the line for the operator names agent,
// user and tool.
func TestACallIsLogged(t *testing.T) {
	var sent string
	behind := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		sent = string(content)
	}))
	t.Cleanup(behind.Close)
	i := newIssuer(t)
	g, log := behindTools(t, i, behind.URL, "")
	require.Equal(t, http.StatusOK, call(t, g.URL(), i.token(t, "scope", "read tools"), "list_files").StatusCode)
	require.Equal(t, callOf("list_files"), sent)
	require.Equal(t, http.StatusForbidden, call(t, g.URL(), i.token(t, "scope", "read tools"), "delete_file").StatusCode)
	require.Equal(t, http.StatusOK, call(t, g.URL(), i.token(t, "scope", "read tools"), strings.Repeat("x", 10_000)).StatusCode)

	var lines []map[string]any
	for _, fields := range logged(t, g, log) {
		lines = append(lines, map[string]any{"agent": fields["client_id"], "user": fields["user_id"], "tool": fields["tool"], "outcome": fields["outcome"], "rules": fields["rules"]})
	}
	require.Equal(t, []map[string]any{
		{"agent": "app", "user": "u1", "tool": "list_files", "outcome": "passed", "rules": []any{"*"}},
		{"agent": "app", "user": "u1", "tool": "delete_file", "outcome": "insufficient_scope", "rules": []any{"delete_file"}},
		{"agent": "app", "user": "u1", "tool": strings.Repeat("x", 256), "outcome": "passed", "rules": []any{"*"}}, // no more of it
	}, lines)
}

// The commands of the monitoring folder, asked of a log as a gateway writes it.
func TestTheQuestionsToTheLog(t *testing.T) {
	for _, program := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	i := newIssuer(t)
	g, log := behindTools(t, i, app(t).URL, "log\n")
	for range 2 {
		require.Equal(t, http.StatusOK, call(t, g.URL(), i.token(t, "scope", "read tools"), "list_files").StatusCode)
	}
	require.Equal(t, http.StatusForbidden, call(t, g.URL(), i.token(t, "scope", "read tools"), "delete_file").StatusCode)
	require.NoError(t, g.Stop())

	readme, err := os.ReadFile(filepath.Join("..", "monitoring", "README.md"))
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^journalctl -u caddy -o cat (\| jq -Rr .*)$`).FindAllSubmatch(readme, -1)
	require.Len(t, commands, 3)
	for i, says := range []string{
		`(?m)^ +1 \S*\t127\.0\.0\.1\t\S*\t.*scope`, `(?m)\A +2 app\tu1\tlist_files\tpassed\n +1 app\tu1\tdelete_file\tinsufficient_scope$`, `(?m)^[0-9.e-]+\t403\tPOST\t/`,
	} {
		output, err := exec.Command("bash", "-o", "pipefail", "-c", "cat "+log+" "+string(commands[i][1])).CombinedOutput()
		require.NoError(t, err, "%s", output)
		require.Regexp(t, says, string(output), string(commands[i][1]))
	}
}

// Over one connection, a token for another tool wrote 75 MB in three seconds.
func TestRefusedCallsFillNoLog(t *testing.T) {
	i := newIssuer(t)
	g, log := behindTools(t, i, app(t).URL, "")
	token := i.token(t, "scope", "read tools")
	batch := func(tool string) string {
		return "[" + strings.Repeat(callOf(tool)+",", 99) + callOf(tool) + "]"
	}
	begin := time.Now()
	for range 20 {
		require.Equal(t, http.StatusForbidden, post(t, g.URL(), token, batch("delete_file")).StatusCode)
	}
	seconds := int(time.Since(begin)/time.Second) + 2
	require.Equal(t, http.StatusOK, post(t, g.URL(), token, batch("list_files")).StatusCode)
	lines := map[string]int{}
	for _, fields := range logged(t, g, log) {
		lines[fields["outcome"].(string)]++
	}
	require.Equal(t, 100, lines["passed"], "each that passes is there")
	require.LessOrEqual(t, lines["insufficient_scope"], seconds*decision.PerSecond)
	require.NotZero(t, lines["insufficient_scope"])
}
