//go:build !linux

package testnet

import (
	"context"
	"net"
	"os/exec"
)

// Network is some hosts that reach each other.
type Network struct{}

// Host is a network namespace with an address.
type Host struct{}

// New fails with [ErrUnsupported].
func New() (*Network, error) { return nil, ErrUnsupported }

// The rest is for code that compiles everywhere and never gets so far.

// Close does nothing.
func (*Network) Close() error { return nil }

// Host fails with [ErrUnsupported].
func (*Network) Host(string) (*Host, error) { return nil, ErrUnsupported }

// Name does nothing.
func (*Network) Name(string, *Host) {}

// Set does nothing.
func (*Network) Set(_, _ *Host, _ Link) {}

// SetOneWay does nothing.
func (*Network) SetOneWay(_, _ *Host, _ Link) {}

// Heal does nothing.
func (*Network) Heal() {}

// Lost is 0.
func (*Network) Lost() int { return 0 }

// Address is empty.
func (*Host) Address() string { return "" }

// Do fails with [ErrUnsupported].
func (*Host) Do(func() error) error { return ErrUnsupported }

// Setting fails with [ErrUnsupported].
func (*Host) Setting(string, string) error { return ErrUnsupported }

// Listen fails with [ErrUnsupported].
func (*Host) Listen(int) (net.Listener, error) { return nil, ErrUnsupported }

// DialContext fails with [ErrUnsupported].
func (*Host) DialContext(context.Context, string, string) (net.Conn, error) {
	return nil, ErrUnsupported
}

// Start fails with [ErrUnsupported].
func (*Host) Start(*exec.Cmd) error { return ErrUnsupported }

// WaitFor fails with [ErrUnsupported].
func (*Host) WaitFor(context.Context, int) error { return ErrUnsupported }
