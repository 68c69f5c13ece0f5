package segment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Each testdata/fences/*.md has a golden file beside it, *.labelled.
func TestLabelFences(t *testing.T) {
	files, err := filepath.Glob("testdata/fences/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			labelled, added, err := segment.Default().LabelFences(t.Context(), nil, string(source), 0.5)
			require.NoError(t, err)
			golden := strings.TrimSuffix(file, ".md") + ".labelled"
			if *update {
				require.NoError(t, os.WriteFile(golden, labelled, 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), string(labelled))
			require.Equal(t, len(labelled) > len(source), added > 0)
			requireIdempotent(t, string(labelled), 0.5)
		})
	}
}

func requireIdempotent(t *testing.T, labelled string, minimum float64) {
	t.Helper()
	again, added, err := segment.Default().LabelFences(context.Background(), nil, labelled, minimum)
	require.NoError(t, err)
	require.Zero(t, added)
	require.Equal(t, labelled, string(again))
}

// withoutTags is text without what may follow a fence on its line.
func withoutTags(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if i := max(strings.LastIndex(line, "```"), strings.LastIndex(line, "~~~")); i >= 0 {
			line = line[:i+3] + strings.Trim(line[i+3:], "abcdefghijklmnopqrstuvwxyz0123456789+#-_")
		}
		b.WriteString(line)
	}
	return b.String()
}

func FuzzLabelFences(f *testing.F) {
	f.Add("Try\n\n```\nx := 1\n```\n\n> - ~~~  \n>   SELECT 1;\n\n<pre>z</pre>\n```sh\nls\n```")
	f.Add("````\n```\nx\n```\n````\r\n\r\n1. ```\r\n   import os\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		labelled, added, err := segment.Default().LabelFences(context.Background(), nil, text, 0)
		require.NoError(t, err)
		if added == 0 {
			require.Equal(t, text, string(labelled))
		}
		if !strings.Contains(text, "\r") {
			require.Equal(t, withoutTags(text), withoutTags(string(labelled)), "nothing but tags")
		}
		requireIdempotent(t, string(labelled), 0)
	})
}
