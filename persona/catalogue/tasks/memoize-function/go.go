// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/sync#OnceValue sync.OnceValue
// snippet:needs Go 1.21
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"sync"
)

// Memo remembers f's results. Callers with the same key wait for one
// computation; callers with different keys do not wait for each other.
// NaN equals no key, so its result is not found again.
type Memo[K comparable, V any] struct {
	f       func(K) V
	mu      sync.Mutex
	results map[K]func() V
}

func NewMemo[K comparable, V any](f func(K) V) *Memo[K, V] {
	return &Memo[K, V]{f: f, results: map[K]func() V{}}
}

func (m *Memo[K, V]) Get(key K) V {
	m.mu.Lock()
	result, ok := m.results[key]
	if !ok {
		result = sync.OnceValue(func() V { return m.f(key) })
		m.results[key] = result
	}
	m.mu.Unlock()
	return result()
}

// snippet:usage
// snippet:prints 81 81 1
func main() {
	calls := 0
	m := NewMemo(func(n int) int { calls++; return n * n })
	fmt.Println(m.Get(9), m.Get(9), calls)
	// snippet:check
	// snippet:prints 23416728348467685
	var fib *Memo[int, int]
	fib = NewMemo(func(n int) int {
		if n < 2 {
			return n
		}
		return fib.Get(n-1) + fib.Get(n-2)
	})
	fmt.Println(fib.Get(80))
	// snippet:usage
}
