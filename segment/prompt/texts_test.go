package prompt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/prompt"
)

func TestMessagesOfTheKnownAPIsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"OpenAI chat completions": {
			`{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"A"},{"role":"assistant","content":null,"tool_calls":[{"id":"x"}]},{"role":"tool","content":"B"}],"stream":true}`,
			[]string{"S", "A", "B"},
		},
		"OpenAI chat completions, in parts": {
			`{"messages":[{"role":"user","content":[{"type":"text","text":"A"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}},{"text":"B","type":"text"}]}]}`,
			[]string{"A", "B"},
		},
		"OpenAI responses, a string": {`{"model":"m","instructions":"S","input":"A"}`, []string{"S", "A"}},
		"OpenAI responses, items": {
			`{"input":[{"role":"user","content":"A"},{"role":"user","content":[{"type":"input_text","text":"B"},{"type":"input_image","image_url":"data:"}]},{"type":"function_call_output","call_id":"x","output":"C"},{"type":"function_call_output","output":[{"type":"input_text","text":"D"}]}]}`,
			[]string{"A", "B", "C", "D"},
		},
		"Anthropic messages": {
			`{"system":"S","max_tokens":9,"messages":[{"role":"user","content":"A"},{"role":"user","content":[{"type":"text","text":"B"},{"type":"tool_result","tool_use_id":"x","content":"C"},{"type":"tool_result","content":[{"type":"text","text":"D"}]}]}]}`,
			[]string{"S", "A", "B", "C", "D"},
		},
		"calls of tools at OpenAI": {
			`{"messages":[{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"edit","arguments":"{\"file\":\"A\",\"edits\":[{\"new\":\"B\"}]}"}},{"function":{"arguments":"cut: {"}},{"function":{"arguments":{"x":"C"}}}]}],"input":[{"type":"function_call","arguments":"{\"y\":\"D\"}"}]}`,
			[]string{"A", "B", "cut: {", "C", "D"},
		},
		"calls of tools at Anthropic": {
			`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"edit","input":{"file":"A","edits":[{"new":"B"}]}}]}]}`,
			[]string{"A", "B"},
		},
		"OpenAI completions":                  {`{"prompt":["A","B"],"suffix":"C"}`, []string{"A", "B", "C"}},
		"Ollama's generate":                   {`{"model":"m","system":"S","prompt":"A","images":["iVBO"]}`, []string{"S", "A"}},
		"texts to embed":                      {`{"input":["A","B"]}`, []string{"A", "B"}},
		"Anthropic messages, system in parts": {`{"system":[{"type":"text","text":"S"}],"messages":[]}`, []string{"S"}},
		"a call of a tool in MCP": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"code":"A","more":[{"files":["B",3,null]}]}}}`,
			[]string{"A", "B"},
		},
		"calls of tools in a batch": {`[{"jsonrpc":"2.0","params":{"arguments":{"code":"A"}}},{"params":{"arguments":{"code":"B"}}}]`, []string{"A", "B"}},
		"another method of MCP":     {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil},
		"segmentation":              {`{"value":"A"}`, []string{"A"}},
		"a batch of segmentation":   {"{\"value\":\"A\"}\n{\"value\":\"B\"}\n", []string{"A", "B"}},
		"no message yet":            {`{"messages":[{"role":"user","content":[]}]}`, nil},
		"a name given twice":        {`{"value":"A","value":"B"}`, []string{"A", "B"}},
		"half a surrogate pair":     {`{"value":"A\ud83d"}`, []string{"A\ufffd"}},
		"escapes":                   {`{"v\u0061lue":"A\n\"B\""}`, []string{"A\n\"B\""}},
	} {
		t.Run(name, func(t *testing.T) {
			texts, err := prompt.Fields{}.AppendTexts(nil, []byte(c.body))
			require.NoError(t, err)
			require.Equal(t, c.want, texts)
		})
	}
}

func TestOfSomeBodiesNothingIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"empty":                {"", prompt.ErrNoMessage},
		"another API":          {`{"contents":[{"parts":[{"text":"A"}]}]}`, prompt.ErrNoMessage},
		"no object":            {`"value"`, prompt.ErrNoMessage},
		"a form":               {"value=A", prompt.ErrNotJSON},
		"cut short":            {`{"value":"A"`, prompt.ErrNotJSON},
		"rubbish at the end":   {`{"value":"A"}}`, prompt.ErrNotJSON},
		"a byte order mark":    {"\ufeff" + `{"value":"A"}`, prompt.ErrNotJSON},
		"UTF-16":               {"{\x00\"\x00", prompt.ErrNotJSON},
		"brackets and no end":  {strings.Repeat("[", 1<<20), prompt.ErrNotJSON},
		"ten thousand objects": {strings.Repeat(`{"params":`, 1<<17), prompt.ErrNotJSON},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := prompt.Fields{}.AppendTexts(nil, []byte(c.body))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// RFC 9535, as far as it is understood here.
func TestFieldsSelectStrings(t *testing.T) {
	const body = `{"a":[{"b":"1","c d":"2"},{"b":"3","e":{"b":"4"}},"5"],"b":"6","f":{"$x":[["7"],["8","9"]],"größe":"10"}}`
	for path, want := range map[string][]string{
		"$.b":             {"6"},
		"$['b']":          {"6"},
		`$["b"]`:          {"6"},
		"$.a[0].b":        {"1"},
		"$.a[0]['c d']":   {"2"},
		"$.a[*].b":        {"1", "3"},
		"$.a[-1]":         {"5"},
		"$.a[-2].b":       {"3"},
		"$.a[-2].*":       {"3"},
		"$.a[-2]..*":      {"3", "4"},
		"$.f..*":          {"7", "8", "9", "10"},
		"$.f.größe":       {"10"},
		"$.*":             {"6"},
		"$..*":            {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"},
		"$.f.*[-1][-1]":   {"9"},
		"$.f['$x'][1][0]": {"8"},
		"$.a":             nil,
	} {
		t.Run(path, func(t *testing.T) {
			fields, err := prompt.ParseFields(path)
			require.NoError(t, err)
			texts, err := fields.AppendTexts(nil, []byte(body))
			require.NoError(t, err)
			require.Equal(t, want, texts)
		})
	}
	fields, err := prompt.ParseFields("$.b", "$.a[0].b", "$.a[*].b")
	require.NoError(t, err)
	texts, err := fields.AppendTexts([]string{"0"}, []byte(body))
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1", "3", "6"}, texts, "in the order of the body, each once")
}

func TestAnythingElseIsNoPath(t *testing.T) {
	for _, path := range []string{"", "messages", ".messages", "$messages", "$.", "$.a.", "$.a[", "$.a[]", "$.a[x]", "$.a[1", "$.a[01]", "$.a[1:2]", "$['a'", `$['a\'b']`, "$..a", "$..*.a", "$.a b", "$.a[?@.b]", "$.a-b"} {
		_, err := prompt.ParseFields(path)
		require.ErrorContains(t, err, "is not a JSON path", path)
	}
}

// Whatever the bytes, the walk ends, and finds the same each time; what it finds stands in the body.
func FuzzAppendTexts(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":[{"type":"text","text":"A"},{"type":"tool_result","content":[{"text":"B"}]}]}],"system":"S"}`,
		`{"input":[{"content":[{"text":"A"}],"output":"B"}],"instructions":"C"}`,
		`[{"jsonrpc":"2.0","params":{"arguments":{"a":["b",{"c":"d"}]}}}]`,
		"{\"value\":\"a\\ud800\\u0000\"}\n{\"value\":1}", `{"a":[[1,"x"],["y"]]}`, "[[[[", `{"":`, "\ufeff{}", "\xff", `"x" "y"`,
	} {
		f.Add([]byte(seed), "$.messages[-1].content")
		f.Add([]byte(seed), "$..*")
		f.Add([]byte(seed), "$['a'][-1][0]")
	}
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		all := []prompt.Fields{{}}
		if fields, err := prompt.ParseFields(path); err == nil {
			all = append(all, fields)
		}
		for _, fields := range all {
			texts, err := fields.AppendTexts(nil, body)
			again, errAgain := fields.AppendTexts(nil, body)
			require.Equal(t, texts, again)
			require.Equal(t, err == nil, errAgain == nil)
			require.LessOrEqual(t, len(strings.Join(texts, "")), 3*len(body), "U+FFFD has three bytes")
		}
	})
}
