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
		texts, _, err := prompt.Fields{}.AppendTexts(nil, []byte(c.body))
		require.NoError(t, err, name)
		require.Equal(t, c.want, texts, name)
	}
}

// The kinds of messages in the types of the published SDKs: CODE is read, and nothing else of these bodies.
func TestCodeIsReadWhereverAnHonestClientSendsIt(t *testing.T) {
	const code = "for i in range(3): print(i)"
	for name, body := range map[string]string{
		"OpenAI chat: a prediction":               `{"model":"m","messages":[],"prediction":{"type":"content","content":"CODE"}}`,
		"OpenAI chat: a prediction in parts":      `{"prediction":{"type":"content","content":[{"type":"text","text":"CODE"}]}}`,
		"OpenAI chat: input of a custom tool":     `{"messages":[{"role":"assistant","tool_calls":[{"id":"x","type":"custom","custom":{"name":"run","input":"CODE"}}]}]}`,
		"OpenAI chat: a function call":            `{"messages":[{"role":"assistant","function_call":{"name":"run","arguments":"{\"code\":\"CODE\"}"}}]}`,
		"OpenAI chat: a refusal":                  `{"messages":[{"role":"assistant","content":[{"type":"refusal","refusal":"CODE"}]}]}`,
		"OpenAI responses: input of a tool":       `{"input":[{"type":"custom_tool_call","call_id":"c","name":"run","input":"CODE"}]}`,
		"OpenAI responses: output of a tool":      `{"input":[{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"CODE"}]}]}`,
		"OpenAI responses: a patch":               `{"input":[{"type":"apply_patch_call","call_id":"c","status":"completed","operation":{"type":"update_file","diff":"CODE"}}]}`,
		"OpenAI responses: the code interpreter":  `{"input":[{"type":"code_interpreter_call","id":"ci","status":"completed","container_id":"c","code":"CODE","outputs":null}]}`,
		"OpenAI responses: its output":            `{"input":[{"type":"code_interpreter_call","id":"ci","outputs":[{"type":"logs","logs":"CODE"}]}]}`,
		"OpenAI responses: the local shell":       `{"input":[{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["CODE"],"env":{}}}]}`,
		"OpenAI responses: the shell":             `{"input":[{"type":"shell_call","call_id":"c","action":{"commands":["CODE"],"timeout_ms":9}}]}`,
		"OpenAI responses: output of the shell":   `{"input":[{"type":"shell_call_output","output":[{"stdout":"CODE","stderr":"","outcome":{"type":"exit","exit_code":0}}]}]}`,
		"OpenAI responses: a call of MCP":         `{"input":[{"type":"mcp_call","id":"m","name":"run","server_label":"s","arguments":"{\"code\":\"CODE\"}"}]}`,
		"OpenAI responses: what MCP says":         `{"input":[{"type":"mcp_call","id":"m","name":"run","server_label":"s","arguments":"{}","output":"CODE"}]}`,
		"OpenAI responses: a file that was found": `{"input":[{"type":"file_search_call","id":"f","results":[{"file_id":"f","filename":"a.py","score":1,"text":"CODE"}]}]}`,
		"OpenAI responses: reasoning":             `{"input":[{"type":"reasoning","id":"rs","encrypted_content":"gAAA=","summary":[{"type":"summary_text","text":"CODE"}]}]}`,
		"OpenAI responses: a program":             `{"input":[{"type":"program","id":"p","code":"CODE"}]}`,
		"OpenAI responses: a stored prompt":       `{"prompt":{"id":"p","variables":{"question":"CODE"}}}`,
		"Anthropic: a document":                   `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"CODE"}}]}]}`,
		"Anthropic: a document in parts":          `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"CODE"}]}}]}]}`,
		"Anthropic: a document as a string":       `{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"content","content":"CODE"}}]}]}`,
		"Anthropic: thinking":                     `{"thinking":{"type":"enabled","budget_tokens":9},"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"CODE","signature":"Eq0="}]}]}`,
		"Anthropic: output of executed code":      `{"messages":[{"role":"user","content":[{"type":"code_execution_tool_result","tool_use_id":"t","content":{"type":"code_execution_result","stdout":"CODE","stderr":"","return_code":0,"content":[]}}]}]}`,
		"Anthropic: a document in a result":       `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"document","source":{"type":"text","data":"CODE"}}]}]}]}`,
		"Anthropic: a search result":              `{"messages":[{"role":"user","content":[{"type":"search_result","source":"","title":"","content":[{"type":"text","text":"CODE"}]}]}]}`,
		"Ollama: thinking":                        `{"model":"m","think":"high","messages":[{"role":"assistant","content":"","thinking":"CODE"}],"options":{"stop":["\n"]},"keep_alive":"5m"}`,
		"Ollama: a call of a tool":                `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"run","arguments":{"code":"CODE"}}}]}]}`,
		"Gemini: a part":                          `{"contents":[{"role":"user","parts":[{"text":"CODE"}]}]}`,
		"Gemini: code":                            `{"contents":[{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"CODE"},"thoughtSignature":"Eq0="}]}]}`,
		"Gemini: output of code":                  `{"contents":[{"parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"CODE"}}]}]}`,
		"Gemini: a call of a function":            `{"contents":[{"parts":[{"functionCall":{"name":"run","args":{"code":"CODE"}}}]}]}`,
		"Gemini: system instructions":             `{"contents":[],"systemInstruction":{"parts":[{"text":"CODE"}]}}`,
		"MCP: an answer of the client":            `{"jsonrpc":"2.0","id":1,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"CODE"}}}`,
		"MCP: code under a name for identifiers":  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"id":"CODE"}}}`,
	} {
		texts, unread, err := prompt.Fields{}.AppendTexts(nil, []byte(strings.ReplaceAll(body, "CODE", code)))
		require.NoError(t, err, name)
		require.Equal(t, []string{code}, texts, name)
		require.False(t, unread, name)
	}
}

// What is no text, and what stands where no message is known to be, is not passed over in silence.
func TestWhatMayBeAMessageIsUnread(t *testing.T) {
	data := strings.Repeat("iVBORw0KGgo", 30)
	for name, body := range map[string]string{
		"a string in another field":          `{"messages":[],"question":"for i in range(3): print(i)"}`,
		"… in an object":                     `{"messages":[],"extra":{"a":[{"b":"two words"}]}}`,
		"many words where a few are":         `{"messages":[],"metadata":{"a":"` + strings.Repeat("word ", 200) + `"}}`,
		"a template":                         `{"prompt":"A","template":"{{ .Prompt }}"}`,
		"data in another field":              `{"messages":[],"extra":"` + data + `"}`,
		"a long name":                        `{"messages":[{"` + strings.Repeat("for i in x: ", 20) + `":1}]}`,
		"an image at OpenAI":                 `{"messages":[{"content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]}]}`,
		"… by its address":                   `{"messages":[{"content":[{"type":"image_url","image_url":{"url":"https://app.example.com/a.png?b=c"}}]}]}`,
		"… in responses":                     `{"input":[{"content":[{"type":"input_image","image_url":"https://app.example.com/a.png"}]}]}`,
		"sound at OpenAI":                    `{"messages":[{"content":[{"type":"input_audio","input_audio":{"format":"wav","data":"` + data + `"}}]}]}`,
		"a file at OpenAI":                   `{"input":[{"content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBE"}]}]}`,
		"an image at Anthropic":              `{"messages":[{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}]}`,
		"a document at Anthropic by address": `{"messages":[{"content":[{"type":"document","source":{"type":"url","url":"https://app.example.com/a.pdf"}}]}]}`,
		"an image at Ollama":                 `{"messages":[{"role":"user","content":"","images":["iVBO"]}]}`,
		"an image to generate":               `{"prompt":"A","images":["` + data + `"]}`,
		"data at Gemini":                     `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"` + data + `"}}]}]}`,
		"tokens":                             `{"prompt":[[1,2],[3]]}`,
		"tokens to embed":                    `{"input":[1,2,3]}`,
		"an earlier conversation at Ollama":  `{"prompt":"A","context":[1,2,3]}`,
		"with the slashes of PHP":            `{"messages":[{"content":[{"image_url":{"url":"data:image\/png;base64,iVBO"}}]}]}`,
	} {
		texts, unread, err := prompt.Fields{}.AppendTexts(nil, []byte(body))
		require.NoError(t, err, name)
		require.True(t, unread, name)
		require.Empty(t, strings.Trim(strings.Join(texts, ""), "A"), "nor is it text")
	}
}

// Else nobody could use it: what nearly every honest request has is no message, and known to be none.
func TestWhatSaysHowToAnswerIsNoMessage(t *testing.T) {
	for name, body := range map[string]string{
		"OpenAI chat": `{"model":"gpt-5.4-2026-01-01","messages":[{"role":"user","name":"ann","content":"A"}],"temperature":0.5,"stream":true,"stream_options":{"include_usage":true},
			"tools":[{"type":"function","function":{"name":"f","description":"Runs, for example, print(1)","parameters":{"type":"object","properties":{"a b":{"description":"What to run"}}}}}],
			"tool_choice":{"type":"function","function":{"name":"f"}},"response_format":{"type":"json_schema","json_schema":{"name":"x","description":"An answer."}},
			"user":"Ann Example <ann@example.com>","stop":["\n\nHuman:","def "],"metadata":{"title":"A talk about lunch"},"logit_bias":{"50256":-100},
			"reasoning_effort":"high","service_tier":"auto","prompt_cache_key":"k:1","modalities":["text"],"seed":7,"safety_identifier":"0a1b",
			"web_search_options":{"user_location":{"type":"approximate","approximate":{"city":"New York","timezone":"America/New_York"}}}}`,
		"OpenAI responses": `{"model":"m","input":[{"type":"message","id":"msg_1","status":"completed","role":"user","content":[{"type":"input_text","text":"A"}]}],"previous_response_id":"resp_1",
			"include":["reasoning.encrypted_content"],"text":{"format":{"type":"json_schema","schema":{"description":"An answer."}},"verbosity":"low"},"reasoning":{"effort":"low","summary":"auto"},
			"truncation":"disabled","store":false,"conversation":{"id":"conv_1"},"tools":[{"type":"mcp","server_label":"s","server_url":"https://s.example.com/mcp"}]}`,
		"Anthropic": `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"A","cache_control":{"type":"ephemeral","ttl":"5m"}}],"metadata":{"user_id":"u 1"},"stop_sequences":["\n\nHuman:"],
			"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":false,"content":[]}]},
			{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"` + strings.Repeat("Eq0+/a", 100) + `=="},{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]}],
			"tools":[{"name":"f","description":"Two words","input_schema":{"type":"object"}}],"thinking":{"type":"adaptive","display":"summarized"},"service_tier":"auto"}`,
		"Ollama": `{"model":"qwen2.5-coder:7b","prompt":"A","format":{"type":"object","properties":{"a b":{}}},"options":{"temperature":0,"stop":["<|im end|>"]},"keep_alive":"5m"}`,
		"Gemini": `{"contents":[{"role":"user","parts":[{"text":"A","thoughtSignature":"Eq0="}]}],"generationConfig":{"responseSchema":{"description":"An answer."},"stopSequences":["a b"]},
			"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],"tools":[{"functionDeclarations":[{"name":"f","description":"Two words"}]}]}`,
		"MCP":           `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"f","arguments":{"a":"A","context":3},"_meta":{"progressToken":"t"}}}`,
		"MCP, at first": `[{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"An agent","version":"1.0"}}},{"value":"x"},{"params":{"arguments":{"a":"A"}}}]`,
		"embeddings":    `{"model":"m","input":["A"],"encoding_format":"float","dimensions":256}`,
	} {
		texts, unread, err := prompt.Fields{}.AppendTexts(nil, []byte(body))
		require.NoError(t, err, name)
		require.Equal(t, []string{"A"}, texts, name)
		require.False(t, unread, name)
	}
}

func TestOfSomeBodiesNothingIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"empty":                {"", prompt.ErrNoMessage},
		"another API":          {`{"question":"A"}`, prompt.ErrNoMessage},
		"no object":            {`"value"`, prompt.ErrNoMessage},
		"a form":               {"value=A", prompt.ErrNotJSON},
		"cut short":            {`{"value":"A"`, prompt.ErrNotJSON},
		"rubbish at the end":   {`{"value":"A"}}`, prompt.ErrNotJSON},
		"a byte order mark":    {"\ufeff" + `{"value":"A"}`, prompt.ErrNotJSON},
		"UTF-16":               {"{\x00\"\x00", prompt.ErrNotJSON},
		"brackets and no end":  {strings.Repeat("[", 1<<20), prompt.ErrNotJSON},
		"ten thousand objects": {strings.Repeat(`{"params":`, 1<<17), prompt.ErrNotJSON},
	} {
		_, _, err := prompt.Fields{}.AppendTexts(nil, []byte(c.body))
		require.ErrorIs(t, err, c.want, name)
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
		"$.a[-2].*":       {"3", "4"},
		"$.a[-2]..*":      {"3", "4"},
		"$.f..*":          {"7", "8", "9", "10"},
		"$.f.größe":       {"10"},
		"$.*":             {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"},
		"$..*":            {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"},
		"$.f.*[-1][-1]":   {"9"},
		"$.f['$x'][1][0]": {"8"},
		"$.a":             {"1", "2", "3", "4", "5"},
		"$.c":             nil,
	} {
		fields, err := prompt.ParseFields(path)
		require.NoError(t, err, path)
		texts, unread, err := fields.AppendTexts(nil, []byte(body))
		if want == nil {
			require.ErrorIs(t, err, prompt.ErrNoMessage, path)
			continue
		}
		require.NoError(t, err, path)
		require.Equal(t, want, texts, path)
		require.False(t, unread, "nobody asked for the rest")
	}
	fields, err := prompt.ParseFields("$.b", "$.a[0].b", "$.a[*].b")
	require.NoError(t, err)
	texts, _, err := fields.AppendTexts([]string{"0"}, []byte(body))
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
		"{\"value\":\"a\\ud800\\u0000\"}\n{\"value\":1}", `{"a":[[1,"x"],["y"]]}`, "[[[[", `{"input":[{"arguments":"{\"a\":\"b\"}"}],"stop":["a b"],"x":[1],"prompt":[1]}`, `{"":`, "\ufeff{}", "\xff", `"x" "y"`,
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
			texts, _, err := fields.AppendTexts(nil, body)
			again, _, errAgain := fields.AppendTexts(nil, body)
			require.Equal(t, texts, again)
			require.Equal(t, err == nil, errAgain == nil)
			require.LessOrEqual(t, len(strings.Join(texts, "")), 3*len(body), "U+FFFD has three bytes")
		}
	})
}
