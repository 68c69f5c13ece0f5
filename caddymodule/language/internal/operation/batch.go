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

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
)

// batchBuffer is the size of the buffers of a batch, in bytes. They are not counted
// as memory for messages, and there are as many as batches.
const batchBuffer = 4 << 10

// serveBatch responds to newline-delimited JSON, line by line: the n-th line of
// the response is that of the n-th line of the request which is not blank. In the
// place of a response there may be a problem, which names the line. One line is in
// memory at a time, as far as there is room for it, so a body may be of any length; a
// client that does not read what comes back is not read any further either. failure says why lines
// failed.
func (o *Operation) serveBatch(w http.ResponseWriter, r *http.Request, handler Handler, s *series) (failure, err error) {
	admitted, err := o.gate.AdmitBatch(r.Context(), s.queued)
	if err != nil {
		return nil, err
	}
	defer admitted.Release()
	connection := http.NewResponseController(w)
	_ = connection.EnableFullDuplex() // HTTP/2 always is
	body.KeepConnection(w)            // the end of the body is always waited for

	header := w.Header()
	header.Set("Content-Type", mediaTypeBatch)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	in, out := bufio.NewReaderSize(admitted.Reader(body.OfRequest(r, body.Unlimited)), batchBuffer), bufio.NewWriterSize(admitted.Writer(w), batchBuffer)
	first := firstPieces.Get().(*[]byte)
	defer firstPieces.Put(first)
	var (
		line, response []byte
		tooLong        bool
		read, written  int64 // bytes
	)
	defer func() {
		s.requestSize.Observe(float64(read))
		s.responseSize.Observe(float64(written))
	}()
lines:
	for number := 1; ; number++ {
		err := admitted.Transfer(func() { _ = connection.SetReadDeadline(time.Now()) }, func() error {
			var size int64
			line, size, tooLong, err = appendLine((*first)[:0], in, o.maxBody, func(have int) (int, error) { return admitted.Grow(r.Context(), have) })
			read += size
			return err
		})
		ended := err != nil
		switch line = bytes.TrimSpace(line); {
		case ended && !errors.Is(err, io.EOF):
			err = readProblem(err)
		case tooLong:
			err = problemf(http.StatusRequestEntityTooLarge, bodyTooLarge, "The line is larger than the limit of %d bytes.", o.maxBody)
		case len(line) == 0 && ended:
			break lines
		case len(line) == 0:
			continue
		default:
			err = admitted.Work(r.Context(), len(line), func(ctx context.Context) (err error) {
				response, err = handler(ctx, response[:0], Request{Body: line, InBatch: true})
				return err
			})
		}
		if err != nil {
			problem, cause := problemOf(r, err)
			s.reject(&s.batchLines, problem, err)
			o.refusals.Refused(r, o.line(problem, zap.Int("line", number)))
			failure = errors.Join(failure, cause)
			response = (&Problem{Status: problem.Status, Detail: fmt.Sprintf("Line %d: %s", number, problem.Detail)}).json()
		} else {
			s.batchLines[succeeded].Inc()
		}
		written += int64(len(response)) + 1
		admitted.Hold(cap(response))
		err = admitted.Transfer(func() { _ = connection.SetWriteDeadline(time.Now()) }, func() error {
			_, _ = out.Write(append(response, '\n'))
			if ended || in.Buffered() == 0 { // the client may wait for it
				return errors.Join(out.Flush(), connection.Flush())
			}
			return nil
		})
		if ended || err != nil || r.Context().Err() != nil {
			break
		}
		if line = nil; cap(response) > batchBuffer { // nothing that is not counted while it waits for the next line
			response = nil
		}
		admitted.ReleaseMemory()
	}
	if out.Flush() != nil || r.Context().Err() != nil {
		s.requests[abandoned].Inc()
		panic(http.ErrAbortHandler) // it is not complete, and must not look so
	}
	return failure, nil
}

// appendLine appends the next line to dst, with its end, and asks grow for room when dst
// is full. The last one comes with [io.EOF]. Of one with more than most bytes the rest
// is skipped. size is how many bytes were read.
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
