package admission

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	kilobyte = 1 << 10
	megabyte = 1 << 20
)

// limits have memory for eight of the largest bodies: 1 MiB for short ones as they arrive, and as much as
// a whole, 3 MiB each for long ones.
var limits = Limits{MaxConcurrent: 2, MaxBody: megabyte, MaxBuffered: 8 * megabyte, MaxWait: 5 * time.Second}

// counter counts who waits.
type counter struct{ atomic.Int64 }

func (c *counter) Inc() { c.Add(1) }
func (c *counter) Dec() { c.Add(-1) }

func admit(t *testing.T, g *Gate, size int64) *Admission {
	t.Helper()
	a, err := g.Admit(t.Context(), size, new(counter))
	require.NoError(t, err)
	return a
}

// receive has a body arrive, of which so many bytes are sent.
func receive(ctx context.Context, a *Admission, sent int) error {
	for room := 0; room <= sent; {
		var err error
		if room, err = a.Grow(ctx, room); err != nil {
			return err
		}
	}
	return nil
}

// arrive takes the memory for as many bodies, of which so many bytes are sent.
func arrive(t *testing.T, g *Gate, n int, size int64, sent int) []*Admission {
	t.Helper()
	var all []*Admission
	for range n {
		a := admit(t, g, size)
		require.NoError(t, receive(t.Context(), a, sent))
		all = append(all, a)
	}
	return all
}

// fill takes all memory for long bodies, half of it as they arrive and half as a whole.
func fill(t *testing.T, g *Gate) []*Admission {
	t.Helper()
	return arrive(t, g, 6, megabyte-1, megabyte-1)
}

// elapsed is how long f takes.
func elapsed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func TestMemoryIsTakenAsBytesArrive(t *testing.T) {
	for name, tt := range map[string]struct {
		size int64
		sent int
		want int64 // bytes of memory
	}{
		"nothing":                          {megabyte, 0, 0},
		"less than the first piece":        {Short, FirstPiece - 1, 0},
		"a short body":                     {500, 500, 0},
		"a little more":                    {Short, FirstPiece, 2 * FirstPiece},
		"a part":                           {megabyte, 100_000, 128 * kilobyte},
		"all but a byte":                   {100_000, 99_999, 100_001},
		"all":                              {100_000, 100_000, 100_001},
		"of unknown length":                {-1, 10_000, 16 * kilobyte},
		"of unknown length, all there may": {-1, megabyte, megabyte + 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := arrive(t, NewGate(limits), 1, tt.size, tt.sent)[0]
			require.Equal(t, tt.want, a.arrived)
			require.Zero(t, a.reserved)
			a.Release()
			require.Zero(t, a.arrived)
		})
	}
}

// However many of them there are, and whatever they announce, nobody waits for what they have not sent.
func TestWhoAnnouncesMuchAndSendsLittleTakesNothing(t *testing.T) {
	for _, announced := range []int64{Short, megabyte, -1} {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(limits)
			arrive(t, g, 2000, announced, 10)
			require.Zero(t, elapsed(func() {
				arrive(t, g, 15, Short, Short)
				arrive(t, g, 2, megabyte, megabyte)
			}))
		})
	}
}

// They send half a megabyte for a megabyte of memory, and no more than what is for bodies as they arrive.
func TestWhoHoldsBodiesWithoutAnEndKeepsNobodyFromTheOtherHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		arrive(t, g, 15, Short, Short/2)
		require.Zero(t, elapsed(func() {
			for range 1000 {
				arrive(t, g, 1, Short, Short)[0].Release()
			}
		}))
	})
}

// Each of them has a part of its body when the memory for that is used up.
func TestWhenAllHaveHalfABodyOneAfterAnotherFinishes(t *testing.T) {
	for _, size := range []int64{Short, megabyte, -1} {
		synctest.Test(t, func(t *testing.T) {
			limits := limits
			limits.MaxWait = time.Hour
			g := NewGate(limits)
			sent := int(size)
			if size < 0 {
				sent = megabyte
			}
			var group sync.WaitGroup
			for range 100 {
				group.Go(func() {
					a, err := g.Admit(t.Context(), size, new(counter))
					if err != nil {
						t.Error(err)
						return
					}
					defer a.Release()
					for room := 0; room <= sent; {
						time.Sleep(time.Millisecond) // in turn with the others
						if room, err = a.Grow(t.Context(), room); err != nil {
							t.Error(err)
							return
						}
					}
					_ = a.Work(t.Context(), sent, func(context.Context) error { time.Sleep(time.Millisecond); return nil })
				})
			}
			require.Less(t, elapsed(group.Wait), time.Second)
		})
	}
}

func TestABodyWaitsForMemoryUntilTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := fill(t, g)
		require.Equal(t, limits.MaxWait, elapsed(func() {
			require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte-1), megabyte-1), ErrNoMemory)
		}))
		time.AfterFunc(time.Second, inMemory[5].Release)
		require.Equal(t, time.Second, elapsed(func() { arrive(t, g, 1, megabyte-1, megabyte-1) }))
	})
}

func TestMemoryIsGivenInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := fill(t, g)[3:]
		order := make(chan int, 3)
		for i, size := range []int64{megabyte - 1, 100_000, megabyte - 1} {
			go func() {
				err := receive(t.Context(), admit(t, g, size), FirstPiece)
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
		long := fill(t, g)
		release := make(chan struct{})
		for _, a := range long {
			go func() {
				_ = a.Work(t.Context(), megabyte, func(context.Context) error { <-release; return nil })
			}()
		}
		synctest.Wait()
		require.Zero(t, elapsed(func() {
			for _, size := range []int{0, 100, Short} {
				a := arrive(t, g, 1, int64(size), size-1)[0]
				require.NoError(t, a.Work(t.Context(), size, func(context.Context) error { return nil }))
				a.Release()
			}
		}))
		close(release)
	})
}

func TestNoMoreThanMaxConcurrentAreWorkedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		var now, most atomic.Int64
		done := make(chan error)
		for _, a := range arrive(t, g, 3, megabyte-1, megabyte-1) {
			go func() {
				done <- a.Work(t.Context(), megabyte, func(context.Context) error {
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
	require.ErrorIs(t, admit(t, NewGate(limits), 1).Work(t.Context(), 1, func(context.Context) error { return failure }), failure)
}

func TestWhoeverLeavesWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		fill(t, g)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		require.Equal(t, time.Second, elapsed(func() {
			require.ErrorIs(t, receive(ctx, admit(t, g, megabyte), megabyte), context.Canceled)
		}))
	})
}

func TestALongQueueIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		fill(t, g)
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiting {
			a := admit(t, g, megabyte)
			go func() { _ = receive(ctx, a, megabyte) }()
		}
		synctest.Wait()
		require.Zero(t, elapsed(func() {
			require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte), megabyte), ErrQueueFull)
		}))
		cancel()
	})
}

func TestWhoWaitsIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := fill(t, g)
		c := new(counter)
		a, err := g.Admit(t.Context(), megabyte-1, c)
		require.NoError(t, err)
		go func() { _ = receive(t.Context(), a, megabyte-1) }()
		synctest.Wait()
		require.EqualValues(t, 1, c.Load())
		inMemory[5].Release()
		synctest.Wait()
		require.Zero(t, c.Load())
	})
}

func TestARequestWaitsForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		cut := make(chan struct{})
		for range maxAdmitted - 1 {
			admit(t, g, 10)
		}
		slow := admit(t, g, 10)
		go func() {
			_ = slow.Transfer(func() { close(cut) }, func() error { <-cut; return nil })
			slow.Release()
		}()
		synctest.Wait()
		require.Less(t, elapsed(func() { admit(t, g, 10) }), 2*time.Second, "it is cut off, although it has no memory")
		_, err := g.Admit(t.Context(), 10, new(counter))
		require.ErrorIs(t, err, ErrNoMemory)
	})
}

// transfer has a client send a body in so many steps, one each interval, and reports when it was cut off.
func transfer(a *Admission, bytes, steps int, interval time.Duration) (cutAfter time.Duration, wasCut bool) {
	start, cut := time.Now(), make(chan struct{})
	_ = a.Transfer(func() { close(cut) }, func() error {
		for range steps {
			select {
			case <-cut:
				cutAfter, wasCut = time.Since(start), true
				return nil
			case <-time.After(interval):
				_, _ = a.Reader(strings.NewReader(strings.Repeat("x", bytes/steps))).Read(make([]byte, bytes/steps))
			}
		}
		return nil
	})
	return cutAfter, wasCut
}

func TestAResponseNoLargerThanItsBodyIsNotCountedAgain(t *testing.T) {
	a := arrive(t, NewGate(limits), 1, 10_000, 10_000)[0]
	a.Hold(10_001)
	require.EqualValues(t, 10_001, a.arrived)
	a.Hold(30_000)
	require.EqualValues(t, 30_000, a.arrived)
}

// takes is a client that takes so long to take a piece.
type takes struct{ time.Duration }

func (s takes) Write(p []byte) (int, error) {
	if len(p) > slowestTransfer {
		return 0, io.ErrShortWrite
	}
	time.Sleep(s.Duration)
	return len(p), nil
}

func TestABatchWaitsForAsLongAsItTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		inMemory := fill(t, g)
		a, err := g.AdmitBatch(t.Context(), new(counter))
		require.NoError(t, err)
		time.AfterFunc(time.Hour, func() { inMemory[4].Release(); inMemory[5].Release() })
		require.Equal(t, time.Hour, elapsed(func() { require.NoError(t, receive(t.Context(), a, megabyte)) }))
		for range limits.MaxConcurrent {
			go func() {
				_ = admit(t, g, megabyte).Work(t.Context(), megabyte, func(context.Context) error { time.Sleep(time.Hour); return nil })
			}()
		}
		synctest.Wait()
		require.Equal(t, time.Hour, elapsed(func() {
			require.NoError(t, a.Work(t.Context(), megabyte, func(context.Context) error { return nil }))
		}))
		a.Release()
		require.True(t, g.long.reserved.TryAcquire(1), "it gives back what it has")
	})
}

// Three quarters of the memory are for the lane of the largest body.
func TestTheLargestBodyAlwaysPasses(t *testing.T) {
	for _, maxBody := range []int64{1, 1000, 10_000, megabyte} {
		l := Limits{MaxConcurrent: 1, MaxBody: maxBody, MaxBuffered: (maxBody*4 + 2) / 3, MaxWait: time.Second}
		for _, size := range []int64{maxBody, -1} {
			arrive(t, NewGate(l), 1, size, int(maxBody))[0].Release()
		}
	}
}
