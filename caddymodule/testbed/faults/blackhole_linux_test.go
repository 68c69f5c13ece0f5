package faults

import (
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// blackHole is an address that answers no SYN: its queue of connections is full.
func blackHole() (string, func(), error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", nil, err
	}
	release := func() { _ = unix.Close(fd) }
	fail := func(err error) (string, func(), error) { release(); return "", nil, err }
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return fail(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		return fail(err)
	}
	bound, err := unix.Getsockname(fd)
	if err != nil {
		return fail(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", bound.(*unix.SockaddrInet4).Port)
	var fill []net.Conn
	for range 3 {
		c, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
		if err != nil {
			break
		}
		fill = append(fill, c)
	}
	return "http://" + address, func() {
		for _, c := range fill {
			_ = c.Close()
		}
		release()
	}, nil
}
