package traffic

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Record is what came of operations.
type Record struct {
	// Excused reports that an operation between two times counts as nothing, because
	// something was broken on purpose; nil for never.
	Excused func(began, ended time.Time) bool

	mu        sync.Mutex
	latencies []time.Duration
	failures  int
	dropped   int
	excused   int
	skipped   int
	messages  map[string]int
}

// Figures are what a record says.
type Figures struct {
	Done, Failed int
	// Dropped are requests whose connection was closed without an answer, which
	// are not among those that failed.
	Dropped int
	// Excused are those that count as nothing, and failed.
	Excused int
	// Skipped were not begun, because too many were under way.
	Skipped       int
	P50, P99, Max time.Duration
	// Messages are what went wrong, and how often.
	Messages map[string]int
}

// Do does an operation once and records it. An operation that ctx ends counts as nothing.
func (r *Record) Do(ctx context.Context, o Operation, gateway string) {
	began := time.Now()
	err := o.Do(ctx, gateway)
	took := time.Since(began)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.Excused != nil && r.Excused(began, began.Add(took)):
		if err != nil {
			r.excused++
		}
	case err == nil:
		r.latencies = append(r.latencies, took)
	case ctx.Err() != nil:
	case isDropped(err):
		r.dropped++
	default:
		r.failures++
		if r.messages == nil {
			r.messages = make(map[string]int)
		}
		if message := o.Name + ": " + err.Error(); len(r.messages) < maxMessages || r.messages[message] > 0 {
			r.messages[message]++
		}
	}
}

// maxMessages is how many different messages a record keeps.
const maxMessages = 10

// isDropped reports that a connection was closed before an answer began.
func isDropped(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE) ||
		err != nil && strings.Contains(err.Error(), "server closed idle connection") // net/http has no name for it
}

// Take returns the figures since the last call.
func (r *Record) Take() Figures {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := Figures{Done: len(r.latencies), Failed: r.failures, Dropped: r.dropped, Excused: r.excused, Skipped: r.skipped, Messages: r.messages}
	if n := len(r.latencies); n > 0 {
		slices.Sort(r.latencies)
		f.P50, f.P99, f.Max = r.latencies[n/2], r.latencies[n*99/100], r.latencies[n-1]
	}
	r.latencies, r.failures, r.dropped, r.excused, r.skipped, r.messages = nil, 0, 0, 0, 0, nil
	return f
}

// Flood does the operations one after the other with as many workers, each as
// fast as it can, until ctx ends. All that has begun is finished.
func (r *Record) Flood(ctx context.Context, workers int, operations []Operation, gateway func() string) {
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for n := worker; ctx.Err() == nil; n++ {
				r.Do(context.WithoutCancel(ctx), operations[n%len(operations)], gateway())
			}
		})
	}
	group.Wait()
}

// Steady begins an operation at equal distances of time until ctx ends, whether
// those before it are finished or not, unless as many as [maxUnderWay] are not. All
// that has begun is finished.
func (r *Record) Steady(ctx context.Context, every time.Duration, operations []Operation, gateway func() string) {
	var group sync.WaitGroup
	defer group.Wait()
	underWay := make(chan struct{}, maxUnderWay)
	due := time.Now()
	for n := 0; ; n++ {
		due = due.Add(every)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(due)):
		}
		select {
		case underWay <- struct{}{}:
		default:
			r.skip()
			continue
		}
		group.Go(func() {
			defer func() { <-underWay }()
			r.Do(context.WithoutCancel(ctx), operations[n%len(operations)], gateway())
		})
	}
}

// maxUnderWay bounds what is under way at a time: a machine that others use, too,
// would else run out of descriptors.
const maxUnderWay = 128

func (r *Record) skip() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.skipped++
}
