package body

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

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
