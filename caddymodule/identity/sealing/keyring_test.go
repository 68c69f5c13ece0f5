package sealing

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func storageKeyring(t *testing.T, storage certmagic.Storage, now func() time.Time) *Keyring {
	k, err := New(nil, storage, zap.NewNop(), now)
	require.NoError(t, err)
	return k
}

// alteredStorage lists what the test says, or fails where it says so.
type alteredStorage struct {
	certmagic.Storage
	list        func(names []string, err error) ([]string, error) // nil: as they are
	load, store bool                                              // fails
	name        string                                            // by which it can be told from others
	looks       atomic.Int32                                      // how often it was listed
}

var errStorage = errors.New("no route to host")

// isAway is for a storage that lists nothing.
func isAway([]string, error) ([]string, error) { return nil, errStorage }

func (s *alteredStorage) List(ctx context.Context, path string, recursive bool) ([]string, error) {
	s.looks.Add(1)
	names, err := s.Storage.List(ctx, path, recursive)
	if s.list != nil {
		return s.list(names, err)
	}
	return names, err
}

func (s *alteredStorage) Load(ctx context.Context, key string) ([]byte, error) {
	if s.load {
		return nil, errStorage
	}
	return s.Storage.Load(ctx, key)
}

func (s *alteredStorage) Store(ctx context.Context, key string, value []byte) error {
	if s.store {
		return errStorage
	}
	return s.Storage.Store(ctx, key, value)
}

// namedStorage is one that can be told from others, as those of Caddy can.
type namedStorage struct{ *alteredStorage }

func (s namedStorage) String() string { return s.name }

// currentOf are the keys that a keyring has now.
func currentOf(t *testing.T, k *Keyring) *seal.Keys {
	t.Helper()
	keys, err := k.Current(t.Context())
	require.NoError(t, err)
	return keys
}

// namesIn are the names of the keys in a storage.
func namesIn(t *testing.T, storage certmagic.Storage) []string {
	t.Helper()
	names, err := storage.List(t.Context(), keysFolder, false)
	require.NoError(t, err)
	return names
}

func TestNodesThatShareAStorageShareKeys(t *testing.T) {
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	core, logs := observer.New(zap.DebugLevel)
	first, err := New(nil, storage, zap.New(core), time.Now)
	require.NoError(t, err)
	a := currentOf(t, first)
	b := currentOf(t, storageKeyring(t, storage, time.Now))
	opened, err := b.Open("code", "", a.Seal("code", "", []byte("x")))
	require.NoError(t, err)
	require.Equal(t, "x", string(opened))
	names := namesIn(t, storage)
	require.Len(t, names, 1)
	require.Equal(t, 1, logs.Len())
	require.Equal(t, map[string]any{"storage_key": names[0]}, logs.All()[0].ContextMap(), "the log names the key, and does not show it")
}

// An upgrade ends no login: the data folder of an older version has keys, and clients have
// what they sealed.
func TestTheKeysOfAnOlderVersionOpen(t *testing.T) {
	const name, key = "20260102T030405-7XZUWHEW4GDKWWXJVJWNMAXPPJ", "l7Hq0nX2uVd5yBz8eKc3RfTgW9sJmPaO4iUxYvNbLwE=\n"
	const sealed = "AkiHcyg9uZ-tLmibS1rybHb85yewSQhT1HhEfwYvyoJbh7v6H0Tynd5097SLtmRP2A"
	data := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(data, "identity_gateway", "keys"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(data, "identity_gateway", "keys", name), []byte(key), 0o600))
	keys := currentOf(t, storageKeyring(t, &certmagic.FileStorage{Path: data}, time.Now))
	opened, current, err := keys.OpenLasting("refresh token", "", sealed)
	require.NoError(t, err, keys.SealLasting("refresh token", "", []byte("x")))
	require.Equal(t, "x", string(opened))
	require.True(t, current)
}

