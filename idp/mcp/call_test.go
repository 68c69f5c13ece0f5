package mcp_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/mcp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// post is a request with a body, and header fields as they are written.
func post(content string, header ...string) *http.Request {
	return with(httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(content)), append(header, "Content-Type", "application/json")...)
}

func with(r *http.Request, header ...string) *http.Request {
	for n := 0; n < len(header); n += 2 {
		r.Header[header[n]] = append(r.Header[header[n]], header[n+1])
	}
	return r
}

// bodiless is a request without a body.
func bodiless(method string, header ...string) *http.Request {
	return with(httptest.NewRequest(method, "/mcp", nil), header...)
}

const (
	weather = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Oslo"}}}`
	modern  = "2026-07-28"
)

func TestRead(t *testing.T) {
	one := func(id, method, name string) []mcp.Call {
		return []mcp.Call{{ID: []byte(id), Method: method, Name: name}}
	}
	task := `{"id":5,"method":"tasks/get","params":{"taskId":"t1"}}`
	for name, test := range map[string]struct {
		request *http.Request
		calls   []mcp.Call
	}{
		"a tool, by a client that mirrors": {post(weather, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "weather"), one("1", "tools/call", "weather")},
		"white space around a field":       {post(weather, "Mcp-Protocol-Version", modern, "Mcp-Method", " tools/call\t", "Mcp-Name", " weather "), one("1", "tools/call", "weather")},
		"a name that is no header field": {
			post(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"Hello, 世界"}}`,
				"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "=?base64?SGVsbG8sIOS4lueVjA==?="),
			one(`"a"`, "tools/call", "Hello, 世界"),
		},
		"a resource": {
			post(`{"id":2,"method":"resources/read","params":{"uri":"file:///a"}}`, "Mcp-Protocol-Version", modern, "Mcp-Method", "resources/read", "Mcp-Name", "file:///a"),
			one("2", "resources/read", "file:///a"),
		},
		"an older client mirrors nothing":     {post(weather, "Mcp-Protocol-Version", "2025-11-25"), one("1", "tools/call", "weather")},
		"the oldest client names no revision": {post(weather), one("1", "tools/call", "weather")},
		"a batch of 2025-03-26": {
			post(`[` + weather + `,{"method":"notifications/initialized"}]`),
			[]mcp.Call{{ID: []byte("1"), Method: "tools/call", Name: "weather"}, {Method: "notifications/initialized"}},
		},
		"a task, by a client that mirrors it":   {post(task, "Mcp-Protocol-Version", modern, "Mcp-Method", "tasks/get", "Mcp-Name", "t1"), one("5", "tasks/get", "t1")},
		"a task, by a client that does not":     {post(task, "Mcp-Protocol-Version", modern, "Mcp-Method", "tasks/get"), one("5", "tasks/get", "t1")},
		"arguments in which a name comes twice": {post(`{"id":6,"method":"tools/call","params":{"name":"weather","arguments":{"a":1,"a":2}}}`), one("6", "tools/call", "weather")},
		"a task without a name":                 {post(`{"id":5,"method":"tasks/get","params":{}}`), one("5", "tasks/get", "")},
		"a response to the server":              {post(`{"jsonrpc":"2.0","id":3,"result":{"method":1}}`), []mcp.Call{{ID: []byte("3")}}},
		"a method without a name":               {post(`{"id":4,"method":"tools/list"}`, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/list"), []mcp.Call{{ID: []byte("4"), Method: "tools/list"}}},
		"a stream of notifications":             {bodiless(http.MethodGet), nil},
		"the end of a session":                  {bodiless(http.MethodDelete), nil},
	} {
		t.Run(name, func(t *testing.T) {
			sent := ""
			if test.request.Method == http.MethodPost {
				content, err := io.ReadAll(test.request.Body)
				require.NoError(t, err)
				sent = string(content)
				test.request.Body = io.NopCloser(strings.NewReader(sent))
			}
			calls, err := mcp.Read(test.request)
			require.NoError(t, err)
			require.Equal(t, test.calls, calls)
			left, err := io.ReadAll(test.request.Body)
			require.NoError(t, err)
			require.Equal(t, sent, string(left), "the server behind reads the same")
		})
	}
}

// An attacker has a token for harmless tools, and wants the server behind to run another
// one than the policy was asked about.
func TestNothingIsCalledUnseen(t *testing.T) {
	for name, test := range map[string]struct {
		request *http.Request
		status  int
		body    string
	}{
		"another name in the field": {
			post(weather, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "harmless"), 400,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the field Mcp-Name does not match the body"}}`,
		},
		"another name, from a client that need not mirror": {post(weather, "Mcp-Name", "harmless"), 400, `"code":-32020`},
		"another method in the field":                      {post(weather, "Mcp-Method", "tools/list"), 400, `"code":-32020`},
		"no name in the field":                             {post(weather, "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call"), 400, "Mcp-Name is missing"},
		"no method in the field":                           {post(weather, "Mcp-Protocol-Version", modern, "Mcp-Name", "weather"), 400, "Mcp-Method is missing"},
		"a revision that is no date":                       {post(weather, "Mcp-Protocol-Version", "draft"), 400, "is missing"},
		"two names":                                        {post(weather, "Mcp-Name", "weather", "Mcp-Name", "weather"), 400, "comes twice"},
		"two spellings":                                    {post(weather, "Mcp-Name", "weather", "Mcp_name", "harmless"), 400, "comes twice"},
		"another spelling":                                 {post(weather, "Mcp_name", "weather"), 400, "another spelling"},
		"a name that is no base64":                         {post(weather, "Mcp-Name", "=?base64?!?="), 400, "no base64"},
		"two methods":                                      {post(`{"method":"ping","method":"tools/call","params":{"name":"x"}}`), 400, `"code":-32700`},
		"a method in another case":                         {post(`{"method":"ping","Method":"tools/call","params":{"name":"x"}}`), 400, "another case"},
		"params with a long s":                             {post(`{"method":"tools/call","params":{"name":"x"},"paramſ":{"name":"y"}}`), 400, "another case"},
		"a name in another case":                           {post(`{"id":7,"method":"tools/call","params":{"name":"x","NAME":"y"}}`), 400, `"id":7`},
		"a method that is a number":                        {post(`{"id":7,"method":5}`), 400, "method is not a string"},
		"two names in params":                              {post(`{"method":"tools/call","params":{"name":"x","name":"y"}}`), 400, `"code":-32700`},
		"an escaped second name":                           {post(`{"method":"tools/call","params":{"name":"x","n\u0061me":"y"}}`), 400, `"code":-32700`},
		"a name that is no text":                           {post(`{"method":"tools/call","params":{"name":["x"]}}`), 400, "missing, or no string"},
		"no params":                                        {post(`{"method":"tools/call"}`), 400, ``},
		"params that are a list":                           {post(`{"method":"tools/call","params":["x"]}`), 400, ``},
		"two messages, one after the other":                {post(`{"method":"ping"}` + weather), 400, `"code":-32700`},
		"a batch in a batch":                               {post(`[[` + weather + `]]`), 400, `"code":-32700`},
		"a batch with fields for one of it":                {post(`[`+weather+`]`, "Mcp-Method", "ping"), 400, "one message"},
		"a batch of a revision that has none":              {post(`[`+weather+`]`, "Mcp-Protocol-Version", modern), 400, "one message"},
		"a batch that floods the log":                      {post(`[` + strings.Repeat(weather+",", 100) + weather + `]`), 400, "more than 100"},
		"a byte order mark":                                {post("\ufeff" + weather), 400, `"code":-32700`},
		"invalid UTF-8":                                    {post("{\"method\":\"ping\xff\"}"), 400, `"code":-32700`},
		"a compressed body":                                {post(weather, "Content-Encoding", "gzip"), 415, "compressed"},
		"two types":                                        {post(weather, "Content-Type", "application/json"), 415, "Content-Type"},
		"no type":                                          {httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(weather)), 415, "Content-Type"},
		"a name of a method that has none":                 {post(`{"id":8,"method":"ping"}`, "Mcp-Protocol-Version", modern, "Mcp-Method", "ping", "Mcp-Name", "delete_file"), 400, `"id":8,"error":{"code":-32020`},
		"the same, from a client that need not mirror":     {post(`{"method":"ping"}`, "Mcp-Name", "delete_file"), 400, `"code":-32020`},
		"a name of a response":                             {post(`{"id":1,"result":{}}`, "Mcp-Name", "delete_file"), 400, `"code":-32020`},
		"another task in the field":                        {post(`{"method":"tasks/get","params":{"taskId":"t1"}}`, "Mcp-Name", "t2"), 400, `"code":-32020`},
		"a method without a body":                          {bodiless(http.MethodGet, "Mcp-Method", "tools/call"), 400, `"id":null,"error":{"code":-32020`},
		"a name without a body":                            {bodiless(http.MethodDelete, "Mcp-Name", "delete_file"), 400, `"code":-32020`},
		"a method without a body, in another spelling":     {bodiless(http.MethodGet, "Mcp_Method", "tools/call"), 400, `"code":-32020`},
		"an id that comes twice":                           {post(`{"id":1,"id":2,"method":"ping"}`), 400, `"code":-32700`},
		"a batch without end":                              {post(`[{"method":"ping"},`), 400, `"code":-32700`},
		"something after a batch":                          {post(`[{"method":"ping"}]{}`), 400, `"code":-32700`},
		"an upgrade":                                       {bodiless(http.MethodGet, "Upgrade", "websocket"), 400, "upgrade"},
		"an upgrade of a POST":                             {post(`{"id":1,"method":"ping"}`, "Upgrade", "websocket"), 400, "upgrade"},
		"a body without POST":                              {httptest.NewRequest(http.MethodGet, "/mcp", strings.NewReader(weather)), 400, "only a POST"},
		"a body without end":                               {post(`{"method":"ping","x":"` + strings.Repeat("a", mcp.MaxMessage) + `"}`), 413, "larger"},
		"nothing":                                          {post(""), 400, `"id":null`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mcp.Read(test.request)
			var refused *mcp.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, test.status, oauth.AsError(err).Status, err)
			require.Contains(t, string(refused.AppendJSON(nil)), test.body)
		})
	}
}

