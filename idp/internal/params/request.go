package params

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// MaxBody bounds the body of a request, in bytes.
const MaxBody = 64 << 10

// ReadForm reads the parameters of a request that brings them in a form: see [ParseForm].
func ReadForm(r *http.Request, response http.Header, endpoint, source string) (Values, error) {
	content, err := ReadBody(r, response, MaxBody)
	if err != nil {
		return Values{}, err
	}
	return ParseForm(endpoint, source, r.URL.RawQuery, r.Header, content)
}

// ReadQueryOrForm reads the parameters of a request on the front channel: its query, or with
// POST its form, which may be as long and to which the same checks apply. raw is what they were
// read from. Repetitions are for the caller to reject.
func ReadQueryOrForm(r *http.Request, response http.Header, endpoint, source string) (raw string, q Values, err error) {
	if r.Method != http.MethodPost {
		q, err = Parse(r.URL.RawQuery, "query")
		return r.URL.RawQuery, q, err
	}
	if raw, err = ReadBody(r, response, MaxQueryLength); err == nil {
		q, err = ParseBody(endpoint, source, r.URL.RawQuery, r.Header, raw)
	}
	return raw, q, err
}

// ReadBody reads a body of at most limit bytes to its end, after which the connection can carry
// another request.
func ReadBody(r *http.Request, response http.Header, limit int64) (string, error) {
	content, err := body.ReadAll(body.OfRequest(r, limit), r.ContentLength)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		e := oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 15.5.14", "the request body is larger than "+strconv.FormatInt(tooLarge.Limit, 10)+" bytes")
		e.Status = http.StatusRequestEntityTooLarge
		return "", e
	case errors.Is(err, body.ErrClientGone):
		return "", err
	case err != nil:
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 8.6", "the request body could not be read to its end")
	}
	body.KeepConnection(response)
	return string(content), nil
}
