package operation

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

// batchBuffer is the size of the buffers of a batch, in bytes. They are not counted as memory for messages, and there are as many
// as batches.
const batchBuffer = 4 << 10

// batch is a request of many lines, of which one is in memory at a time.
type batch struct {
	operation  *Operation
	request    *http.Request
	admitted   *admission.Admission
	connection *http.ResponseController
	in         *bufio.Reader
	out        *bufio.Writer
	first      []byte // where a line begins in memory
	response   []byte // to a line, without its end

	read, written int64 // bytes
}

// serveBatch responds to newline-delimited JSON, line by line: the n-th line of the response is that of the n-th line of the
// request which is not blank. In the place of a response there may be a problem, which names the line. A line is in memory as far
// as there is room for it, so a body may be of any length; a client that does not read what comes back is not read any further
// either.
func (o *Operation) serveBatch(w http.ResponseWriter, r *http.Request, handler Handler, s *series) error {
	respond, err := handler(r.URL.RawQuery)
	if err != nil {
		return err
	}
	admitted, err := o.options.Gate.AdmitBatch(r.Context(), s.queued)
	if err != nil {
		return err
	}
	defer admitted.Release()
	first := firstPieces.Get().(*[]byte)
	defer firstPieces.Put(first)
	b := &batch{
		operation: o, request: r, admitted: admitted, connection: http.NewResponseController(w), first: (*first)[:0],
		in:  bufio.NewReaderSize(admitted.Reader(body.OfRequest(r, body.Unlimited)), batchBuffer),
		out: bufio.NewWriterSize(admitted.Writer(w), batchBuffer),
	}
	defer func() {
		s.requestSize.Observe(float64(b.read))
		s.responseSize.Observe(float64(b.written))
	}()
	_ = b.connection.EnableFullDuplex() // HTTP/2 always is
	body.KeepConnection(w.Header())     // the end of the body is always waited for
	setHeader(w.Header(), mediaTypeBatch)
	for number, ended := 1, false; !ended; number++ {
		var line []byte
		line, ended, err = b.next()
		if err == nil && len(line) == 0 {
			continue // it is blank
		}
		if err == nil {
			err = b.respond(line, respond)
		}
		b.count(number, err, s)
		if b.send(ended) != nil || r.Context().Err() != nil {
			break
		}
	}
	if b.out.Flush() != nil || r.Context().Err() != nil {
		s.requests[decision.StatusClientGone].Inc()
		panic(http.ErrAbortHandler) // it is not complete, and must not look so
	}
	return nil
}

// next reads the next line, without white space around it. ended says that there is none after it. The error is why it has no
// response.
func (b *batch) next() (line []byte, ended bool, err error) {
	tooLong := false
	err = b.admitted.Transfer(func() { _ = b.connection.SetReadDeadline(time.Now()) }, func() (err error) {
		var size int64
		line, size, tooLong, err = appendLine(b.first, b.in, b.operation.options.MaxBody, func(have int) (int, error) { return b.admitted.Grow(b.request.Context(), have) })
		b.read += size
		return err
	})
	switch ended = err != nil; {
	case ended && !errors.Is(err, io.EOF):
		return nil, ended, readProblem(err)
	case tooLong:
		return nil, ended, problemf(http.StatusRequestEntityTooLarge, bodyTooLarge, "The line is larger than the limit of %d bytes.", b.operation.options.MaxBody)
	}
	return bytes.TrimSpace(line), ended, nil
}

// respond makes the response to a line.
func (b *batch) respond(line []byte, respond Responder) error {
	return b.admitted.Work(b.request.Context(), admission.Effort(line), func(ctx context.Context) error {
		response, err := respond(ctx, b.response[:0], Request{Body: line})
		b.response = response.Body
		return err
	})
}

// count counts a line. If err is why it has no response, it gets a problem, which is logged.
func (b *batch) count(number int, err error, s *series) {
	if err == nil {
		s.batchLines[http.StatusOK].Inc()
		return
	}
	problem := b.operation.problemOf(b.request, err)
	s.reject(s.batchLines, problem)
	b.operation.refusals.Refused(b.request, b.operation.line(problem, zap.Int("line", number)))
	b.response = (&Problem{Status: problem.Status, Detail: fmt.Sprintf("Line %d: %s", number, problem.Detail)}).json()
}

// send sends the response to a line, and gives up its memory.
func (b *batch) send(ended bool) error {
	b.written += int64(len(b.response)) + 1
	b.admitted.Hold(cap(b.response))
	err := b.admitted.Transfer(func() { _ = b.connection.SetWriteDeadline(time.Now()) }, func() error {
		_, _ = b.out.Write(append(b.response, '\n'))
		if ended || b.in.Buffered() == 0 { // the client may wait for it
			return errors.Join(b.out.Flush(), b.connection.Flush())
		}
		return nil
	})
	if cap(b.response) > batchBuffer { // nothing that is not counted while it waits for the next line
		b.response = nil
	}
	b.admitted.ReleaseMemory()
	return err
}

// appendLine appends the next line to dst, with its end, and asks grow for room when dst is full. The last one comes with
// [io.EOF]. Of one with more than most bytes the rest is skipped. size is how many bytes were read.
func appendLine(dst []byte, in *bufio.Reader, most int64, grow func(have int) (int, error)) (line []byte, size int64, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		size += int64(len(part))
		if tooLong = tooLong || int64(len(dst)+len(part)) > most; !tooLong {
			for len(dst)+len(part) > cap(dst) {
				room, err := grow(cap(dst))
				if err != nil {
					return dst, size, false, err
				}
				dst = append(make([]byte, 0, room), dst...)
			}
			dst = append(dst, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, size, tooLong, err
		}
	}
}
