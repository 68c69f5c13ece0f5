package file

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// open opens a store, again if it is in path already.
func open(t testing.TB, path string, now func() time.Time) *Store {
	t.Helper()
	s := must.Have(Open(path, now))(t)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "folder", "replay.db") }

// numbered is a key of its own for each number.
func numbered(n int) (key replay.Key) {
	binary.LittleEndian.PutUint64(key[:], uint64(n)*0x9e3779b97f4a7c15)
	return key
}

func TestWhatWasAnsweredOutlivesTheStore(t *testing.T) {
	path := newPath(t)
	s := open(t, path, time.Now)
	must.Have(s.Claim(t.Context(), numbered(1), time.Hour))(t)
	released := must.Have(s.Claim(t.Context(), numbered(2), time.Hour))(t)
	require.NoError(t, released.Release(t.Context()))
	swapped := must.Have(s.CompareAndSwap(t.Context(), numbered(3), nil, []byte("where it stands"), time.Hour))(t)
	require.True(t, swapped)
	require.NoError(t, s.Close())
	_, err := s.Claim(t.Context(), numbered(4), time.Hour)
	require.ErrorContains(t, err, path, "after the end")
	_, _, err = s.Load(t.Context(), numbered(3))
	require.ErrorContains(t, err, path)
	require.Zero(t, s.Len())

	s = open(t, path, time.Now)
	require.Equal(t, 1, s.Len())
	_, err = s.Claim(t.Context(), numbered(1), time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
	must.Have(s.Claim(t.Context(), numbered(2), time.Hour))(t)
	value, _, err := s.Load(t.Context(), numbered(3))
	require.NoError(t, err)
	require.Equal(t, "where it stands", string(value))
}

// testdata/format-1.db.gz is a store with claim 1 and state 2, as they are written since format 1.
func TestAStoreOfAnOlderVersionOpens(t *testing.T) {
	now := func() time.Time { return time.Unix(1_800_000_000, 0) }
	packed := must.Have(os.Open(filepath.Join("testdata", "format-1.db.gz")))(t)
	defer packed.Close()
	content := must.Have(gzip.NewReader(packed))(t)
	path := filepath.Join(t.TempDir(), "replay.db")
	file := must.Have(os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600))(t)
	must.Have(io.Copy(file, content))(t)
	require.NoError(t, file.Close())

	s := open(t, path, now)
	_, err := s.Claim(t.Context(), numbered(1), time.Hour)
	require.ErrorIs(t, err, replay.ErrClaimed)
	value, _, err := s.Load(t.Context(), numbered(2))
	require.NoError(t, err)
	require.Equal(t, "where it stands", string(value))
}

func TestAFileIsForItsUserAndOneProcess(t *testing.T) {
	path := newPath(t)
	open(t, path, time.Now)
	for name, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info := must.Have(os.Stat(name))(t)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
	_, err := Open(path, time.Now)
	require.ErrorIs(t, err, ErrInUse)
	require.ErrorContains(t, err, path)
}

// Who can write the file, or lead the gateway to one of his, can have a code redeemed twice.
func TestAFileThatOthersMayHaveWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its files have no such modes")
	}
	path := newPath(t)
	require.NoError(t, open(t, path, time.Now).Close())
	for mode, wrong := range map[os.FileMode]error{0o666: ErrExposed, 0o602: ErrExposed, 0o644: nil, 0o660: nil, 0o600: nil} { // 0o660: a volume's group in Kubernetes
		require.NoError(t, os.Chmod(path, mode))
		s, err := Open(path, time.Now)
		require.ErrorIs(t, err, wrong)
		if wrong == nil {
			require.NoError(t, s.Close())
			continue
		}
		require.ErrorContains(t, err, "chmod 600")
		require.ErrorContains(t, err, path)
	}
	require.NoError(t, os.Chmod(path, 0o600))
	link := filepath.Join(t.TempDir(), "replay.db")
	require.NoError(t, os.Symlink(path, link))
	_, err := Open(link, time.Now)
	require.ErrorIs(t, err, ErrNotOwn)
	dangling := filepath.Join(t.TempDir(), "replay.db")
	require.NoError(t, os.Symlink(path+".elsewhere", dangling))
	_, err = Open(dangling, time.Now)
	require.ErrorIs(t, err, ErrNotOwn)
	require.NoFileExists(t, path+".elsewhere")
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Symlink(filepath.Dir(path), folder))
	require.NoError(t, open(t, filepath.Join(folder, filepath.Base(path)), time.Now).Close(), "the operator's folder may be one")
}

func TestWhatIsNoStoreIsNotOpened(t *testing.T) {
	path := newPath(t)
	s := open(t, path, time.Now)
	for i := range 500 {
		must.Have(s.Claim(t.Context(), numbered(i), time.Hour))(t)
	}
	require.NoError(t, s.Close())
	good := must.Have(os.ReadFile(path))(t)
	pages := len(good) / os.Getpagesize()
	junk := func(from, to int) []byte {
		b := append([]byte(nil), good...)
		for i := from * os.Getpagesize(); i < to*os.Getpagesize(); i++ {
			b[i] = byte(i*7) | 1
		}
		return b
	}
	for name, content := range map[string][]byte{
		"cut off":         good[:3*os.Getpagesize()],
		"a line":          []byte("not a store\n"),
		"junk":            junk(0, pages),
		"junk at its end": junk(2, pages),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, content, 0o600))
			_, err := Open(path, time.Now)
			require.ErrorIs(t, err, ErrDamaged)
			require.ErrorContains(t, err, path)
			require.NoError(t, os.WriteFile(path, good, 0o600))
			s := open(t, path, time.Now) // nothing holds the lock
			_, err = s.Claim(t.Context(), numbered(1), time.Hour)
			require.ErrorIs(t, err, replay.ErrClaimed)
			require.NoError(t, s.Close())
		})
	}
	_, err := Open(filepath.Join(path, "below a file", "replay.db"), time.Now)
	require.Error(t, err)
}

