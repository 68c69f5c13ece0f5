package paths

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternsOfPathsWithDotSegments(t *testing.T) {
	require.True(t, newPattern("/a/*").matchesSome([]string{"a", "b", "c"}))
	require.False(t, newPattern("/a/*").matchesSome([]string{"a"}))
	require.True(t, newPattern("/*").matchesSome([]string{"a", "b"}))
	require.True(t, pattern{}.matchesSome([]string{"a"}))
}
