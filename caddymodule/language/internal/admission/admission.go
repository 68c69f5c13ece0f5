// Package admission decides which requests are worked on, so that a flood of
// large messages takes neither the memory of the process nor the time of what
// else it serves.
//
// A request passes a [Gate] in two steps. It is admitted before its body is read,
// when there is memory for the body; and it is worked on when there is a
// processor for it. Both are queues in the order of arrival with a deadline. What
// waits for memory has not been read: its client is held back by TCP. Short
// requests have lanes of their own, so that they do not stand behind long ones.
package admission

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Short is the size in bytes up to which a body passes in the lane for short
// ones: about ten milliseconds of work.
const Short = 64 << 10

// ErrBusy says that a request has to come back later. The others wrap it and say why.
var (
	ErrBusy = errors.New("too many requests are waiting")
	// ErrQueueFull: too many others wait.
	ErrQueueFull = fmt.Errorf("%w: the queue is full", ErrBusy)
	// ErrNoMemory: it waited for memory, or for a place for its batch, until the deadline.
	ErrNoMemory = fmt.Errorf("%w: no memory was free in time", ErrBusy)
	// ErrNoProcessor: it waited for a processor until the deadline.
	ErrNoProcessor = fmt.Errorf("%w: no processor was free in time", ErrBusy)
)

// Limits are what a [Gate] lets pass. The zero value of a field stands for its default.
type Limits struct {
	// MaxConcurrent is how many long requests are worked on at the same time, and
	// how many short ones beside them. Default: GOMAXPROCS.
	MaxConcurrent int
	// MaxBody is the largest body, in bytes.
	MaxBody int64
	// MaxBuffered is how many bytes of bodies are in memory at the same time. A
	// quarter is for short ones. Default: 8 of the largest for each of
	// MaxConcurrent, at least 16 MiB.
	MaxBuffered int64
	// MaxWait is how long a request waits for memory, and once more for a
	// processor. Default: 5 seconds.
	MaxWait time.Duration
}

// The defaults of [Limits].
const (
	defaultMaxWait    = 5 * time.Second
	bodiesEach        = 8 // in memory, for each that is worked on
	batchesEach       = 2 // at the same time, for each message that is worked on
	leastBuffered     = 16 << 20
	maxWaiting        = 1024 // requests in each lane; each of them is a connection and a goroutine
	smallestCharge    = 1 << 10
	sweepInterval     = 250 * time.Millisecond
	slowestTransfer   = 64 << 10 // bytes a second, while others wait
	transferAllowance = time.Second
)

// WithDefaults fills in what is left out.
func (l Limits) WithDefaults() Limits {
	if l.MaxConcurrent == 0 {
		l.MaxConcurrent = runtime.GOMAXPROCS(0)
	}
	if l.MaxBuffered == 0 {
		l.MaxBuffered = max(bodiesEach*l.MaxBody*int64(l.MaxConcurrent), leastBuffered)
	}
	if l.MaxWait == 0 {
		l.MaxWait = defaultMaxWait
	}
	return l
}

// Validate reports limits under which the largest body would never pass.
func (l Limits) Validate() error {
	if l.longMemory() < l.MaxBody {
		return errors.New("three quarters of max_buffered must hold the largest body (max_body)")
	}
	return nil
}

func (l Limits) shortMemory() int64 { return l.MaxBuffered / 4 }
func (l Limits) longMemory() int64  { return l.MaxBuffered - l.shortMemory() }

// Gate lets requests pass within its limits. Make it with [NewGate]; it is safe
// for concurrent use.
type Gate struct {
	limits      Limits
	short, long lane
	batch       lane         // its memory is places for batches
	working     atomic.Int64 // requests in both lanes
}

// NewGate returns a gate with the given limits, complete and valid.
func NewGate(l Limits) *Gate {
	g := &Gate{limits: l}
	g.short.init(l.shortMemory(), l.MaxConcurrent)
	g.long.init(l.longMemory(), l.MaxConcurrent)
	g.batch.init(batchesEach*int64(l.MaxConcurrent), 0)
	return g
}

// lane is what requests of a kind wait in.
type lane struct {
	size    int64
	memory  *semaphore.Weighted // bytes
	slots   *semaphore.Weighted // requests that are worked on
	waiting atomic.Int64        // requests that wait for memory or a slot

	mu        sync.Mutex
	transfers map[*transfer]struct{}
	sweeping  bool
}

