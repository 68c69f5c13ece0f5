package ledger

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clock is a time that tests move.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.at.Store(1_800_000_000)
	return c
}

func (c *clock) now() time.Time          { return time.Unix(c.at.Load(), 0) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d / time.Second)) }

// folder is a storage in a folder, as Caddy's file system storage is.
type folder struct {
	root  string
	clock *clock
	mu    *sync.Mutex
	locks map[string]bool
	fail  *atomic.Bool
}

func newFolder(t testing.TB, c *clock) *folder {
	return &folder{root: t.TempDir(), clock: c, mu: new(sync.Mutex), locks: make(map[string]bool), fail: new(atomic.Bool)}
}

func (f *folder) err() error {
	if f.fail.Load() {
		return fmt.Errorf("disk on fire")
	}
	return nil
}

func (f *folder) Store(_ context.Context, key string, value []byte) error {
	if err := f.err(); err != nil {
		return err
	}
	path := filepath.Join(f.root, key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path, value, 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, f.clock.now(), f.clock.now())
}

func (f *folder) Load(_ context.Context, key string) ([]byte, error) {
	if err := f.err(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(f.root, key))
}

func (f *folder) Delete(_ context.Context, key string) error {
	return os.RemoveAll(filepath.Join(f.root, key))
}

func (f *folder) List(_ context.Context, prefix string, _ bool) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(f.root, prefix))
	var keys []string
	for _, e := range entries {
		keys = append(keys, prefix+"/"+e.Name())
	}
	return keys, err
}

func (f *folder) Modified(_ context.Context, key string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(f.root, key))
	if err != nil {
		return time.Time{}, fs.ErrNotExist
	}
	return info.ModTime(), nil
}

func (f *folder) TryLock(_ context.Context, name string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.locks[name] || f.err() != nil {
		return false, f.err()
	}
	f.locks[name] = true
	return true, nil
}

func (f *folder) Unlock(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.locks, name)
	return nil
}

// everyLedger runs a test with each kind of ledger, seen from one node or, in
// the last case, from two that alternate.
func everyLedger(t *testing.T, test func(t *testing.T, nodes [2]Ledger, c *clock)) {
	t.Run("memory", func(t *testing.T) {
		c := newClock()
		m := NewMemory(15*time.Minute, 1000, c.now)
		test(t, [2]Ledger{m, m}, c)
	})
	t.Run("storage", func(t *testing.T) {
		c := newClock()
		s := newFolder(t, c)
		test(t, [2]Ledger{
			NewShared(s, "ledger", 15*time.Minute, 1000, c.now),
			NewShared(s, "ledger", 15*time.Minute, 1000, c.now),
		}, c)
	})
}

var (
	ctx   = context.Background()
	login = Login{ClientID: "app", Challenge: "challenge-1", RedirectURI: "https://app.example/cb"}
)

func TestAnExchangeNeedsItsLogin(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		require.NoError(t, nodes[0].Remember(ctx, login))
		for name, other := range map[string]Login{
			"another challenge":         {login.ClientID, "challenge-2", login.RedirectURI},
			"another client":            {"other", login.Challenge, login.RedirectURI},
			"another redirect URI":      {login.ClientID, login.Challenge, "https://app.example/other"},
			"a redirect URI left out":   {login.ClientID, login.Challenge, ""},
			"fields that run together":  {login.ClientID + "c", "hallenge-1", login.RedirectURI},
			"a challenge in wrong case": {login.ClientID, "Challenge-1", login.RedirectURI},
		} {
			_, err := nodes[1].Begin(ctx, other, "code")
			require.ErrorIs(t, err, ErrUnknown, name)
		}
		r, err := nodes[1].Begin(ctx, login, "code")
		require.NoError(t, err)
		require.NoError(t, r.Commit(ctx))
	})
}

func TestALoginWithoutARedirectURIMustBeExchangedWithoutOne(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		without := Login{ClientID: "app", Challenge: "challenge-1"}
		require.NoError(t, nodes[0].Remember(ctx, without))
		_, err := nodes[0].Begin(ctx, login, "code")
		require.ErrorIs(t, err, ErrUnknown)
		_, err = nodes[0].Begin(ctx, without, "code")
		require.NoError(t, err)
	})
}

