package caddymodule_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// said is what is said of a Caddyfile by `caddy validate`, a line each, with its level: of
// where handlers stand, and whatever keeps it from being loaded.
func said(t *testing.T, caddyfile string) []string {
	t.Helper()
	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	var config caddy.Config
	require.NoError(t, json.Unmarshal(adapted, &config))
	folder := t.TempDir()
	file, err := json.Marshal(filepath.Join(folder, "log"))
	require.NoError(t, err)
	config.Admin = &caddy.AdminConfig{Disabled: true}
	config.Logging = &caddy.Logging{Logs: map[string]*caddy.CustomLog{"default": {BaseLog: caddy.BaseLog{
		Level: "WARN", EncoderRaw: json.RawMessage(`{"format":"json"}`), WriterRaw: json.RawMessage(`{"output":"file","filename":` + string(file) + `}`),
	}}}}
	storage, err := json.Marshal(map[string]string{"module": "file_system", "root": folder})
	require.NoError(t, err)
	config.StorageRaw = storage
	if err := caddy.Validate(&config); err != nil {
		return []string{"error: " + err.Error()}
	}
	log, err := os.ReadFile(filepath.Join(folder, "log"))
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(log)) {
		var entry struct {
			Level, Logger, Msg, Error, File string
			Line                            int
		}
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		switch entry.Logger {
		case "identity_gateway", "http.handlers.require_token", "http.handlers.text_segmentation", "identity_gateway_routes":
			at := ""
			if entry.File != "" {
				at = ", at " + entry.File + ":" + strconv.Itoa(entry.Line)
			}
			lines = append(lines, entry.Level+": "+entry.Msg+" "+entry.Error+at)
		}
	}
	return lines
}

// TestWhereHandlersStand reads placement.txt.
func TestWhereHandlersStand(t *testing.T) {
	t.Setenv("TEST_URL", "https://a.example/mcp")
	t.Setenv("TEST_HOST", "a.example:443")
	content, err := os.ReadFile("testdata/placement.txt")
	require.NoError(t, err)
	short := strings.NewReplacer(
		"RESOURCE", "require_token https://idp.example api {\nresource https://a.example/mcp\n}", // of three more lines
		"TOKEN", "require_token https://idp.example api",
		"APP", "reverse_proxy localhost:3000",
		"GATEWAY", "identity_gateway https://idp.example",
		"MCP", "protect_mcp https://a.example/mcp https://idp.example {\nidp_client gateway secret\n}",
	)
	for _, test := range strings.Split(string(content), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(test, "\n")
		t.Run(name, func(t *testing.T) {
			var want []string
			for strings.HasPrefix(rest, "! ") {
				var line string
				line, rest, _ = strings.Cut(rest, "\n")
				want = append(want, line[2:])
			}
			source := short.Replace(rest)
			if strings.HasPrefix(source, "\t") {
				source = "a.example {\n" + source + "\n}\n"
			}
			got := said(t, source)
			require.Len(t, got, len(want), "%q", got)
			for i := range want {
				level, part, _ := strings.Cut(want[i], ": ")
				require.Contains(t, strings.Join(got, "\n"), part)
				require.True(t, strings.HasPrefix(got[i], level+": "), got[i])
				require.Regexp(t, `, at Caddyfile:\d+$`, got[i])
			}
		})
	}
}

// Fixtures of adapted Caddyfiles, and examples, are right.
func TestNothingIsSaidOfFixtures(t *testing.T) {
	fixtures := []string{"../Caddyfile.example"}
	for _, pattern := range [...]string{"testdata/adapt/*.caddyfiletest", "examples/*/Caddyfile", "examples/*.Caddyfile", "devidp/Caddyfile"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		fixtures = append(fixtures, found...)
	}
	for _, fixture := range fixtures {
		t.Run(fixture, func(t *testing.T) {
			content, err := os.ReadFile(fixture)
			require.NoError(t, err)
			source, _, _ := strings.Cut(string(content), "\n----------\n")
			for _, variable := range regexp.MustCompile(`\{(?:env\.|\$)(\w+)`).FindAllStringSubmatch(source, -1) {
				t.Setenv(variable[1], "https://example.com/a-value-of-more-than-thirty-two-bytes")
			}
			for _, line := range said(t, source) { // but that files and modules are missing
				require.False(t, strings.HasPrefix(line, "warn: ") || strings.Contains(line, "Caddy will not start"), line)
			}
		})
	}
}
