package upstream

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// ErrConnections ends a request that took more.
var ErrConnections = errors.New("the identity provider closed one connection after the other")

// Call is a request to the IdP on the back channel, built from checked values only.
type Call struct {
	Endpoint endpoint.Endpoint
	URL      url.URL
	Header   http.Header
	Form     []byte // of a POST; nil for a GET
}

// Transport reaches the IdP.
type Transport struct {
	http.RoundTripper
	// Timeout bounds each request, its whole response included.
	Timeout time.Duration
}

// Send sends a call and reads its whole response, within the limits of size and time.
// sent reports whether the IdP may have received it.
func (t *Transport) Send(ctx context.Context, c Call) (response Response, sent bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	var traced atomic.Bool
	var connections, wrote atomic.Int32
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { traced.Store(true) },
		GotConn: func(httptrace.GotConnInfo) {
			if connections.Add(1) > MaxConnections {
				cancel()
			}
		},
		WroteHeaders: func() { wrote.Add(1) },
	})
	var got *http.Response
	for attempt := int32(0); ; attempt++ {
		got, err = t.RoundTrip(c.request(ctx))
		// Once more if the connection had died while nobody used it.
		if err == nil || wrote.Load() > 0 || attempt >= connections.Load() || attempt >= MaxConnections-1 {
			break
		}
	}
	if err != nil {
		sent = wrote.Load() > 0 || !traced.Load() && !isDialError(err)
		if connections.Load() > MaxConnections {
			err = ErrConnections
		}
		return Response{}, sent, Scrub(err)
	}
	defer got.Body.Close()
	response = Response{Status: got.StatusCode, Header: got.Header}
	if got.StatusCode == http.StatusSwitchingProtocols {
		return response, true, oauth.BadGateway("the identity provider switched to another protocol")
	}
	if c.Endpoint == endpoint.Authorize {
		return response, true, nil // a page, of which only the header counts
	}
	response.Body, err = readResponse(ctx, got)
	return response, true, err
}

func readResponse(ctx context.Context, r *http.Response) ([]byte, error) {
	content, err := body.ReadAll(io.LimitReader(body.OfResponse(r), MaxResponse+1), r.ContentLength)
	switch {
	case len(content) > MaxResponse:
		return nil, oauth.BadGateway("the identity provider's response is too large")
	case err != nil && ctx.Err() != nil:
		return nil, timedOut()
	case err != nil:
		return nil, oauth.BadGateway("the identity provider's response was cut off")
	}
	return unpacked(r.Header, content)
}

// unpacked is a body without what some servers put around it unasked: gzip, and a byte order
// mark. What it is compressed by otherwise, or badly, stays, and so does the header that says so.
func unpacked(header http.Header, content []byte) ([]byte, error) {
	if strings.EqualFold(header.Get("Content-Encoding"), "gzip") && len(content) > 0 {
		reader, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			return content, nil
		}
		plain, err := io.ReadAll(io.LimitReader(reader, MaxResponse+1))
		switch {
		case len(plain) > MaxResponse:
			return nil, oauth.BadGateway("the identity provider's response is too large")
		case err != nil:
			return content, nil
		}
		content = plain
		header.Del("Content-Encoding")
	}
	return bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), nil
}

func (c Call) request(ctx context.Context) *http.Request {
	r := &http.Request{
		Method: http.MethodGet, URL: &c.URL, Host: c.URL.Host, Header: c.Header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
	}
	if c.Form != nil {
		r.Method, r.ContentLength = http.MethodPost, int64(len(c.Form))
		r.Body = io.NopCloser(bytes.NewReader(c.Form))
	}
	return r.WithContext(ctx)
}

// isDialError reports whether the IdP was not reached, so that nothing was sent.
func isDialError(err error) bool {
	var e *net.OpError
	return errors.As(err, &e) && e.Op == "dial"
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// Scrub is err without the URL queries in its text. Errors of a transport may contain
// them.
func Scrub(err error) error { return scrubbed{err} }

type scrubbed struct{ error }

func (s scrubbed) Unwrap() error { return s.error }

func (s scrubbed) Error() string {
	text := s.error.Error()
	for {
		start := strings.IndexByte(text, '?')
		if start < 0 {
			return text
		}
		end := strings.IndexAny(text[start:], "\" \t\n")
		if end < 0 {
			return text[:start]
		}
		text = text[:start] + text[start+end:]
	}
}

// Failed is what the client is told of a call that has brought no response.
func Failed(err error) error {
	var e *oauth.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return timedOut()
	}
	return oauth.BadGateway("the identity provider could not be reached")
}

func timedOut() *oauth.Error {
	return &oauth.Error{
		Code: oauth.TemporarilyUnavailable, Status: http.StatusGatewayTimeout,
		Description: "the identity provider did not respond in time; try again later",
		Source:      "RFC 9110 section 15.6.5",
	}
}
