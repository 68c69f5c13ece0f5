package segmentcommand

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that went away meanwhile does not come back.
func TestAFileThatIsGoneIsNotReplaced(t *testing.T) {
	folder := t.TempDir()
	require.ErrorIs(t, replaceFile(filepath.Join(folder, "gone.md"), []byte("x")), fs.ErrNotExist)
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