func TestNodesThatStartTogetherOpenEachOthersValues(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	counted := &alteredStorage{Storage: storage}
	first := storageKeyring(t, counted, clock)
	a := currentOf(t, first)

	blind := &alteredStorage{Storage: storage} // at first, as if the first node were storing its key at the same moment
	blind.list = func(names []string, err error) ([]string, error) {
		if blind.looks.Load() == 1 {
			return nil, fs.ErrNotExist
		}
		return names, err
	}
	second := storageKeyring(t, blind, func() time.Time { return now.Add(-time.Minute) })
	b := currentOf(t, second)
	names := namesIn(t, storage)
	require.Len(t, names, 2, "none was overwritten")

	_, err := b.Open("code", "", a.Seal("code", "", []byte("x")))
	require.NoError(t, err)
	sealed := b.Seal("code", "", []byte("x"))
	_, err = a.Open("code", "", sealed)
	require.Error(t, err)
	require.Nil(t, first.Newer(t.Context(), a), "the storage was asked a moment ago")
	now = now.Add(keysInterval)
	newer := first.Newer(t.Context(), a)
	require.NotNil(t, newer)
	now = now.Add(keysInterval)
	counted.looks.Store(0)
	require.Same(t, newer, first.Newer(t.Context(), a), "for a request that another one has overtaken")
	require.Zero(t, counted.looks.Load(), "what is newer is there already")
	_, err = newer.Open("code", "", sealed)
	require.NoError(t, err)
	require.NotEqual(t, sealed[:10], a.Seal("code", "", nil)[:10])
	require.Equal(t, sealed[:5], newer.Seal("code", "", nil)[:5], "both nodes seal with the same key from now on")
}

func base64Of(length int) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("k"), length))
}

func TestADamagedKeyIsNamedAndNeverOverwritten(t *testing.T) {
	for _, content := range []string{"", "short", base64Of(31), strings.Repeat("no base64!", 6), base64Of(40)[:45]} {
		folder := t.TempDir()
		storage := &certmagic.FileStorage{Path: folder}
		path := filepath.Join(folder, keysFolder, "20260101T000000-A")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))

		_, err := storageKeyring(t, storage, time.Now).Current(t.Context())
		require.ErrorContains(t, err, keysFolder+"/20260101T000000-A is not a key (base64 of at least 32 bytes)")
		entries, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
}

// writeKeys makes a storage with these files as its keys.
func writeKeys(t *testing.T, files map[string]string) *certmagic.FileStorage {
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	for name, content := range files {
		require.NoError(t, storage.Store(t.Context(), keysFolder+"/"+name, []byte(content)))
	}
	return storage
}

func TestFilesThatAreNoKeysOfOurs(t *testing.T) {
	storage := writeKeys(t, map[string]string{
		"20260101T000000-A": base64Of(32) + "\n", "20260101T000000": "-", "README-first": "-", "-": "-", "20261301T000000-A": "-", "2748193046": "-",
	})
	currentOf(t, storageKeyring(t, storage, time.Now))
}

func TestTwoKeysThatAreOne(t *testing.T) {
	storage := writeKeys(t, map[string]string{"20260101T000000-A": base64Of(32), "20260101T000000-B": base64Of(32)})
	_, err := storageKeyring(t, storage, time.Now).Current(t.Context())
	require.ErrorContains(t, err, "master keys 1 and 2")
}

func TestTheNewestKeySealsInWhateverOrderTheyAreListed(t *testing.T) {
	files := writeKeys(t, map[string]string{"20260101T000000-A": base64Of(32), "20260201T000000-A": base64Of(33), "20260301T000000-A": base64Of(34)})
	var ids []string
	reversed := func(names []string, err error) ([]string, error) {
		slices.Reverse(names)
		return names, err
	}
	for _, storage := range []certmagic.Storage{files, &alteredStorage{Storage: files, list: reversed}} {
		k := storageKeyring(t, storage, time.Now)
		keys, err := k.Current(t.Context())
		require.NoError(t, err)
		require.Equal(t, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), *k.Made())
		ids = append(ids, keys.SealLasting("refresh", "", nil)[:5])
	}
	require.Equal(t, ids[0], ids[1])
}

// Without keys nobody logs in; the operator reads why, and at which file.
func TestWhereAStorageFails(t *testing.T) {
	afterAKeyWasMade := func(names []string, err error) ([]string, error) {
		if len(names) > 0 {
			return nil, errStorage
		}
		return names, err
	}
	for want, storage := range map[string]*alteredStorage{
		"listing " + keysFolder + ": ":         {list: isAway},
		"storing " + keysFolder + "/2":         {store: true},
		"listing " + keysFolder + ": no route": {list: afterAKeyWasMade},
		"reading " + keysFolder + "/2":         {load: true},
		"the storage does not list ":           {list: func([]string, error) ([]string, error) { return nil, nil }}, // yet: it is eventually consistent
	} {
		storage.Storage = &certmagic.FileStorage{Path: t.TempDir()}
		core, logs := observer.New(zap.ErrorLevel)
		k, err := New(nil, storage, zap.New(core), time.Now)
		require.NoError(t, err)
		keys, err := k.Current(t.Context())
		require.Nil(t, keys, want)
		require.ErrorContains(t, err, want)
		require.Equal(t, 1, logs.FilterMessageSnippet("logins wait until they can").Len(), want)
	}
}

