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

func TestAppendSegmentsAllocatesNothing(t *testing.T) {
	s := segment.Default()
	text := strings.Repeat("Some words about it.\n\n> - ```go\n>   x := 1\n>   ```\n\nint main(void)\n{\n\treturn 0;\n}\n\n<pre>x</pre>\n", 20)
	var segments []segment.Segment
	allocations := testing.AllocsPerRun(100, func() {
		var err error
		segments, err = s.AppendSegments(context.Background(), segments[:0], text)
		require.NoError(t, err)
	})
	// A garbage collection empties the pool, which is then filled again.
	require.Less(t, allocations, 1.0)
}
