package identity

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// transport stands between Caddy's proxy and its transport. It sends a token
// request at most once, bounds responses in time and size, and applies
// [call.modifyResponse].
type transport struct {
	http.RoundTripper
	// keepsHost: the operator sets header_up Host.
	keepsHost bool
	// setsScheme: http or https is the endpoint's, not the transport's choice.
	setsScheme  bool
	maxResponse int64 // bytes
	timeout     time.Duration
	// tracesConnections: the transport tells when it got a connection and what it
	// wrote, so that a failed TLS handshake counts as nothing sent.
	tracesConnections bool
	metrics           *metrics
}

// maxConnections is how many connections one request may take. net/http goes on to
// the next one, without a pause, as long as an HTTP/2 server says GOAWAY.
const maxConnections = 4

// errConnections ends a request that took more.
var errConnections = errors.New("the identity provider closed one connection after the other")

// errSentOnce ends retries of a request that the IdP may have received.
var errSentOnce = errors.New("the token request was sent once and is not repeated")

// closeIdleConnections closes the connections that no request uses, and has those
// closed that are in use now when they are free. Caddy does it for a transport that
// is configured, not for its default one, whose connections would last for minutes
// after each reload.
func (t *transport) closeIdleConnections() {
	if inner, ok := t.RoundTripper.(*reverseproxy.HTTPTransport); ok && inner.Transport != nil {
		inner.Transport.CloseIdleConnections()
	}
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok { // a health check
		return t.RoundTripper.RoundTrip(r)
	}
	if c.endpoint == idp.Token && c.outcome.sent {
		return nil, errSentOnce
	}
	parent := r.Context()
	if c.endpoint == idp.Token {
		// A client that leaves must not leave it unknown whether its code was spent.
		parent = context.WithoutCancel(parent)
	}
	ctx, cancel := context.WithTimeout(untraced{parent}, t.timeout)
	var connections, wrote atomic.Int32
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			if connections.Add(1) > maxConnections {
				cancel()
			}
		},
		WroteHeaders: func() { wrote.Add(1) },
	})
	r = r.WithContext(ctx)
	if t.setsScheme {
		r.URL.Scheme = c.target.Scheme
	}
	if !t.keepsHost {
		r.Host = c.target.Host
	}
	start := time.Now()
	response, err := t.send(r, c)
	for attempt := int32(1); err != nil && wrote.Load() == 0 && attempt <= connections.Load() && attempt < maxConnections; attempt++ {
		response, err = t.send(r, c) // the connection had died while nobody used it
	}
	if err != nil {
		cancel()
		c.outcome.sent = wrote.Load() > 0 || !t.tracesConnections && !isDialError(err)
		if connections.Load() > maxConnections {
			err = errConnections
		}
		t.metrics.observeIdP(parent, c.endpoint, start, 0, err)
		return nil, err
	}
	c.outcome.sent = true
	status := response.StatusCode
	response.Body = &boundedBody{ReadCloser: response.Body, ctx: ctx, cancel: cancel, left: t.maxResponse, response: response}
	if response.StatusCode == http.StatusSwitchingProtocols {
		err = idp.BadGateway("the identity provider switched to another protocol")
	} else {
		err = c.modifyResponse(response)
	}
	t.metrics.observeIdP(parent, c.endpoint, start, status, err)
	if c.outcome.err = err; err != nil {
		_ = response.Body.Close()
		e, header := idp.AsError(err), make(http.Header)
		e.SetHeader(header)
		c.decision.Refuse(e)
		c.decision.SetHeader(header)
		setResponse(response, e.Status, header, e.AppendJSON(nil))
	}
	c.outcome.responded = true
	return response, nil
}

// send sends the request with its body.
func (t *transport) send(r *http.Request, c *call) (*http.Response, error) {
	r.Body = c.newBody() // the proxy, or an attempt before, may have read or wrapped the one before
	return t.RoundTripper.RoundTrip(r)
}

// isDialError reports that the IdP was not reached, so that nothing was sent.
func isDialError(err error) bool {
	var dialErr reverseproxy.DialError
	return errors.As(err, &dialErr)
}

// setResponse replaces a response. The body is complete.
func setResponse(response *http.Response, status int, header http.Header, body []byte) {
	header.Set("Content-Length", strconv.Itoa(len(body)))
	response.StatusCode, response.Status, response.Header = status, "", header
	response.TransferEncoding, response.Trailer = nil, nil
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// untraced is a context without the proxy's client trace, with which the proxy
// would pass on the IdP's interim (1xx) responses.
type untraced struct{ context.Context }

// Value implements context.Context.
func (c untraced) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(*httptrace.ClientTrace); ok {
		return nil
	}
	return value
}

// boundedBody is the body of a response within the limits of size and time. If
// reading fails while the proxy passes it on, the proxy aborts the response.
type boundedBody struct {
	io.ReadCloser
	ctx      context.Context
	cancel   context.CancelFunc
	left     int64
	response *http.Response
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, idp.BadGateway("the identity provider's response is too large")
	case err == nil || err == io.EOF:
		return n, err
	case b.ctx.Err() != nil:
		return n, idp.GatewayTimeout()
	}
	return n, idp.BadGateway("the identity provider's response was cut off")
}

// Close implements io.Closer. It drops the trailers.
func (b *boundedBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel()
	b.response.Trailer = nil
	return err
}

// ProxyProtocolEnabled passes on the wrapped transport's setting.
func (t *transport) ProxyProtocolEnabled() bool {
	wrapped, ok := t.RoundTripper.(reverseproxy.ProxyProtocolTransport)
	return ok && wrapped.ProxyProtocolEnabled()
}

// Interface guards
var (
	_ http.RoundTripper                   = (*transport)(nil)
	_ reverseproxy.ProxyProtocolTransport = (*transport)(nil)
)
