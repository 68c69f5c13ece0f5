// Package operation serves a POST operation of the technical-language area over
// HTTP. It decides who may call it and how (path, method, media types, size) and
// reports errors (RFC 9457 problem details). A [Handler] computes the response,
// when the gate of [admission] lets it.
package operation

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/cors"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// Operation is one POST operation. Make it with [New]; it is safe for concurrent
// use.
type Operation struct {
	name     string
	paths    []string
	maxBody  int64
	gate     *admission.Gate
	text     bool
	origins  cors.Origins
	endpoint cors.Endpoint // what scripts of these origins may do
	series   *metrics.PerServer[series]
	refusals *decision.Log
}

// Options bound the work that an operation takes on, and say which scripts may
// call it.
type Options struct {
	// Name is what the operation is called in metrics and logs.
	Name string
	// Refusals is where they are logged. Default: nowhere.
	Refusals *decision.Log
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
	// RequestHeaders are the header fields that such scripts may send besides those
	// of the operation.
	RequestHeaders []string
	// ResponseHeaders are the header fields of the handler's own that such
	// scripts may read.
	ResponseHeaders []string
}

// Request is what a [Handler] responds to.
type Request struct {
	// Body is JSON, or text if IsText.
	Body   []byte
	IsText bool
	// InBatch: the request is a line of a batch, and header fields come too late.
	InBatch bool
	// Format is the form of the response.
	Format Format
}

// Handler appends the response to r to dst. An error that is a [*Problem] is sent
// to the client as it is. Any other one is a failure of the server: the client
// gets a 500 without the reason.
type Handler func(ctx context.Context, dst []byte, r Request) ([]byte, error)

// New returns the operation, which is served at each of paths.
func New(paths []string, options Options) *Operation {
	if options.Metrics == nil {
		options.Metrics = NewMetrics()
	}
	if options.Refusals == nil {
		options.Refusals = decision.NewLog(zap.NewNop())
	}
	return &Operation{
		name:     options.Name,
		refusals: options.Refusals,
		series:   metrics.NewPerServer(func(server string) series { return options.Metrics.series(server, options.Name) }),
		paths:    paths,
		maxBody:  options.MaxBody,
		gate:     options.Gate,
		text:     options.AcceptsText,
		origins:  options.Origins,
		endpoint: cors.Endpoint{
			Method:          http.MethodPost,
			RequestHeaders:  append([]string{"Content-Type", "X-Application-ID"}, options.RequestHeaders...),
			ResponseHeaders: append([]string{"Retry-After", decision.ReferenceHeader}, options.ResponseHeaders...),
		},
	}
}

// Matches reports whether r is for this operation: its path is exactly one of the
// operation's. Other spellings of a path do not match.
func (o *Operation) Matches(r *http.Request) bool {
	return r.URL.RawPath == "" && slices.Contains(o.paths, r.URL.Path)
}

// Serve responds to r, which must match the operation, and counts it, unless it is
// a preflight. It returns an error only for a failure of the server, after the
// client got its 500, so that it can be logged.
func (o *Operation) Serve(w http.ResponseWriter, r *http.Request, handler Handler) error {
	if o.endpoint.ServePreflight(w, r, o.origins) {
		return nil
	}
	o.endpoint.SetHeader(w.Header(), r, o.origins)
	s := o.series.Of(r.Context())
	s.inFlight.Inc()
	defer s.inFlight.Dec()
	body.CloseConnection(w, r)
	format := negotiate(r.Header["Accept"])
	failure, err := o.serve(w, r, format, handler, s)
	if err == nil {
		s.requests[succeeded].Inc()
		return failure
	}
	problem, failure := problemOf(r, err)
	s.reject(&s.requests, problem, err)
	line := o.line(problem)
	if problem.Status == decision.StatusClientGone && r.ProtoMajor > 1 { // a stream that was reset carries nothing, and there may be thousands
		o.refusals.Refused(r, line)
		w.WriteHeader(problem.Status)
		return failure
	}
	line.Reference = decision.NewReference()
	o.refusals.Refused(r, line)
	w.Header().Set(decision.ReferenceHeader, line.Reference)
	if problem.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	problem.write(w, format)
	return failure
}

