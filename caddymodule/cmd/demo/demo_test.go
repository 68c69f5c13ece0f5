package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// The provider stands on the gateway's paths, so it can play its part here.
func startGateway(t *testing.T, config testidp.Config) gatewayClient {
	t.Helper()
	idp, err := testidp.New(config)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/", idp)
	mux.HandleFunc("POST /machine_learning/text/technical_language/parsers/segmentation", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.RawQuery != "classify=true" || !strings.HasPrefix(string(body), `{"value":"`) {
			http.Error(w, "not the request of the contract", http.StatusBadRequest)
			return
		}
		io.WriteString(w, `{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":"Look:\n"}}},`+
			`{"generic":"CODE","specific":"py","fragment":{"string":{"raw":"def f():\n    pass\n"}}}]}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return gatewayClient{url: server.URL, clientID: "dev-native", audience: "https://api.example/"}
}

func TestDemo(t *testing.T) {
	for name, config := range map[string]testidp.Config{"with the login page": {}, "with auto login": {AutoLogin: "grace"}} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			gateway := startGateway(t, config)
			require.NoError(t, run(context.Background(), &out, gateway, "grace", ""))
			require.Contains(t, out.String(), "Grace Hopper")
			require.Contains(t, out.String(), "grace@example.com")
			require.Contains(t, out.String(), "2 segments")
			require.Regexp(t, `CODE py +2 lines\n  \| def f\(\):\n  \|     pass\n`, out.String())
			require.NotContains(t, out.String(), "code=", "codes are not for the screen")
		})
	}
}

func TestDemoReadsTheMessageFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "message.md")
	require.NoError(t, os.WriteFile(file, []byte("hello"), 0o600))
	gateway := startGateway(t, testidp.Config{})
	require.NoError(t, run(context.Background(), io.Discard, gateway, "ada", file))
	require.ErrorContains(t, run(context.Background(), io.Discard, gateway, "ada", file+".missing"), "reading the message")
}

func TestDemoSaysWhatIsWrong(t *testing.T) {
	gateway := startGateway(t, testidp.Config{})
	ctx := context.Background()
	require.ErrorContains(t, run(ctx, io.Discard, gateway, "eve", ""), "There is no such user.")

	unknown := gateway
	unknown.clientID = "somebody"
	require.ErrorContains(t, run(ctx, io.Discard, unknown, "ada", ""), "This application is not known here.")

	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	unreachable := gateway
	unreachable.url = gone.URL
	err := run(ctx, io.Discard, unreachable, "ada", "")
	require.Error(t, err)
	require.Contains(t, explain(err, unreachable.url), "Start it with: make run")
}
