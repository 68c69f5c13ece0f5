package apitest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatTheDocumentDoesNotHaveIsAnError(t *testing.T) {
	const segmentation = "/machine_learning/text/technical_language/parsers/segmentation"
	asJSON, asProblem := http.Header{"Content-Type": {"application/json"}}, http.Header{"Content-Type": {"application/problem+json"}}
	for name, tt := range map[string]struct {
		method, path string
		status       int
		header       http.Header
		body         string
		want         string // "": no error
	}{
		"as it should be":    {"POST", segmentation, 200, asJSON, `{"iterable":[{"generic":"CODE","specific":"py","fragment":{"string":{"raw":"x"}}}]}`, ""},
		"another status":     {"POST", segmentation, 201, asJSON, `{"iterable":[]}`, "status is not supported"},
		"another media type": {"POST", segmentation, 200, asProblem, `{"iterable":[]}`, "Content-Type has unexpected value"},
		"a member missing":   {"POST", segmentation, 200, asJSON, `{}`, "iterable"},
		"outside of a set":   {"POST", segmentation, 200, asJSON, `{"iterable":[{"generic":"CODE","specific":"klingon","fragment":{"string":{"raw":"x"}}}]}`, "specific"},
		"another method":     {"PUT", segmentation, 405, asProblem, `{"type":"about:blank","title":"t","status":405,"detail":"d"}`, ""},
		"no document for it": {"GET", "/elsewhere", 200, asJSON, `1`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := validate(httptest.NewRequest(tt.method, tt.path, nil), tt.status, tt.header, []byte(tt.body))
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
		})
	}
}
