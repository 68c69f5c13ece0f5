package language_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
)

// Scripts of other origins call with a token, and read why they may not.
func TestAnOperationBehindRequireToken(t *testing.T) {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, `{"active":%t,"aud":"api"}`, r.FormValue("token") == "good")
	}))
	defer issuer.Close()
	gateway := startSite(t, `handle /machine_learning* {
		require_token `+issuer.URL+` api {
			introspection a secret `+issuer.URL+`
			origin https://app.example
		}
		text_segmentation {
			origin https://app.example
		}
	}`)
	do := func(method string, header ...string) *http.Response {
		r, err := http.NewRequest(method, gateway.URL()+segmentationPath, nil)
		require.NoError(t, err)
		r.Header.Set("Origin", "https://app.example")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		response, _ := exchange(t, r)
		require.Equal(t, "https://app.example", response.Header.Get("Access-Control-Allow-Origin"))
		return response
	}
	require.Equal(t, 200, do(http.MethodPost, "Authorization", "Bearer good").StatusCode)
	require.Equal(t, 401, do(http.MethodPost, "Authorization", "Bearer bad").StatusCode)
	require.Equal(t, 401, do(http.MethodPost).StatusCode)
	preflight := do(http.MethodOptions, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization")
	require.Equal(t, 204, preflight.StatusCode)
	require.Contains(t, preflight.Header.Get("Access-Control-Allow-Headers"), "Authorization")
}
