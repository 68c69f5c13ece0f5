package operation

import (
	"context"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

// read appends the whole body of r to dst, as far as there is memory. An absent body reads as an empty one.
func (o *Operation) read(r *http.Request, a *admission.Admission, connection *http.ResponseController, dst []byte) (request []byte, err error) {
	err = a.Transfer(func() { _ = connection.SetReadDeadline(time.Now()) }, func() (err error) {
		request, err = body.AppendWithin(dst, a.Reader(body.OfRequest(r, o.options.MaxBody)), func(have int) (int, error) {
			return a.Grow(r.Context(), have)
		})
		return readProblem(err)
	})
	return request, err
}

// readProblem says why a body could not be read, nil if err is. What [admission.Admission.Grow] says stays as it is.
func readProblem(err error) error {
	var tooMany *http.MaxBytesError
	switch {
	case err == nil, errors.Is(err, admission.ErrBusy), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &tooMany):
		return tooLarge(tooMany.Limit)
	case errors.Is(err, body.ErrClientGone):
		return clientGone()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problemf(http.StatusRequestTimeout, tooSlow, "The request body came too slowly while others were waiting. Try again later.")
	}
	return problemf(http.StatusBadRequest, "the body ended before its length", "The request body ended early.")
}

// content is what a body is by the header fields of its request.
type content uint8

const (
	oneJSON content = iota // a JSON object
	text                   // the message itself
	lines                  // a JSON object on each line: a batch
	encoded                // unacceptable: compressed, for example
	other                  // unacceptable: of another media type
)

func (c content) isUnacceptable() bool { return c >= encoded }

// contentOf says what the body of r is. JSON is application/json and media types with the +json suffix (RFC 6839); a body without
// Content-Type counts as JSON. All of it is in UTF-8.
func (o *Operation) contentOf(r *http.Request) content {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return encoded
	}
	contentType := r.Header["Content-Type"]
	if len(contentType) == 0 || len(contentType) == 1 && contentType[0] == mediaTypeJSON {
		return oneJSON
	}
	mediaType, parameters, err := mime.ParseMediaType(contentType[0])
	if charset, given := parameters["charset"]; err != nil || len(contentType) > 1 || given && !strings.EqualFold(charset, "utf-8") {
		return other
	}
	switch {
	case mediaType == mediaTypeJSON, strings.HasPrefix(mediaType, "application/") && strings.HasSuffix(mediaType, "+json"):
		return oneJSON
	case mediaType == mediaTypeBatch, mediaType == "application/ndjson", mediaType == "application/jsonl":
		return lines
	case mediaType == mediaTypePlain && o.options.AcceptsText:
		return text
	}
	return other
}

// unacceptable is the problem of a body that is not accepted.
func (o *Operation) unacceptable(r *http.Request, c content) *Problem {
	if c == encoded {
		return problemf(http.StatusUnsupportedMediaType, "the body is encoded", "Send the body uncompressed, without Content-Encoding %q.",
			r.Header.Get("Content-Encoding")).with("Accept-Encoding", "identity")
	}
	accepted := []string{mediaTypeJSON, mediaTypeBatch}
	if o.options.AcceptsText {
		accepted = append(accepted, mediaTypePlain)
	}
	last := len(accepted) - 1
	return problemf(http.StatusUnsupportedMediaType, "the media type is not accepted", "The body must be %s or %s in UTF-8, not %q. Say which in Content-Type.",
		strings.Join(accepted[:last], ", "), accepted[last], strings.Join(r.Header["Content-Type"], ", ")).with("Accept", strings.Join(accepted, ", "))
}

// Rules that stand in more than one place.
const (
	bodyTooLarge = "the body, or a line of it, is larger than max_body"
	tooSlow      = "the body came too slowly while others waited"
)

func tooLarge(limit int64) *Problem {
	return problemf(http.StatusRequestEntityTooLarge, bodyTooLarge, "The request body is larger than the limit of %d bytes.", limit)
}

// Query is the parameters of a request's query.
type Query struct {
	values url.Values
	known  []string // names of the parameters that were asked for
	err    error
}

// ParseQuery reads a raw query. The error is a [*Problem].
func ParseQuery(raw string) (*Query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, problemf(http.StatusBadRequest, "the query is not valid", "The query can't be parsed: %v.", err)
	}
	return &Query{values: values}, nil
}

// Err is the first parameter that was wrong, as a [*Problem].
func (q *Query) Err() error { return q.err }

// Others are the names of the parameters that were not asked for, in alphabetical order.
func (q *Query) Others() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(q.values)), func(name string) bool { return slices.Contains(q.known, name) })
}

// Flag is a parameter that is "true" or "false".
func (q *Query) Flag(name string, absent bool) bool {
	value, given := q.one(name)
	if !given {
		return absent
	}
	if value != "true" && value != "false" {
		q.fail("a parameter of the query is neither true nor false", "The query parameter %s must be true or false, not %q.", name, value)
	}
	return value == "true"
}

// Number is a parameter that is a whole number from 0 to 2³²-1; absent it is 0.
func (q *Query) Number(name string) uint32 {
	value, given := q.one(name)
	if !given {
		return 0
	}
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		q.fail("a query parameter is not a number", "The query parameter %s must be a whole number from 0 to 4294967295, not %q.", name, value)
	}
	return uint32(n)
}

// List is the values of a parameter that may be repeated, or have several with commas.
func (q *Query) List(name string) []string {
	q.known = append(q.known, name)
	var list []string
	for _, value := range q.values[name] {
		list = append(list, strings.Split(value, ",")...)
	}
	return list
}

// one is the value of a parameter that is not repeated.
func (q *Query) one(name string) (value string, given bool) {
	q.known = append(q.known, name)
	values := q.values[name]
	if len(values) > 1 {
		q.fail("a parameter of the query is given twice", "The query parameter %s is given %d times.", name, len(values))
	}
	return q.values.Get(name), len(values) > 0
}

func (q *Query) fail(rule, format string, args ...any) {
	if q.err == nil {
		q.err = problemf(http.StatusBadRequest, rule, format, args...)
	}
}
