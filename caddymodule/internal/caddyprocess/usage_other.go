//go:build !linux

package caddyprocess

// Memory is the resident set of the process, in bytes. It is 0 here: it is read
// on Linux only.
func (p *Process) Memory() (uint64, error) { return 0, nil }

// Descriptors is how many files and sockets the process has open. It is 0 here,
// as above.
func (p *Process) Descriptors() (int, error) { return 0, nil }
