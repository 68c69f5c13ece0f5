package language_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

func TestSegmentationOverHTTP(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	const fenced = `{"value":"Look:\n\n` + "```" + `py\nprint(\"hé\")\n` + "```" + `\n\nNice, is it not?"}`
	for name, tt := range map[string]struct {
		query, body, want string
	}{
		"absent body":   {"", ``, `{"iterable":[]}`},
		"empty message": {"", `{"value":""}`, `{"iterable":[]}`},
		"text":          {"?classify=true", `{"value":"Just a sentence."}`, `{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Just a sentence."}}}]}`},
		"code, unclassified": {"", fenced, `{"iterable":[
			{"generic":"TEXT","fragment":{"string":{"raw":"Look:\n\n"}}},
			{"generic":"CODE","fragment":{"string":{"raw":"print(\"hé\")\n"}}},
			{"generic":"TEXT","fragment":{"string":{"raw":"\nNice, is it not?"}}}]}`},
		"code, classified": {"?classify=true", fenced, `{"iterable":[
			{"generic":"TEXT","fragment":{"string":{"raw":"Look:\n\n"}}},
			{"generic":"CODE","specific":"py","fragment":{"string":{"raw":"print(\"hé\")\n"},"metadata":{"ext":"py"}}},
			{"generic":"TEXT","fragment":{"string":{"raw":"\nNice, is it not?"}}}]}`},
		"code, classify off": {"?classify=false", `{"value":"    x = 1\n"}`, `{"iterable":[{"generic":"CODE","fragment":{"string":{"raw":"x = 1\n"}}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			response := call(t, handler, http.MethodPost, segmentationPath+tt.query, tt.body, "")
			require.Equal(t, http.StatusOK, response.Code, response.Body)
			require.JSONEq(t, tt.want, response.Body.String())
		})
	}
}

func TestSegmentationSaysHowCertainItIs(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	response := call(t, handler, http.MethodPost, segmentationPath+"?classify=true&confidence=true", `{"value":"~~~py\nx = 1\n~~~\n"}`, "")
	require.Equal(t, http.StatusOK, response.Code, response.Body)
	require.Regexp(t, `"specific":"py","language":\{"name":"Python","confidence":(1|0\.9\d*)\},"fragment"`, response.Body.String())
}

func TestSegmentationAsText(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	response := call(t, handler, http.MethodPost, segmentationPath+"?classify=true",
		`{"value":"Look:\n\n~~~python\nx = 1\n~~~\n"}`, "text/plain")
	require.Equal(t, "text/plain; charset=utf-8", response.Header().Get("Content-Type"))
	require.Equal(t, "Look:\n\n```python\nx = 1\n```\n", response.Body.String())
}

func TestMessagesAsText(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	post := func(contentType, body string) (int, string) {
		recorder := send(t, handler, segmentationPath, contentType, body)
		return recorder.Code, recorder.Body.String()
	}
	for _, contentType := range []string{"text/plain", "text/plain; charset=utf-8"} {
		status, body := post(contentType, `{"value":"no JSON"}`)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, body, `{\"value\":\"no JSON\"}`)
	}
	status, body := post("text/plain", "a \xff")
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, body, "not UTF-8 (at byte 2)")
	status, body = post("text/plain; charset=latin1", "a")
	require.Equal(t, http.StatusUnsupportedMediaType, status)
	require.Contains(t, body, "application/json, application/x-ndjson or text/plain in UTF-8")
	status, _ = post("application/x-www-form-urlencoded", "a")
	require.Equal(t, http.StatusUnsupportedMediaType, status)
}

// What is wrong with the query is said once, whatever lines follow.
func TestABatchWhoseQueryIsWrongIsRejectedAsAWhole(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	response := send(t, handler, segmentationPath+"?classify=maybe", "application/x-ndjson", "{\"value\":\"a\"}\n{\"value\":\"b\"}\n")
	require.Equal(t, http.StatusBadRequest, response.Code)
	require.Equal(t, 1, strings.Count(response.Body.String(), `classify must be true or false, not \"maybe\"`))
}
