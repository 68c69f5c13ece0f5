// Package operation serves a POST operation of the technical-language area over HTTP. It decides who may call it and how (path,
// method, media types, size) and reports errors (RFC 9457 problem details). A [Responder] makes the response, when the gate of
// [admission] lets it.
package operation

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

// Operation is one POST operation. Make it with [New]; it is safe for concurrent use.
type Operation struct {
	path     string
	options  Options
	endpoint cors.Endpoint // what scripts of other origins may do
	series   *metrics.PerServer[series]
	refusals *decision.Log
}

// Options bound the work that an operation takes on, and say which scripts may call it.
type Options struct {
	// Name is what the operation is called in metrics and logs.
	Name string
	// Logger gets refusals, and failures of the server. Default: none.
	Logger *zap.Logger
	// Metrics are where it is counted. Default: nowhere that anybody sees.
	Metrics *Metrics
	// MaxBody is the largest request body, in bytes.
	MaxBody int64
	// Gate bounds memory and processors.
	Gate *admission.Gate
	// AcceptsText says that the body may be text/plain, too.
	AcceptsText bool
	// Origins are the web origins whose scripts may call the operation.
	Origins cors.Origins
	// ResponseHeaders are the header fields of the handler's own that such scripts may read.
	ResponseHeaders []string
}

// Request is what a [Responder] responds to.
type Request struct {
	// Body is JSON, or text if IsText.
	Body   []byte
	IsText bool
	// Format is the form of the response.
	Format Format
}

// Response is what a [Responder] makes of a request.
type Response struct {
	Body []byte
	// Field is a header field, by name and value, that the response has besides those of all responses. It may be empty. The
	// lines of a batch have none.
	Field [2]string
}

// Handler reads the query of a request, or of a batch, and returns what responds to the messages in it. An error that is a
// [*Problem] is sent to the client as it is. Any other one is a failure of the server: the client gets a 500 without the reason.
type Handler func(query string) (Responder, error)

// Responder appends the body of the response to r to dst. Its error is as that of a [Handler].
type Responder func(ctx context.Context, dst []byte, r Request) (Response, error)

// New returns the operation at a path.
func New(path string, options Options) *Operation {
	if options.Metrics == nil {
		options.Metrics = NewMetrics()
	}
	if options.Logger == nil {
		options.Logger = zap.NewNop()
	}
	return &Operation{
		path:     path,
		options:  options,
		refusals: decision.NewLog(options.Logger),
		series:   metrics.NewPerServer(func(server string) series { return options.Metrics.series(server, options.Name) }),
		endpoint: cors.Endpoint{
			Method:          http.MethodPost,
			RequestHeaders:  []string{"Authorization", "Content-Type", "X-Application-ID"},
			ResponseHeaders: append([]string{"Retry-After", decision.ReferenceHeader}, options.ResponseHeaders...),
		},
	}
}

// Matches reports whether r is for this operation: its path is exactly that. Other spellings do not match.
func (o *Operation) Matches(r *http.Request) bool {
	return r.URL.RawPath == "" && r.URL.Path == o.path
}

// Serve responds to r, which must match the operation, and counts it, unless it is a preflight.
func (o *Operation) Serve(w http.ResponseWriter, r *http.Request, handler Handler) {
	if o.endpoint.ServePreflight(w, r, o.options.Origins) {
		return
	}
	o.endpoint.SetHeader(w.Header(), r, o.options.Origins)
	s := o.series.Of(r.Context())
	s.inFlight.Inc()
	defer s.inFlight.Dec()
	body.CloseConnection(w.Header(), r)
	format := negotiate(r.Header["Accept"])
	if err := o.serve(w, r, format, handler, s); err != nil {
		o.refuse(w, r, format, s, err)
		return
	}
	s.requests[http.StatusOK].Inc()
}

// refuse counts, logs and sends the problem of a request that has no response because of err.
func (o *Operation) refuse(w http.ResponseWriter, r *http.Request, format Format, s *series, err error) {
	problem := o.problemOf(r, err)
	s.reject(s.requests, problem)
	line := o.line(problem)
	if problem.Status == decision.StatusClientGone && r.ProtoMajor > 1 { // a stream that was reset carries nothing, and there may be thousands
		o.refusals.Refused(r, line)
		w.WriteHeader(problem.Status)
		return
	}
	line.Reference = decision.NewReference()
	o.refusals.Refused(r, line)
	w.Header().Set(decision.ReferenceHeader, line.Reference)
	problem.write(w, format)
}