// A body takes memory for itself and for the calls, whatever is in it.
func TestABodyTakesNoMoreMemoryThanItself(t *testing.T) {
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (mcp.MaxMessage-len(before)-len(after))/len(unit)) + after
	}
	var names strings.Builder
	for n := 0; names.Len() < mcp.MaxMessage-100; n++ {
		names.WriteString(`,"` + strconv.FormatInt(int64(n), 36) + `":0`)
	}
	for name, content := range map[string]string{
		"a batch of empty messages":   fill(`[{}`, `,{}`, `]`),
		"a batch of nothing":          fill(`[0`, `,0`, `]`),
		"a message of many members":   `{"method":"ping"` + names.String() + `}`,
		"params of many members":      `{"method":"tools/call","params":{"name":"x"` + names.String() + `}}`,
		"arguments of many members":   `{"method":"tools/call","params":{"name":"x","arguments":{"x":0` + names.String() + `}}}`,
		"lists in lists":              fill(``, `[`, ``),
		"objects in objects":          fill(``, `{"":`, ``),
		"a long name of a member":     fill(`{"`, `a`, `":0}`),
		"a long name, all of escapes": fill(`{"`, `\u0061`, `":0}`),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = mcp.Read(post(content))
			runtime.ReadMemStats(&after)
			// It is read into a buffer that is doubled until it is large enough.
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(6*mcp.MaxMessage))
		})
	}
}

