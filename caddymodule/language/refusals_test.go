package language_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// What the operator can find out about a refusal, by its reference, and what not: anything of the message.
func TestARefusalIsOneLine(t *testing.T) {
	const secret = "hunter2"
	log := filepath.Join(t.TempDir(), "log")
	gateway, err := testgateway.Start(testgateway.Config{Log: log, Site: "text_segmentation {\nmax_body 1KB\n}\npersonification {\nmax_body 4KB\n}"})
	require.NoError(t, err)
	type request struct {
		method, target, contentType, body string
	}
	post := func(target, body string) request {
		return request{http.MethodPost, target, "application/json", body}
	}
	many := strings.Repeat(`"hunter2",`, 64)
	cases := map[string]struct {
		request request
		status  int
		outcome string
		rule    string
	}{
		"method":             {request{"PUT", segmentationPath, "application/json", secret}, 405, "method_not_allowed", "the method is not POST"},
		"size":               {post(segmentationPath, strings.Repeat(secret, 1000)), 413, "content_too_large", "the body, or a line of it, is larger than max_body"},
		"media type":         {request{"POST", segmentationPath, "image/hunter2", secret}, 415, "unsupported_media_type", "the media type is not accepted"},
		"query":              {post(segmentationPath+"?classify=hunter2", `{"value":""}`), 400, "bad_request", "a parameter of the query is neither true nor false"},
		"query, twice":       {post(segmentationPath+"?classify=true&classify=hunter2", `{"value":""}`), 400, "bad_request", "a parameter of the query is given twice"},
		"query, broken":      {post(segmentationPath+"?hunter2=%zz", `{"value":""}`), 400, "bad_request", "the query is not valid"},
		"no object":          {post(segmentationPath, `["hunter2"]`), 400, "bad_request", "the body is not a JSON object"},
		"no JSON":            {post(segmentationPath, `{"hunter2"`), 400, "bad_request", "the body is not valid JSON"},
		"a type":             {post(segmentationPath, `{"value":["hunter2"]}`), 400, "bad_request", "a member of the body has another type than it must have"},
		"a name, twice":      {post(segmentationPath, `{"hunter2":1,"hunter2":2}`), 400, "bad_request", "a member of the body is given twice"},
		"no message":         {post(segmentationPath, `{"hunter2":1}`), 400, "bad_request", "the message is missing"},
		"text, not UTF-8":    {request{"POST", segmentationPath, "text/plain", secret + "\xff"}, 400, "bad_request", "the body is not UTF-8"},
		"null among names":   {post(personificationPath, `{"personas":["hunter2",null]}`), 400, "bad_request", "a member of the body has another type than it must have"},
		"too many names":     {post(personificationPath, `{"languages":[`+many+`"go"]}`), 400, "bad_request", "a list has more names than are accepted"},
		"a name of any size": {post(personificationPath, `{"languages":["`+strings.Repeat(secret, 50)+`"]}`), 400, "bad_request", "a name is longer than is accepted"},
	}
	references := make(map[string]string)
	for name, tt := range cases {
		r, err := http.NewRequest(tt.request.method, gateway.URL()+tt.request.target, strings.NewReader(tt.request.body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", tt.request.contentType)
		response, _ := exchange(t, r)
		require.Equal(t, tt.status, response.StatusCode, name)
		require.Len(t, response.Header.Get("Gateway-Reference"), 10, name)
		references[response.Header.Get("Gateway-Reference")] = name
	}
	postBatch(t, gateway.URL()+segmentationPath, strings.NewReader("{\"value\":\"\"}\n{\"hunter2\":3}\n"))
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	require.NoError(t, gateway.Stop())

	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	var ofBatch []map[string]any
	for line := range strings.Lines(string(lines)) {
		var of map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &of))
		if of["msg"] != "request rejected" {
			continue // Caddy's access log has the URI
		}
		require.NotContains(t, line, secret)
		require.Equal(t, "info", of["level"])
		require.Equal(t, "127.0.0.1", of["client_ip"])
		if of["line"] != nil {
			ofBatch = append(ofBatch, of)
			continue
		}
		name := references[of["reference"].(string)]
		delete(references, of["reference"].(string))
		tt := cases[name]
		endpoint := "segmentation"
		if tt.request.target == personificationPath {
			endpoint = "personification"
		}
		require.Equal(t, []any{endpoint, tt.outcome, float64(tt.status), tt.rule}, []any{of["endpoint"], of["outcome"], of["status"], of["rule"]}, name)
	}
	require.Empty(t, references, "each has a line")
	require.Len(t, ofBatch, 1)
	require.EqualValues(t, 2, ofBatch[0]["line"])
	require.Equal(t, "the message is missing", ofBatch[0]["rule"])
}
