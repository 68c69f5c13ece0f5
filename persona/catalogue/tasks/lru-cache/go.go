// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/container/list container/list
// snippet:needs Go 1.21
import (
	"container/list"
	// snippet:usage
	"fmt"
	// snippet:end
)

// LRU keeps the entries used last. It is not for several goroutines at once,
// nor for NaN as a key, which is never found again.
type LRU[K comparable, V any] struct {
	size   int
	keys   list.List // front: used last
	places map[K]*list.Element
	values map[K]V
}

func New[K comparable, V any](size int) *LRU[K, V] {
	return &LRU[K, V]{size: max(size, 1), places: map[K]*list.Element{}, values: map[K]V{}}
}

func (c *LRU[K, V]) Get(key K) (value V, ok bool) {
	if value, ok = c.values[key]; ok {
		c.keys.MoveToFront(c.places[key])
	}
	return value, ok
}

func (c *LRU[K, V]) Put(key K, value V) {
	if place, ok := c.places[key]; ok {
		c.keys.Remove(place)
	} else if len(c.places) == c.size {
		oldest := c.keys.Remove(c.keys.Back()).(K)
		delete(c.places, oldest)
		delete(c.values, oldest)
	}
	c.places[key], c.values[key] = c.keys.PushFront(key), value
}

// snippet:usage
// snippet:prints 1 false 2 2
func main() {
	c := New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Get("a")
	c.Put("c", 3)
	_, b := c.Get("b")
	a, _ := c.Get("a")
	fmt.Println(a, b, len(c.values), len(c.places))
}
