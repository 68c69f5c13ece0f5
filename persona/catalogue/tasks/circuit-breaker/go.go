// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/sync/atomic sync/atomic
// snippet:needs Go 1.22
import (
	"errors"
	// snippet:usage
	"fmt"
	// snippet:end
	"sync/atomic"
	"time"
)

var ErrOpen = errors.New("circuit open: not calling")

// Breaker stops calling after Limit failures in a row, then probes once a Pause.
type Breaker struct {
	Limit    int32
	Pause    time.Duration
	failures atomic.Int32
	until    atomic.Int64 // Unix time in nanoseconds
}

func (b *Breaker) Do(now func() time.Time, call func() error) error {
	until, probe := b.until.Load(), b.failures.Load() >= b.Limit
	next := func() int64 { return now().Add(b.Pause).UnixNano() }
	if probe && (now().UnixNano() < until || !b.until.CompareAndSwap(until, next())) {
		return ErrOpen // too early, or somebody else is the probe
	}
	err := call()
	switch {
	case !probe && b.failures.Load() >= b.Limit: // it began before the failures: says nothing about now
	case err == nil:
		b.failures.Store(0)
	default:
		b.until.Store(next()) // first: whoever sees the limit reached sees the pause
		b.failures.Add(1)
	}
	return err
}

// snippet:usage
// snippet:prints down
// snippet:prints down
// snippet:prints circuit open: not calling
func main() {
	now := time.Unix(0, 0)
	clock := func() time.Time { return now }
	b := &Breaker{Limit: 2, Pause: time.Second}
	down := func() error { return errors.New("down") }
	for range 3 {
		fmt.Println(b.Do(clock, down))
	}
	// snippet:check
	// snippet:prints <nil>
	// snippet:prints 0
	// snippet:prints circuit open: not calling
	now = now.Add(2 * time.Second)
	fmt.Println(b.Do(clock, func() error {
		if err := b.Do(clock, down); !errors.Is(err, ErrOpen) {
			fmt.Println("two probes at once")
		}
		return nil
	}))
	fmt.Println(b.failures.Load())
	// A call that began before the failures ends well after them; one of those lasted longer than the pause.
	b.Do(clock, func() error {
		b.Do(clock, down)
		b.Do(clock, func() error { now = now.Add(5 * time.Second); return errors.New("timeout") })
		return nil
	})
	fmt.Println(b.Do(clock, down))
	// snippet:usage
}
