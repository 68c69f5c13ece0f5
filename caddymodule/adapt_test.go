package caddymodule_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddytest"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
)

// Each fixture is a Caddyfile, a line of dashes, and the JSON it adapts to.
func TestCaddyfilesAdaptToTheirJSON(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/adapt/*.caddyfiletest")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".caddyfiletest"), func(t *testing.T) {
			content, err := os.ReadFile(fixture)
			require.NoError(t, err)
			caddyfile, want, found := strings.Cut(string(content), "\n----------\n")
			require.True(t, found, "no line of dashes between Caddyfile and JSON")
			require.True(t, caddytest.CompareAdapt(t, fixture, caddyfile, "caddyfile", strings.TrimSpace(want)))
		})
	}
}

// Each fixture is a Caddyfile, a line of dashes, and what its error contains.
func TestMistakesInCaddyfilesAreExplained(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/adapt/*.caddyfileerror")
	require.NoError(t, err)
	require.NotEmpty(t, fixtures)
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".caddyfileerror"), func(t *testing.T) {
			content, err := os.ReadFile(fixture)
			require.NoError(t, err)
			caddyfile, want, found := strings.Cut(string(content), "\n----------\n")
			require.True(t, found, "no line of dashes between Caddyfile and error")
			_, _, err = caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
			require.ErrorContains(t, err, strings.TrimSpace(want))
		})
	}
}
