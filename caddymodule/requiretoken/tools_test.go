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
func call(t *testing.T, url, token, tool string, header ...string) *response {
	t.Helper()
	content := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"}}`
	return post(t, url, token, content, append([]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}, header...)...)
}

// post posts a message, or a batch.
func post(t *testing.T, url, token, content string, header ...string) *response {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(content))
	require.NoError(t, err)
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	for n := 0; n < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	received, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer received.Body.Close()
	body, err := io.ReadAll(received.Body)
	require.NoError(t, err)
	return &response{received, string(body)}
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
		"those of another tool":           {"read tools", "delete_file", `scope="read files.write files.read"`},
		"that of every request, too":      {"none", "delete_file", `scope="read files.write files.read"`},
		"that of every request alone":     {"files.write files.read", "delete_file", `scope="read files.write files.read"`},
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
		"inside":                              {"read files.write", []string{"staff", "admins"}, "drop_table", 200, ""},
		"outside":                             {"read files.write", []string{"staff"}, "drop_table", 403, "access_denied"},
		"no groups":                           {"read files.write", nil, "drop_table", 403, "access_denied"},
		"outside, and without the scope":      {"read", []string{"staff"}, "drop_table", 403, "access_denied"},
		"inside, without the scope":           {"read", []string{"root"}, "drop_table", 403, "insufficient_scope"},
		"outside, by another spelling":        {"read tools files.write", []string{"staff"}, "Drop_Table", 403, "access_denied"},
		"outside, with a space":               {"read tools files.write", []string{"staff"}, "drop_table ", 403, "access_denied"},
		"outside, in wide letters":            {"read tools files.write", []string{"staff"}, "ｄｒｏｐ_table", 403, "access_denied"},
		"outside, for a tool of everybody":    {"read tools", []string{"staff"}, "list_files", 200, ""},
		"a group in the spelling of the rule": {"read files.write", []string{"ADMINS"}, "drop_table", 403, "access_denied"},
	} {
		t.Run(name, func(t *testing.T) {
			content := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + test.tool + `"}}`
			answer := post(t, g.URL()+"/mcp", i.token(t, "scope", test.scope, "groups", test.groups), content)
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
	batch := `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_files"}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"drop_table"}}]`
	answer := post(t, g.URL()+"/mcp", i.token(t, "scope", "read tools files.write"), batch)
	require.Equal(t, http.StatusForbidden, answer.StatusCode, answer.body)
}

// What the fields say is no way around what the body says, and a client of this
// protocol can tell what is wrong.
func TestAToolByAnotherName(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, toolSite)
	answer := call(t, g.URL(), i.token(t, "scope", "read tools"), "delete_file", "Mcp-Name", "list_files")
	require.Equal(t, http.StatusBadRequest, answer.StatusCode)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the field Mcp-Name does not match the body"}}`, answer.body)
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
	log := filepath.Join(t.TempDir(), "log")
	g, err := testgateway.Start(testgateway.Config{Log: log, Site: strings.NewReplacer(
		"{issuer}", i.URL, "{app}", strings.TrimPrefix(behind.URL, "http://")).Replace(toolSite)})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, call(t, g.URL(), i.token(t, "scope", "read tools"), "list_files").StatusCode)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_files"}}`, sent)
	require.Equal(t, http.StatusForbidden, call(t, g.URL(), i.token(t, "scope", "read tools"), "delete_file").StatusCode)
	require.Equal(t, http.StatusOK, call(t, g.URL(), i.token(t, "scope", "read tools"), strings.Repeat("x", 10_000)).StatusCode)

	require.NoError(t, g.Stop())
	written, err := os.ReadFile(log)
	require.NoError(t, err)

	var lines []map[string]any
	for line := range strings.SplitSeq(string(written), "\n") {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) == nil && fields["msg"] == "tool call" {
			lines = append(lines, map[string]any{"agent": fields["client_id"], "user": fields["user_id"], "tool": fields["tool"], "outcome": fields["outcome"], "rules": fields["rules"]})
		}
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
	log := filepath.Join(t.TempDir(), "log")
	g, err := testgateway.Start(testgateway.Config{Log: log, Site: "log\n" + strings.NewReplacer(
		"{issuer}", i.URL, "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(toolSite)})
	require.NoError(t, err)
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
	log := filepath.Join(t.TempDir(), "log")
	g, err := testgateway.Start(testgateway.Config{Log: log, Site: strings.NewReplacer(
		"{issuer}", i.URL, "{app}", strings.TrimPrefix(app(t).URL, "http://")).Replace(toolSite)})
	require.NoError(t, err)
	token := i.token(t, "scope", "read tools")
	batch := func(tool string) string {
		return "[" + strings.Repeat(`{"id":1,"method":"tools/call","params":{"name":"`+tool+`"}},`, 99) + `{"id":1,"method":"tools/call","params":{"name":"` + tool + `"}}]`
	}
	begin := time.Now()
	for range 20 {
		require.Equal(t, http.StatusForbidden, post(t, g.URL(), token, batch("delete_file")).StatusCode)
	}
	seconds := int(time.Since(begin)/time.Second) + 2
	require.Equal(t, http.StatusOK, post(t, g.URL(), token, batch("list_files")).StatusCode)
	require.NoError(t, g.Stop())
	written, err := os.ReadFile(log)
	require.NoError(t, err)
	lines := map[string]int{}
	for line := range strings.SplitSeq(string(written), "\n") {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) == nil && fields["msg"] == "tool call" && fields["level"] == "info" {
			lines[fields["outcome"].(string)]++
		}
	}
	require.Equal(t, 100, lines["passed"], "each that passes is there")
	require.LessOrEqual(t, lines["insufficient_scope"], seconds*decision.PerSecond)
	require.NotZero(t, lines["insufficient_scope"])
}
