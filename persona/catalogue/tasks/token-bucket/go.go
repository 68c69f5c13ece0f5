// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/time time
// snippet:needs Go 1.22
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"math"
	"sync"
	"time"
)

// Bucket allows rate calls a second on average and bursts of up to size.
type Bucket struct {
	mu         sync.Mutex
	rate, size float64
	tokens     float64
	last       time.Time
}

func NewBucket(rate, size float64, now time.Time) *Bucket {
	return &Bucket{rate: rate, size: size, tokens: size, last: now}
}

// Take reports whether a call may pass now and, if not, when to come back.
func (b *Bucket) Take(now time.Time) (ok bool, retryAfter time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	tokens := min(b.size, b.tokens+b.rate*now.Sub(b.last).Seconds())
	if tokens >= 1 {
		b.tokens, b.last = tokens-1, now
		return true, 0
	}
	// A refusal changes nothing: rounding errors would add up.
	return false, time.Duration(math.Ceil((1-tokens)/b.rate*float64(time.Second))) + 1 // ns, for the rounding
}

// snippet:usage
// snippet:prints true 0s
// snippet:prints true 0s
// snippet:prints false 500.000001ms
// snippet:prints true 0s
func main() {
	now := time.Unix(0, 0)
	b := NewBucket(2, 2, now)
	for range 3 {
		fmt.Println(b.Take(now))
	}
	fmt.Println(b.Take(now.Add(500 * time.Millisecond)))
}
