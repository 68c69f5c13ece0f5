// Package admission decides which requests are worked on, so that a flood of messages takes neither the memory of the process nor
// the time of what else it serves, and that who sends little takes little.
//
// A [Gate] has two lanes, so that short bodies do not stand behind long ones. Each has memory and processors; those who wait for
// one of them do so in the order of arrival, with a deadline. A body takes memory as it arrives, not as it was announced: half of
// the memory is for that. When that half is full, what a body still needs is reserved in the other half as a whole, so that those
// who have it can finish, whatever others do. What waits for memory is not read: its client is held back by TCP. While anybody
// waits, clients that are slow to send a body or to take a response make room.
package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Short is the size in bytes, and the [Effort], up to which a body passes in the lane for short ones: some milliseconds of work.
// One of unknown length is long.
const Short = 64 << 10

// FirstPiece is how many bytes of a body are in memory without being counted: a connection costs the server many times as much.
const FirstPiece = 1 << 10

// ErrBusy says that a request has to come back later. The others wrap it and say why.
var (
	ErrBusy = errors.New("too many requests are waiting")
	// ErrQueueFull: too many others wait.
	ErrQueueFull = fmt.Errorf("%w: the queue is full", ErrBusy)
	// ErrNoMemory: it waited for memory, or for a place, until the deadline.
	ErrNoMemory = fmt.Errorf("%w: no memory was free in time", ErrBusy)
	// ErrNoProcessor: it waited for a processor until the deadline.
	ErrNoProcessor = fmt.Errorf("%w: no processor was free in time", ErrBusy)
)

// Limits are what a [Gate] lets pass. The zero value of a field stands for its default.
type Limits struct {
	// MaxConcurrent is how many long requests are worked on at the same time, and how many short ones beside them. Default:
	// GOMAXPROCS.
	MaxConcurrent int
	// MaxBody is the largest body, in bytes.
	MaxBody int64
	// MaxBuffered is how many bytes of bodies are in memory at the same time. A quarter is for short ones. Default: 8 of the
	// largest for each of MaxConcurrent, at least 16 MiB.
	MaxBuffered int64
	// MaxWait is how long a request waits for memory, and once more for a processor. Default: 5 seconds.
	MaxWait time.Duration
}

// The defaults of [Limits], and what is the same for all gates.
const (
	defaultMaxWait = 5 * time.Second
	bodiesEach     = 8 // in memory, for each that is worked on
	leastBuffered  = 16 << 20
	maxAdmitted    = 4096 // requests; those of a connection of HTTP/2 count each
	maxWaiting     = 1024 // requests in each queue, without batches
)

// WithDefaults fills in what is left out.
func (l Limits) WithDefaults() Limits {
	l.MaxConcurrent = cmp.Or(l.MaxConcurrent, runtime.GOMAXPROCS(0))
	l.MaxBuffered = cmp.Or(l.MaxBuffered, max(bodiesEach*l.MaxBody*int64(l.MaxConcurrent), leastBuffered))
	l.MaxWait = cmp.Or(l.MaxWait, defaultMaxWait)
	return l
}

// Gate lets requests pass within its limits. Make it with [NewGate]; it is safe for concurrent use.
type Gate struct {
	limits      Limits
	places      queue
	short, long lane
	working     atomic.Int64 // requests in both lanes
	start       time.Time

	mu        sync.Mutex
	transfers map[*Admission]struct{} // that are under way
	sweeping  bool
}

// NewGate returns a gate with the given limits, complete and valid.
func NewGate(l Limits) *Gate {
	g := &Gate{limits: l, start: time.Now(), transfers: make(map[*Admission]struct{})}
	g.places.init(g, maxAdmitted, ErrNoMemory)
	short := l.MaxBuffered / 4
	g.short.init(g, short, min(Short, l.MaxBody)+1)
	g.long.init(g, l.MaxBuffered-short, l.MaxBody+1)
	return g
}

// lane is what requests of a kind have.
type lane struct {
	arriving atomic.Int64 // bytes of bodies as they arrive, and of responses
	room     int64        // for them
	reserved queue        // memory in bytes for what bodies still need as a whole
	most     int64        // how much that is
	slots    queue        // requests that are worked on
}

// init shares memory out, of which at least largest is for bodies as a whole.
func (l *lane) init(g *Gate, memory, largest int64) {
	l.most = max(memory/2, min(largest, memory))
	l.room = memory - l.most
	l.reserved.init(g, l.most, ErrNoMemory)
	l.slots.init(g, int64(g.limits.MaxConcurrent), ErrNoProcessor)
}

// take takes n bytes for what arrives, if there is room.
func (l *lane) take(n int64) bool {
	for {
		used := l.arriving.Load()
		if used+n > l.room {
			return false
		}
		if l.arriving.CompareAndSwap(used, used+n) {
			return true
		}
	}
}

// isPressed reports whether others wait for memory, or responses have more than there is.
func (l *lane) isPressed() bool { return l.reserved.waiting.Load() > 0 || l.arriving.Load() > l.room }

// laneOf is the lane for size bytes, or as much work.
func (g *Gate) laneOf(size int64) *lane {
	if 0 <= size && size <= Short {
		return &g.short
	}
	return &g.long
}

