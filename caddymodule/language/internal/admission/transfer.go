package admission

import (
	"io"
	"time"
)

// Transfer calls f, which reads a body or writes a response through [Admission.Reader]
// or [Admission.Writer]. Its client has a second, and gets one more for each 64 KiB, but
// never more than one in advance. Time that it waits for memory counts, but it has a
// quarter of a second from then on. While others wait, one that takes longer and is in
// their way is cut off: cut is called, from another goroutine, and has to make f return.
func (a *Admission) Transfer(cut func(), f func() error) error {
	g := a.gate
	a.overdue.Store(int64(time.Since(g.start) + transferAllowance))
	a.cut = cut
	g.mu.Lock()
	g.transfers[a] = struct{}{}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.transfers, a)
		g.mu.Unlock()
	}()
	return f()
}

// moved counts n bytes that the client has sent or taken.
func (a *Admission) moved(n int) {
	gained := a.overdue.Load() + int64(n)*int64(time.Second)/slowestTransfer
	a.overdue.Store(min(gained, int64(time.Since(a.gate.start)+transferAllowance)))
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

// isInTheWay reports whether others wait for what a has. g.mu is held.
func (g *Gate) isInTheWay(a *Admission) bool {
	return g.places.waiting.Load() > 0 || a.memory.lane != nil && a.memory.lane.isPressed()
}

// startSweeping cuts slow clients off for as long as others wait.
func (g *Gate) startSweeping() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isPressed() && !g.sweeping {
		g.sweep()
	}
}

// isPressed reports whether anybody waits for what a slow client may have.
func (g *Gate) isPressed() bool {
	return g.places.waiting.Load() > 0 || g.short.isPressed() || g.long.isPressed()
}

// sweep cuts off who is overdue, and comes back if anybody waits. g.mu is held.
func (g *Gate) sweep() {
	now := int64(time.Since(g.start))
	for a := range g.transfers {
		if now > a.overdue.Load() && g.isInTheWay(a) {
			a.cut()
			delete(g.transfers, a)
		}
	}
	if g.sweeping = g.isPressed(); g.sweeping {
		time.AfterFunc(sweepInterval, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.sweep()
		})
	}
}
