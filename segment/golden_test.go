package segment_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMessages shows what becomes of real-looking messages: beside each testdata/messages/x.txt, x.golden has its segments under
// a line each with the kind and the language.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			message, err := os.ReadFile(file)
			require.NoError(t, err)
			text := string(message)
			segments, err := segment.Default().AppendClassified(context.Background(), nil, text)
			require.NoError(t, err)
			var got strings.Builder
			for _, s := range segments {
				if s.Kind == segment.Text {
					fmt.Fprintf(&got, "=== TEXT\n%s", text[s.Start:s.End])
				} else {
					fmt.Fprintf(&got, "=== CODE %s\n%s", s.Language, s.Content(text))
				}
			}
			golden := strings.TrimSuffix(file, ".txt") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String(), "if a model or a rule is new: read what has changed, then run go test ./segment -run TestMessages -update")
		})
	}
}
