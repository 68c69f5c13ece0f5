package replay

import (
	"bytes"
	"container/heap"
	"context"
	"time"
)

// DefaultStateBytes bounds the values that a [Memory] keeps.
const DefaultStateBytes = 256 << 20

// stateOverhead is about what a value takes beside its own bytes.
const stateOverhead = 160

type memoryState struct {
	key     Key
	value   []byte
	expires time.Time
	index   int // in byExpiry
}

// expiryHeap is a heap of values, the one that expires first on top.
type expiryHeap []*memoryState

func (h expiryHeap) Len() int           { return len(h) }
func (h expiryHeap) Less(i, j int) bool { return h[i].expires.Before(h[j].expires) }
func (h expiryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *expiryHeap) Push(x any) {
	state := x.(*memoryState)
	state.index = len(*h)
	*h = append(*h, state)
}

func (h *expiryHeap) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = nil
	*h = (*h)[:len(*h)-1]
	return last
}

// Load implements [StateStore].
func (m *Memory) Load(_ context.Context, key Key) ([]byte, time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.expireStates(now)
	if state := m.states[key]; state != nil {
		return bytes.Clone(state.value), now, nil
	}
	return nil, now, nil
}

// CompareAndSwap implements [StateStore].
func (m *Memory) CompareAndSwap(_ context.Context, key Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.expireStates(now)
	state := m.states[key]
	if (state == nil) != (old == nil) || state != nil && !bytes.Equal(state.value, old) {
		return false, nil
	}
	if replacement == nil {
		if state != nil {
			m.removeState(state)
		}
		return true, nil
	}
	grown := len(replacement) - len(old)
	if state == nil {
		grown += stateOverhead
	}
	if m.stateBytes+grown > DefaultStateBytes {
		return false, ErrFull
	}
	m.stateBytes += grown
	if state == nil {
		state = &memoryState{key: key}
		m.states[key] = state
		heap.Push(&m.byExpiry, state)
	}
	state.value, state.expires = bytes.Clone(replacement), now.Add(ttl)
	heap.Fix(&m.byExpiry, state.index)
	return true, nil
}

func (m *Memory) expireStates(now time.Time) {
	for len(m.byExpiry) > 0 && !m.byExpiry[0].expires.After(now) {
		m.removeState(m.byExpiry[0])
	}
}

func (m *Memory) removeState(state *memoryState) {
	heap.Remove(&m.byExpiry, state.index)
	delete(m.states, state.key)
	m.stateBytes -= len(state.value) + stateOverhead
}

// Interface guards
var (
	_ StateStore = (*Memory)(nil)
	_ Pinger     = (*Memory)(nil)
	_ Counter    = (*Memory)(nil)
)