// line is a problem as it is logged.
func (o *Operation) line(p *Problem, more ...zap.Field) decision.Line {
	return decision.Line{Endpoint: o.options.Name, Outcome: outcomes[p.Status], Status: p.Status, Rule: p.Rule, More: more}
}

// problemOf is what the client gets to read of err. What is a failure of the server is logged.
func (o *Operation) problemOf(r *http.Request, err error) *Problem {
	var problem *Problem
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.Is(err, admission.ErrBusy):
		return busy(err)
	case r.Context().Err() != nil:
		return clientGone()
	}
	o.options.Logger.Error(o.options.Name+" failed", zap.Error(err))
	return problemf(http.StatusInternalServerError, "the server failed", "The server failed; the reason is in its log.")
}

// serve writes a response, or returns why there is none.
func (o *Operation) serve(w http.ResponseWriter, r *http.Request, format Format, handler Handler, s *series) error {
	if r.Method != http.MethodPost {
		return problemf(http.StatusMethodNotAllowed, "the method is not POST", "%s takes POST only, not %s.", r.URL.Path, r.Method).
			with("Allow", o.endpoint.Allow(o.options.Origins))
	}
	content := o.contentOf(r)
	if content == lines {
		return o.serveBatch(w, r, handler, s)
	}
	return o.serveOne(w, r, format, content, handler, s)
}

// serveOne serves a request that is no batch. An empty body needs no media type.
func (o *Operation) serveOne(w http.ResponseWriter, r *http.Request, format Format, content content, handler Handler, s *series) error {
	start := time.Now()
	switch {
	case r.ContentLength > o.options.MaxBody:
		return tooLarge(o.options.MaxBody)
	case r.ContentLength > 0 && content.isUnacceptable():
		return o.unacceptable(r, content)
	}
	respond, err := handler(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if err := r.Context().Err(); err != nil {
		return err // reset before it was begun, as clients of HTTP/2 can do by the thousand
	}
	admitted, err := o.options.Gate.Admit(r.Context(), r.ContentLength, s.queued)
	if err != nil {
		return err
	}
	defer admitted.Release()
	connection := http.NewResponseController(w)
	first := firstPieces.Get().(*[]byte)
	defer firstPieces.Put(first)
	request, err := o.read(r, admitted, connection, (*first)[:0])
	if err != nil {
		return err
	}
	s.requestSize.Observe(float64(len(request)))
	body.KeepConnection(w.Header())
	if len(request) > 0 && content.isUnacceptable() {
		return o.unacceptable(r, content)
	}
	var response Response
	var buffer *[]byte
	err = admitted.Work(r.Context(), admission.Effort(request), func(ctx context.Context) (err error) {
		buffer = responses.Get().(*[]byte)
		response, err = respond(ctx, (*buffer)[:0], Request{Body: request, IsText: content == text, Format: format})
		*buffer = response.Body
		return err
	})
	if buffer != nil {
		defer keepResponse(buffer)
	}
	if err != nil {
		return err
	}
	if response.Field[0] != "" {
		w.Header().Set(response.Field[0], response.Field[1])
	}
	admitted.Hold(cap(response.Body))
	err = admitted.Transfer(func() { _ = connection.SetWriteDeadline(time.Now()) }, func() error {
		writeBody(w, admitted.Writer(w), http.StatusOK, format.contentType(), response.Body)
		return nil
	})
	s.responseSize.Observe(float64(len(response.Body)))
	s.duration.Observe(time.Since(start).Seconds())
	return err
}

// writeBody sends a whole response, its body to dst.
func writeBody(w http.ResponseWriter, dst io.Writer, status int, contentType string, body []byte) {
	header := w.Header()
	setHeader(header, contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Add("Vary", "Accept")
	w.WriteHeader(status)
	_, _ = dst.Write(body) // a client that left is not an error
}

// setHeader sets the fields that all responses have.
func setHeader(header http.Header, contentType string) {
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
}

// firstPieces are buffers for the beginnings of bodies.
var firstPieces = sync.Pool{New: func() any {
	piece := make([]byte, 0, admission.FirstPiece)
	return &piece
}}

// responses are buffers of responses, kept for the next ones.
var responses = sync.Pool{New: func() any { return new([]byte) }}

// keepBuffer is the capacity up to which a buffer is kept, so that large messages do not hold their memory for good.
const keepBuffer = admission.Short

func keepResponse(b *[]byte) {
	if cap(*b) <= keepBuffer {
		responses.Put(b)
	}
}