func TestAStorageThatFailsIsAskedOnceASecond(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	storage := &alteredStorage{Storage: &certmagic.FileStorage{Path: t.TempDir()}, list: isAway}
	k := storageKeyring(t, storage, func() time.Time { return now })
	for range 5 {
		_, err := k.Current(t.Context())
		require.ErrorContains(t, err, "no route to host")
	}
	require.EqualValues(t, 1, storage.looks.Load())
	now = now.Add(time.Second)
	_, err := k.Current(t.Context())
	require.Error(t, err)
	require.EqualValues(t, 2, storage.looks.Load())
}

func TestAReloadWhileTheStorageIsAwayKeepsTheKeys(t *testing.T) {
	files := &certmagic.FileStorage{Path: t.TempDir()}
	configured := func(name string, list func([]string, error) ([]string, error)) *Keyring {
		k := storageKeyring(t, namedStorage{&alteredStorage{Storage: files, name: name, list: list}}, time.Now)
		require.NoError(t, k.Remember())
		return k
	}
	first := configured(t.Name(), nil)
	a := currentOf(t, first)

	second := configured(t.Name(), isAway) // as a reload does: the new one first
	require.NoError(t, first.Forget())
	b := currentOf(t, second)
	_, err := b.Open("code", "", a.Seal("code", "", []byte("x")))
	require.NoError(t, err)
	require.NotNil(t, second.Made())

	other := configured(t.Name()+" elsewhere", isAway)
	_, err = other.Current(t.Context())
	require.ErrorContains(t, err, "no route to host", "the keys of another storage")
	require.NoError(t, other.Forget())

	require.NoError(t, second.Forget())
	third := configured(t.Name(), isAway)
	_, err = third.Current(t.Context())
	require.ErrorContains(t, err, "no route to host", "nobody has kept them")
	require.NoError(t, third.Forget())
}

func TestAKeyThatIsDeletedIsGoneAfterAReload(t *testing.T) {
	files := &certmagic.FileStorage{Path: t.TempDir()}
	first := storageKeyring(t, files, time.Now)
	require.NoError(t, first.Remember())
	a := currentOf(t, first)
	require.NoError(t, files.Delete(t.Context(), keysFolder))
	second := storageKeyring(t, files, time.Now)
	require.NoError(t, second.Remember())
	b := currentOf(t, second)
	_, err := b.Open("code", "", a.Seal("code", "", []byte("x")))
	require.Error(t, err)
	require.NoError(t, errors.Join(first.Forget(), second.Forget()))
}

// Some storages report what they can't read as if it did not exist, and a volume that is
// not mounted is empty. Whoever sends a state of an unknown key has the storage looked at.
func TestKeysInUseStayWhenTheStorageIsEmpty(t *testing.T) {
	now := time.Now()
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	core, logs := observer.New(zap.WarnLevel)
	k, err := New(nil, storage, zap.New(core), func() time.Time { return now })
	require.NoError(t, err)
	keys := currentOf(t, k)
	require.NoError(t, storage.Delete(t.Context(), keysFolder))
	now = now.Add(keysInterval)
	require.Nil(t, k.Newer(t.Context(), keys))
	known := currentOf(t, k)
	require.Same(t, keys, known)
	_, err = storage.List(t.Context(), keysFolder, false)
	require.ErrorIs(t, err, fs.ErrNotExist, "no other key was made")
	require.Equal(t, 1, logs.FilterFieldKey("error").Len())
	require.Contains(t, logs.All()[0].ContextMap()["error"], keysFolder+" no longer has keys")
}

func TestKeysOfTheConfiguration(t *testing.T) {
	k, err := New([]string{"9f8A7c6X5v4B3n2M1q0W+zYxUtSrPoNm\n", testKey}, nil, zap.NewNop(), time.Now)
	require.NoError(t, err)
	keys := currentOf(t, k)
	require.NotNil(t, keys)
	require.Nil(t, k.Newer(t.Context(), keys))

	for weak, want := range map[string]string{
		"secret":                       "sealing_key: master key 2 has 6 bytes; it needs at least 32 (make one with: openssl rand -base64 32)",
		strings.Repeat("a", 32):        "sealing_key: master key 2 can be guessed: it has about 0 bits of entropy, and needs 96 (make one with: openssl rand -base64 32)",
		strings.Repeat("changeme-", 4): "sealing_key: master key 2 can be guessed: ",
		testKey:                        "sealing_key: master keys 1 and 2 have the same id",
	} {
		_, err = New([]string{testKey, weak}, nil, zap.NewNop(), time.Now)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "changeme")
	}
}

