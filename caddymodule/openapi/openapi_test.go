package openapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/apitest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/openapi"
)

func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := apitest.Document()
	require.NoError(t, err)
	return document
}

// Examples are checked against their schemas, too.
func TestTheDocumentIsValid(t *testing.T) {
	document := load(t)
	require.Equal(t, "3.1.0", document.OpenAPI)
	require.NoError(t, document.Validate(t.Context(), openapi3.EnableExamplesValidation()))
}

func TestEveryBodyHasAnExample(t *testing.T) {
	for path, item := range load(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody != nil && path != "/oauth/callback" {
				for mediaType, body := range operation.RequestBody.Value.Content {
					require.NotEmpty(t, body.Examples, "%s %s %s", method, path, mediaType)
				}
			}
			for status, response := range operation.Responses.Map() {
				for mediaType, body := range response.Value.Content {
					if mediaType != "text/html" {
						require.NotEmpty(t, body.Examples, "%s %s %s %s", method, path, status, mediaType)
					}
				}
			}
		}
	}
}

func TestTheDocumentIsServed(t *testing.T) {
	const path = "/openapi.json"
	handler := new(openapi.Handler)
	require.NoError(t, handler.Provision(caddy.Context{Context: t.Context()}))
	next := caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
		w.WriteHeader(http.StatusTeapot)
		return nil
	})
	serve := func(method, path, etag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("If-None-Match", etag)
		w := httptest.NewRecorder()
		require.NoError(t, handler.ServeHTTP(w, r, next))
		return w
	}
	response := serve(http.MethodGet, path, "")
	require.Equal(t, http.StatusOK, response.Code)
	require.Equal(t, "application/json", response.Header().Get("Content-Type"))
	require.Equal(t, "*", response.Header().Get("Access-Control-Allow-Origin"))
	require.True(t, json.Valid(response.Body.Bytes()))
	require.Equal(t, http.StatusNotModified, serve(http.MethodGet, path, response.Header().Get("Etag")).Code)
	require.Empty(t, serve(http.MethodHead, path, "").Body.Bytes())
	require.Equal(t, http.StatusMethodNotAllowed, serve(http.MethodPost, path, "").Code)
	require.Equal(t, http.StatusTeapot, serve(http.MethodGet, path+"/", "").Code)
}
