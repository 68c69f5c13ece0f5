//go:build !linux

package caddyprocess

import "time"

// HasCPUTime reports that the CPU time of another process can be read here.
const HasCPUTime = false

// CPUTime is 0 here.
func CPUTime(int) (time.Duration, error) { return 0, nil }
