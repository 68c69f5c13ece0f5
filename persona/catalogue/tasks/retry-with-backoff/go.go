// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/context context
// snippet:needs Go 1.22
import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Retry calls op until it succeeds, at most attempts times but once at least. It
// waits a random part of a doubling delay in between and stops early when ctx is done.
func Retry(ctx context.Context, attempts int, base time.Duration, op func() error) error {
	attempts = max(attempts, 1)
	var errs []error
	for i := range attempts {
		err := op()
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		if i == attempts-1 {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(rand.N(base<<min(i, 10) + 1)):
		}
		if ctx.Err() != nil {
			return errors.Join(append(errs, ctx.Err())...)
		}
	}
	return fmt.Errorf("gave up after %d attempts: %w", attempts, errors.Join(errs...))
}

// snippet:usage
// snippet:prints 3 <nil>
func main() {
	calls := 0
	err := Retry(context.Background(), 4, time.Millisecond, func() error {
		if calls++; calls < 3 {
			return errors.New("busy")
		}
		return nil
	})
	fmt.Println(calls, err)
	// snippet:check
	// snippet:prints true
	// snippet:prints 20
	err = Retry(context.Background(), 2, time.Millisecond, func() error { return context.DeadlineExceeded })
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	calls = 0
	for range 20 { // the pause may be over as soon as the context
		ctx, cancel := context.WithCancel(context.Background())
		Retry(ctx, 3, 0, func() error { calls++; cancel(); return errors.New("busy") })
	}
	fmt.Println(calls)
	// snippet:usage
}
