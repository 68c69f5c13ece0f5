// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/container/list container/list
// snippet:prints 1 false 2

import "container/list"

// snippet:check
import "fmt"

// snippet:end
type LRU[K comparable, V any] struct {
	size    int
	recent  *list.List // front: used last
	entries map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func (c *LRU[K, V]) Get(key K) (value V, ok bool) {
	e, ok := c.entries[key]
	if !ok {
		return value, false
	}
	c.recent.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true
}

func (c *LRU[K, V]) Put(key K, value V) {
	if e, ok := c.entries[key]; ok {
		c.recent.Remove(e)
	} else if len(c.entries) == c.size {
		delete(c.entries, c.recent.Remove(c.recent.Back()).(entry[K, V]).key)
	}
	c.entries[key] = c.recent.PushFront(entry[K, V]{key, value})
}

// snippet:check
func main() {
	c := LRU[string, int]{2, list.New(), map[string]*list.Element{}}
	c.Put("a", 1)
	c.Put("b", 2)
	c.Get("a")
	c.Put("c", 3)
	_, b := c.Get("b")
	a, _ := c.Get("a")
	fmt.Println(a, b, len(c.entries))
}
