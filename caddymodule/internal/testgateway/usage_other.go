//go:build !linux

package testgateway

import "time"

// HasCPUTime reports that the CPU time of another process can be read here.
const HasCPUTime = false

// CPUTime is 0 here, as what follows: they are read on Linux only.
func CPUTime(int) (time.Duration, error) { return 0, nil }

// Memory is the resident set of the process, in bytes.
func (p *Process) Memory() (uint64, error) { return 0, nil }

// Descriptors is how many files and sockets the process has open.
func (p *Process) Descriptors() (int, error) { return 0, nil }
