package identity

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// exchange is a request to the IdP and its answer, on their way through Caddy's
// proxy. It is built from checked values only, and travels in the request's
// context to the transport, which judges the answer.
//
// The small things that a request needs on its way are fields, so that they
// are allocated together.
type exchange struct {
	endpoint idp.Endpoint
	url      url.URL
	header   http.Header
	body     []byte
	// host is the gateway's name as the browser knows it, on the front channel.
	host string
	// walk receives the answer of a step on the way to a ResultedPKCE.
	walk *walkAnswer

	// reservation is the ledger's, if reserved, until it is settled.
	reservation       ledger.Reservation
	reserved, settled bool
	// sent reports that the IdP may have received the request.
	sent bool
	// fault is why the answer was replaced by one of the gateway's.
	fault *idp.Error
	// answer holds the IdP's answer.
	answer *bytes.Buffer

	client   exchangeContext
	detached detachedContext
	outgoing bytes.Reader
	upload   io.ReadCloser // reads outgoing
	incoming readerBody
	limited  io.LimitedReader
	values   [8]string
	used     int
}

// newExchange prepares a request to an endpoint of the IdP.
func (g *Gateway) newExchange(endpoint idp.Endpoint, r *http.Request) *exchange {
	x := &exchange{endpoint: endpoint, header: make(http.Header)}
	x.url.Path = g.policy.IdPPath(endpoint)
	idp.CopyRequestHeader(x.header, r.Header, endpoint)
	if g.asksForIdentity {
		x.setHeader("Accept-Encoding", "identity")
	}
	// Caddy's proxy adds forwarding headers unless they are there without a value.
	x.setHeader("X-Forwarded-For", clientIP(r))
	if !g.isProxied() {
		x.header["X-Forwarded-Host"] = nil
		x.header["X-Forwarded-Proto"] = nil
	}
	return x
}

// setHeader sets a header field, at most as many as values has room for.
func (x *exchange) setHeader(name, value string) {
	x.values[x.used] = value
	x.used++
	x.header[name] = x.values[x.used-1 : x.used : x.used]
}

// request is x as the proxy takes it, in the place of the client's request.
func (x *exchange) request(r *http.Request) *http.Request {
	x.client = exchangeContext{r.Context(), x}
	request := r.WithContext(&x.client)
	request.URL, request.Header = &x.url, x.header
	request.Trailer, request.TransferEncoding = nil, nil
	request.Body, request.ContentLength = http.NoBody, int64(len(x.body))
	if len(x.body) > 0 {
		x.outgoing.Reset(x.body)
		x.upload = io.NopCloser(&x.outgoing)
		request.Body = x.upload
	}
	return request
}

// attempt is the proxy's request r with the body as the HTTP transport likes it
// best: one that it knows to be in memory it sends in one packet with the
// header. What Caddy wraps around a body hides that.
func (x *exchange) attempt(ctx context.Context, r *http.Request) *http.Request {
	r = r.WithContext(ctx)
	if r.Body != nil && len(x.body) > 0 {
		x.outgoing.Reset(x.body)
		r.Body = x.upload
	}
	return r
}

// exchangeOf is the exchange that a request belongs to, nil for a health check.
func exchangeOf(r *http.Request) *exchange {
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	return x
}

// exchangeKey is the context key of an *exchange.
type exchangeKey struct{}

// exchangeContext is a client's context with the exchange in it.
type exchangeContext struct {
	context.Context
	exchange *exchange
}

// Value implements context.Context.
func (c *exchangeContext) Value(key any) any {
	if key == (exchangeKey{}) {
		return c.exchange
	}
	return c.Context.Value(key)
}

// detachedContext keeps the proxy from passing on the IdP's interim (1xx)
// answers, for which it uses a client trace, and, for a token request, from
// giving up when the client leaves: that would leave the ledger in doubt about
// the exchange.
type detachedContext struct {
	context.Context
	endpoint idp.Endpoint
}

// Value implements context.Context.
func (c *detachedContext) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(*httptrace.ClientTrace); ok {
		return nil
	}
	return value
}

// Done implements context.Context.
func (c *detachedContext) Done() <-chan struct{} {
	if c.endpoint == idp.Token {
		return nil
	}
	return c.Context.Done()
}

// Err implements context.Context.
func (c *detachedContext) Err() error {
	if c.endpoint == idp.Token {
		return nil
	}
	return c.Context.Err()
}

// Deadline implements context.Context.
func (c *detachedContext) Deadline() (time.Time, bool) {
	if c.endpoint == idp.Token {
		return time.Time{}, false
	}
	return c.Context.Deadline()
}

// detach makes the context of one attempt. A dial of the attempt before may
// still use the one that it got.
func (x *exchange) detach(ctx context.Context) *detachedContext {
	detached := &x.detached
	if detached.Context != nil {
		detached = new(detachedContext)
	}
	*detached = detachedContext{ctx, x.endpoint}
	return detached
}

// readerBody is a body in memory.
type readerBody struct{ bytes.Reader }

// Close implements io.Closer.
func (*readerBody) Close() error { return nil }

// clientIP is the client's address as Caddy's trusted_proxies option sees it.
func clientIP(r *http.Request) string {
	ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string)
	return ip
}
