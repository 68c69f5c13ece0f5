// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/sync#WaitGroup sync.WaitGroup
// snippet:needs Go 1.25
// snippet:prints [1 4 9 16 25] <nil>
// snippet:prints two is broken
// snippet:prints 1

import (
	"context"
	"sync"
)

// snippet:check
import "errors"
import "fmt"
import "time"

// snippet:end
// Map applies f with at most n goroutines, keeps order, and starts no more after an error.
func Map[T, R any](ctx context.Context, n int, in []T, f func(T) (R, error)) ([]R, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]R, len(in))
	jobs := make(chan int)
	var workers sync.WaitGroup
	for range max(n, 1) {
		workers.Go(func() {
			for i := range jobs {
				if ctx.Err() != nil {
					continue // an error came while this one waited
				}
				var err error
				if out[i], err = f(in[i]); err != nil {
					cancel(err) // only the first cause is kept
				}
			}
		})
	}
	for i := 0; i < len(in) && ctx.Err() == nil; i++ {
		jobs <- i
	}
	close(jobs)
	workers.Wait()
	return out, context.Cause(ctx)
}

// snippet:check
func main() {
	ctx := context.Background()
	fmt.Println(Map(ctx, 3, []int{1, 2, 3, 4, 5}, func(n int) (int, error) { return n * n, nil }))
	_, err := Map(ctx, 2, []int{1, 2, 3}, func(n int) (int, error) {
		if n == 2 {
			return 0, errors.New("two is broken")
		}
		return n, nil
	})
	fmt.Println(err)
	calls := 0
	Map(ctx, 1, []int{1, 2, 3}, func(int) (int, error) {
		calls++
		time.Sleep(20 * time.Millisecond) // the second waits to be taken
		return 0, errors.New("broken")
	})
	fmt.Println(calls)
}