const testKey = "Q0a7Vf3cXo9Lz5Tn1Ke8Rb6Hy2Wd4Ms0"

// A key that was made here can become one of the configuration, of another node, too.
func TestAStoredKeyAsSealingKeyIsTheSameKey(t *testing.T) {
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	stored := currentOf(t, storageKeyring(t, storage, time.Now))
	names := namesIn(t, storage)
	text, err := storage.Load(t.Context(), names[0])
	require.NoError(t, err)
	k, err := New([]string{string(text)}, nil, zap.NewNop(), time.Now)
	require.NoError(t, err)
	configured := currentOf(t, k)
	opened, current, err := configured.OpenLasting("refresh", "", stored.SealLasting("refresh", "", []byte("x")))
	require.NoError(t, err)
	require.Equal(t, "x", string(opened))
	require.True(t, current)

	// What was sealed with the text itself opens, and is replaced.
	asText, err := seal.NewKeys([][]byte{[]byte(strings.TrimSpace(string(text)))}, time.Now)
	require.NoError(t, err)
	_, current, err = configured.OpenLasting("refresh", "", asText.SealLasting("refresh", "", nil))
	require.NoError(t, err)
	require.False(t, current)
}

// Two nodes share a storage, of which one is idle. A key is made while both run: it opens at
// once, seals after a while, and the former one goes on opening.
func TestAKeyIsRolledWhileNodesRun(t *testing.T) {
	start := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	var now atomic.Int64
	pass := func(d time.Duration) { now.Add(int64(d)) }
	clock := func() time.Time { return start.Add(time.Duration(now.Load())) }
	storage := &certmagic.FileStorage{Path: t.TempDir()}
	busy, idle := storageKeyring(t, storage, clock), storageKeyring(t, storage, clock)
	keysOf := func(k *Keyring) *seal.Keys {
		_, err := k.Current(t.Context())
		require.NoError(t, err)
		func() { // until a refresh is done
			k.mu.Lock()
			defer k.mu.Unlock()
		}()
		keys, err := k.Current(t.Context())
		require.NoError(t, err)
		return keys
	}
	sealedBy := func(keys *seal.Keys) string { return keys.SealLasting("refresh", "", []byte("x")) }
	before := sealedBy(keysOf(busy))
	keysOf(idle)

	pass(24 * time.Hour)
	_, err := createKey(t.Context(), storage, clock())
	require.NoError(t, err)
	require.Equal(t, before[:5], sealedBy(keysOf(busy))[:5], "the new key does not seal yet: a node may not know it")
	pass(keysSettle - time.Second)
	require.Equal(t, before[:5], sealedBy(keysOf(busy))[:5])
	pass(keysRefresh)
	after := sealedBy(keysOf(busy))
	require.NotEqual(t, before[:5], after[:5])
	require.Equal(t, start.Add(24*time.Hour), *busy.Made())

	_, current, err := keysOf(busy).OpenLasting("refresh", "", before)
	require.NoError(t, err, "refresh tokens of the former key are good")
	require.False(t, current, "and are replaced")
	known := idle.inUse()
	_, _, err = known.OpenLasting("refresh", "", after)
	require.ErrorIs(t, err, seal.ErrUnknownKey)
	_, _, err = idle.Newer(t.Context(), known).OpenLasting("refresh", "", after)
	require.NoError(t, err)
}

// Requests do not wait for a storage that is asked for other keys.
func TestALookForOtherKeysDelaysNobody(t *testing.T) {
	now := time.Now()
	storage := &alteredStorage{Storage: &certmagic.FileStorage{Path: t.TempDir()}}
	k := storageKeyring(t, storage, func() time.Time { return now })
	keys := currentOf(t, k)
	asked, answer := make(chan struct{}), make(chan struct{})
	storage.list = func(names []string, err error) ([]string, error) {
		close(asked)
		<-answer
		return names, err
	}
	now = now.Add(keysRefresh)
	for range 3 {
		same, err := k.Current(t.Context())
		require.NoError(t, err)
		require.Same(t, keys, same)
	}
	<-asked
	close(answer)
	k.mu.Lock()
	defer k.mu.Unlock()
	require.NotSame(t, keys, k.inUse())
}
