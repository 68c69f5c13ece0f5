package language_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	_ "github.com/caddyserver/caddy/v2/modules/filestorage"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

func TestAnOperationThatNeedsAToken(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"active":%t,"aud":"api"}`, r.FormValue("token") == "good")
	}))
	defer issuer.Close()
	block := ` {
		origin https://app.example
		require_token ` + issuer.URL + ` api {
			introspection a secret ` + issuer.URL + `
			resource http://localhost/api
		}
	}`
	segmentation, personification := new(language.TextSegmentation), new(language.Personification)
	require.NoError(t, segmentation.UnmarshalCaddyfile(caddyfile.NewTestDispenser("text_segmentation"+block)))
	require.NoError(t, personification.UnmarshalCaddyfile(caddyfile.NewTestDispenser("personification"+block)))
	configuration, err := caddy.ProvisionContext(&caddy.Config{
		Admin: &caddy.AdminConfig{Disabled: true}, StorageRaw: caddyconfig.JSON(map[string]string{"module": "file_system", "root": t.TempDir()}, nil),
	})
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(configuration)
	defer cancel()
	defer func() {
		require.NoError(t, segmentation.Cleanup())
		require.NoError(t, personification.Cleanup())
	}()
	for path, handler := range map[string]provisioner{segmentationPath: segmentation, personificationPath: personification} {
		require.NoError(t, handler.Provision(ctx))
		do := func(method, path string, header ...string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, path, nil)
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			return serve(t, handler, r)
		}
		require.Equal(t, 200, do(http.MethodPost, path, "Authorization", "Bearer good").Code)
		require.Equal(t, 401, do(http.MethodPost, path, "Authorization", "Bearer bad").Code)
		refused := do(http.MethodPost, path, "Origin", "https://app.example")
		require.Equal(t, 401, refused.Code)
		require.Contains(t, refused.Header().Get("WWW-Authenticate"), "resource_metadata=")
		require.Equal(t, "https://app.example", refused.Header().Get("Access-Control-Allow-Origin"))
		preflight := do(http.MethodOptions, path, "Origin", "https://app.example", "Access-Control-Request-Method", "POST")
		require.Equal(t, 204, preflight.Code)
		require.Contains(t, preflight.Header().Get("Access-Control-Allow-Headers"), "Authorization")
		require.Equal(t, 200, do(http.MethodGet, "/.well-known/oauth-protected-resource/api").Code)
		require.Equal(t, http.StatusTeapot, do(http.MethodGet, "/elsewhere").Code, "everything else is the next handler's")
	}
}