func TestOneVerifierAndOneCodeBuyOneToken(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		second := Login{ClientID: "app", Challenge: "challenge-2"}
		require.NoError(t, nodes[0].Remember(ctx, login))
		require.NoError(t, nodes[0].Remember(ctx, second))
		r, err := nodes[0].Begin(ctx, login, "code-1")
		require.NoError(t, err)
		require.NoError(t, r.Commit(ctx))

		_, err = nodes[1].Begin(ctx, login, "code-1")
		require.ErrorIs(t, err, ErrSpent, "both again")
		_, err = nodes[1].Begin(ctx, login, "code-2")
		require.ErrorIs(t, err, ErrSpent, "the verifier again")
		_, err = nodes[1].Begin(ctx, second, "code-1")
		require.ErrorIs(t, err, ErrSpent, "the code again")

		require.NoError(t, nodes[1].Remember(ctx, login), "the same login begins again")
		_, err = nodes[1].Begin(ctx, login, "code-3")
		require.ErrorIs(t, err, ErrSpent)

		_, err = nodes[1].Begin(ctx, second, "code-2")
		require.NoError(t, err, "what failed before spent nothing")
	})
}

func TestAFailedExchangeSpendsNothing(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		require.NoError(t, nodes[0].Remember(ctx, login))
		for range 3 {
			r, err := nodes[0].Begin(ctx, login, "code")
			require.NoError(t, err)
			r.Release(ctx)
		}
		r, err := nodes[1].Begin(ctx, login, "code")
		require.NoError(t, err)
		require.NoError(t, r.Commit(ctx))
	})
}

func TestReleaseAfterTheEndDoesNothing(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		require.NoError(t, nodes[0].Remember(ctx, login))
		released, err := nodes[0].Begin(ctx, login, "code")
		require.NoError(t, err)
		released.Release(ctx)
		require.Error(t, released.Commit(ctx))

		r, err := nodes[0].Begin(ctx, login, "code")
		require.NoError(t, err)
		released.Release(ctx)
		_, err = nodes[1].Begin(ctx, login, "code")
		require.ErrorIs(t, err, ErrBusy, "the reservation of another request stays")

		require.NoError(t, r.Commit(ctx))
		r.Release(ctx)
		_, err = nodes[1].Begin(ctx, login, "code")
		require.ErrorIs(t, err, ErrSpent)
	})
}

func TestOneExchangeAtATime(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		second := Login{ClientID: "app", Challenge: "challenge-2"}
		require.NoError(t, nodes[0].Remember(ctx, login))
		require.NoError(t, nodes[0].Remember(ctx, second))
		r, err := nodes[0].Begin(ctx, login, "code")
		require.NoError(t, err)
		_, err = nodes[1].Begin(ctx, login, "other")
		require.ErrorIs(t, err, ErrBusy, "the same verifier")
		_, err = nodes[1].Begin(ctx, second, "code")
		require.ErrorIs(t, err, ErrBusy, "the same code")
		r.Release(ctx)
		_, err = nodes[1].Begin(ctx, second, "code")
		require.NoError(t, err)
	})
}

func TestParallelExchangesOfOneCode(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		require.NoError(t, nodes[0].Remember(ctx, login))
		var inFlight, most, granted atomic.Int32
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				r, err := nodes[i%2].Begin(ctx, login, "code")
				if err != nil {
					return
				}
				if n := inFlight.Add(1); n > most.Load() {
					most.Store(n)
				}
				time.Sleep(time.Millisecond)
				inFlight.Add(-1)
				if i%3 == 0 {
					r.Release(ctx)
					return
				}
				if r.Commit(ctx) == nil {
					granted.Add(1)
				}
			})
		}
		wg.Wait()
		require.LessOrEqual(t, most.Load(), int32(1))
		require.LessOrEqual(t, granted.Load(), int32(1))
	})
}

func TestLoginsExpire(t *testing.T) {
	everyLedger(t, func(t *testing.T, nodes [2]Ledger, c *clock) {
		require.NoError(t, nodes[0].Remember(ctx, login))
		c.advance(15 * time.Minute)
		r, err := nodes[0].Begin(ctx, login, "code")
		require.NoError(t, err, "at its last second")
		r.Release(ctx)
		c.advance(time.Second)
		_, err = nodes[0].Begin(ctx, login, "code")
		require.ErrorIs(t, err, ErrUnknown)

		require.NoError(t, nodes[0].Remember(ctx, login))
		c.advance(10 * time.Minute)
		require.NoError(t, nodes[0].Remember(ctx, login), "begun again, it lives from then on")
		c.advance(10 * time.Minute)
		_, err = nodes[1].Begin(ctx, login, "code")
		require.NoError(t, err)
	})
}

