package ledger

import (
	"context"
	"sync"
	"time"
)

// Memory is a ledger in this process's memory, for one node. Its zero value is
// not usable; see [NewMemory].
//
// When it is full, the oldest login that is still pending makes room: whoever
// floods /authorize has to outrun honest logins, which take seconds. What is
// spent is never dropped before its time, since that would permit a replay.
type Memory struct {
	now func() time.Time

	mu      sync.Mutex
	ttl     uint32 // seconds
	limit   int
	index   map[key]uint32
	entries []entry // entries[0] is not used
	free    uint32  // head of the free entries
	pending list    // logins, oldest first
	spent   list    // spent verifiers and codes, oldest first
	evicted uint64
}

// entry is 32 bytes. Entries are linked by index: pointers would double their
// size and make the garbage collector visit a million of them.
type entry struct {
	key        key
	at         uint32 // Unix seconds
	prev, next uint32
	state      state
}

type state uint8

const (
	isPending state = iota
	isHeld          // a verifier or code whose exchange is under way
	isSpent
)

// list is a doubly linked list of entries, by index; 0 is none.
type list struct {
	first, last uint32
	length      int
}

// NewMemory makes a ledger that keeps entries for ttl, at most capacity of
// them. now is the clock, [time.Now] outside of tests.
func NewMemory(ttl time.Duration, capacity int, now func() time.Time) *Memory {
	m := &Memory{now: now, index: make(map[key]uint32), entries: make([]entry, 1)}
	m.SetBounds(ttl, capacity)
	return m
}

// SetBounds changes the bounds, for a new configuration.
func (m *Memory) SetBounds(ttl time.Duration, capacity int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ttl = uint32(max(1, ttl/time.Second))
	m.limit = max(1, capacity)
}

// Remember implements [Ledger].
func (m *Memory) Remember(_ context.Context, login Login) error {
	k := loginKey(login)
	now := m.seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(now)
	if i, ok := m.index[k]; ok {
		m.unlink(&m.pending, i)
		m.entries[i].at = now
		m.append(&m.pending, i)
		return nil
	}
	i, err := m.add(k, now, isPending)
	if err != nil {
		return err
	}
	m.append(&m.pending, i)
	return nil
}

// Begin implements [Ledger].
func (m *Memory) Begin(_ context.Context, login Login, code string) (*Reservation, error) {
	ks := newKeys(login, code)
	now := m.seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire(now)
	for _, k := range [...]key{ks.code, ks.verifier} {
		if i, ok := m.index[k]; ok {
			if e := &m.entries[i]; e.state == isHeld {
				return nil, ErrBusy
			} else if !m.isExpired(e, now) {
				return nil, ErrSpent
			}
			m.drop(&m.spent, m.index[k])
		}
	}
	if i, ok := m.index[ks.login]; !ok || m.isExpired(&m.entries[i], now) {
		return nil, ErrUnknown
	}
	if _, err := m.add(ks.code, now, isHeld); err != nil {
		return nil, err
	}
	if _, err := m.add(ks.verifier, now, isHeld); err != nil {
		m.remove(m.index[ks.code])
		return nil, err
	}
	return &Reservation{settler: m, keys: ks}, nil
}

func (m *Memory) commit(_ context.Context, ks keys) error {
	now := m.seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range [...]key{ks.code, ks.verifier} {
		if i, ok := m.index[k]; ok {
			m.entries[i].state, m.entries[i].at = isSpent, now
			m.append(&m.spent, i)
		}
	}
	if i, ok := m.index[ks.login]; ok {
		m.drop(&m.pending, i)
	}
	return nil
}

func (m *Memory) release(_ context.Context, ks keys) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range [...]key{ks.code, ks.verifier} {
		if i, ok := m.index[k]; ok {
			m.remove(i)
		}
	}
}

// Stats are a memory ledger's sizes in entries.
type Stats struct {
	Pending, Spent int
	// Evicted counts the pending logins that were dropped for room, ever.
	Evicted uint64
}

// Stats returns the present sizes.
func (m *Memory) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Stats{m.pending.length, m.spent.length, m.evicted}
}

func (m *Memory) seconds() uint32 { return uint32(m.now().Unix()) }

// isExpired compares modulo 2^32, so that a clock set back expires nothing early.
func (m *Memory) isExpired(e *entry, now uint32) bool { return int32(now-e.at) > int32(m.ttl) }

// expire drops the oldest entries if their time has passed. It takes a few at
// a time, more than any operation adds, so that no request pays for many.
func (m *Memory) expire(now uint32) {
	for _, l := range [...]*list{&m.pending, &m.spent} {
		for n := 0; n < 16 && l.first != 0 && m.isExpired(&m.entries[l.first], now); n++ {
			m.drop(l, l.first)
		}
	}
}

// add makes an entry that is in no list yet.
func (m *Memory) add(k key, now uint32, s state) (uint32, error) {
	if len(m.index) >= m.limit {
		if m.pending.first == 0 {
			return 0, ErrFull
		}
		m.drop(&m.pending, m.pending.first)
		m.evicted++
	}
	i := m.free
	if i != 0 {
		m.free = m.entries[i].next
	} else {
		i = uint32(len(m.entries))
		m.entries = append(m.entries, entry{})
	}
	m.entries[i] = entry{key: k, at: now, state: s}
	m.index[k] = i
	return i, nil
}

// drop takes an entry out of its list and removes it.
func (m *Memory) drop(l *list, i uint32) {
	m.unlink(l, i)
	m.remove(i)
}

// remove frees an entry that is in no list.
func (m *Memory) remove(i uint32) {
	delete(m.index, m.entries[i].key)
	m.entries[i] = entry{next: m.free}
	m.free = i
}

func (m *Memory) append(l *list, i uint32) {
	e := &m.entries[i]
	e.prev, e.next = l.last, 0
	if l.last != 0 {
		m.entries[l.last].next = i
	} else {
		l.first = i
	}
	l.last = i
	l.length++
}

func (m *Memory) unlink(l *list, i uint32) {
	e := &m.entries[i]
	if e.prev != 0 {
		m.entries[e.prev].next = e.next
	} else {
		l.first = e.next
	}
	if e.next != 0 {
		m.entries[e.next].prev = e.prev
	} else {
		l.last = e.prev
	}
	l.length--
}