// What the server behind has read is not kept for as long as it takes to respond.
func TestABodyIsKeptUntilItIsRead(t *testing.T) {
	r := post(weather)
	_, err := mcp.Read(r)
	require.NoError(t, err)
	got, err := io.ReadAll(iotest.OneByteReader(r.Body))
	require.NoError(t, err)
	require.Equal(t, weather, string(got))
	n, err := r.Body.Read(make([]byte, 1))
	require.Zero(t, n)
	require.Equal(t, io.EOF, err)
	require.NoError(t, r.Body.Close())
}

// scopes is a policy of rules that need a scope of the tool's name, each.
func scopes(names ...string) mcp.Policy {
	policy := make(mcp.Policy)
	for _, name := range names {
		policy[name] = mcp.Rule{Scopes: []string{name}}
	}
	return policy
}

func compiled(t *testing.T, policy mcp.Policy) *mcp.Rules {
	t.Helper()
	rules, err := policy.Compile("https://idp.example")
	require.NoError(t, err)
	return rules
}

func toolCall(name string) mcp.Call { return mcp.Call{Method: mcp.ToolCall, Name: name} }

func TestScopesOfCalls(t *testing.T) {
	policy := mcp.Policy{"delete": {Scopes: []string{"write", "admin"}}, "weather": {Scopes: []string{"read"}}, "*": {Scopes: []string{"other"}}}
	require.Equal(t, []string{"other", "write", "admin", "read"}, policy.Scopes())
	rules := compiled(t, policy)
	for name, test := range map[string]struct {
		calls  []mcp.Call
		scopes []string
	}{
		"none":              {nil, nil},
		"a tool":            {[]mcp.Call{toolCall("delete")}, []string{"write", "admin"}},
		"several":           {[]mcp.Call{toolCall("weather"), toolCall("delete"), toolCall("weather")}, []string{"read", "write", "admin"}},
		"one without rule":  {[]mcp.Call{toolCall("undelete")}, []string{"other"}},
		"a prompt's name":   {[]mcp.Call{{Method: "prompts/get", Name: "delete"}}, nil},
		"another method":    {[]mcp.Call{{Method: "tools/list"}}, nil},
		"a name like a *":   {[]mcp.Call{toolCall("*")}, []string{"other"}},
		"always, and once":  {[]mcp.Call{toolCall("weather")}, []string{"read"}},
		"a name of nothing": {[]mcp.Call{toolCall("\u200b")}, []string{"other"}},
	} {
		require.Equal(t, test.scopes, rules.Need(nil, test.calls).Scopes, name)
	}
	require.Equal(t, []string{"read", "other"}, rules.Need([]string{"read"}, []mcp.Call{toolCall("weather"), toolCall("x")}).Scopes)
}

