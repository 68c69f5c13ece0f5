// Package body reads the bodies of requests and responses to their true end.
//
// What net/http passes on differs from one version of HTTP to another: over
// HTTP/3 a body that ends before its Content-Length reads as a complete one,
// although the message is malformed (RFC 9114 section 4.1.2), and a client that
// has left shows as one of several errors. Whoever reads through this package
// need not know:
//
//   - A body that ends before its declared length fails with
//     [io.ErrUnexpectedEOF]. So does one that was cut by a client that closed its
//     half of the connection: it may still wait for the answer.
//   - A request body over the limit fails with [http.MaxBytesError], at once if
//     its declared length says so, and so does one over the limit of Caddy's
//     request_body directive.
//   - A request whose client has left fails with [ErrClientGone].
//   - Other errors pass as they are: [os.ErrDeadlineExceeded] of a body that took
//     too long, broken chunks, and what HTTP/2 itself says of a wrong length.
package body

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
)

// ErrClientGone says that nobody waits for an answer any more.
var ErrClientGone = errors.New("the client has closed the connection")

// Unlimited is no limit.
const Unlimited = -1

// OfRequest reads the body of r, of at most limit bytes.
func OfRequest(r *http.Request, limit int64) io.Reader {
	src := io.Reader(http.NoBody)
	if r.Body != nil {
		src = r.Body
	}
	return &reader{src: src, declared: r.ContentLength, limit: limit, request: r.Context()}
}

// OfResponse reads the body of r.
func OfResponse(r *http.Response) io.Reader {
	return &reader{src: r.Body, declared: r.ContentLength, limit: Unlimited}
}

// reader is a body that ends where it must.
type reader struct {
	src      io.Reader
	declared int64 // Content-Length in bytes, -1 if there is none
	limit    int64 // bytes
	request  context.Context
	read     int64 // bytes so far
}

// Read implements io.Reader.
func (b *reader) Read(p []byte) (int, error) {
	if b.limit >= 0 && b.declared > b.limit {
		return 0, &http.MaxBytesError{Limit: b.limit}
	}
	n, err := b.src.Read(p)
	b.read += int64(n)
	switch {
	case b.limit >= 0 && b.read > b.limit:
		return max(n-int(b.read-b.limit), 0), &http.MaxBytesError{Limit: b.limit}
	case err == nil:
		return n, nil
	case err == io.EOF && b.read < b.declared:
		return n, io.ErrUnexpectedEOF
	case b.request != nil && isClientGone(b.request, err):
		return n, fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return n, err
}

// isClientGone reports whether err, of reading the body, says that the client has left.
// net/http ends the context also of one that has only closed its half of the connection.
func isClientGone(request context.Context, err error) bool {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, os.ErrDeadlineExceeded):
		return false
	}
	var tooLarge *http.MaxBytesError
	return errors.Is(err, syscall.ECONNRESET) || request.Err() != nil && !errors.As(err, &tooLarge)
}

// Append appends all of src to dst. On failure, too, it returns what there was.
func Append(dst []byte, src io.Reader) ([]byte, error) {
	return AppendWithin(dst, src, func(have int) (int, error) { return max(2*have, bytes.MinRead), nil })
}

// AppendWithin is as [Append], but whenever dst is full it asks grow how many bytes it may
// have in all before it takes memory for them. An error of grow is returned.
func AppendWithin(dst []byte, src io.Reader, grow func(have int) (room int, err error)) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			room, err := grow(len(dst))
			if err != nil {
				return dst, err
			}
			dst = append(make([]byte, 0, room), dst...)
		}
		n, err := src.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// ReadAll reads a body. Memory for its declared length, in bytes (-1 if unknown), is
// allocated at once, up to a limit, and a byte more, in which its end is found.
func ReadAll(src io.Reader, declared int64) ([]byte, error) {
	const limit = 8 << 10
	if declared < 0 {
		declared = bytes.MinRead
	}
	return Append(make([]byte, 0, min(declared, limit)+1), src)
}
