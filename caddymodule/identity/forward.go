package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strconv"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// maxAnswerHeader bounds the header of an IdP's answer, in bytes, unless the
// operator's transport sets max_response_header.
const maxAnswerHeader = 64 << 10

// provisionUpstream sets up the reverse proxy to the IdP: the operator's, with
// what it leaves open taken from the IdP's address.
func (g *Gateway) provisionUpstream(ctx caddy.Context) error {
	if g.Upstream == nil {
		g.Upstream = new(reverseproxy.Handler)
	}
	proxy := g.Upstream
	if len(proxy.Upstreams) == 0 && proxy.DynamicUpstreamsRaw == nil {
		if err := defaultUpstream(proxy, g.policy); err != nil {
			return fmt.Errorf("upstream: %w", err)
		}
	}
	if err := proxy.Provision(ctx); err != nil {
		return fmt.Errorf("upstream: %w", err)
	}
	g.proxied = true
	if transport, ok := proxy.Transport.(*reverseproxy.HTTPTransport); ok && transport.Transport != nil {
		transport.Transport.DisableCompression = true
		if transport.MaxResponseHeaderSize == 0 {
			transport.Transport.MaxResponseHeaderBytes = maxAnswerHeader
		}
	} else {
		g.asksForIdentity = true
	}
	keepHost := false
	if proxy.Headers != nil && proxy.Headers.Request != nil {
		_, keepHost = proxy.Headers.Request.Set["Host"]
	}
	judge := &judgingTransport{
		RoundTripper: proxy.Transport,
		maxAnswer:    g.MaxAnswer,
		timeout:      time.Duration(g.AnswerTimeout),
		refuseLedger: g.refuseLedger,
	}
	if !keepHost {
		judge.host = g.policy.AuthURL().Host
	}
	proxy.Transport = judge
	return nil
}

// defaultUpstream makes the IdP's host the upstream, with TLS if its address is https.
func defaultUpstream(proxy *reverseproxy.Handler, policy *idp.Policy) error {
	u := policy.AuthURL()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	proxy.Upstreams = reverseproxy.UpstreamPool{{Dial: net.JoinHostPort(u.Hostname(), port)}}
	if u.Scheme != "https" {
		return nil
	}
	transport := map[string]json.RawMessage{"protocol": caddyconfig.JSON("http", nil)}
	if proxy.TransportRaw != nil {
		if err := json.Unmarshal(proxy.TransportRaw, &transport); err != nil {
			return fmt.Errorf("transport: %w", err)
		}
	}
	if _, ok := transport["tls"]; !ok && string(transport["protocol"]) == `"http"` {
		transport["tls"] = json.RawMessage(`{}`)
	}
	proxy.TransportRaw = caddyconfig.JSON(transport, nil)
	return nil
}

// judgingTransport stands between Caddy's proxy and its transport. It sends a
// token request at most once and lets through only answers that the policy
// accepts; others it replaces.
type judgingTransport struct {
	http.RoundTripper
	// host is the IdP's, "" to leave it to the operator's header_up.
	host      string
	maxAnswer int64
	timeout   time.Duration
	// refuseLedger answers for a ledger that failed.
	refuseLedger func(error) *idp.Error
}

// errSentOnce ends retries of a request that the IdP may have received.
var errSentOnce = errors.New("the token request was sent once and is not repeated")

// RoundTrip implements http.RoundTripper.
func (t *judgingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r)
	if x == nil {
		return t.RoundTripper.RoundTrip(r)
	}
	if x.endpoint == idp.Token && x.sent {
		return nil, errSentOnce
	}
	if t.host != "" {
		r.Host = t.host
	}
	ctx, cancel := context.WithTimeout(x.detach(r.Context()), t.timeout)
	if x.endpoint == idp.Authorize || x.endpoint == idp.Logout {
		return t.roundTripFront(r.WithContext(ctx), x, cancel)
	}
	defer cancel()
	answer, err := t.RoundTripper.RoundTrip(x.attempt(ctx, r))
	if err != nil {
		x.sent = !isDialError(err)
		return nil, err
	}
	x.sent = true
	defer answer.Body.Close()
	if x.fault = t.judge(ctx, x, answer); x.fault != nil {
		return replaced(answer, x), nil
	}
	idp.FilterBackAnswer(answer.Header)
	return withBody(answer, x, x.answer.Bytes()), nil
}

