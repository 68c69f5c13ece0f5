// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/sync/atomic sync/atomic
// snippet:prints down
// snippet:prints down
// snippet:prints circuit open: not calling
// snippet:prints <nil>
// snippet:prints 0

import (
	"errors"
	"sync/atomic"
	"time"
)

// snippet:check
import "fmt"

// snippet:end
var ErrOpen = errors.New("circuit open: not calling")

// Breaker stops calling after Limit failures in a row, then probes once a Pause.
type Breaker struct {
	Limit    int32
	Pause    time.Duration
	failures atomic.Int32
	until    atomic.Int64 // Unix time in nanoseconds
}

func (b *Breaker) Do(now time.Time, call func() error) error {
	until, next := b.until.Load(), now.Add(b.Pause).UnixNano()
	open := b.failures.Load() >= b.Limit
	if open && (now.UnixNano() < until || !b.until.CompareAndSwap(until, next)) {
		return ErrOpen // too early, or somebody else is the probe
	}
	err := call()
	if err == nil {
		b.failures.Store(0)
	} else if b.failures.Add(1) >= b.Limit {
		b.until.Store(next)
	}
	return err
}

// snippet:check
func main() {
	b := &Breaker{Limit: 2, Pause: time.Second}
	now := time.Unix(0, 0)
	down := func() error { return errors.New("down") }
	for range 3 {
		fmt.Println(b.Do(now, down))
	}
	fmt.Println(b.Do(now.Add(2*time.Second), func() error { return nil }))
	fmt.Println(b.failures.Load())
}
