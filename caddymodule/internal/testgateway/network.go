package testgateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// Systems give connections ports from 32768 on (Linux) or from 49152 on: one of those
// would not stay free until the server listens. Browsers refuse some up to 10080.
const firstPort, lastPort = 11_000, 32_000

// searched is how far the search for free ports has gone, from a port at random. A port that
// was found is not found again before all others: two Caddys that take one share it, and none
// says so.
var searched = func() *atomic.Uint32 {
	var at atomic.Uint32
	at.Store(rand.Uint32N(lastPort - firstPort))
	return &at
}()

// FreePorts returns the first of n ports in a row that nobody listens on at localhost.
func FreePorts(n int) (int, error) {
	for range 100 {
		port := firstPort + int((searched.Add(uint32(n))-uint32(n))%(lastPort-firstPort))
		if areFree(port, n) {
			return port, nil
		}
	}
	return 0, errors.New("no free ports in a row were found")
}

func areFree(port, n int) bool {
	for i := range n {
		listener, err := net.Listen("tcp", "localhost:"+strconv.Itoa(port+i))
		if err != nil {
			return false
		}
		defer listener.Close() // all are held until the last one is found
	}
	return true
}

// FreeAddress returns an address on 127.0.0.1 that nobody listens on.
func FreeAddress() (string, error) {
	port, err := FreePorts(1)
	return "127.0.0.1:" + strconv.Itoa(port), err
}

// NewAddress is FreeAddress for a test.
func NewAddress(t testing.TB) string {
	t.Helper()
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Listen lets a test be a server that no library would be, which sees, and writes, the
// bytes of each connection. It listens on a free port of 127.0.0.1 until the listener is closed. Each
// connection is served in a goroutine of its own, and closed afterwards.
func Listen(serve func(net.Conn)) (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // closed
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return listener, nil
}

// Exchange sends bytes over one connection and returns all that comes back within patience; a
// reset ends it as well. After a hesitation without an end it closes its half of the connection.
func Exchange(address, bytes string, hesitation, patience time.Duration) (string, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() { // the server may answer, and close, before it has read all
		_, _ = io.WriteString(c, bytes)
		select {
		case <-ended:
		case <-time.After(hesitation):
			_ = c.(*net.TCPConn).CloseWrite()
		}
	}()
	received, err := io.ReadAll(c)
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "", fmt.Errorf("the connection is still open after %s", patience)
	}
	return string(received), nil
}

// HTTP2 is a client that speaks HTTP/2 without TLS, over connections that dial makes.
// The gateway needs "protocols h1 h2c" in [Config.Servers].
func HTTP2(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	transport := &http.Transport{Protocols: new(http.Protocols), DialContext: dial}
	transport.Protocols.SetUnencryptedHTTP2(true)
	return transport
}