// Counter counts the requests that wait.
type Counter interface {
	Inc()
	Dec()
}

// queue is where requests wait for something.
type queue struct {
	*semaphore.Weighted
	gate               *Gate
	late               error // of who waited in vain
	waiting, impatient atomic.Int64
}

func (q *queue) init(g *Gate, size int64, late error) {
	q.Weighted, q.gate, q.late = semaphore.NewWeighted(size), g, late
}

// enter takes n, or waits until a can have it.
func (q *queue) enter(ctx context.Context, n int64, a *Admission) error {
	if q.TryAcquire(n) {
		return nil
	}
	waiting := ctx
	if !a.batch {
		defer q.impatient.Add(-1)
		if q.impatient.Add(1) > maxWaiting {
			return ErrQueueFull
		}
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, q.gate.limits.MaxWait)
		defer cancel()
	}
	q.waiting.Add(1)
	defer q.waiting.Add(-1)
	a.waiting.Inc()
	defer a.waiting.Dec()
	q.gate.startSweeping()
	err := q.Acquire(waiting, n)
	if err != nil && ctx.Err() == nil {
		return q.late
	}
	return err
}

// Admission is the place and the memory that a request has. It is for one goroutine.
type Admission struct {
	gate     *Gate
	lane     *lane // of the body
	size     int64 // that was announced, or -1
	batch    bool
	waiting  Counter
	arrived  int64 // bytes that it has of the lane's
	reserved int64 // likewise

	hasMemory atomic.Bool
	overdue   atomic.Int64 // when a transfer is, in nanoseconds after the gate's start
	cut       func()
}

// Admit waits until there is a place for a request with a body of size bytes, -1 if that is unknown. The error wraps [ErrBusy],
// or is that of ctx. While the request waits here, for memory or for a processor, it is counted by c. End with
// [Admission.Release].
func (g *Gate) Admit(ctx context.Context, size int64, c Counter) (*Admission, error) {
	a := &Admission{gate: g, lane: g.laneOf(size), size: size, waiting: c}
	return a, g.places.enter(ctx, 1, a)
}

// AdmitBatch is as [Gate.Admit] for a batch, whose messages are worked on one after the other. It waits for memory and for
// processors for as long as it takes.
func (g *Gate) AdmitBatch(ctx context.Context, c Counter) (*Admission, error) {
	a, err := g.Admit(ctx, -1, c)
	a.batch = true
	return a, err
}

// Release gives place and memory back.
func (a *Admission) Release() {
	a.ReleaseMemory()
	a.gate.places.Release(1)
}

// ReleaseMemory gives the memory back.
func (a *Admission) ReleaseMemory() {
	a.hasMemory.Store(false)
	a.lane.arriving.Add(-a.arrived)
	a.lane.reserved.Release(a.reserved)
	a.arrived, a.reserved = 0, 0
}

// Grow says how many bytes a body may have in memory, of which have have arrived. They are twice as many, or as many as were
// announced and one more, to see the end. It may wait for the memory. The error is as that of [Gate.Admit].
func (a *Admission) Grow(ctx context.Context, have int) (room int, err error) {
	whole := a.gate.limits.MaxBody + 1
	if a.size >= int64(have) {
		whole = a.size + 1
	}
	next := max(2*int64(have), FirstPiece)
	if int64(have) < whole {
		next = min(next, whole)
	}
	if next <= FirstPiece {
		return int(next), nil
	}
	if more := next - a.arrived - a.reserved; more <= 0 || a.lane.take(more) {
		a.arrived += max(more, 0)
		a.hasMemory.Store(true)
		return int(next), nil
	}
	whole = max(next, whole)
	rest := min(whole-a.arrived-a.reserved, a.lane.most)
	overdue := a.overdue.Swap(math.MaxInt64) // it can't be blamed for waiting
	err = a.lane.reserved.enter(ctx, rest, a)
	a.overdue.Store(max(overdue, a.gate.after(turnAllowance)))
	if err != nil {
		return 0, err
	}
	a.reserved += rest
	a.hasMemory.Store(true)
	return int(whole), nil
}

// Hold counts a response of size bytes, as far as it is larger than the body was. If there is no memory for it, slow clients have
// to make room as if it waited.
func (a *Admission) Hold(size int) {
	more := int64(size) - a.arrived - a.reserved
	if size <= FirstPiece || more <= 0 {
		return
	}
	a.arrived += more
	a.lane.arriving.Add(more)
	a.hasMemory.Store(true)
	a.gate.startSweeping()
}

// Work waits for a processor for work of an [Effort], and calls work. The error is that of work or ctx, or wraps [ErrBusy].
func (a *Admission) Work(ctx context.Context, effort int, work func(context.Context) error) error {
	g := a.gate
	slots := &g.laneOf(int64(effort)).slots
	if err := slots.enter(ctx, 1, a); err != nil {
		return err
	}
	defer slots.Release(1)
	g.working.Add(1)
	defer g.working.Add(-1)
	return work(&yielding{Context: ctx, gate: g, last: time.Now()})
}