func TestAFullLedgerDropsTheOldestPendingLogin(t *testing.T) {
	c := newClock()
	m := NewMemory(time.Hour, 3, c.now)
	for i := range 5 {
		require.NoError(t, m.Remember(ctx, Login{Challenge: fmt.Sprint(i)}))
		c.advance(time.Second)
	}
	require.Equal(t, Stats{Pending: 3, Evicted: 2}, m.Stats())
	_, err := m.Begin(ctx, Login{Challenge: "1"}, "code")
	require.ErrorIs(t, err, ErrUnknown)
	_, err = m.Begin(ctx, Login{Challenge: "4"}, "code")
	require.NoError(t, err)
}

func TestAFullLedgerKeepsWhatIsSpentAndFailsClosed(t *testing.T) {
	c := newClock()
	m := NewMemory(time.Hour, 3, c.now)
	require.NoError(t, m.Remember(ctx, login))
	r, err := m.Begin(ctx, login, "code")
	require.NoError(t, err)
	require.NoError(t, r.Commit(ctx))
	require.NoError(t, m.Remember(ctx, Login{Challenge: "2"}))
	require.NoError(t, m.Remember(ctx, Login{Challenge: "3"}))
	_, err = m.Begin(ctx, login, "code")
	require.ErrorIs(t, err, ErrSpent, "however many logins begin")
	_, err = m.Begin(ctx, Login{Challenge: "3"}, "code-2")
	require.ErrorIs(t, err, ErrFull)
	c.advance(time.Hour + time.Second)
	require.NoError(t, m.Remember(ctx, Login{Challenge: "4"}))
	_, err = m.Begin(ctx, Login{Challenge: "4"}, "code-2")
	require.NoError(t, err, "what is spent expires, too")
}

func TestEntriesAreReused(t *testing.T) {
	c := newClock()
	m := NewMemory(time.Minute, 1000, c.now)
	for i := range 10_000 {
		l := Login{Challenge: fmt.Sprint(i)}
		require.NoError(t, m.Remember(ctx, l))
		if i%3 == 0 {
			r, err := m.Begin(ctx, l, fmt.Sprint(i))
			require.NoError(t, err)
			require.NoError(t, r.Commit(ctx))
		}
		c.advance(time.Second)
	}
	require.Less(t, len(m.entries), 200)
	require.Equal(t, len(m.index), m.pending.length+m.spent.length)
}

func TestASnapshotIsRestored(t *testing.T) {
	c := newClock()
	m := NewMemory(time.Hour, 100, c.now)
	held := Login{Challenge: "held"}
	spent := Login{Challenge: "spent"}
	for _, l := range []Login{{Challenge: "old"}} {
		require.NoError(t, m.Remember(ctx, l))
	}
	c.advance(50 * time.Minute)
	for _, l := range []Login{login, held, spent} {
		require.NoError(t, m.Remember(ctx, l))
	}
	r, err := m.Begin(ctx, spent, "spent-code")
	require.NoError(t, err)
	require.NoError(t, r.Commit(ctx))
	_, err = m.Begin(ctx, held, "held-code")
	require.NoError(t, err)
	snapshot := m.Snapshot()
	for _, secret := range []string{"challenge-1", "spent-code", "app.example", "held"} {
		require.NotContains(t, string(snapshot), secret)
	}

	c.advance(20 * time.Minute)
	n := NewMemory(time.Hour, 100, c.now)
	require.NoError(t, n.Restore(snapshot))
	_, err = n.Begin(ctx, Login{Challenge: "old"}, "c")
	require.ErrorIs(t, err, ErrUnknown, "expired in the meantime")
	_, err = n.Begin(ctx, spent, "c")
	require.ErrorIs(t, err, ErrSpent)
	_, err = n.Begin(ctx, login, "spent-code")
	require.ErrorIs(t, err, ErrSpent)
	_, err = n.Begin(ctx, held, "held-code")
	require.ErrorIs(t, err, ErrSpent, "its exchange may have succeeded")
	_, err = n.Begin(ctx, login, "c")
	require.NoError(t, err)

	for name, damaged := range map[string][]byte{
		"empty": nil, "cut off": snapshot[:len(snapshot)-1], "changed": append([]byte("x"), snapshot[1:]...),
	} {
		require.Error(t, NewMemory(time.Hour, 1, c.now).Restore(damaged), name)
	}
}