// isDialError reports that the IdP was not reached, so that nothing was sent.
func isDialError(err error) bool {
	var dialErr reverseproxy.DialError
	return errors.As(err, &dialErr)
}

// judge reads the answer of the back channel and decides on it.
func (t *judgingTransport) judge(ctx context.Context, x *exchange, answer *http.Response) *idp.Error {
	x.answer.Reset()
	x.limited = io.LimitedReader{R: answer.Body, N: t.maxAnswer + 1}
	if _, err := x.answer.ReadFrom(&x.limited); err != nil {
		if ctx.Err() != nil {
			return idp.GatewayTimeout()
		}
		return idp.BadGateway("the identity provider's answer was cut off")
	}
	if int64(x.answer.Len()) > t.maxAnswer {
		return idp.BadGateway("the identity provider's answer is too large")
	}
	got := idp.Answer{Status: answer.StatusCode, Header: answer.Header, Body: x.answer.Bytes()}
	if x.endpoint == idp.UserInfo {
		return idp.CheckUserInfoAnswer(got)
	}
	granted, fault := idp.CheckTokenAnswer(got)
	if fault != nil || !granted || !x.reserved {
		return fault
	}
	x.settled = true
	if err := x.reservation.Commit(ctx); err != nil {
		return t.refuseLedger(err) // the token is withheld
	}
	return nil
}

// replaced is the gateway's answer in the place of the IdP's.
func replaced(answer *http.Response, x *exchange) *http.Response {
	answer.StatusCode, answer.Status = x.fault.Status, ""
	answer.Header = make(http.Header, 8)
	x.fault.SetHeader(answer.Header)
	return withBody(answer, x, x.fault.AppendJSON(nil))
}

// withBody gives an answer a body that is complete and of known length.
func withBody(answer *http.Response, x *exchange, body []byte) *http.Response {
	if length := answer.Header["Content-Length"]; len(length) != 1 || answer.ContentLength != int64(len(body)) {
		answer.Header["Content-Length"] = []string{strconv.Itoa(len(body))}
		answer.ContentLength = int64(len(body))
	}
	answer.TransferEncoding, answer.Trailer = nil, nil
	x.incoming.Reset(body)
	answer.Body = &x.incoming
	return answer
}

// roundTripFront passes an answer of the proxied front channel on as it comes,
// within the limits of size and time. cancel ends it.
func (t *judgingTransport) roundTripFront(r *http.Request, x *exchange, cancel context.CancelFunc) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		cancel()
		return nil, err
	}
	body := &frontBody{ReadCloser: answer.Body, left: t.maxAnswer, answer: answer, cancel: cancel}
	if x.walk != nil {
		body.Close()
		x.walk.status, x.walk.header = answer.StatusCode, answer.Header
		answer.StatusCode, answer.Status, answer.Header = http.StatusNoContent, "", make(http.Header)
		return withBody(answer, x, nil), nil
	}
	if answer.StatusCode == http.StatusSwitchingProtocols {
		body.Close()
		x.fault = idp.BadGateway("the identity provider answered with another protocol")
		return replaced(answer, x), nil
	}
	answer.Body = body
	idp.FilterFrontAnswer(answer.Header, x.host)
	return answer, nil
}

// frontBody is the body of an answer on the front channel. It fails when more
// than its limit is read, upon which the proxy aborts the answer to the client.
type frontBody struct {
	io.ReadCloser
	left   int64
	answer *http.Response
	cancel context.CancelFunc
}

var errAnswerTooLarge = errors.New("the identity provider's answer is too large")

// Read implements io.Reader.
func (b *frontBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errAnswerTooLarge
	}
	return n, err
}

// Close implements io.Closer. The trailers that have come in end here.
func (b *frontBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel()
	b.answer.Trailer = nil
	return err
}

// ProxyProtocolEnabled keeps the proxy's view of the transport that is wrapped.
func (t *judgingTransport) ProxyProtocolEnabled() bool {
	wrapped, ok := t.RoundTripper.(reverseproxy.ProxyProtocolTransport)
	return ok && wrapped.ProxyProtocolEnabled()
}

// newCookieJar makes the cookie jar of one walk.
func newCookieJar() http.CookieJar {
	jar, _ := cookiejar.New(nil) // fails never
	return jar
}

// Interface guards
var (
	_ http.RoundTripper                   = (*judgingTransport)(nil)
	_ reverseproxy.ProxyProtocolTransport = (*judgingTransport)(nil)
)
