// Package apitest holds the responses of tests to the OpenAPI document.
package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/openapi"
)

var document = sync.OnceValues(func() (*openapi3.T, error) {
	for _, mediaType := range []string{"text/html", "text/markdown", "application/x-ndjson"} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.PlainBodyDecoder)
	}
	var members any
	if err := json.Unmarshal(openapi.Document(), &members); err != nil {
		return nil, err
	}
	joinContent(members)
	joined, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(joined)
})

// Document is the OpenAPI document with x-other-content where a validator looks for it: in content.
func Document() (*openapi3.T, error) { return document() }

func joinContent(value any) {
	switch value := value.(type) {
	case map[string]any:
		if other, ok := value["x-other-content"].(map[string]any); ok {
			maps.Copy(value["content"].(map[string]any), other)
		}
		for _, member := range value {
			joinContent(member)
		}
	case []any:
		for _, member := range value {
			joinContent(member)
		}
	}
}

// Check fails the test if the document has the path of r, and not this response:
// its status, media type, body and header fields.
func Check(t testing.TB, r *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	if err := validate(r, status, header, body); err != nil {
		t.Errorf("%s %s responded %d %s, which the OpenAPI document does not have: %v", r.Method, r.URL, status, body, err)
	}
}

func validate(r *http.Request, status int, header http.Header, body []byte) error {
	document, err := document()
	if err != nil {
		return err
	}
	item := document.Paths.Value(r.URL.Path)
	if item == nil || r.URL.RawPath != "" || r.Method == http.MethodOptions {
		return nil
	}
	operation := item.GetOperation(r.Method)
	if operation == nil { // 405, which each of the path's operations has
		for _, operation = range item.Operations() {
			break
		}
	}
	return openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r, Route: &routers.Route{Spec: document, Path: r.URL.Path, PathItem: item, Method: r.Method, Operation: operation},
		},
		Status: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: len(body) == 0},
	})
}
