// Package testclock sets the clock of another process, while it runs, so that
// tests see what a gateway makes of a clock that is wrong or jumps.
//
// Go reads the clock without a system call and without the C library, so neither
// LD_PRELOAD nor a time namespace reaches it: it calls clock_gettime in the page
// of code that the kernel maps into each process (vDSO). [Set] replaces that code,
// and gettimeofday, which programs in C call, in one process with one that adds a
// number of seconds. The monotonic clock,
// which timers go by, stays as it is, as it does when a real clock is set.
package testclock

import "errors"

// ErrUnsupported is that the clock of a process cannot be set here.
var ErrUnsupported = errors.New("setting the clock of a process takes Linux on amd64, and the right to trace the process")
