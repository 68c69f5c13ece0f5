package testnet

import (
	"container/heap"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// Network is some hosts that reach each other.
type Network struct {
	folder string // of what hosts have in /etc

	mu      sync.Mutex
	hosts   map[netip.Addr]*Host
	names   map[string]netip.Addr
	links   map[direction]*line
	waiting packets
	sent    uint64 // so far, to keep the order of packets that are due together
	lost    int

	woken   chan struct{} // there may be a packet that is due earlier
	stopped chan struct{}
	running sync.WaitGroup
}

// direction is from one host to another.
type direction struct{ from, to netip.Addr }

// line is a link in one direction.
type line struct {
	Link
	free time.Time // when the last packet has left
}

// packet is one on its way.
type packet struct {
	due   time.Time
	order uint64
	to    *Host
	data  []byte
}

// packets is a heap of those that are under way, the first one due on top.
type packets []packet

func (p packets) Len() int { return len(p) }
func (p packets) Less(i, j int) bool {
	return p[i].due.Before(p[j].due) || p[i].due.Equal(p[j].due) && p[i].order < p[j].order
}
func (p packets) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *packets) Push(x any)   { *p = append(*p, x.(packet)) }
func (p *packets) Pop() any {
	old := *p
	last := old[len(old)-1]
	old[len(old)-1] = packet{} // let go of the data
	*p = old[:len(old)-1]
	return last
}

// New makes a network without hosts. It fails with [ErrUnsupported] where there
// can be none.
func New() (*Network, error) {
	folder, err := os.MkdirTemp("", "testnet")
	if err != nil {
		return nil, err
	}
	n := &Network{
		folder: folder, hosts: make(map[netip.Addr]*Host), names: make(map[string]netip.Addr), links: make(map[direction]*line),
		woken: make(chan struct{}, 1), stopped: make(chan struct{}),
	}
	n.running.Go(n.deliver)
	probe, err := n.Host("probe.test")
	if err != nil {
		return nil, errors.Join(err, n.Close())
	}
	err = probe.Do(probe.mount)
	n.remove(probe)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrUnsupported, err), n.Close())
	}
	return n, nil
}

// Close ends the network. Processes at its hosts stay, and reach nobody.
func (n *Network) Close() error {
	n.mu.Lock()
	hosts := n.hosts
	n.hosts = make(map[netip.Addr]*Host)
	n.mu.Unlock()
	for _, h := range hosts {
		h.close()
	}
	close(n.stopped)
	n.running.Wait()
	return os.RemoveAll(n.folder)
}

func (n *Network) remove(h *Host) {
	n.mu.Lock()
	delete(n.hosts, h.address)
	n.mu.Unlock()
	h.close()
}

// Name lets all hosts find an address by a name. The one before is forgotten.
func (n *Network) Name(name string, h *Host) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names[name] = h.address
}

// lookup is the address of a name.
func (n *Network) lookup(name string) (netip.Addr, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	address, ok := n.names[name]
	return address, ok
}

// Set sets the link between two hosts, in both directions.
func (n *Network) Set(a, b *Host, link Link) {
	n.SetOneWay(a, b, link)
	n.SetOneWay(b, a, link)
}

// SetOneWay sets the link from one host to another. What is under way arrives.
func (n *Network) SetOneWay(from, to *Host, link Link) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.links[direction{from.address, to.address}] = &line{Link: link}
}

// Heal has all links deliver each packet at once.
func (n *Network) Heal() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.links)
}

// Lost is how many packets were lost so far.
func (n *Network) Lost() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lost
}

// route takes a packet of IPv4 from a host.
func (n *Network) route(from netip.Addr, data []byte) {
	if len(data) < 20 || data[0]>>4 != 4 {
		return // IPv6 looks for routers
	}
	address := netip.AddrFrom4([4]byte(data[16:20]))
	n.mu.Lock()
	defer n.mu.Unlock()
	to := n.hosts[address]
	if to == nil {
		return
	}
	link := n.links[direction{from, address}]
	if link == nil {
		link = new(line)
	}
	due, arrives := link.pass(len(data), time.Now())
	if !arrives {
		n.lost++
		return
	}
	// All packets take this way, so that none that is due at once overtakes another.
	n.sent++
	heap.Push(&n.waiting, packet{due: due, order: n.sent, to: to, data: data})
	if n.waiting[0].order == n.sent {
		select {
		case n.woken <- struct{}{}:
		default:
		}
	}
}

// pass tells whether a packet of so many bytes arrives, and when.
func (l *line) pass(size int, now time.Time) (due time.Time, arrives bool) {
	if l.Down || l.MTU > 0 && size > l.MTU || l.Loss > 0 && rand.Float64() < l.Loss {
		return now, false
	}
	due = now
	if l.Rate > 0 {
		if l.free.Before(now) {
			l.free = now
		}
		if l.free.Sub(now) > longestWait {
			return now, false
		}
		l.free = l.free.Add(time.Duration(float64(size) * 8 / float64(l.Rate) * float64(time.Second)))
		due = l.free
	}
	due = due.Add(l.Delay)
	if l.Jitter > 0 {
		due = due.Add(rand.N(2*l.Jitter) - l.Jitter)
	}
	return due, true
}

// deliver gives packets to their hosts when they are due.
func (n *Network) deliver() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		n.mu.Lock()
		var arrived []packet
		wait := time.Hour
		for now := time.Now(); len(n.waiting) > 0; {
			if wait = n.waiting[0].due.Sub(now); wait > 0 {
				break
			}
			arrived = append(arrived, heap.Pop(&n.waiting).(packet))
		}
		n.mu.Unlock()
		for _, p := range arrived {
			_, _ = p.to.device.Write(p.data) // it may be gone
		}
		if len(arrived) > 0 {
			continue // others may be due by now
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-n.woken:
		case <-n.stopped:
			return
		}
	}
}

// newAddress is one that no host has.
func (n *Network) newAddress() (netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range byte(250) {
		address := netip.AddrFrom4([4]byte{10, 77, 0, i + 1})
		if _, taken := n.hosts[address]; !taken {
			return address, nil
		}
	}
	return netip.Addr{}, errors.New("a network has at most 250 hosts")
}

// netmask is that of all hosts: each reaches the others directly.
var netmask = net.CIDRMask(24, 32)

func (n *Network) file(h *Host, name string) string {
	return fmt.Sprintf("%s/%s-%s", n.folder, h.address, name)
}
