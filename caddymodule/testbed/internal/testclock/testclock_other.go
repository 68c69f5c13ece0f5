//go:build !linux || !amd64

package testclock

import "time"

// Set makes the clock of a process differ from this machine's.
func Set(int, time.Duration) error { return ErrUnsupported }
