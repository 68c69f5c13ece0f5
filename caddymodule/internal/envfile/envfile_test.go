package envfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// Caddy's own reader is the oracle: it is asked by a Caddyfile that shows what it has set.
func TestFilesAreReadAsCaddyDoes(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for content, ok := range map[string]bool{
		"ENVFILE_A=1\n# c\n\nexport ENVFILE_B=2 # c\n": true, "ENVFILE_A=\"a b\"\nENVFILE_B='x'\n": true, "ENVFILE_A=\"a\nb\"\nENVFILE_B=c": true,
		"ENVFILE_A=a=b\nENVFILE_B=": true, "ENVFILE_A=\"a\\\"b\"\n": true, "  ENVFILE_A=1 \n": true,
		"ENVFILE_A": false, "=1": false, "ENVFILE A=1": false, "ENVFILE_A= 1": false,
	} {
		folder := t.TempDir()
		file, config := filepath.Join(folder, "env"), filepath.Join(folder, "Caddyfile")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		require.NoError(t, os.WriteFile(config, []byte("{\n\tadmin off\n}\n"), 0o600))
		read := func(load func() error) []string {
			for _, key := range []string{"ENVFILE_A", "ENVFILE_B"} {
				t.Setenv(key, "") // which is put back after the test
				os.Unsetenv(key)
			}
			err := load()
			require.Equal(t, ok, err == nil, "%q: %v", content, err)
			return []string{os.Getenv("ENVFILE_A"), os.Getenv("ENVFILE_B")}
		}
		theirs := read(func() error {
			cmd := caddycmd.Commands()["validate"]
			flags := &cobra.Command{}
			cmd.CobraFunc(flags)
			require.NoError(t, flags.ParseFlags([]string{"--config", config, "--envfile", file}))
			return flags.RunE(flags, nil)
		})
		ours := read(func() error {
			cmd := new(cobra.Command)
			AddFlags(cmd)
			require.NoError(t, cmd.ParseFlags([]string{"--envfile", file}))
			return Load(cmd)
		})
		require.Equal(t, theirs, ours, content)
	}
}

func TestWhatIsSetStays(t *testing.T) {
	t.Setenv("ENVFILE_A", "before")
	file := filepath.Join(t.TempDir(), "env")
	require.NoError(t, os.WriteFile(file, []byte("ENVFILE_A=after\n"), 0o600))
	require.NoError(t, load(file))
	require.Equal(t, "before", os.Getenv("ENVFILE_A"))
	require.Error(t, load(file+".none"))
	_, err := parse(strings.NewReader("A=1\nthe-secret value=2"))
	require.EqualError(t, err, "line 2 is not KEY=value")
}