// line is a problem as it is logged.
func (o *Operation) line(p *Problem, more ...zap.Field) decision.Line {
	return decision.Line{Endpoint: o.name, Outcome: outcomeOf(p.Status).String(), Status: p.Status, Rule: p.Rule, More: more}
}

// problemOf is what the client gets to read of err. What is a failure of the
// server is also returned, for the log.
func problemOf(r *http.Request, err error) (problem *Problem, failure error) {
	switch {
	case errors.As(err, &problem):
		return problem, nil
	case errors.Is(err, admission.ErrBusy):
		return busy(err), nil
	case r.Context().Err() != nil:
		return clientGone(), nil
	}
	return problemf(http.StatusInternalServerError, "the server failed", "The server failed; the reason is in its log."), err
}

// serve writes a response, or returns the reason err why there is none. Of a batch
// lines may have failed nevertheless.
func (o *Operation) serve(w http.ResponseWriter, r *http.Request, format Format, handler Handler, s *series) (failure, err error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", o.endpoint.Allow(o.origins))
		return nil, problemf(http.StatusMethodNotAllowed, "the method is not POST", "%s takes POST only, not %s.", r.URL.Path, r.Method)
	}
	content, unacceptable := o.contentOf(w, r)
	if content == batch {
		return o.serveBatch(w, r, handler, s)
	}
	return nil, o.serveOne(w, r, format, handler, s, content == text, unacceptable)
}

// serveOne serves a request that is no batch. unacceptable is what is wrong with it
// if it has a body.
func (o *Operation) serveOne(w http.ResponseWriter, r *http.Request, format Format, handler Handler, s *series, isText bool, unacceptable error) error {
	start := time.Now()
	switch {
	case r.ContentLength > o.maxBody:
		return tooLarge(o.maxBody)
	case r.ContentLength > 0 && unacceptable != nil:
		return unacceptable
	}
	if err := r.Context().Err(); err != nil {
		return err // reset before it was begun, as clients of HTTP/2 can do by the thousand
	}
	admitted, err := o.gate.Admit(r.Context(), r.ContentLength, s.queued)
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
	body.KeepConnection(w)
	if len(request) > 0 && unacceptable != nil { // an empty body needs no media type
		return unacceptable
	}
	var response *[]byte
	err = admitted.Work(r.Context(), len(request), func(ctx context.Context) error {
		response = responses.Get().(*[]byte)
		var err error
		*response, err = handler(ctx, (*response)[:0], Request{Body: request, IsText: isText, Format: format})
		return err
	})
	if response != nil {
		defer keepResponse(response)
	}
	if err != nil {
		return err
	}
	admitted.Hold(cap(*response))
	err = admitted.Transfer(func() { _ = connection.SetWriteDeadline(time.Now()) }, func() error {
		writeBody(w, admitted.Writer(w), http.StatusOK, format.contentType(), *response)
		return nil
	})
	s.responseSize.Observe(float64(len(*response)))
	s.duration.Observe(time.Since(start).Seconds())
	return err
}

// writeBody sends a whole response, its body to dst.
func writeBody(w http.ResponseWriter, dst io.Writer, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Add("Vary", "Accept")
	w.WriteHeader(status)
	_, _ = dst.Write(body) // a client that left is not an error
}

// firstPieces are buffers for the beginnings of bodies.
var firstPieces = sync.Pool{New: func() any {
	piece := make([]byte, 0, admission.FirstPiece)
	return &piece
}}

// responses are buffers of responses, kept for the next ones.
var responses = sync.Pool{New: func() any { return new([]byte) }}

// keepBuffer is the capacity up to which a buffer is kept, so that large messages
// do not hold their memory for good.
const keepBuffer = admission.Short

func keepResponse(b *[]byte) {
	if cap(*b) <= keepBuffer {
		responses.Put(b)
	}
}
