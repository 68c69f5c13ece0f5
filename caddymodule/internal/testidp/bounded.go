package testidp

import (
	"container/list"
	"time"
)

// boundedMap keeps at most a fixed number of entries, each for a limited time;
// a new entry pushes the oldest one out. It is not safe for concurrent use:
// [store] has the lock.
type boundedMap[V any] struct {
	capacity int
	lifetime time.Duration
	entries  map[string]*list.Element
	order    *list.List // of boundedEntry[V], oldest first
}

type boundedEntry[V any] struct {
	key     string
	value   V
	expires time.Time
}

func newBoundedMap[V any](capacity int, lifetime time.Duration) *boundedMap[V] {
	return &boundedMap[V]{capacity: capacity, lifetime: lifetime, entries: make(map[string]*list.Element), order: list.New()}
}

// put adds an entry under a new key; an existing one is replaced.
func (m *boundedMap[V]) put(key string, value V, now time.Time) {
	m.remove(key)
	for oldest := m.order.Front(); oldest != nil; oldest = m.order.Front() {
		entry := oldest.Value.(boundedEntry[V])
		if m.order.Len() < m.capacity && now.Before(entry.expires) {
			break
		}
		m.remove(entry.key)
	}
	m.entries[key] = m.order.PushBack(boundedEntry[V]{key, value, now.Add(m.lifetime)})
}

func (m *boundedMap[V]) get(key string, now time.Time) (value V, ok bool) {
	element, ok := m.entries[key]
	if !ok {
		return value, false
	}
	entry := element.Value.(boundedEntry[V])
	if !now.Before(entry.expires) {
		m.remove(key)
		return value, false
	}
	return entry.value, true
}

func (m *boundedMap[V]) remove(key string) {
	if element, ok := m.entries[key]; ok {
		m.order.Remove(element)
		delete(m.entries, key)
	}
}
