package language_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

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
		response := call(t, handler, http.MethodPost, segmentationPath+tt.query, tt.body, "")
		require.Equal(t, http.StatusOK, response.Code, name)
		require.JSONEq(t, tt.want, response.Body.String(), name)
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

func postBatch(t *testing.T, url string, body io.Reader) *http.Response {
	t.Helper()
	response, err := http.Post(url, "application/x-ndjson", body)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestABatchIsRespondedToLineByLine(t *testing.T) {
	gateway := startSite(t, "text_segmentation {\nmax_body 100\n}\npersonification")
	long := `{"value":"` + strings.Repeat("x", 200) + `"}`
	response := postBatch(t, gateway.URL()+segmentationPath, strings.NewReader(
		`{"value":"Just a sentence."}`+"\n\n"+`{"value":1}`+"\r\n"+long+"\n"+`{"value":""}`))
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "application/x-ndjson", response.Header.Get("Content-Type"))
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, []string{
		`{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Just a sentence."}}}]}`,
		`{"type":"about:blank","title":"Bad Request","status":400,"detail":"Line 3: /value must be a string, not a number (at byte 9)."}`,
		`{"type":"about:blank","title":"Request Entity Too Large","status":413,"detail":"Line 4: The line is larger than the limit of 100 bytes."}`,
		`{"iterable":[]}`,
	}, strings.Split(strings.TrimSuffix(string(body), "\n"), "\n"))

	response = postBatch(t, gateway.URL()+personificationPath, strings.NewReader(`{"languages":["go"]}`+"\n"+`{"languages":["何か"]}`))
	body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(body), `{"seeds":{"iterable":[{`))
	require.NotContains(t, response.Header, "Personification-Not-Understood")
}

// A program may wait for each response before it sends the next message, and may send more of them than anybody holds in memory.
func TestABatchIsAConversation(t *testing.T) {
	gateway := startSite(t, "encode\ntext_segmentation {\nmax_body 1KB\n}")
	reader, writer := io.Pipe()
	go func() { _, _ = io.WriteString(writer, "{\"value\":\"0\"}\n") }()
	response := postBatch(t, gateway.URL()+segmentationPath, reader)
	lines := bufio.NewScanner(response.Body)
	for i := range 200 {
		require.True(t, lines.Scan(), lines.Err())
		require.Contains(t, lines.Text(), fmt.Sprintf(`"raw":"%d`, i))
		if i < 199 {
			_, err := fmt.Fprintf(writer, "{\"value\":\"%d %s\"}\n", i+1, strings.Repeat("x", 900))
			require.NoError(t, err)
		}
	}
	require.NoError(t, writer.Close())
	require.False(t, lines.Scan())
	require.NoError(t, lines.Err())
}

// However many there are that never end a line.
func TestSlowBatchesKeepNobodyWaiting(t *testing.T) {
	language.Tighten(t, 90_000, 1, 0, 500*time.Millisecond)
	gateway := startSite(t, "text_segmentation {\nmax_body 90KB\n}")
	for range 50 {
		open(t, gateway, strings.Replace(requestOf(gateway, segmentationPath, `{"value":"`, 1000), "application/json", "application/x-ndjson", 1))
	}
	for range 3 {
		response := postBatch(t, gateway.URL()+segmentationPath, strings.NewReader(`{"value":""}`))
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Equal(t, "{\"iterable\":[]}\n", string(body))
	}
}

func TestABatchThatIsCutSaysSo(t *testing.T) {
	gateway := startSite(t, "text_segmentation")
	body := `{"value":""}` + "\n"
	conn := open(t, gateway, strings.Replace(requestOf(gateway, segmentationPath, body, len(body)+100), "application/json", "application/x-ndjson", 1))
	require.NoError(t, conn.CloseWrite())
	content, _ := io.ReadAll(conn)
	if strings.Contains(string(content), "200 OK") { // otherwise the connection was aborted before that
		require.NotContains(t, string(content), "0\r\n\r\n", "it does not look complete")
	}
}
