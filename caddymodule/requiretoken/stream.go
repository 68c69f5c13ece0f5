package requiretoken

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/mcp"
)

// respond has the next handler respond, for as long as the token is good; nil is that of a
// public request. What it can't finish by then breaks off: the client's next request gets the
// challenge, as does this one if there is no response yet.
func (h *RequireToken) respond(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler, token *accesstoken.Token, need *mcp.Need) error {
	ctx, cancel := context.WithCancel(r.Context())
	watched := &response{ResponseWriterWrapper: caddyhttp.ResponseWriterWrapper{ResponseWriter: w}, request: r, cancel: cancel, streams: h.streams}
	defer func() { _ = watched.finish() }() // also of a handler that panics
	if token == nil {
		token = new(accesstoken.Token)
	} else {
		defer h.verifier.Watch(r, token, holds(need), watched.end).Stop()
	}
	h.setHeaders(r.Header, token)
	setUser(r, token)
	*r = *r.WithContext(ctx) // in place, because Caddy's placeholders know this request
	err := passOn(watched, r, next)
	if why := watched.finish(); why != nil {
		clear(w.Header())      // of what the handler wanted to respond
		if r.ProtoMajor == 1 { // nothing more can be read from this connection
			w.Header().Set("Connection", "close")
		}
		h.setNonce(w.Header(), r)
		h.allowScripts(w.Header(), r)
		h.reject(w, r, why, need)
		return nil
	}
	return err
}

// response is that to a request with a token. One that has a length is sent to its end: it is what
// was asked for while the token was good. Any other one ends with the token.
type response struct {
	caddyhttp.ResponseWriterWrapper
	request *http.Request
	cancel  context.CancelFunc
	streams *streams

	mu       sync.Mutex
	begun    bool        // its header was sent
	whole    bool        // it has a length
	conn     net.Conn    // hijacked, as for a WebSocket
	ended    error       // why it was broken off, nil if it was not
	forget   func() bool // of a stream, which no stop of the process has to end any more
	finished bool        // the connection may serve another request

	broken atomic.Bool // nothing more is written
}

// end breaks the response off.
func (r *response) end(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended != nil || r.whole || r.finished {
		return
	}
	r.ended = why
	r.cancel()
	r.interrupt()
}

// finish is called when the handler has returned. It returns why the response was broken off
// before it began, if it was.
func (r *response) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.forget != nil {
		r.forget()
	}
	if r.finished = true; r.begun {
		return nil
	}
	return r.ended
}

// interrupt ends what the handler reads and writes, which its context does not if the client is
// slow. The caller holds mu.
func (r *response) interrupt() {
	if r.conn != nil {
		_ = r.conn.Close()
		return
	}
	now := time.Now()
	_ = http.NewResponseController(r.ResponseWriter).SetReadDeadline(now)
	if !r.begun {
		return
	}
	r.broken.Store(true)
	// What Caddy puts around it may set no deadline while it writes.
	innermost := r.ResponseWriter
	for {
		wrapper, ok := innermost.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			break
		}
		innermost = wrapper.Unwrap()
	}
	_ = http.NewResponseController(innermost).SetWriteDeadline(now)
}

// begin notes that the header goes out. It is false for a response that was broken off.
func (r *response) begin() bool {
	if r.broken.Load() {
		return false
	}
	if r.begun {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended != nil {
		return false // and what the handler has to say of it is not said
	}
	r.begun = true
	if r.whole = r.Header().Get("Content-Length") != ""; r.whole {
		return true
	}
	if kind, _, _ := mime.ParseMediaType(r.Header().Get("Content-Type")); kind == "text/event-stream" || r.request.Method == http.MethodConnect {
		r.forget = context.AfterFunc(r.streams.running, r.endSoon)
	}
	return true
}

func (r *response) WriteHeader(status int) {
	isLast := status >= http.StatusOK || status == http.StatusSwitchingProtocols
	if !isLast || r.begin() {
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *response) Write(p []byte) (int, error) {
	if !r.begin() {
		return 0, errBroken
	}
	return r.ResponseWriter.Write(p)
}

func (r *response) ReadFrom(src io.Reader) (int64, error) {
	if !r.begin() {
		return 0, errBroken
	}
	return r.ResponseWriterWrapper.ReadFrom(src)
}

func (r *response) FlushError() error {
	if !r.begin() {
		return errBroken
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

func (r *response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun, r.whole, r.conn = true, false, conn
	if r.ended != nil {
		r.interrupt()
	}
	return conn, buffered, nil
}

// openStreams has the [streams] that all handlers share, also those of configurations before
// the last reload, whose streams go on.
var openStreams = caddy.NewUsagePool()

const openStreamsKey = "streams"

// lastAnswers is how long event streams that answer a POST may go on when the process stops:
// most are the answer of a tool or a model, and have an end.
const lastAnswers = 30 * time.Second

// streams are event streams and the CONNECT streams of WebSockets over HTTP/2 and 3. A process
// that is told to stop waits for all handlers to return, and these may never do, so it ends
// them, and those that begin later. WebSockets over HTTP/1.1 are not among them: nobody waits for these.
type streams struct {
	running context.Context // until the process stops
	stop    context.CancelFunc
}

// useStreams sets up the end of streams when the process stops, of which Caddy tells its servers.
func (h *RequireToken) useStreams(ctx caddy.Context) {
	pooled, _, _ := openStreams.LoadOrNew(openStreamsKey, func() (caddy.Destructor, error) {
		running, stop := context.WithCancel(context.Background())
		return &streams{running, stop}, nil
	})
	h.streams = pooled.(*streams)
	if server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server); ok {
		server.RegisterOnShutdown(func() {
			if caddy.Exiting() { // after a reload, they go on
				h.streams.stop()
			}
		})
	}
}

// Destruct implements [caddy.Destructor]: nobody is left to end them when the process stops.
func (s *streams) Destruct() error {
	s.stop()
	return nil
}

var (
	errStopping = errors.New("the server stops")
	errBroken   = errors.New("the access token of the request is no longer good, or the server is stopping")
)

// endSoon ends a stream of a process that stops.
func (r *response) endSoon() {
	wait := lastAnswers
	if r.request.Method == http.MethodGet || r.request.Method == http.MethodConnect {
		wait = 0
	}
	time.AfterFunc(wait, func() { r.end(errStopping) })
}