// The most specific rule counts, and of two that are not, both.
func TestTheRuleOfATool(t *testing.T) {
	rules := compiled(t, scopes("delete_*", "delete_user", "*_user", "get_*_by_*", "delete_*_now", "delete_**", "*"))
	for name, want := range map[string][]string{
		"delete_file": {"delete_*", "delete_**"}, "delete_": {"delete_*", "delete_**"}, "delete": {"*"}, "undelete_file": {"*"},
		"delete_user": {"delete_user"}, "list_user": {"*_user"}, "_user": {"*_user"},
		"delete_big_user": {"*_user", "delete_*", "delete_**"}, "delete_all_now": {"delete_*_now"},
		"get_mail_by_id": {"get_*_by_*"}, "get_by_id": {"*"}, "get_by_by_by_": {"get_*_by_*"}, "get__by_": {"get_*_by_*"}, "get_mail_by": {"*"},
	} {
		require.ElementsMatch(t, want, rules.Names(toolCall(name)), name)
	}
	require.Equal(t, []string{"ab*ba"}, compiled(t, scopes("ab*ba")).Names(toolCall("abba")))
	require.Empty(t, compiled(t, scopes("ab*ba")).Names(toolCall("aba")), "its ends do not overlap")
}

// A name that some server could take for that of a tool has its rule.
func TestOtherSpellingsOfATool(t *testing.T) {
	rules := compiled(t, scopes("delete_*", "Löschen", "*"))
	for _, name := range []string{"Delete_file", "DELETE_FILE", "delete_file ", " delete_file", "delete\u200b_file", "ｄｅｌｅｔｅ＿ｆｉｌｅ", "d\u00e9lete_file", "de\u0301lete_file", "delete_\x00", "\ufeffdelete_file"} {
		require.Equal(t, []string{"delete_*"}, rules.Names(toolCall(name)), "%q", name)
	}
	require.Equal(t, []string{"Löschen"}, rules.Names(toolCall("LO\u0308SCHEN")))
	for _, method := range []string{"Tools/Call", "tools/call ", "tools\uff0fcall", "tools/\u200bcall"} {
		_, err := mcp.Read(post(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"delete_file"}}`))
		require.ErrorContains(t, err, "in another spelling", "%q", method)
	}
}

// A claim is told before a scope, and brings no login.
func TestWhatCallsNeed(t *testing.T) {
	rules := compiled(t, mcp.Policy{
		"delete_*": {Scopes: []string{"write"}, Claims: []users.Claim{{Path: "groups", Values: []string{"admins", "root"}}, {Path: "dept", Values: []string{"it"}}}},
		"read_*":   {Scopes: []string{"read"}},
	})
	admin := claims.Object(`{"groups":["staff","admins"],"dept":"it"}`)
	for name, test := range map[string]struct {
		scopes string
		claims claims.Object
		tools  []string
		code   oauth.Code
	}{
		"everything is there":       {"read write", admin, []string{"delete_a", "read_a"}, ""},
		"a scope is missing":        {"read", admin, []string{"delete_a"}, oauth.InsufficientScope},
		"a group is missing":        {"write", claims.Object(`{"groups":["staff"],"dept":"it"}`), []string{"delete_a"}, oauth.AccessDenied},
		"one of two claims is":      {"write", claims.Object(`{"groups":["admins"]}`), []string{"delete_a"}, oauth.AccessDenied},
		"both are":                  {"", claims.Object(`{}`), []string{"delete_a"}, oauth.AccessDenied},
		"no claims":                 {"write", nil, []string{"delete_a"}, oauth.AccessDenied},
		"one call of a batch":       {"read write", claims.Object(`{}`), []string{"read_a", "read_b", "DELETE_a"}, oauth.AccessDenied},
		"a group as a text":         {"write", claims.Object(`{"groups":"admins","dept":"it"}`), []string{"delete_a"}, ""},
		"a group with a comma":      {"write", claims.Object(`{"groups":"staff,admins","dept":"it"}`), []string{"delete_a"}, oauth.AccessDenied},
		"a tool without a rule":     {"", nil, []string{"list"}, ""},
		"a claim in another case":   {"write", claims.Object(`{"Groups":["admins"],"dept":"it"}`), []string{"delete_a"}, oauth.AccessDenied},
		"a group in another case":   {"write", claims.Object(`{"groups":["Admins"],"dept":"it"}`), []string{"delete_a"}, oauth.AccessDenied},
		"an object with the member": {"write", claims.Object(`{"groups":{"admins":true},"dept":"it"}`), []string{"delete_a"}, oauth.AccessDenied},
	} {
		t.Run(name, func(t *testing.T) {
			var calls []mcp.Call
			for _, tool := range test.tools {
				calls = append(calls, toolCall(tool))
			}
			err := rules.Need(nil, calls).Check(strings.Fields(test.scopes), test.claims)
			if test.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, test.code, oauth.AsError(err).Code)
			require.Equal(t, http.StatusForbidden, oauth.AsError(err).Status)
		})
	}
	for name, bad := range map[string]mcp.Policy{
		"needs a name, and a scope or a claim": {"delete": {}},
		`tool "" needs a name`:                 {"": {Scopes: []string{"read"}}},
		"tool a: claim groups needs":           {"a": {Claims: []users.Claim{{Path: "groups"}}}},
	} {
		_, err := bad.Compile("https://idp.example")
		require.ErrorContains(t, err, name)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(weather, modern, "tools/call", "weather")
	f.Add(`[`+weather+`,{"method":"ping"}]`, "", "", "")
	f.Add(`{"id":1,"method":"tools/call","params":{"name":"Hello, 世界"}}`, modern, "tools/call", "=?base64?SGVsbG8sIOS4lueVjA==?=")
	f.Fuzz(func(t *testing.T, content, version, method, name string) {
		r := post(content, "Mcp-Protocol-Version", version, "Mcp-Method", method, "Mcp-Name", name)
		calls, err := mcp.Read(r)
		if err != nil {
			var refused *mcp.Error
			if !errors.As(err, &refused) {
				t.Fatal(err)
			}
			return
		}
		left, err := io.ReadAll(r.Body)
		if err != nil || string(left) != content {
			t.Fatalf("the body became %q, %v", left, err)
		}
		for _, call := range calls {
			if call.Method == mcp.ToolCall && call.Name == "" {
				t.Fatal("a tool without a name")
			}
		}
	})
}
