package language_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/apitest"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

const (
	segmentationPath    = "/machine_learning/text/technical_language/parsers/segmentation"
	personificationPath = "/machine_learning/text/technical_language/generators/personification"
)

type provisioner interface {
	caddy.Provisioner
	caddyhttp.MiddlewareHandler
}

func provision(t *testing.T, handler provisioner) provisioner {
	t.Helper()
	require.NoError(t, handler.Provision(newConfiguration(t)))
	return handler
}

// newConfiguration is the context of a configuration's handlers.
func newConfiguration(t testing.TB) caddy.Context {
	t.Helper()
	parent, err := caddy.ProvisionContext(&caddy.Config{Admin: &caddy.AdminConfig{Disabled: true}})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(parent)
	t.Cleanup(cancel)
	return ctx
}

// next is the next handler. It responds with a status that these handlers never use.
var next = caddyhttp.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusTeapot)
	return nil
})

func call(t *testing.T, handler caddyhttp.MiddlewareHandler, method, target, body, accept string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	return serve(t, handler, r)
}

func send(t *testing.T, handler caddyhttp.MiddlewareHandler, target, contentType, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return serve(t, handler, r)
}

func serve(t *testing.T, handler caddyhttp.MiddlewareHandler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	require.NoError(t, handler.ServeHTTP(recorder, r, next))
	apitest.Check(t, r, recorder.Code, recorder.Header(), recorder.Body.Bytes())
	return recorder
}

func provisionError(t *testing.T, handler caddy.Provisioner) error {
	t.Helper()
	return handler.Provision(newConfiguration(t))
}

func TestMistakesInTheJSONConfigurationAreExplained(t *testing.T) {
	t.Setenv("TEST_LANGUAGE_EMPTY", "")
	for want, handler := range map[string]caddy.Provisioner{
		`text_segmentation: origin "https://app.example.com/" must have nothing`: &language.TextSegmentation{Options: language.Options{Origins: []string{"https://app.example.com/"}}},
		`personification: origin "app.example.com" must be a scheme and a host`:  &language.Personification{Options: language.Options{Origins: []string{"app.example.com"}}},
		"text_segmentation: origin: ":                                            &language.TextSegmentation{Options: language.Options{Origins: []string{"{env.TEST_LANGUAGE_EMPTY}"}}},
		"text_segmentation: max_body must not be negative":                       &language.TextSegmentation{Options: language.Options{MaxBody: -1}},
		"personification: catalogue: ":                                           &language.Personification{Catalogue: "{env.TEST_LANGUAGE_EMPTY}"},
	} {
		require.ErrorContains(t, provisionError(t, handler), want)
	}
}

// An origin matches in whatever form and place it is configured.
func TestScriptsOfConfiguredOriginsMayCall(t *testing.T) {
	t.Setenv("TEST_LANGUAGE_ORIGIN", "https://c.example")
	options := language.Options{Origins: []string{"https://A.example", "https://b.example:443", "{env.TEST_LANGUAGE_ORIGIN}"}}
	for path, handler := range map[string]provisioner{
		segmentationPath:    provision(t, &language.TextSegmentation{Options: options}),
		personificationPath: provision(t, &language.Personification{Options: options}),
	} {
		for _, origin := range []string{"https://a.example", "https://b.example", "https://c.example"} {
			r := httptest.NewRequest(http.MethodOptions, path, nil)
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", http.MethodPost)
			w := httptest.NewRecorder()
			require.NoError(t, handler.ServeHTTP(w, r, next))
			require.Equal(t, http.StatusNoContent, w.Code)
			require.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
		}
		bare := call(t, handler, http.MethodOptions, path, "", "")
		require.Equal(t, http.StatusMethodNotAllowed, bare.Code)
		require.Equal(t, "POST, OPTIONS", bare.Header().Get("Allow"))
		require.Contains(t, bare.Header().Values("Vary"), "Origin")
	}
}

func TestOnlyThePathItself(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	require.Equal(t, http.StatusOK, call(t, handler, http.MethodPost, segmentationPath, "", "").Code)
	for _, path := range []string{segmentationPath + "/", strings.ToUpper(segmentationPath), "/segmentation", segmentationPath + "2"} {
		require.Equal(t, http.StatusTeapot, call(t, handler, http.MethodPost, path, "", "").Code, path)
	}
}
