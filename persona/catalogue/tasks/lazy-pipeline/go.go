// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/iter iter
// snippet:needs Go 1.23
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"iter"
	// snippet:usage
	"slices"
	// snippet:end
)

// Filter yields the values of seq that keep accepts, when they are asked for.
func Filter[V any](seq iter.Seq[V], keep func(V) bool) iter.Seq[V] {
	return func(yield func(V) bool) {
		for v := range seq {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

// Take ends after n values, even when seq never does.
func Take[V any](seq iter.Seq[V], n int) iter.Seq[V] {
	return func(yield func(V) bool) {
		if n <= 0 {
			return // without asking for the first
		}
		left := n // a copy: the sequence may be walked again
		for v := range seq {
			if !yield(v) || left == 1 {
				return // and does not ask for one more
			}
			left--
		}
	}
}

// snippet:usage
// snippet:prints [7 14 21 28] 4
// snippet:prints 0
func main() {
	naturals := func(yield func(int) bool) {
		for i := 1; yield(i); i++ {
		}
	}
	few := Take(Filter(naturals, func(n int) bool { return n%7 == 0 && n < 30 }), 4)
	fmt.Println(slices.Collect(few), len(slices.Collect(few)))
	nobody := func(func(int) bool) { panic("was asked") }
	fmt.Println(len(slices.Collect(Take(nobody, 0))))
}
