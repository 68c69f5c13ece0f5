package language_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/stretchr/testify/require"
)

// logged adapts a Caddyfile and returns the warnings that its handlers log.
func logged(t *testing.T, caddyfile string) (warnings []map[string]any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "log")
	var config caddy.Config
	require.NoError(t, json.Unmarshal([]byte(`{"admin":{"disabled":true},"logging":{"logs":{"default":{"level":"WARN","encoder":{"format":"json"},"writer":{"output":"file","filename":`+
		string(caddyconfig.JSON(file, nil))+`}}}}}`), &config))
	_, err := caddy.ProvisionContext(&config)
	require.NoError(t, err)
	_, _, err = caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
	require.NoError(t, err)
	log, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(log)) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		if name, _ := entry["logger"].(string); strings.HasPrefix(name, "http.handlers.") {
			warnings = append(warnings, entry)
		}
	}
	return warnings
}

func TestAHandlerThatCanNeverRespondIsAWarning(t *testing.T) {
	for name, tt := range map[string]struct {
		site  string
		warns bool
	}{
		"no matcher":             {"text_segmentation", false},
		"everything":             {"text_segmentation *", false},
		"a folder around it":     {"text_segmentation /machine_learning/*", false},
		"a host":                 {"@a host a.example\ntext_segmentation @a", false},
		"its path":               {"personification " + personificationPath, false},
		"a path that is not its": {"text_segmentation /seg", true},
		"a method":               {"@a method GET\ntext_segmentation @a", true},
		"another handler's":      {"text_segmentation " + personificationPath, true},
	} {
		t.Run(name, func(t *testing.T) {
			warnings := logged(t, "a.example {\n"+tt.site+"\n}")
			if !tt.warns {
				require.Empty(t, warnings)
				return
			}
			require.Len(t, warnings, 1)
			require.Contains(t, warnings[0]["msg"], "it never responds")
			require.Equal(t, "Caddyfile", warnings[0]["file"])
			require.NotEmpty(t, warnings[0]["path"])
		})
	}
}

// caddy reload compares the adapted configuration with the running one.
func TestAChangedCatalogueIsAChangedConfiguration(t *testing.T) {
	adapt := func(folder string) string {
		config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(":80 {\n\tpersonification {\n\t\tcatalogue "+folder+"\n\t}\n}\n"), nil)
		require.NoError(t, err)
		return strings.ReplaceAll(string(config), folder, "")
	}
	with := func(pairs ...string) string {
		folder := t.TempDir()
		for i := 0; i < len(pairs); i += 2 {
			file := filepath.Join(folder, filepath.FromSlash(pairs[i]))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(pairs[i+1]), 0o644))
		}
		return adapt(folder)
	}
	one := with("languages.toml", "a", "tasks/one/go.go", "b")
	require.Equal(t, one, with("tasks/one/go.go", "b", "languages.toml", "a"), "the same files")
	require.Equal(t, one, with("languages.toml", "a", "tasks/one/go.go", "b", ".git/config", "hidden", ".notes", "hidden"))
	for _, changed := range [][]string{
		{},
		{"languages.toml", "a", "tasks/one/go.go", "c"},
		{"languages.toml", "a", "tasks/two/go.go", "b"},
		{"languages.toml", "a"},
		{"languages.toml", "a", "tasks/one/go.go", "b", "tasks/one/task.toml", ""},
		{"languages.toml", "ab", "tasks/one/go.go", ""},
	} {
		require.NotEqual(t, one, with(changed...), "%q", changed)
	}
	require.NotContains(t, adapt(filepath.Join(t.TempDir(), "nowhere")), "catalogue_digest", "a folder may be on another machine")
}
