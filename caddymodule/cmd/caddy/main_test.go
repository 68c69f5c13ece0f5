package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

func TestProductionHasTheHandlersTheReplayStoresAndNoDevelopmentIdP(t *testing.T) {
	var handlers []string
	for _, module := range caddy.GetModules("http.handlers") {
		handlers = append(handlers, string(module.ID))
	}
	require.Subset(t, handlers, []string{
		"http.handlers.identity_gateway", "http.handlers.text_segmentation", "http.handlers.personification",
	})
	require.NotContains(t, handlers, "http.handlers.development_idp")
	require.Len(t, caddy.GetModules("http.identity_gateway.replay"), 3, "file, memory and redis")
}

// The example for production has no development defaults: what is not set is an
// error that names it.
func TestTheExampleDoesNotStartWithoutItsVariables(t *testing.T) {
	for name, test := range map[string]struct {
		unset string
		want  string
	}{
		"all set":            {"", ""},
		"no GATEWAY_ADDRESS": {"GATEWAY_ADDRESS", "gateway_address is not set"},
		"no AUTH_URL":        {"AUTH_URL", "AUTH_URL"},
		"no CLIENT_ID":       {"CLIENT_ID", "CLIENT_ID"},
		"no CLIENT_SECRET":   {"CLIENT_SECRET", "CLIENT_SECRET"},
		"no REDIRECT_URIS":   {"REDIRECT_URIS", "REDIRECT_URIS-is-not-set"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_DATA_HOME", t.TempDir())
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			t.Setenv("GATEWAY_ADDRESS", "gateway.example.com")
			t.Setenv("AUTH_URL", "https://tenant.example.com")
			t.Setenv("CLIENT_ID", "app")
			t.Setenv("CLIENT_SECRET", "of the app")
			t.Setenv("REDIRECT_URIS", "https://app.example.com/cb http://127.0.0.1/cb")
			if test.unset != "" {
				require.NoError(t, os.Unsetenv(test.unset))
			}
			err := validateExample(t)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestTheExampleHasNoDevelopmentAddress(t *testing.T) {
	require.NotContains(t, readExample(t), "localhost")
}

func readExample(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "Caddyfile.example"))
	require.NoError(t, err)
	return strings.ReplaceAll(string(content), "\r\n", "\n")
}

func validateExample(t *testing.T) error {
	t.Helper()
	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(readExample(t)), map[string]any{"filename": "Caddyfile.example"})
	if err != nil {
		return err
	}
	var config caddy.Config
	require.NoError(t, json.Unmarshal(adapted, &config))
	return caddy.Validate(&config)
}

// A build with xcaddy takes the versions that the plugin requires, and so does this one.
func TestReleasesHaveTheModuleVersionsOfThePlugin(t *testing.T) {
	plugin := moduleVersions(t, filepath.Join("..", "..", ".."))
	release := moduleVersions(t, ".")
	common := 0
	for path, version := range plugin {
		if _, ok := release[path]; ok {
			require.Equal(t, version, release[path], path)
			common++
		}
	}
	require.Greater(t, common, 100)
}

// moduleVersions are the versions that a go.mod requires, by path.
func moduleVersions(t *testing.T, folder string) map[string]string {
	t.Helper()
	command := exec.Command("go", "mod", "edit", "-json")
	command.Dir = folder
	output, err := command.Output()
	require.NoError(t, err)
	var file struct {
		Require []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal(output, &file))
	versions := make(map[string]string)
	for _, module := range file.Require {
		versions[module.Path] = module.Version
	}
	return versions
}
