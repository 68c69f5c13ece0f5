package idp

import (
	"bytes"
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
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// maxResponse bounds the body of a response of the IdP, in bytes.
const maxResponse = 1 << 20

// maxConnections is how many connections one request may take. net/http goes on to
// the next one, without a pause, as long as an HTTP/2 server says GOAWAY.
const maxConnections = 4

// errConnections ends a request that took more.
var errConnections = errors.New("the identity provider closed one connection after the other")

// call is a request to the IdP on the back channel, built from checked values only.
type call struct {
	endpoint Endpoint
	url      url.URL
	header   http.Header
	form     []byte // of a POST; nil for a GET
}

// newCall prepares a call to an endpoint.
func (f *flow) newCall(endpoint Endpoint) call {
	c := call{endpoint: endpoint, url: *f.policy.endpointURL(endpoint), header: make(http.Header)}
	copyRequestHeader(c.header, f.r.Header, endpoint)
	if c.header["User-Agent"] == nil {
		c.header.Set("User-Agent", "") // not net/http's own
	}
	c.header.Set("Accept", "application/json")
	c.header.Set("Accept-Encoding", "identity") // what is compressed can't be checked
	if f.r.ClientIP != "" {
		c.header.Set("X-Forwarded-For", f.r.ClientIP)
	}
	if f.policy.proxiesFrontChannel { // the IdP has this host's name
		if base, err := url.Parse(f.r.BaseURL); err == nil {
			c.header.Set("X-Forwarded-Host", base.Host)
			c.header.Set("X-Forwarded-Proto", base.Scheme)
		}
	}
	return c
}

// newFormCall prepares a call that sends a form, and how the client or the gateway
// authenticates.
func (f *flow) newFormCall(endpoint Endpoint, form formCall) call {
	c := f.newCall(endpoint)
	c.form = form.Form
	c.header.Set("Content-Type", "application/x-www-form-urlencoded")
	if form.Authorization != "" {
		c.header.Set("Authorization", form.Authorization)
	}
	return c
}

// send sends a call and reads its whole response, within the limits of size and time.
// sent reports whether the IdP may have received it. A token request reaches the IdP
// once at most, and is not given up when its client leaves: nobody would know whether
// its code was spent.
func (f *flow) send(c call) (response Response, sent bool, err error) {
	ctx := f.r.Context()
	if c.endpoint == Token {
		ctx = context.WithoutCancel(ctx)
	}
	response, sent, err = f.roundTrip(ctx, c)
	switch {
	case err == nil:
		return response, sent, nil
	case f.r.Context().Err() != nil:
		return Response{}, sent, body.ErrClientGone
	}
	f.note(NoResponse, err)
	var e *oauth.Error
	switch {
	case errors.As(err, &e):
		return Response{}, sent, e
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return Response{}, sent, gatewayTimeout()
	}
	return Response{}, sent, oauth.BadGateway("the identity provider could not be reached")
}

// roundTrip records a call.
func (f *flow) roundTrip(ctx context.Context, c call) (response Response, sent bool, err error) {
	start := time.Now()
	response, sent, err = f.gateway.roundTrip(ctx, c)
	f.result.Calls = append(f.result.Calls, Call{c.endpoint, time.Since(start), response.Status, err})
	return response, sent, err
}

func (g *Gateway) roundTrip(ctx context.Context, c call) (response Response, sent bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, g.parts.Timeout)
	defer cancel()
	var traced atomic.Bool
	var connections, wrote atomic.Int32
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { traced.Store(true) },
		GotConn: func(httptrace.GotConnInfo) {
			if connections.Add(1) > maxConnections {
				cancel()
			}
		},
		WroteHeaders: func() { wrote.Add(1) },
	})
	var got *http.Response
	for attempt := int32(0); ; attempt++ {
		got, err = g.parts.Transport.RoundTrip(c.request(ctx))
		// Once more if the connection had died while nobody used it.
		if err == nil || wrote.Load() > 0 || attempt >= connections.Load() || attempt >= maxConnections-1 {
			break
		}
	}
	if err != nil {
		sent = wrote.Load() > 0 || !traced.Load() && !isDialError(err)
		if connections.Load() > maxConnections {
			err = errConnections
		}
		return Response{}, sent, Scrub(err)
	}
	defer got.Body.Close()
	response = Response{Status: got.StatusCode, Header: got.Header}
	if got.StatusCode == http.StatusSwitchingProtocols {
		return response, true, oauth.BadGateway("the identity provider switched to another protocol")
	}
	if c.endpoint == Authorize {
		return response, true, nil // a page, of which only the header counts
	}
	response.Body, err = readResponse(ctx, got)
	return response, true, err
}

// readResponse reads the body of a response within the limits.
func readResponse(ctx context.Context, r *http.Response) ([]byte, error) {
	content, err := readAll(io.LimitReader(body.OfResponse(r), maxResponse+1), r.ContentLength)
	switch {
	case len(content) > maxResponse:
		return nil, oauth.BadGateway("the identity provider's response is too large")
	case err != nil && ctx.Err() != nil:
		return nil, gatewayTimeout()
	case err != nil:
		return nil, oauth.BadGateway("the identity provider's response was cut off")
	}
	return content, nil
}

func (c call) request(ctx context.Context) *http.Request {
	r := &http.Request{
		Method: http.MethodGet, URL: &c.url, Host: c.url.Host, Header: c.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
	}
	if c.form != nil {
		r.Method, r.ContentLength = http.MethodPost, int64(len(c.form))
		r.Body = io.NopCloser(bytes.NewReader(c.form))
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
