// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/slices slices
// snippet:needs Go 1.23
import (
	"cmp"
	// snippet:usage
	"fmt"
	// snippet:end
	"maps"
	"slices"
)

type Group[K comparable] struct {
	Key   K
	Count int
	Sum   float64
}

// GroupBy counts and sums records per key, the largest sum first.
func GroupBy[T any, K cmp.Ordered](records []T, key func(T) K, value func(T) float64) []Group[K] {
	groups := map[K]Group[K]{}
	for _, r := range records {
		k := key(r)
		g := groups[k]
		groups[k] = Group[K]{k, g.Count + 1, g.Sum + value(r)}
	}
	return slices.SortedFunc(maps.Values(groups), func(a, b Group[K]) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Key, b.Key))
	})
}

// snippet:usage
// snippet:prints [{Bath 1 9} {Rome 2 6}]
type sale struct {
	city  string
	total float64
}

func main() {
	sales := []sale{{"Rome", 2}, {"Bath", 9}, {"Rome", 4}}
	fmt.Println(GroupBy(sales, func(s sale) string { return s.city }, func(s sale) float64 { return s.total }))
}
