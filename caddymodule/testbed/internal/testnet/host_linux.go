package testnet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// Host is a network namespace with an address. Its ports are all free.
type Host struct {
	network   *Network
	address   netip.Addr
	namespace *os.File
	device    *os.File
	resolver  net.PacketConn
}

// Host adds a host, which the others find by its name.
func (n *Network) Host(name string) (*Host, error) {
	address, err := n.newAddress()
	if err != nil {
		return nil, err
	}
	h := &Host{network: n, address: address}
	if err := onThread(h.create); err != nil {
		h.close()
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	resolver := []byte("nameserver 127.0.0.1\noptions timeout:1 attempts:2\n")
	if err := os.WriteFile(n.file(h, "resolv.conf"), resolver, 0o600); err != nil {
		h.close()
		return nil, err
	}
	n.mu.Lock()
	n.hosts[address] = h
	n.names[name] = address
	n.mu.Unlock()
	n.running.Go(h.send)
	n.running.Go(h.resolve)
	return h, nil
}

// Address is the host's own.
func (h *Host) Address() string { return h.address.String() }

// onThread runs f on a thread that nothing else uses, before or after.
func onThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		done <- f()
	}()
	return <-done
}

// create makes the namespace, its interfaces and the socket of its resolver.
func (h *Host) create() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return err
	}
	var err error
	if h.namespace, err = os.Open("/proc/thread-self/ns/net"); err != nil {
		return err
	}
	tun, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	h.device = os.NewFile(uintptr(tun), "tun")
	request, err := unix.NewIfreq("tun0")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(tun, unix.TUNSETIFF, request); err != nil {
		return err
	}
	// The file was made before it could be waited for.
	duplicate, err := unix.FcntlInt(uintptr(tun), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	_ = h.device.Close()
	h.device = os.NewFile(uintptr(duplicate), "tun")

	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(socket) }()
	for _, setting := range []struct {
		name, address string
		mask          net.IPMask
	}{
		{"lo", "127.0.0.1", net.CIDRMask(8, 32)},
		{"tun0", h.address.String(), netmask},
	} {
		if err := configure(socket, setting.name, netip.MustParseAddr(setting.address), setting.mask); err != nil {
			return fmt.Errorf("%s: %w", setting.name, err)
		}
	}
	h.resolver, err = net.ListenPacket("udp4", "127.0.0.1:53")
	return err
}

// configure gives an interface its address and turns it on.
func configure(socket int, name string, address netip.Addr, mask net.IPMask) error {
	set := func(command uint, value []byte) error {
		request, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		if err := request.SetInet4Addr(value); err != nil {
			return err
		}
		return unix.IoctlIfreq(socket, command, request)
	}
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return errors.Join(
		set(unix.SIOCSIFADDR, address.AsSlice()),
		set(unix.SIOCSIFNETMASK, mask),
		unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request),
	)
}

func (h *Host) close() {
	for _, c := range []io.Closer{h.namespace, h.device, h.resolver} {
		switch c := c.(type) {
		case *os.File:
			_ = c.Close() // nil has nothing to close
		case net.PacketConn:
			_ = c.Close()
		}
	}
}

// send takes the packets that the host sends.
func (h *Host) send() {
	buffer := make([]byte, 64<<10)
	for {
		length, err := h.device.Read(buffer)
		if err != nil {
			return // closed
		}
		h.network.route(h.address, append([]byte(nil), buffer[:length]...))
	}
}

// Do runs f on a thread at the host: sockets that it opens are there for good.
func (h *Host) Do(f func() error) error {
	return onThread(func() error {
		if err := unix.Setns(int(h.namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			return err
		}
		return f()
	})
}

// Setting writes a setting of the host's kernel, such as net/ipv4/tcp_mtu_probing.
func (h *Host) Setting(name, value string) error {
	return h.Do(func() error { return os.WriteFile(filepath.Join("/proc/sys", name), []byte(value), 0) })
}

// Listen listens at the host's address.
func (h *Host) Listen(port int) (listener net.Listener, err error) {
	err = h.Do(func() error {
		listener, err = net.Listen("tcp4", fmt.Sprintf("%s:%d", h.address, port))
		return err
	})
	return listener, err
}

// DialContext connects from the host to an address that is not a name of the network's.
func (h *Host) DialContext(ctx context.Context, network, address string) (conn net.Conn, err error) {
	err = h.Do(func() error {
		conn, err = new(net.Dialer).DialContext(ctx, network, address)
		return err
	})
	return conn, err
}

// Start starts a process at the host. It finds the others by name.
func (h *Host) Start(process *exec.Cmd) error {
	return h.Do(func() error {
		if err := h.mount(); err != nil {
			return err
		}
		return process.Start()
	})
}

// mount gives the thread the host's own resolver.
func (h *Host) mount() error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	return unix.Mount(h.network.file(h, "resolv.conf"), "/etc/resolv.conf", "", unix.MS_BIND, "")
}

// resolve answers the host's questions for names. The answers are good for no time at all.
func (h *Host) resolve() {
	buffer := make([]byte, 4096)
	for {
		length, from, err := h.resolver.ReadFrom(buffer)
		if err != nil {
			return // closed
		}
		var message dnsmessage.Message
		if message.Unpack(buffer[:length]) != nil || len(message.Questions) != 1 {
			continue
		}
		question := message.Questions[0]
		answer := dnsmessage.Message{
			Header:    dnsmessage.Header{ID: message.ID, Response: true, RecursionDesired: message.RecursionDesired, RecursionAvailable: true},
			Questions: message.Questions,
		}
		address, found := h.network.lookup(strings.TrimSuffix(question.Name.String(), "."))
		switch {
		case !found:
			answer.RCode = dnsmessage.RCodeNameError
		case question.Type == dnsmessage.TypeA:
			answer.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.AResource{A: address.As4()},
			}}
		}
		if packed, err := answer.Pack(); err == nil {
			_, _ = h.resolver.WriteTo(packed, from)
		}
	}
}

// WaitFor waits until something listens on a port of the host.
func (h *Host) WaitFor(ctx context.Context, port int) error {
	for {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		conn, err := h.DialContext(attempt, "tcp4", fmt.Sprintf("%s:%d", h.address, port))
		cancel()
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nothing listens on port %d of %s: %w", port, h.address, err)
		case <-time.After(25 * time.Millisecond):
		}
	}
}
