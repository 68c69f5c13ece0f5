// Package testnet is a network of hosts on this machine whose links can be cut,
// lose packets, delay and reorder them, and be slow, as tc-netem(8) makes them,
// without a kernel that has it.
//
// Each host is a network namespace with one interface (TUN), whose packets pass
// through this process. So the TCP of the kernel works as it does on a bad line:
// packets that are lost are sent again, after the times that it takes. It takes
// Linux and root. Nothing is left over when the process ends.
package testnet

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnsupported is that there can be no hosts here.
var ErrUnsupported = errors.New("hosts of their own take Linux, root and /dev/net/tun")

// Link is what becomes of the packets from one host to another. The zero value
// delivers each at once.
type Link struct {
	// Down loses every packet.
	Down bool
	// Loss is the share of packets that are lost, from 0 to 1.
	Loss float64
	// Delay is how long a packet is under way, and Jitter how much more or less, at
	// random. Packets overtake each other.
	Delay, Jitter time.Duration
	// Rate is in bits a second; 0 is without bound. Packets that would wait for
	// longer than a second are lost.
	Rate int
	// MTU is the size of the largest packet that passes, in bytes. Larger ones are
	// lost, and nobody is told: a black hole of path MTU discovery. 0 is without bound.
	MTU int
}

// longestWait is how long packets wait for a link with a rate.
const longestWait = time.Second

// Hosts adds hosts with these names.
func (n *Network) Hosts(names ...string) ([]*Host, error) {
	hosts := make([]*Host, len(names))
	for i, name := range names {
		var err error
		if hosts[i], err = n.Host(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return hosts, nil
}
