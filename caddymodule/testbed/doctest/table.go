package doctest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireTable holds what a file shows between two texts to what it should be, or writes it there.
func RequireTable(t testing.TB, file, begin, table, end string, update bool) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(content), begin)
	require.True(t, found, "%s has no %s", file, begin)
	old, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no %s", file, end)
	if update && !t.Failed() {
		require.NoError(t, os.WriteFile(file, []byte(before+begin+table+end+after), 0o600))
		return
	}
	require.Equal(t, table, old, "%s shows another table: run the test with -args -update", file)
}
