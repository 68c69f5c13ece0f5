package segment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// expiring is a context that ends when it has been looked at a few times.
type expiring struct {
	context.Context
	looks int
}

func (e *expiring) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

func TestLongTextIsAbandoned(t *testing.T) {
	text := strings.Repeat("Some words that go on and on.\n", 100_000)
	for looks := range 5 {
		segments, err := segment.Default().AppendSegments(&expiring{context.Background(), looks}, nil, text)
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, segments)
	}
}

// The model sees long texts in pieces; what crosses from one to the next must not be cut.
func TestLongTextIsInOnePiece(t *testing.T) {
	read := func(name string) string {
		message, err := os.ReadFile("testdata/messages/" + name + ".txt")
		require.NoError(t, err)
		return string(message)
	}
	// Both have more than maxLines; prose has more than maxBytes, too.
	code := strings.Repeat(read("pure-code-rust")+"\n", 1_700)
	prose := strings.Repeat(read("commit-message")+"\n", 3_200)
	for name, test := range map[string]struct {
		text     string
		want     []string
		segments int // their number, where the kinds are the model's own affair
	}{
		"code":            {code, []string{"CODE"}, 0},
		"prose":           {prose, []string{"TEXT"}, 0},
		"fenced code":     {"```rust\n" + code + "```\n", []string{"CODE"}, 0},
		"blank lines":     {"The first sentence of it stands here," + strings.Repeat("\n", 1_000_000) + "and the second one stands here.", []string{"TEXT"}, 0},
		"one line":        {strings.Repeat("some words ", 500_000), []string{"TEXT"}, 0},
		"mixed":           {prose + "```\n" + code + "```\n" + prose, []string{"TEXT", "CODE", "TEXT"}, 0},
		"many fences":     {strings.Repeat("```\nx\n```\n", 20_000), nil, 20_000},
		"fences of a Mac": {strings.Repeat("```\ra\rb\rc\r```\r", 20_000), nil, 20_000},
		"old Macintosh":   {strings.ReplaceAll(prose, "\n", "\r"), []string{"TEXT"}, 0},
		"nested code":     {strings.Repeat("- ", 50_000) + strings.Repeat("<pre>a</pre>", 20_000), nil, 20_000},
		"nested lists":    {strings.Repeat("- ", 50_000) + "The innermost item of this list." + strings.Repeat("\n", 50_000), nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			segments := segment.Default().Segment(test.text)
			if test.want == nil {
				require.Len(t, segments, test.segments)
				return
			}
			var got []string
			for _, s := range segments {
				got = append(got, s.Kind.String())
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestSegmenterIsSafeForConcurrentUse(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.txt")
	require.NoError(t, err)
	ctx := context.Background()
	s := segment.Default()
	texts := make([]string, len(files))
	want := make([][]segment.Classified, len(files))
	for i, file := range files {
		message, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[i] = string(message)
		want[i], err = s.AppendClassified(ctx, nil, texts[i])
		require.NoError(t, err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, text := range texts {
				got, err := s.AppendClassified(ctx, nil, text)
				if err != nil || len(got) != len(want[i]) {
					t.Errorf("%s: got %d segments, %v", files[i], len(got), err)
					continue
				}
				for k := range got {
					if got[k] != want[i][k] {
						t.Errorf("%s: segment %d differs", files[i], k)
					}
				}
			}
		})
	}
	group.Wait()
}
