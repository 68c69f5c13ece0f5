package faults

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// fault is one way to fail.
type fault struct {
	// name completes the sentence "the IdP ...".
	name string
	// tls is how the listener speaks TLS; nil for plain HTTP/1.1.
	tls func(*authority) *tls.Config
	// address is a URL where nobody answers, instead of a listener's.
	address func() (address string, release func(), err error)
	// accept treats a connection before anything was read from it.
	accept func(*conn)
	// respond treats a request that was read from a connection of HTTP/1.1. The
	// connection is closed afterwards.
	respond func(*conn, *http.Request)
	// handle responds by the standard library, for what that can do.
	handle http.HandlerFunc
	// speak treats a connection of HTTP/2 after the preface.
	speak func(*session)
	// twice has each request made a second time, for what shows on a connection
	// that is used again.
	twice bool
}

// faultGroup is a chapter of faults.
type faultGroup struct {
	title  string
	faults []fault
}

// server is an IdP that is well or has a fault.
type server struct {
	listener net.Listener
	healthy  http.Handler
	config   *tls.Config // of a healthy listener; nil without TLS

	mu       sync.Mutex
	fault    *fault
	failing  *tls.Config
	open     map[net.Conn]bool
	sent     map[string]int // requests that arrived since the fault began, by path
	stopped  bool
	handlers sync.WaitGroup
}

// newServer listens on a free port of 127.0.0.1, with TLS if config is set.
func newServer(healthy http.Handler, config *tls.Config) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{listener: listener, healthy: healthy, config: config, open: make(map[net.Conn]bool), sent: make(map[string]int)}
	s.handlers.Go(s.accept)
	return s, nil
}

func (s *server) url() string {
	scheme := "http"
	if s.config != nil {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String()
}

// begin lets the fault begin, nil ends it. The connections of the time before are
// closed.
func (s *server) begin(fault *fault, config *tls.Config) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.failing = fault, config
	clear(s.sent)
	for c := range s.open {
		_ = c.Close()
	}
}

// close ends everything.
func (s *server) close() {
	s.mu.Lock()
	s.stopped = true
	_ = s.listener.Close()
	for c := range s.open {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.handlers.Wait()
}

// arrived counts a request during the fault.
func (s *server) arrived(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[path]++
}

// requests is how many requests for a path arrived since the fault began.
func (s *server) requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent[path]
}

func (s *server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		fault, config := s.fault, s.config
		if fault != nil {
			config = s.failing
		}
		s.open[c] = true
		if s.stopped {
			_ = c.Close()
		}
		s.mu.Unlock()
		s.handlers.Go(func() {
			defer func() {
				_ = c.Close()
				s.mu.Lock()
				delete(s.open, c)
				s.mu.Unlock()
			}()
			s.serve(c, fault, config)
		})
	}
}

// patience bounds a connection of a fault that waits for the gateway.
const patience = 20 * time.Second

func (s *server) serve(raw net.Conn, fault *fault, config *tls.Config) {
	_ = raw.SetDeadline(time.Now().Add(patience))
	c := &conn{Conn: raw, raw: raw, server: s}
	if fault != nil && fault.accept != nil {
		fault.accept(c)
		return
	}
	if config != nil {
		secure := tls.Server(raw, config)
		if secure.Handshake() != nil {
			return
		}
		c.Conn = secure
	}
	c.reader = bufio.NewReader(c.Conn)
	switch {
	case fault == nil:
		serveHTTP(c, s.healthy)
	case fault.handle != nil:
		serveHTTP(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.arrived(r.URL.Path)
			_, _ = io.Copy(io.Discard, r.Body)
			fault.handle(w, r)
		}))
	case fault.speak != nil:
		serveHTTP2(c, fault.speak)
	default:
		r, err := c.read()
		if err != nil {
			return
		}
		fault.respond(c, r)
	}
}

// conn is one connection to the server.
type conn struct {
	net.Conn          // with TLS, if there is any
	raw      net.Conn // without
	reader   *bufio.Reader
	server   *server
}

// read reads a request and its body.
func (c *conn) read() (*http.Request, error) {
	r, err := http.ReadRequest(c.reader)
	if err != nil {
		return nil, err
	}
	c.server.arrived(r.URL.Path)
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, err
}

// write sends text as it is.
func (c *conn) write(text string) error {
	_, err := io.WriteString(c, text)
	return err
}

// lines sends lines of a header, each ended by CR and LF.
func (c *conn) lines(lines ...string) error {
	return c.write(strings.Join(lines, "\r\n") + "\r\n")
}

// repeat sends a piece again and again, until the other side has enough or the
// bytes are all sent.
func (c *conn) repeat(piece string, bytes int) {
	for sent := 0; sent < bytes; sent += len(piece) {
		if c.write(piece) != nil {
			return
		}
	}
}

// drip sends a byte at a time.
func (c *conn) drip(text string, pause time.Duration) {
	for i := range len(text) {
		if c.write(text[i:i+1]) != nil {
			return
		}
		time.Sleep(pause)
	}
}

// wait waits until the other side closes.
func (c *conn) wait() { _, _ = io.Copy(io.Discard, c.Conn) }

// reset closes with a TCP reset.
func (c *conn) reset() {
	if t, ok := c.raw.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.raw.Close()
}

// good is what the healthy IdP says to a request, as an HTTP/1.1 response without
// a header for its length.
func (c *conn) good(r *http.Request) (header, body string) {
	var recorded recorder
	recorded.header = make(http.Header)
	c.server.healthy.ServeHTTP(&recorded, r)
	var b strings.Builder
	_ = recorded.header.Write(&b) // to memory
	return b.String(), recorded.body.String()
}

// recorder keeps a response.
type recorder struct {
	header http.Header
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(int)             {}
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// serveHTTP serves a connection with the standard library's server.
func serveHTTP(c *conn, handler http.Handler) {
	done := make(chan struct{})
	listener := &single{conn: &notifying{Conn: c.Conn, closed: sync.OnceFunc(func() { close(done) })}, done: done}
	srv := &http.Server{Handler: handler, ErrorLog: silent, ReadHeaderTimeout: patience}
	_ = srv.Serve(listener) // ends with the listener
	<-done
}

// single is a listener of one connection.
type single struct {
	conn net.Conn
	once sync.Once
	done chan struct{}
}

func (l *single) Accept() (c net.Conn, err error) {
	l.once.Do(func() { c = l.conn })
	if c != nil {
		return c, nil
	}
	<-l.done
	return nil, errors.New("no more connections")
}
func (l *single) Close() error   { return nil }
func (l *single) Addr() net.Addr { return l.conn.LocalAddr() }

// notifying tells when it is closed.
type notifying struct {
	net.Conn
	closed func()
}

func (c *notifying) Close() error {
	defer c.closed()
	return c.Conn.Close()
}
