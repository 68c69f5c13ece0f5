// Package operation serves one POST operation of the technical-language area
// over HTTP: who may call it and how (path, method, media types, size,
// concurrency) and how it fails (RFC 9457 problem details). What the operation
// computes is the caller's.
package operation

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
)

// Operation is one POST operation. Make it with [New]; it is safe for concurrent
// use.
type Operation struct {
	path    string
	maxBody int64
	slots   chan struct{}
	origins []string
}

// Options bound the work that an operation takes on, and say who may ask for it.
type Options struct {
	// MaxBody is the largest request body, in bytes.
	MaxBody int64
	// MaxConcurrent is how many requests are worked on at the same time.
	MaxConcurrent int
	// Origins are the web origins whose scripts may call the operation, such as
	// https://app.example.com; "*" stands for all.
	Origins []string
}

// Answer computes the response to body, appended to dst in the given format. An
// error that is a [*Problem] is sent to the client as it is; any other one is our
// own failure, a 500 that tells the client nothing.
type Answer func(ctx context.Context, dst, body []byte, format Format) ([]byte, error)

// New returns the operation at path.
func New(path string, options Options) *Operation {
	return &Operation{
		path:    path,
		maxBody: options.MaxBody,
		slots:   make(chan struct{}, options.MaxConcurrent),
		origins: options.Origins,
	}
}

// Owns reports whether r is for this operation: its path is exactly the
// operation's. Other spellings of the path are somebody else's.
func (o *Operation) Owns(r *http.Request) bool {
	return r.URL.Path == o.path && r.URL.RawPath == ""
}

// Serve answers r, which the operation must own. It returns an error only for a
// failure of our own, after the client got its 500, so that it can be logged.
func (o *Operation) Serve(w http.ResponseWriter, r *http.Request, answer Answer) error {
	if o.allowOrigin(w.Header(), r) && isPreflight(r) {
		answerPreflight(w)
		return nil
	}
	format := negotiate(r.Header["Accept"])
	buffers := bufferPool.Get().(*buffers)
	defer buffers.release()

	err := o.answer(w, r, buffers, format, answer)
	if err == nil {
		writeBody(w, http.StatusOK, format.mediaType(), buffers.response)
		return nil
	}
	if r.Context().Err() != nil {
		return nil // the client has left: nobody reads an answer
	}
	var problem *Problem
	if errors.As(err, &problem) {
		problem.write(w, format)
		return nil
	}
	(&Problem{Status: http.StatusInternalServerError, Detail: "The server failed to answer; the reason is in its log."}).write(w, format)
	return err
}

func (o *Operation) answer(w http.ResponseWriter, r *http.Request, b *buffers, format Format, answer Answer) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return problemf(http.StatusMethodNotAllowed, "%s answers POST only, not %s.", o.path, r.Method)
	}
	if err := b.readRequest(w, r, o.maxBody); err != nil {
		return err
	}
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	default:
		w.Header().Set("Retry-After", "1")
		return problemf(http.StatusServiceUnavailable,
			"All %d places for this operation are taken. Try again in a second.", cap(o.slots))
	}
	var err error
	b.response, err = answer(r.Context(), b.response[:0], b.request, format)
	return err
}

// writeBody sends a whole response in one piece.
func writeBody(w http.ResponseWriter, status int, mediaType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that left is no failure of ours
}

// buffers are what one request needs, kept for the next one.
type buffers struct {
	request, response []byte
}

var bufferPool = sync.Pool{New: func() any { return new(buffers) }}

// keepBuffer is the capacity up to which a buffer is worth keeping, so that one
// large message does not hold its memory for good.
const keepBuffer = 1 << 20

func (b *buffers) release() {
	if cap(b.request) <= keepBuffer && cap(b.response) <= keepBuffer {
		bufferPool.Put(b)
	}
}
