package admission

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const megabyte = 1 << 20

// limits have memory for four of the largest bodies, three of them long.
var limits = Limits{MaxConcurrent: 2, MaxBody: megabyte, MaxBuffered: 4 * megabyte, MaxWait: 5 * time.Second}

// admit takes memory for as many bodies.
func admit(t *testing.T, g *Gate, n int, size int64) []*Admission {
	t.Helper()
	var all []*Admission
	for range n {
		a, err := g.Admit(t.Context(), size)
		require.NoError(t, err)
		all = append(all, a)
	}
	return all
}

// elapsed is how long f takes.
func elapsed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func TestABodyWaitsForMemoryUntilTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := admit(t, g, 3, megabyte)
		require.Equal(t, limits.MaxWait, elapsed(func() {
			_, err := g.Admit(t.Context(), megabyte)
			require.ErrorIs(t, err, ErrBusy)
		}))
		time.AfterFunc(time.Second, inMemory[0].Release)
		require.Equal(t, time.Second, elapsed(func() { admit(t, g, 1, megabyte) }))
	})
}

func TestMemoryIsGivenInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := admit(t, g, 3, megabyte)
		order := make(chan int, 3)
		for i, size := range []int64{megabyte, 100_000, megabyte} {
			go func() {
				_, err := g.Admit(t.Context(), size)
				order <- i
				require.NoError(t, err)
			}()
			synctest.Wait()
		}
		inMemory[0].Release()
		require.Equal(t, 0, <-order, "a smaller one does not overtake")
		inMemory[1].Release()
		require.Equal(t, 1, <-order)
		inMemory[2].Release()
		require.Equal(t, 2, <-order)
	})
}

func TestShortBodiesDoNotWaitForLongOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		long := admit(t, g, 3, megabyte)
		release := make(chan struct{})
		for range long {
			go func() {
				_ = g.Work(t.Context(), megabyte, func(context.Context) error { <-release; return nil })
			}()
		}
		synctest.Wait()
		require.Zero(t, elapsed(func() {
			for _, size := range []int64{0, 100, Short} {
				a := admit(t, g, 1, size)[0]
				require.NoError(t, g.Work(t.Context(), size, func(context.Context) error { return nil }))
				a.Release()
			}
		}))
		close(release)
	})
}

func TestABodyOfUnknownSizeMayBeTheLargest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		admit(t, g, 3, -1)
		_, err := g.Admit(t.Context(), -1)
		require.ErrorIs(t, err, ErrBusy)
	})
}

func TestNoMoreThanMaxConcurrentAreWorkedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		var now, most atomic.Int64
		done := make(chan error)
		for range admit(t, g, 3, megabyte) {
			go func() {
				done <- g.Work(t.Context(), megabyte, func(context.Context) error {
					most.Store(max(most.Load(), now.Add(1)))
					time.Sleep(time.Second)
					now.Add(-1)
					return nil
				})
			}()
		}
		require.Equal(t, 2*time.Second, elapsed(func() {
			for range 3 {
				require.NoError(t, <-done)
			}
		}))
		require.EqualValues(t, 2, most.Load())
	})
}

func TestTheErrorOfTheWorkIsReturned(t *testing.T) {
	failure := errors.New("no")
	require.ErrorIs(t, NewGate(limits).Work(t.Context(), 1, func(context.Context) error { return failure }), failure)
}

func TestWhoeverLeavesWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		admit(t, g, 3, megabyte)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		require.Equal(t, time.Second, elapsed(func() {
			_, err := g.Admit(ctx, megabyte)
			require.ErrorIs(t, err, context.Canceled)
		}))
	})
}

func TestALongQueueIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		admit(t, g, 3, megabyte)
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiting {
			go func() { _, _ = g.Admit(ctx, megabyte) }()
		}
		synctest.Wait()
		require.Zero(t, elapsed(func() {
			_, err := g.Admit(t.Context(), megabyte)
			require.ErrorIs(t, err, ErrBusy)
		}))
		cancel()
	})
}

func TestASlowClientIsCutOffOnlyIfOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		slow := admit(t, g, 3, megabyte)
		cut := make(chan struct{})
		done := make(chan time.Duration)
		go func() {
			done <- elapsed(func() {
				_ = slow[0].Transfer(megabyte, func() { close(cut) }, func() error { <-cut; return nil })
				slow[0].Release()
			})
		}()
		time.Sleep(time.Hour)
		require.Zero(t, elapsed(func() { admit(t, g, 1, megabyte) }))
		require.Equal(t, time.Hour, <-done)
	})
}

func TestAClientThatIsNotSlowIsNotCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		others := admit(t, g, 3, megabyte)
		go func() {
			_ = others[0].Transfer(megabyte, func() { t.Error("cut off") }, func() error { time.Sleep(3 * time.Second); return nil })
		}()
		_, err := g.Admit(t.Context(), megabyte)
		require.ErrorIs(t, err, ErrBusy)
	})
}

func TestWorkThatYieldsLearnsThatItsClientHasLeft(t *testing.T) {
	g := NewGate(Limits{MaxBody: megabyte}.WithDefaults())
	ctx, cancel := context.WithCancel(t.Context())
	err := g.Work(ctx, megabyte, func(ctx context.Context) error {
		require.NoError(t, ctx.Err())
		cancel()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
}

func TestBatchesWaitForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		var first *Admission
		for range batchesEach * limits.MaxConcurrent {
			a, err := g.AdmitBatch(t.Context())
			require.NoError(t, err)
			first = a
		}
		_, err := g.AdmitBatch(t.Context())
		require.ErrorIs(t, err, ErrBusy)
		first.Release()
		_, err = g.AdmitBatch(t.Context())
		require.NoError(t, err)
	})
}

func TestLimits(t *testing.T) {
	require.NoError(t, Limits{MaxBody: 100 * megabyte}.WithDefaults().Validate())
	require.NoError(t, limits.Validate())
	require.ErrorContains(t, Limits{MaxBody: 4 * megabyte, MaxBuffered: 5 * megabyte}.WithDefaults().Validate(), "max_buffered")
}