// Each write ends with one of two pages in turn, which has a sum. One that the power
// failure has cut off was not answered; what was answered before is in the other.
func TestAWriteThatIsTornIsUndone(t *testing.T) {
	path := newPath(t)
	s := open(t, path, time.Now)
	for i := range 100 {
		must.Have(s.Claim(t.Context(), numbered(i), time.Hour))(t)
	}
	require.NoError(t, s.Close())
	b := must.Have(os.ReadFile(path))(t)
	const txid = 16 + 48 // in a page of this kind
	size := os.Getpagesize()
	last := 0
	if binary.NativeEndian.Uint64(b[size+txid:]) > binary.NativeEndian.Uint64(b[txid:]) {
		last = size
	}
	copy(b[last+txid:], "torn")
	require.NoError(t, os.WriteFile(path, b, 0o600))

	s = open(t, path, time.Now)
	for i := range 99 {
		_, err := s.Claim(t.Context(), numbered(i), time.Hour)
		require.ErrorIs(t, err, replay.ErrClaimed, "%d", i)
	}
	_, err := s.Claim(t.Context(), numbered(99), time.Hour)
	require.NoError(t, err, "or it was not torn")
}

// A clock that is set back makes old codes valid again.
func TestAClockThatWasAheadForgetsNoClaim(t *testing.T) {
	now, elapsed := time.Unix(1_800_000_000, 0), time.Duration(0)
	s := open(t, newPath(t), func() time.Time { return now })
	s.elapsed = func() time.Duration { return elapsed }
	claim := func() error {
		_, err := s.Claim(t.Context(), numbered(1), time.Hour)
		return err
	}
	require.NoError(t, claim())
	now = now.Add(24 * time.Hour)
	require.ErrorIs(t, claim(), replay.ErrClaimed)
	now = now.Add(-24 * time.Hour)
	elapsed = time.Hour
	require.ErrorIs(t, claim(), replay.ErrClaimed)
	now = now.Add(time.Hour)
	require.NoError(t, claim())
}

func TestAFullStoreForgetsNothing(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := open(t, newPath(t), func() time.Time { return now })
	s.claims.most = 2 * claimSize
	require.Equal(t, 2, s.Cap())
	for i := range 2 {
		require.NoError(t, s.Ping(t.Context()))
		must.Have(s.Claim(t.Context(), numbered(i), time.Minute))(t)
	}
	_, err := s.Claim(t.Context(), numbered(9), time.Minute)
	require.ErrorIs(t, err, replay.ErrFull)
	require.ErrorIs(t, s.Ping(t.Context()), replay.ErrFull)
	for i := range 2 {
		_, err := s.Claim(t.Context(), numbered(i), time.Minute)
		require.ErrorIs(t, err, replay.ErrClaimed)
	}
	now = now.Add(time.Minute)
	require.NoError(t, s.Ping(t.Context()))
	must.Have(s.Claim(t.Context(), numbered(9), time.Minute))(t)
	require.Equal(t, 1, s.Len())
}

// Values fill the store to its last byte, each with what it takes beside its own.
func TestTheLastByteOfAStore(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := open(t, newPath(t), func() time.Time { return now })
	s.states.most = entryOverhead + 5
	swap := func(old, replacement []byte) error {
		swapped, err := s.CompareAndSwap(t.Context(), numbered(1), old, replacement, time.Hour)
		require.Equal(t, err == nil, swapped)
		return err
	}
	require.ErrorIs(t, swap(nil, []byte("123456")), replay.ErrFull)
	require.NoError(t, swap(nil, []byte("12345")))
	require.ErrorIs(t, swap([]byte("12345"), []byte("123456")), replay.ErrFull)
	require.NoError(t, swap([]byte("12345"), []byte("54321")), "it takes the room of the one before")
	require.NoError(t, swap([]byte("54321"), nil))
	require.NoError(t, swap(nil, []byte("12345")), "and gives all of it back")
	now = now.Add(time.Hour)
	require.NoError(t, swap(nil, []byte("67890")), "what is over takes no room")
	s.states.most = 0
	require.NoError(t, swap([]byte("67890"), []byte("1")), "what does not grow needs none")
}

// What is over is at most a third of the store, without anything that runs beside it.
func TestAStoreDoesNotGrowWithTime(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	path := newPath(t)
	s := open(t, path, func() time.Time { return now })
	s.db.NoSync = true // or it takes a minute
	const live = 600
	var size int64
	for i := range 20 * live {
		now = now.Add(time.Second)
		must.Have(s.Claim(t.Context(), numbered(i), live*time.Second))(t)
		if i > 2*live {
			require.LessOrEqual(t, s.Len(), live*3/2)
		}
		if i%live == 0 {
			info := must.Have(os.Stat(path))(t)
			if i >= 4*live {
				require.Equal(t, size, info.Size())
			}
			size = info.Size()
		}
	}
}

// A client that leaves while its claim is on its way to the disk; the race detector watches.
func TestClaimsOfThoseWhoLeave(t *testing.T) {
	s := open(t, newPath(t), time.Now)
	for i := range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*50*time.Microsecond)
		_, _ = s.Claim(ctx, numbered(i), time.Minute)
		cancel()
	}
}
