package replay

import (
	"container/list"
	"context"
	"maps"
	"sync"
	"time"
)

// DefaultCapacity is the number of claims that a [Memory] holds unless told
// otherwise. A claim takes about 200 bytes, and each login two claims.
const DefaultCapacity = 1 << 20

// Memory is a [StateStore] in the memory of this process. It forgets everything when
// the process ends, and other processes know nothing of it.
type Memory struct {
	now      func() time.Time
	capacity int

	mu     sync.Mutex
	claims map[Key]*list.Element
	// byAge holds *memoryClaim, oldest first, by their ttl, of which there are few: so
	// each list is also in the order in which they expire.
	byAge map[time.Duration]*list.List
	// removed counts what was taken out of claims since that map was made.
	removed int

	states     map[Key]*memoryState
	byExpiry   expiryHeap
	stateBytes int
}

// NewMemory makes a store for at most capacity claims. now is time.Now except in tests.
func NewMemory(capacity int, now func() time.Time) *Memory {
	return &Memory{now: now, capacity: capacity, claims: make(map[Key]*list.Element), byAge: make(map[time.Duration]*list.List), states: make(map[Key]*memoryState)}
}

type memoryClaim struct {
	store   *Memory
	list    *list.List
	key     Key
	expires time.Time
}

// Claim implements [Store].
func (m *Memory) Claim(_ context.Context, key Key, ttl time.Duration) (Claim, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.expire(now)
	if element := m.claims[key]; element != nil {
		if !element.Value.(*memoryClaim).isOver(now) {
			return nil, ErrClaimed
		}
		m.remove(element)
	}
	if len(m.claims) >= m.capacity {
		return nil, ErrFull
	}
	ages := m.byAge[ttl]
	if ages == nil {
		ages = list.New()
		m.byAge[ttl] = ages
	}
	claim := &memoryClaim{store: m, list: ages, key: key, expires: now.Add(ttl)}
	m.claims[key] = ages.PushBack(claim)
	return claim, nil
}

// isOver reports whether a claim has expired by the clock on the wall, by which codes
// do, and by the one that nobody sets: a clock that is set back makes old codes
// valid again.
func (c *memoryClaim) isOver(now time.Time) bool {
	return !c.expires.After(now) && !c.expires.Round(0).After(now.Round(0))
}

// expire removes claims that are over.
func (m *Memory) expire(now time.Time) {
	for _, ages := range m.byAge {
		for element := ages.Front(); element != nil && element.Value.(*memoryClaim).isOver(now); element = ages.Front() {
			m.remove(element)
		}
	}
}

func (m *Memory) remove(element *list.Element) {
	claim := element.Value.(*memoryClaim)
	claim.list.Remove(element)
	delete(m.claims, claim.key)
	m.removed++
	if m.removed > mostRemoved+len(m.claims) {
		m.renew()
	}
}

// mostRemoved is how many claims are at least removed from one map.
const mostRemoved = 4096

// renew copies the claims into another map. A map never shrinks, and for a while it
// grows if keys come and go: what many logins took would never be given back.
func (m *Memory) renew() {
	claims := make(map[Key]*list.Element, len(m.claims))
	maps.Copy(claims, m.claims)
	m.claims, m.removed = claims, 0
}

// Release implements [Claim].
func (c *memoryClaim) Release(context.Context) error {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	if element := c.store.claims[c.key]; element != nil && element.Value == any(c) {
		c.store.remove(element)
	}
	return nil
}

// Len is the number of claims, without those that are over.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.now())
	return len(m.claims)
}

// Cap is the capacity that it was made with.
func (m *Memory) Cap() int { return m.capacity }

// Ping implements [Pinger]: a store without room claims nothing.
func (m *Memory) Ping(context.Context) error {
	if m.Len() >= m.capacity {
		return ErrFull
	}
	return nil
}
