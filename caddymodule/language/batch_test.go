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

func postBatch(t *testing.T, url string, body io.Reader) *http.Response {
	t.Helper()
	response, err := http.Post(url, "application/x-ndjson", body)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestABatchIsRespondedToLineByLine(t *testing.T) {
	gateway := startSite(t, "text_segmentation {\nmax_body 100\n}\npersonification {\nlimit 1\n}")
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

// A program may wait for each response before it sends the next message, and may
// send more of them than anybody holds in memory.
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
	language.Tighten(t, 1<<20, 1, 0, 500*time.Millisecond)
	gateway := startSite(t, "text_segmentation {\nmax_concurrent 1\n}")
	for range 50 {
		_, err := io.WriteString(dial(t, gateway), strings.Replace(requestOf(gateway, segmentationPath, `{"value":"`, 1000), "application/json", "application/x-ndjson", 1))
		require.NoError(t, err)
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
	conn := dial(t, gateway)
	body := `{"value":""}` + "\n"
	_, err := io.WriteString(conn, strings.Replace(requestOf(gateway, segmentationPath, body, len(body)+100), "application/json", "application/x-ndjson", 1))
	require.NoError(t, err)
	require.NoError(t, conn.CloseWrite())
	content, _ := io.ReadAll(conn)
	if strings.Contains(string(content), "200 OK") { // otherwise the connection was aborted before that
		require.NotContains(t, string(content), "0\r\n\r\n", "it does not look complete")
	}
}
