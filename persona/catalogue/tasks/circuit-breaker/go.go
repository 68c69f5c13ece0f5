// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/sync#Mutex sync.Mutex
// snippet:prints down
// snippet:prints down
// snippet:prints circuit open: not calling
// snippet:prints <nil>
// snippet:prints 0

// snippet:check
import "errors"
import "fmt"
import "sync"
import "time"

// snippet:end
// Breaker stops calling after Limit failures in a row, then probes once a Pause.
type Breaker struct {
	Limit    int
	Pause    time.Duration
	mu       sync.Mutex
	failures int
	until    time.Time
}

var ErrOpen = errors.New("circuit open: not calling")

func (b *Breaker) Do(now time.Time, call func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures >= b.Limit {
		if now.Before(b.until) {
			return ErrOpen
		}
		b.until = now.Add(b.Pause) // this caller is the probe
	}
	b.mu.Unlock()
	err := call() // without the lock: it may be slow
	b.mu.Lock()
	if err == nil {
		b.failures = 0
	} else if b.failures++; b.failures >= b.Limit {
		b.until = now.Add(b.Pause)
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
	fmt.Println(b.failures)
}
