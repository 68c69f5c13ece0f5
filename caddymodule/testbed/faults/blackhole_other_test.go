//go:build !linux

package faults

// blackHole is an address that nobody answers at (RFC 5737).
func blackHole() (string, func(), error) { return "http://192.0.2.1", func() {}, nil }
