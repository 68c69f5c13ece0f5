package admission

import (
	"context"
	"runtime"
	"time"
)

// How work yields: after a while of it, a goroutine sleeps for a moment, in which its processor looks at the network and does
// what others wait for. Without that, a request arriving while all processors compute is noticed after ten milliseconds and
// served after ten more (runtime's sysmon). Yielding by [runtime.Gosched] does not look at the network.
const (
	workBetween = 2 * time.Millisecond
	moment      = 50 * time.Microsecond
)

// yielding is the context of work on a processor. The work calls Err now and then, and so lets others go first.
type yielding struct {
	context.Context
	gate *Gate
	last time.Time
}

// Err yields if it is time to, and no processor is free.
func (y *yielding) Err() error {
	if time.Since(y.last) >= workBetween {
		if int(y.gate.working.Load()) >= runtime.GOMAXPROCS(0) {
			time.Sleep(moment)
		}
		y.last = time.Now()
	}
	return y.Context.Err()
}
