package stores

import (
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay/file"
)

// withFile has a store in folder, and what gives it back.
func withFile(t *testing.T, folder string) (*File, func()) {
	store := &File{Folder: folder}
	require.NoError(t, store.Provision(caddy.Context{}))
	start, err := For(store, &url.URL{Scheme: "https", Host: "idp.example"})
	require.NoError(t, err)
	require.NotNil(t, start)
	cleanup := sync.OnceFunc(func() { require.NoError(t, store.Cleanup()) })
	t.Cleanup(cleanup)
	return store, cleanup
}

func TestConfigurationsShareOneOpenFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "replay")
	before, cleanupBefore := withFile(t, folder)
	require.NoDirExists(t, folder, "caddy validate does no more than this")
	_, err := before.Claim(t.Context(), replay.Key{1}, time.Hour)
	require.NoError(t, err)
	require.Regexp(t, `/idp\.example-[0-9a-f]{8}\.db$`, before.path)

	after, cleanupAfter := withFile(t, folder)
	_, err = after.Claim(t.Context(), replay.Key{1}, time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
	require.Equal(t, before.Name(), after.Name())
	cleanupBefore()
	_, err = after.Claim(t.Context(), replay.Key{2}, time.Hour)
	require.NoError(t, err, "the one before is gone")
	cleanupAfter()
	_, err = after.Claim(t.Context(), replay.Key{3}, time.Hour)
	require.Error(t, err, "the file is closed")

	later, _ := withFile(t, folder)
	_, err = later.Claim(t.Context(), replay.Key{2}, time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
	require.Equal(t, 2, later.Len())
	require.NoError(t, later.Ping(t.Context()))
	require.Equal(t, file.DefaultCapacity, later.Cap())
}

func TestAFileThatCantBeOpenedSaysWhatToDo(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(t *testing.T, path string)
		cure    string
	}{
		"another process has it": {func(t *testing.T, path string) {
			other, err := file.Open(path, time.Now)
			require.NoError(t, err)
			t.Cleanup(func() { _ = other.Close() })
		}, "stop that one"},
		"it is another file": {func(t *testing.T, path string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte("something else"), 0o600))
		}, "move it away"},
		"its folder can't be made": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(filepath.Dir(path), nil, 0o600))
		}, "replay memory"},
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := withFile(t, filepath.Join(t.TempDir(), "replay"))
			test.prepare(t, store.path)
			_, opened := store.opened()
			require.ErrorContains(t, opened, test.cure)
			require.ErrorContains(t, opened, filepath.Dir(store.path))
			_, claimed := store.Claim(t.Context(), replay.Key{1}, time.Hour)
			_, _, loaded := store.Load(t.Context(), replay.Key{1})
			_, swapped := store.CompareAndSwap(t.Context(), replay.Key{1}, nil, []byte("a"), time.Hour)
			for _, err := range []error{claimed, loaded, swapped, store.Ping(t.Context())} {
				require.Equal(t, opened, err)
			}
			require.Zero(t, store.Len())
		})
	}
}
