package admission

import (
	"io"
	"time"
)

const (
	slowestTransfer   = 64 << 10 // bytes a second, while others wait
	transferAllowance = time.Second
	turnAllowance     = 250 * time.Millisecond // after a wait, in which it could send
	sweepInterval     = 100 * time.Millisecond
)

// Transfer calls f, which reads a body or writes a response through [Admission.Reader] or [Admission.Writer]. Its client has a
// second, and gets one more for each 64 KiB, but never more than one in advance. Time that it waits for memory counts, but it has
// a quarter of a second from then on. While others wait, one that takes longer and is in their way is cut off: cut is called,
// from another goroutine, and has to make f return.
func (a *Admission) Transfer(cut func(), f func() error) error {
	a.overdue.Store(a.gate.after(transferAllowance))
	a.cut = cut
	a.gate.mu.Lock()
	a.gate.transfers[a] = struct{}{}
	a.gate.mu.Unlock()
	defer func() {
		a.gate.mu.Lock()
		delete(a.gate.transfers, a)
		a.gate.mu.Unlock()
	}()
	return f()
}

// after is the time d from now, in nanoseconds after the gate's start.
func (g *Gate) after(d time.Duration) int64 { return int64(time.Since(g.start) + d) }

// moved counts n bytes that the client has sent or taken.
func (a *Admission) moved(n int) {
	gained := a.overdue.Load() + int64(n)*int64(time.Second)/slowestTransfer
	a.overdue.Store(min(gained, a.gate.after(transferAllowance)))
}

// Reader is src, from which a transfer reads.
func (a *Admission) Reader(src io.Reader) io.Reader { return reader{a, src} }

// Writer is dst, to which a transfer writes.
func (a *Admission) Writer(dst io.Writer) io.Writer { return writer{a, dst} }

type reader struct {
	admission *Admission
	src       io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	r.admission.moved(n)
	return n, err
}

type writer struct {
	admission *Admission
	dst       io.Writer
}

// Write writes p in pieces, so that it shows how fast they go.
func (w writer) Write(p []byte) (written int, err error) {
	for err == nil && written < len(p) {
		var n int
		n, err = w.dst.Write(p[written:min(written+slowestTransfer, len(p))])
		written += n
		w.admission.moved(n)
	}
	return written, err
}

// startSweeping cuts slow clients off for as long as others wait.
func (g *Gate) startSweeping() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.sweeping {
		g.sweep()
	}
}

// sweep cuts off who is overdue and has what others wait for, and comes back if anybody waits. g.mu is held.
func (g *Gate) sweep() {
	forPlaces := g.places.waiting.Load() > 0
	if g.sweeping = forPlaces || g.short.isPressed() || g.long.isPressed(); !g.sweeping {
		return
	}
	for a := range g.transfers {
		if a.overdue.Load() < g.after(0) && (forPlaces || a.hasMemory.Load() && a.lane.isPressed()) {
			a.cut()
			delete(g.transfers, a)
		}
	}
	time.AfterFunc(sweepInterval, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.sweep()
	})
}
