package operation

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

// read appends the whole body of r to dst, as far as there is memory. An absent body
// reads as an empty one.
func (o *Operation) read(r *http.Request, a *admission.Admission, connection *http.ResponseController, dst []byte) (request []byte, err error) {
	err = a.Transfer(func() { _ = connection.SetReadDeadline(time.Now()) }, func() (err error) {
		request, err = body.AppendWithin(dst, a.Reader(body.OfRequest(r, o.maxBody)), func(have int) (int, error) {
			return a.Grow(r.Context(), have)
		})
		return readProblem(err)
	})
	return request, err
}

// readProblem says why a body could not be read, nil if err is. What
// [admission.Admission.Grow] says stays as it is.
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
		return problemf(http.StatusRequestTimeout, "the body came too slowly while others waited", "The request body came too slowly while others were waiting. Try again later.")
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

// contentOf says what the body of r is. JSON is application/json and media types with
// the +json suffix (RFC 6839); a body without Content-Type counts as JSON. All of it is
// in UTF-8.
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
	case mediaType == mediaTypePlain && o.text:
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
	if o.text {
		accepted = append(accepted, mediaTypePlain)
	}
	last := len(accepted) - 1
	return problemf(http.StatusUnsupportedMediaType, "the media type is not accepted", "The body must be %s or %s in UTF-8, not %q. Say which in Content-Type.",
		strings.Join(accepted[:last], ", "), accepted[last], strings.Join(r.Header["Content-Type"], ", ")).with("Accept", strings.Join(accepted, ", "))
}

const bodyTooLarge = "the body, or a line of it, is larger than max_body"

func tooLarge(limit int64) *Problem {
	return problemf(http.StatusRequestEntityTooLarge, bodyTooLarge, "The request body is larger than the limit of %d bytes.", limit)
}

// Flags reads the boolean parameters of a raw query that have these names, in their
// order. Absent means false; an unparsable query, a repeated parameter and any value but
// "true" and "false" are a [*Problem].
func Flags(rawQuery string, names ...string) ([]bool, error) {
	flags := make([]bool, len(names))
	if rawQuery == "" {
		return flags, nil
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, problemf(http.StatusBadRequest, "the query is not valid", "The query can't be parsed: %v.", err)
	}
	for i, name := range names {
		switch values := query[name]; {
		case len(values) == 0:
		case len(values) > 1:
			return nil, problemf(http.StatusBadRequest, "a parameter of the query is given twice", "The query parameter %s is given %d times.", name, len(values))
		case values[0] == "true" || values[0] == "false":
			flags[i] = values[0] == "true"
		default:
			return nil, problemf(http.StatusBadRequest, "a parameter of the query is neither true nor false", "The query parameter %s must be true or false, not %q.", name, values[0])
		}
	}
	return flags, nil
}
