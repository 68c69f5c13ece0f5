package persona

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADigestChangesWithTheFiles(t *testing.T) {
	digest := func(pairs ...string) string {
		t.Helper()
		d, err := Digest(files(pairs...))
		require.NoError(t, err)
		return d
	}
	base := digest("languages.toml", "a", "tasks/one/go.go", "b")
	require.Equal(t, base, digest("tasks/one/go.go", "b", "languages.toml", "a"), "the same files")
	require.Equal(t, base, digest("languages.toml", "a", "tasks/one/go.go", "b", "README.md", "a note", ".git/config", "hidden"), "what Load skips")
	for _, changed := range [][]string{
		{"languages.toml", "a", "tasks/one/go.go", "c"},
		{"languages.toml", "a", "tasks/two/go.go", "b"},
		{"languages.toml", "a"},
		{"languages.toml", "a", "tasks/one/go.go", "b", "tasks/one/task.toml", ""},
		{"languages.toml", "ab", "tasks/one/go.go", ""},
	} {
		require.NotEqual(t, base, digest(changed...), "%q", changed)
	}
	_, err := Digest(unreadable{})
	require.Error(t, err)
}

type unreadable struct{}

func (unreadable) Open(string) (fs.File, error) { return nil, fs.ErrPermission }
