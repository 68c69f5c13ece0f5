//go:build unix

package faults

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

type fault struct {
	// name completes the sentence "the IdP ...".
	name string
	// tls is how the listener speaks TLS; nil for plain HTTP/1.1.
	tls *tls.Config
	// address is a URL where nobody answers, instead of a listener's.
	address func() (address string, release func(), err error)
	// accept treats a connection before anything was read from it.
	accept func(*conn)
	// respond treats a request that was read from a connection of HTTP/1.1. The
	// connection is closed afterwards.
	respond func(*conn, *http.Request)
	// handle responds by the standard library, for what that can do.
	handle http.HandlerFunc
	// frame answers a request of HTTP/2; an error ends the connection.
	frame func(framer *http2.Framer, stream uint32) error
	// twice has each request made a second time, for what shows on a connection
	// that is used again.
	twice bool
}

// What the IdP says while it is well. Nothing else may reach a client with status 200.
const (
	goodToken    = `{"access_token":"at-1","token_type":"Bearer","expires_in":3600}`
	goodUserInfo = `{"sub":"user-1"}`
	goodCode     = "code-1"
)

// marker is in everything that a fault says which no client may see.
const marker = "internal-to-the-idp"

// patience bounds a connection of a fault that waits for the gateway.
const patience = 20 * time.Second

// server is an IdP that is well or has a fault.
type server struct {
	net.Listener
	issuer *testidp.Server // whose keys it has
	scheme string

	mu    sync.Mutex
	fault *fault
	open  map[*accepted]bool
	sent  map[string]int // requests that arrived since the fault began, by path
}

// startServer listens on a free port of 127.0.0.1, with TLS if it has a fault of that.
func startServer(t *testing.T, issuer *testidp.Server, f *fault) *server {
	listener := must.Have(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := &server{Listener: listener, issuer: issuer, scheme: "http", open: make(map[*accepted]bool), sent: make(map[string]int)}
	web := &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: patience}
	serve := func() error { return web.Serve(s) }
	if f.tls != nil {
		s.scheme = "https"
		healthy := withTLS(nil)
		web.TLSConfig = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			if s.failing() == nil {
				return healthy, nil
			}
			return f.tls, nil
		}}
		web.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": func(_ *http.Server, c *tls.Conn, _ http.Handler) {
			s.serveHTTP2(s.conn(c, bufio.NewReader(c)), s.failing().frame)
		}}
		serve = func() error { return web.ServeTLS(s, "", "") }
	}
	go func() { _ = serve() }() // http.ErrServerClosed, always
	t.Cleanup(func() {
		_ = web.Close()
		s.begin(nil)
	})
	return s
}

func (s *server) url() string { return s.scheme + "://" + s.Addr().String() }

// begin lets the fault begin, nil ends it. The connections of the time before are
// closed.
func (s *server) begin(f *fault) {
	s.mu.Lock()
	s.fault = f
	clear(s.sent)
	before := s.open
	s.open = make(map[*accepted]bool)
	s.mu.Unlock()
	for c := range before {
		_ = c.Close()
	}
}

// failing is the fault, nil while the IdP is well.
func (s *server) failing() *fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

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

// accepted is a connection that [server.begin] can close.
type accepted struct {
	*net.TCPConn
	server *server
}

func (a *accepted) Close() error {
	a.server.mu.Lock()
	delete(a.server.open, a)
	a.server.mu.Unlock()
	return a.TCPConn.Close()
}

// Accept is the listener's, but for connections that a fault treats by itself.
func (s *server) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		a := &accepted{c.(*net.TCPConn), s}
		s.mu.Lock()
		s.open[a] = true
		f := s.fault
		s.mu.Unlock()
		if f == nil || f.accept == nil {
			return a, nil
		}
		go func() {
			defer a.Close()
			f.accept(s.conn(a, nil))
		}()
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := s.failing()
	if f == nil {
		s.healthy(w, r)
		return
	}
	s.arrived(r.URL.Path)
	_, _ = io.Copy(io.Discard, r.Body)
	if f.handle != nil {
		f.handle(w, r)
		return
	}
	hijacked, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the fault has ended
	}
	c := s.conn(hijacked, buffered.Reader)
	defer c.Close()
	f.respond(c, r)
}

func (s *server) healthy(w http.ResponseWriter, r *http.Request) {
	say := func(body string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
	switch r.URL.Path {
	case "/oauth/token":
		say(goodToken)
	case "/userinfo":
		say(goodUserInfo)
	case "/authorize":
		query := r.URL.Query()
		back := query.Get("redirect_uri") + "?" + url.Values{"code": {goodCode}, "state": {query.Get("state")}}.Encode()
		http.Redirect(w, r, back, http.StatusFound)
	case "/.well-known/openid-configuration":
		say(fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"%[1]s/authorize","token_endpoint":"%[1]s/oauth/token","userinfo_endpoint":"%[1]s/userinfo",`+
			`"jwks_uri":"%[1]s/jwks","response_types_supported":["code"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"]}`, s.url()))
	case "/jwks":
		s.issuer.ServeHTTP(w, httptest.NewRequest(http.MethodGet, testidp.PathKeys, nil))
	default:
		http.NotFound(w, r)
	}
}

type conn struct {
	net.Conn // with TLS, if there is any
	reader   *bufio.Reader
	server   *server
}

func (s *server) conn(c net.Conn, reader *bufio.Reader) *conn {
	_ = c.SetDeadline(time.Now().Add(patience))
	return &conn{c, reader, s}
}

func (c *conn) write(text string) error {
	_, err := io.WriteString(c, text)
	return err
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

func (c *conn) drip(text string, pause time.Duration) {
	for i := range len(text) {
		if c.write(text[i:i+1]) != nil {
			return
		}
		time.Sleep(pause)
	}
}

func (c *conn) wait() { _, _ = io.Copy(io.Discard, c.Conn) }

// reset closes with a TCP reset.
func (c *conn) reset() {
	raw := c.Conn
	if secure, ok := raw.(*tls.Conn); ok {
		raw = secure.NetConn()
	}
	_ = raw.(*accepted).SetLinger(0)
	_ = raw.Close()
}

// good is what the healthy IdP says to a request, as an HTTP/1.1 response without
// a header for its length.
func (c *conn) good(r *http.Request) (header, body string) {
	recorded := httptest.NewRecorder()
	c.server.healthy(recorded, r)
	var b strings.Builder
	_ = recorded.Header().Write(&b) // to memory
	return b.String(), recorded.Body.String()
}

// authority is that of the faults, which the process is told to trust.
var authority = clientcerttest.NewAuthority("faults")

// withTLS is a server at 127.0.0.1 whose certificate and settings change has changed.
func withTLS(change func(*x509.Certificate, *tls.Config)) *tls.Config {
	template := x509.Certificate{
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	config := &tls.Config{NextProtos: []string{"http/1.1"}}
	if change != nil {
		change(&template, config)
	}
	issue := authority.Issue
	if template.IsCA { // signs itself
		issue = clientcerttest.SelfSigned
	}
	config.Certificates = []tls.Certificate{issue(template)}
	return config
}
