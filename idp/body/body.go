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
	"mime"
	"net/http"
	"os"
	"strings"
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

// IsEmpty reports whether a request has no body. Where nothing says so in advance, as over
// HTTP/3 (RFC 9114 section 4.1), it waits for the body's first byte, or its end; the
// body can be read afterwards as before.
func IsEmpty(r *http.Request) bool {
	if r.ContentLength >= 0 || len(r.TransferEncoding) > 0 {
		return r.ContentLength == 0
	}
	var first [1]byte
	n, err := io.ReadFull(r.Body, first[:])
	if errors.Is(err, io.EOF) {
		r.Body, r.ContentLength = http.NoBody, 0
		return true
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(first[:n]), r.Body), r.Body}
	return false
}

// CloseConnection has the connection of r closed after the response, if it is
// HTTP/1 and r has a body that nobody may read. Call it before the response's header
// is written, and [KeepConnection] once the body has been read to its end.
//
// A server that responds in the middle of an HTTP/1.1 request has to read the
// rest of it before the connection can carry another one. net/http does so in
// front of the response's header, up to 256 KiB, and where `Expect:
// 100-continue` holds the body back it asks for it first. With `Connection:
// close` the response goes out at once (RFC 9112 section 9.6). HTTP/2 and HTTP/3
// end the one stream and need nothing: there the field would end the whole
// connection.
func CloseConnection(response http.Header, r *http.Request) {
	if r.ProtoMajor == 1 && r.ContentLength != 0 && r.Body != nil && r.Body != http.NoBody {
		response.Set("Connection", "close")
	}
}

// KeepConnection takes [CloseConnection] back.
func KeepConnection(response http.Header) {
	response.Del("Connection")
}

// IsTypeInUTF8 reports whether a Content-Type is the wanted media type in UTF-8.
func IsTypeInUTF8(contentType, want string) bool {
	if contentType == want {
		return true
	}
	mediaType, attributes, err := mime.ParseMediaType(contentType)
	charset := attributes["charset"]
	return err == nil && mediaType == want && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