func (l *lane) init(size int64, slots int) {
	l.size = size
	l.memory = semaphore.NewWeighted(size)
	l.slots = semaphore.NewWeighted(int64(slots))
	l.transfers = make(map[*transfer]struct{})
}

// laneOf is the lane for a body of size bytes.
func (g *Gate) laneOf(size int64) *lane {
	if size <= Short {
		return &g.short
	}
	return &g.long
}

// Admission is the memory that a request has been given. It is for one goroutine.
type Admission struct {
	lane *lane
	size int64
}

// Admit waits until there is memory for a body of size bytes; -1 stands for an
// unknown size, which may be the largest. The error wraps [ErrBusy], or is that of ctx.
// Give the memory back with [Admission.Release].
func (g *Gate) Admit(ctx context.Context, size int64) (*Admission, error) {
	if size < 0 || size > g.limits.MaxBody {
		size = g.limits.MaxBody
	}
	a := &Admission{lane: g.laneOf(size), size: max(size, smallestCharge)}
	a.size = min(a.size, a.lane.size)
	if !a.lane.memory.TryAcquire(a.size) {
		if err := g.wait(ctx, a.lane, a.lane.memory, a.size); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// AdmitBatch waits until there is a place for a batch. A batch has one message in
// memory at a time; each goes through [Gate.Work].
func (g *Gate) AdmitBatch(ctx context.Context) (*Admission, error) {
	a := &Admission{lane: &g.batch, size: 1}
	if !a.lane.memory.TryAcquire(a.size) {
		if err := g.wait(ctx, a.lane, a.lane.memory, a.size); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Release gives the memory back.
func (a *Admission) Release() { a.lane.memory.Release(a.size) }

// Work waits for a processor for a body of size bytes, and calls work. The error
// is that of work or ctx, or wraps [ErrBusy].
func (g *Gate) Work(ctx context.Context, size int64, work func(context.Context) error) error {
	lane := g.laneOf(size)
	if !lane.slots.TryAcquire(1) {
		if err := g.wait(ctx, lane, lane.slots, 1); err != nil {
			return err
		}
	}
	defer lane.slots.Release(1)
	g.working.Add(1)
	defer g.working.Add(-1)
	return work(g.yielding(ctx))
}

// wait stands in line for n of what.
func (g *Gate) wait(ctx context.Context, l *lane, what *semaphore.Weighted, n int64) error {
	if l.waiting.Add(1) > maxWaiting {
		l.waiting.Add(-1)
		return ErrQueueFull
	}
	defer l.waiting.Add(-1)
	l.startSweeping()
	waiting, cancel := context.WithTimeout(ctx, g.limits.MaxWait)
	defer cancel()
	if err := what.Acquire(waiting, n); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if what == l.slots {
			return ErrNoProcessor
		}
		return ErrNoMemory
	}
	return nil
}

// transfer is a body on its way from or to a client, in memory meanwhile.
type transfer struct {
	overdue time.Time
	cut     func()
}

// Transfer calls f, which reads or writes size bytes. While other requests wait,
// a client that takes longer than a second, and more for each 64 KiB, is cut off:
// cut is called, from another goroutine, and has to make f return.
func (a *Admission) Transfer(size int64, cut func(), f func() error) error {
	if size < 0 {
		size = a.size
	}
	t := &transfer{overdue: time.Now().Add(transferAllowance + time.Duration(size)*time.Second/slowestTransfer), cut: cut}
	a.lane.mu.Lock()
	a.lane.transfers[t] = struct{}{}
	a.lane.mu.Unlock()
	defer func() {
		a.lane.mu.Lock()
		delete(a.lane.transfers, t)
		a.lane.mu.Unlock()
	}()
	return f()
}

// startSweeping cuts slow clients off for as long as others wait.
func (l *lane) startSweeping() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.sweeping {
		l.sweeping = true
		l.sweep()
	}
}

// sweep cuts off who is overdue, and comes back if anybody waits. l.mu is held.
func (l *lane) sweep() {
	now := time.Now()
	for t := range l.transfers {
		if now.After(t.overdue) {
			t.cut()
			delete(l.transfers, t)
		}
	}
	if l.sweeping = l.waiting.Load() > 0; l.sweeping {
		time.AfterFunc(sweepInterval, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.sweep()
		})
	}
}
