package replay

import (
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
//
// Claims hold no pointers, so that the garbage collector need not look at each of
// a million.
type Memory struct {
	now      func() time.Time
	capacity int
	start    time.Time

	mu     sync.Mutex
	claims map[Key]memoryClaim
	// byAge are the claims by their ttl, of which there are few, oldest first: so each queue
	// is also in the order in which they expire. What was released is still in it.
	byAge map[time.Duration]*claimQueue
	// made counts claims. removed counts what was taken out of claims since that map was made.
	made    uint64
	removed int

	states     map[Key]*memoryState
	byExpiry   expiryHeap
	stateBytes int
}

// NewMemory makes a store for at most capacity claims. now is time.Now except in tests.
func NewMemory(capacity int, now func() time.Time) *Memory {
	return &Memory{
		now: now, capacity: capacity, start: now(),
		claims: make(map[Key]memoryClaim), byAge: make(map[time.Duration]*claimQueue), states: make(map[Key]*memoryState),
	}
}

// memoryClaim has a number of its own and the time at which it expires, in nanoseconds: by
// the clock on the wall, by which codes do, and by the one that nobody sets, since
// the start of the store: a clock that is set back makes old codes valid again.
type memoryClaim struct {
	number        uint64
	wall, elapsed int64
}

func (c *memoryClaim) isOver(now memoryClaim) bool {
	return c.wall <= now.wall && c.elapsed <= now.elapsed
}

// expiring is a claim that expires at t.
func (m *Memory) expiring(t time.Time) memoryClaim {
	return memoryClaim{wall: t.UnixNano(), elapsed: int64(t.Sub(m.start))}
}

// Claim implements [Store].
func (m *Memory) Claim(_ context.Context, key Key, ttl time.Duration) (Claim, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	over := m.expiring(now)
	m.expire(over)
	if held, ok := m.claims[key]; ok {
		if !held.isOver(over) {
			return nil, ErrClaimed
		}
		m.remove(key, held.number) // the clock was set back between it and an older one
	}
	if len(m.claims) >= m.capacity {
		return nil, ErrFull
	}
	claim := m.expiring(now.Add(ttl))
	m.made++
	claim.number = m.made
	queue := m.byAge[ttl]
	if queue == nil {
		queue = new(claimQueue)
		m.byAge[ttl] = queue
	}
	queue.push(queuedClaim{key, claim})
	m.claims[key] = claim
	return &heldClaim{m, key, claim.number}, nil
}

func (m *Memory) expire(now memoryClaim) {
	for _, queue := range m.byAge {
		for first := queue.first(); first != nil && first.isOver(now); first = queue.first() {
			key, number := first.key, first.number
			queue.pop()
			m.remove(key, number)
		}
	}
}

func (m *Memory) remove(key Key, number uint64) {
	if m.claims[key].number != number {
		return // it was released
	}
	delete(m.claims, key)
	m.removed++
	if m.removed > mostRemoved+len(m.claims) {
		m.renew()
	}
}

// mostRemoved is how many claims are at least removed from one map.
const mostRemoved = 4096

// renew copies the claims into another map, and takes those that were released out of the
// queues. A map never shrinks, and for a while it grows if keys come and go: what many
// logins took would never be given back.
func (m *Memory) renew() {
	claims := make(map[Key]memoryClaim, len(m.claims))
	maps.Copy(claims, m.claims)
	m.claims, m.removed = claims, 0
	for ttl, queue := range m.byAge {
		var kept claimQueue
		for first := queue.first(); first != nil; first = queue.first() {
			if m.claims[first.key].number == first.number {
				kept.push(*first)
			}
			queue.pop()
		}
		if *queue = kept; kept.first() == nil {
			delete(m.byAge, ttl)
		}
	}
}

type heldClaim struct {
	store  *Memory
	key    Key
	number uint64
}

// Release implements [Claim].
func (c *heldClaim) Release(context.Context) error {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.store.remove(c.key, c.number)
	return nil
}

// claimQueue holds claims in chunks, first in, first out.
type claimQueue struct{ chunks [][]queuedClaim }

type queuedClaim struct {
	key Key
	memoryClaim
}

const claimsOfAChunk = 256

func (q *claimQueue) push(c queuedClaim) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last]) == cap(q.chunks[last]) {
		q.chunks = append(q.chunks, make([]queuedClaim, 0, claimsOfAChunk))
		last++
	}
	q.chunks[last] = append(q.chunks[last], c)
}

// first is the oldest claim, nil if there is none.
func (q *claimQueue) first() *queuedClaim {
	if len(q.chunks) == 0 {
		return nil
	}
	return &q.chunks[0][0]
}

func (q *claimQueue) pop() {
	if q.chunks[0] = q.chunks[0][1:]; len(q.chunks[0]) == 0 {
		q.chunks = q.chunks[1:]
	}
}

// Len is the number of claims, without those that are over.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(m.expiring(m.now()))
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
