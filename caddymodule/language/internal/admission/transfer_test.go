package admission

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// While somebody waits for 5 seconds.
func TestASlowClientMakesRoomForWhoWaits(t *testing.T) {
	for name, tt := range map[string]struct {
		bytes, steps int
		interval     time.Duration
		cutAfter     time.Duration // 0 if it is not
	}{
		"sends nothing":                     {0, 1, time.Hour, 1200 * time.Millisecond},
		"sends a byte now and then":         {100, 100, 100 * time.Millisecond, 1200 * time.Millisecond},
		"sends half as fast as it must":     {128 * kilobyte, 40, 100 * time.Millisecond, 2200 * time.Millisecond},
		"sends as fast as it must":          {256 * kilobyte, 40, 100 * time.Millisecond, 0},
		"sends now and then":                {256 * kilobyte, 4, 900 * time.Millisecond, 0},
		"sends much more, and then nothing": {512 * kilobyte, 2, 1500 * time.Millisecond, 1200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(limits)
				slow := fill(t, g)[0]
				var group sync.WaitGroup
				group.Go(func() {
					cutAfter, wasCut := transfer(slow, tt.bytes, tt.steps, tt.interval)
					if wasCut != (tt.cutAfter > 0) || cutAfter > tt.cutAfter || cutAfter < tt.cutAfter-500*time.Millisecond {
						t.Errorf("cut off: %v, after %v", wasCut, cutAfter)
					}
				})
				require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte), megabyte), ErrNoMemory)
				group.Wait()
			})
		})
	}
}

func TestASlowClientIsLeftAlone(t *testing.T) {
	for name, wait := range map[string]func(*testing.T, *Gate){
		"if nobody waits": func(*testing.T, *Gate) {},
		"if others wait for another kind of memory": func(t *testing.T, g *Gate) {
			require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte), megabyte), ErrNoMemory)
		},
		"if others wait for a processor": func(t *testing.T, g *Gate) {
			for range limits.MaxConcurrent {
				go func() {
					_ = admit(t, g, 10).Work(t.Context(), 10, func(context.Context) error { time.Sleep(time.Minute); return nil })
				}()
			}
			synctest.Wait()
			require.ErrorIs(t, admit(t, g, 10).Work(t.Context(), 10, nil), ErrNoProcessor)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(limits)
				fill(t, g)
				var group sync.WaitGroup
				for _, sent := range []int{10, Short} {
					slow := arrive(t, g, 1, Short, sent)[0]
					group.Go(func() {
						if _, wasCut := transfer(slow, 1, 1, time.Minute); wasCut {
							t.Error("cut off")
						}
					})
				}
				synctest.Wait()
				wait(t, g)
				group.Wait()
			})
		})
	}
}

// A client that has sent next to nothing is in nobody's way.
func TestAClientWithoutMemoryIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		fill(t, g)
		slow := arrive(t, g, 1, megabyte, 10)[0]
		var group sync.WaitGroup
		group.Go(func() {
			if _, wasCut := transfer(slow, 1, 1, time.Minute); wasCut {
				t.Error("cut off")
			}
		})
		require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte), megabyte), ErrNoMemory)
		group.Wait()
	})
}

func TestWhoWaitsForMemoryIsNotSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		last := fill(t, g)[5]
		a := admit(t, g, megabyte-1)
		time.AfterFunc(4*time.Second, last.Release)
		require.NoError(t, a.Transfer(func() { t.Error("cut off") }, func() error {
			return receive(t.Context(), a, megabyte-1)
		}))
	})
}

// What it wants to send is on its way since long ago.
func TestWhoHasWaitedForMemoryHasToSendAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		last := fill(t, g)[5]
		a := admit(t, g, megabyte-1)
		time.AfterFunc(2*time.Second, last.Release)
		cut := make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			_ = a.Transfer(func() { close(cut) }, func() error {
				if err := receive(t.Context(), a, megabyte-1); err != nil {
					t.Error(err)
				}
				if took := elapsed(func() { <-cut }); took > turnAllowance+2*sweepInterval {
					t.Errorf("cut off after %v", took)
				}
				return nil
			})
		})
		synctest.Wait() // it is first in line
		require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte-1), megabyte-1), ErrNoMemory)
		group.Wait()
	})
}

// 30 responses of 64 KiB to messages of a few bytes leave no memory for more.
func TestWhoDoesNotTakeAResponseIsCutOffWhenThereIsNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		var cut atomic.Int64
		var group sync.WaitGroup
		for range 30 {
			a := admit(t, g, 10)
			group.Go(func() {
				defer a.Release()
				a.Hold(Short)
				done := make(chan struct{})
				_ = a.Transfer(func() { cut.Add(1); close(done) }, func() error {
					select {
					case <-done:
					case <-time.After(time.Minute):
					}
					return nil
				})
			})
		}
		time.Sleep(2 * time.Second)
		require.EqualValues(t, 30, cut.Load())
		group.Wait()
		require.Zero(t, g.short.arriving.Load(), "all is given back")
	})
}

func TestAResponseIsWrittenInPiecesThatCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(limits)
		slow := fill(t, g)[0]
		var group sync.WaitGroup
		group.Go(func() {
			_ = slow.Transfer(func() { t.Error("cut off") }, func() error {
				_, err := slow.Writer(takes{900 * time.Millisecond}).Write(make([]byte, 4*slowestTransfer))
				return err
			})
		})
		require.ErrorIs(t, receive(t.Context(), admit(t, g, megabyte), megabyte), ErrNoMemory)
		group.Wait()
	})
}