func TestAFailingStorageFailsClosed(t *testing.T) {
	c := newClock()
	s := newFolder(t, c)
	shared := NewShared(s, "ledger", time.Hour, 100, c.now)
	require.NoError(t, shared.Remember(ctx, login))
	r, err := shared.Begin(ctx, login, "code")
	require.NoError(t, err)

	s.fail.Store(true)
	require.Error(t, shared.Remember(ctx, login))
	require.Error(t, r.Commit(ctx), "the token must not be handed out")
	_, err = shared.Begin(ctx, login, "code")
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrUnknown)

	s.fail.Store(false)
	require.Empty(t, s.locks, "a failure leaves no locks")
}

func TestStorageHoldsHashesOnly(t *testing.T) {
	c := newClock()
	s := newFolder(t, c)
	shared := NewShared(s, "ledger", time.Hour, 100, c.now)
	require.NoError(t, shared.Remember(ctx, login))
	r, err := shared.Begin(ctx, login, "secret-code")
	require.NoError(t, err)
	require.NoError(t, r.Commit(ctx))
	files := 0
	require.NoError(t, filepath.WalkDir(s.root, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		for _, secret := range []string{"secret-code", "challenge-1", "app.example"} {
			require.NotContains(t, path, secret)
		}
		if !entry.IsDir() {
			files++
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Len(t, content, 8, "a time and nothing else")
		}
		return nil
	}))
	require.Equal(t, 2, files, "the spent verifier and code")
}

func TestSweepBoundsTheStorage(t *testing.T) {
	c := newClock()
	s := newFolder(t, c)
	shared := NewShared(s, "ledger", time.Hour, 20, c.now)
	for i := range 19 {
		require.NoError(t, shared.Remember(ctx, Login{Challenge: fmt.Sprint(i)}))
		c.advance(time.Second)
	}
	r, err := shared.Begin(ctx, Login{Challenge: "18"}, "code")
	require.NoError(t, err)
	require.NoError(t, r.Commit(ctx))
	require.NoError(t, shared.Remember(ctx, login), "at capacity, old logins make room")
	require.NotZero(t, shared.Evicted())
	_, err = shared.Begin(ctx, Login{Challenge: "0"}, "other")
	require.ErrorIs(t, err, ErrUnknown, "the oldest went")
	_, err = shared.Begin(ctx, Login{Challenge: "18"}, "other")
	require.ErrorIs(t, err, ErrSpent, "what is spent stayed")

	c.advance(2 * time.Hour)
	require.NoError(t, shared.Sweep(ctx))
	keys, err := s.List(ctx, "ledger/login", false)
	require.NoError(t, err)
	require.Empty(t, keys)

	full := NewShared(newFolder(t, c), "ledger", time.Hour, 2, c.now)
	require.NoError(t, full.Remember(ctx, login))
	r, err = full.Begin(ctx, login, "code")
	require.NoError(t, err)
	require.NoError(t, r.Commit(ctx))
	require.ErrorIs(t, full.Remember(ctx, login), ErrFull)
}

func BenchmarkMemory(b *testing.B) {
	b.Run("login", func(b *testing.B) {
		m := NewMemory(DefaultTTL, DefaultCapacity, time.Now)
		b.ReportAllocs()
		for i := range b.N {
			l := Login{ClientID: "app", Challenge: challenge(i), RedirectURI: "https://app.example/cb"}
			if err := m.Remember(ctx, l); err != nil {
				b.Fatal(err)
			}
			r, err := m.Begin(ctx, l, l.Challenge)
			if err != nil {
				b.Fatal(err)
			}
			if i%2 == 0 {
				r.Release(ctx)
			}
		}
	})
	b.Run("remember at a million entries", func(b *testing.B) {
		m := NewMemory(DefaultTTL, DefaultCapacity, time.Now)
		fill(b, m, DefaultCapacity)
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if err := m.Remember(ctx, Login{ClientID: "app", Challenge: challenge(DefaultCapacity + i)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fill a million", func(b *testing.B) {
		for range b.N {
			before := heap()
			m := NewMemory(DefaultTTL, DefaultCapacity, time.Now)
			fill(b, m, DefaultCapacity)
			b.ReportMetric(float64(heap()-before)/DefaultCapacity, "bytes/entry")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/DefaultCapacity, "ns/entry")
			if m.Stats().Pending != DefaultCapacity {
				b.Fatal("not full")
			}
		}
	})
}

// heap is the number of live bytes.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func fill(b *testing.B, m *Memory, n int) {
	for i := range n {
		if err := m.Remember(ctx, Login{ClientID: "app", Challenge: challenge(i)}); err != nil {
			b.Fatal(err)
		}
	}
}

func challenge(i int) string {
	s := fmt.Sprintf("%x", i)
	return strings.Repeat("x", 43-len(s)) + s
}
