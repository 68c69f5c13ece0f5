//go:build !race

// The race detector makes sync.Pool forget at random.

package segment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func TestNoAllocationsAfterWarmUp(t *testing.T) {
	ctx := context.Background()
	s := segment.Default()
	text := strings.Repeat("Some words about it.\n\n> - ```go\n>   x := 1\n>   ```\n\nint main(void)\n{\n\treturn 0;\n}\n\n<pre>x</pre>\n", 20)
	var segments []segment.Segment
	var classified []segment.Classified
	for name, call := range map[string]func() error{
		"AppendSegments": func() (err error) {
			segments, err = s.AppendSegments(ctx, segments[:0], text)
			return err
		},
		"AppendClassified": func() (err error) {
			classified, err = s.AppendClassified(ctx, classified[:0], text)
			return err
		},
		"Classify": func() error {
			s.Classify(text)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			allocations := testing.AllocsPerRun(100, func() {
				if err := call(); err != nil {
					t.Error(err)
				}
			})
			// A garbage collection empties the pool, which is then filled again.
			require.Less(t, allocations, 1.0)
		})
	}
}
