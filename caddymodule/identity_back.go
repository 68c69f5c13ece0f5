package caddymodule

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// serveToken checks a token request, holds it to the ledger and proxies it.
func (g *IdentityGateway) serveToken(w http.ResponseWriter, r *http.Request) error {
	g.policy.SetCORS(w.Header(), r.Header["Origin"], "")
	body, fault := g.readBody(r)
	if fault != nil {
		return g.refuse(w, idp.Token, fault)
	}
	request, fault := g.policy.ParseToken(r.URL.RawQuery, r.Header, body)
	if fault != nil {
		return g.refuse(w, idp.Token, fault)
	}
	g.policy.SetCORS(w.Header(), r.Header["Origin"], request.ClientID)

	out := outbound{endpoint: idp.Token, header: make(http.Header, 8), path: g.policy.IdPPath(idp.Token)}
	if request.Grant == idp.AuthorizationCode && g.ledger != nil {
		out.reservation, out.reserved, fault = g.reserve(r.Context(), &request)
		if fault != nil {
			return g.refuse(w, idp.Token, fault)
		}
	}
	idp.CopyRequestHeader(out.header, r.Header, idp.Token)
	out.header["Accept"] = []string{"application/json"}
	out.header["Content-Type"] = []string{"application/x-www-form-urlencoded"}
	if request.Basic {
		out.header["Authorization"] = r.Header["Authorization"]
	}
	out.body = request.AppendForm(make([]byte, 0, len(body)+16))
	return g.proxyBack(w, r, out)
}

// serveUserInfo checks a userinfo request and proxies it.
func (g *IdentityGateway) serveUserInfo(w http.ResponseWriter, r *http.Request) error {
	g.policy.SetCORS(w.Header(), r.Header["Origin"], "")
	request, fault := g.policy.ParseUserInfo(r.URL.RawQuery, r.Header, r.ContentLength != 0)
	if fault != nil {
		return g.refuse(w, idp.UserInfo, fault)
	}
	out := outbound{endpoint: idp.UserInfo, header: make(http.Header, 8), path: g.policy.IdPPath(idp.UserInfo)}
	idp.CopyRequestHeader(out.header, r.Header, idp.UserInfo)
	out.header["Accept"] = []string{"application/json"}
	out.header["Authorization"] = []string{"Bearer " + request.Token}
	return g.proxyBack(w, r, out)
}

// bodies are buffers for request bodies and answers.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooledBody keeps a rare large body from staying in memory.
const maxPooledBody = 64 << 10

func putBody(b *bytes.Buffer) {
	if b.Cap() <= maxPooledBody {
		b.Reset()
		bodies.Put(b)
	}
}

// readBody reads a request body to its end, within the limit.
func (g *IdentityGateway) readBody(r *http.Request) (string, *idp.Error) {
	if r.ContentLength > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	buffer := bodies.Get().(*bytes.Buffer)
	defer putBody(buffer)
	if _, err := buffer.ReadFrom(io.LimitReader(r.Body, g.MaxRequestBody+1)); err != nil {
		return "", idp.Unreadable()
	}
	if int64(buffer.Len()) > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	return buffer.String(), nil
}

// reserve takes the ledger's permission for one exchange.
func (g *IdentityGateway) reserve(ctx context.Context, request *idp.TokenRequest) (ledger.Reservation, bool, *idp.Error) {
	reservation, err := g.ledger.begin(ctx, request.Login(), request.Code)
	if err != nil {
		return reservation, false, g.refuseLedger(err)
	}
	return reservation, true, nil
}

// refuseLedger turns an error of the ledger into the answer, and logs it if it
// is the ledger's own failure.
func (g *IdentityGateway) refuseLedger(err error) *idp.Error {
	fault := idp.RefuseLedger(err)
	if fault.Code == idp.TemporarilyUnavailable {
		g.metrics.ledgerFailures.Inc()
		g.logger.Error("login refused: the ledger failed", zap.Error(err))
	}
	return fault
}

// outbound is a request to the IdP, built from checked values only.
type outbound struct {
	endpoint      idp.Endpoint
	header        http.Header
	path, rawPath string
	query         string
	body          []byte
	// reservation is the ledger's, if reserved.
	reservation ledger.Reservation
	reserved    bool
	// walk receives the answer of a step on the way to a ResultedPKCE.
	walk *walkAnswer
}

// exchange is an outbound request on its way through Caddy's proxy. It travels
// in the request's context to the transport, which judges the answer.
type exchange struct {
	outbound
	// host is the gateway's name as the client knows it.
	host string
	// sent reports that the IdP may have received the request.
	sent bool
	// granted reports that the IdP gave a token and the ledger knows it.
	granted bool
	// fault is why the answer was replaced by one of the gateway's.
	fault *idp.Error
	// answer holds the IdP's answer.
	answer *bytes.Buffer
}

// exchangeKey is the context key of an *exchange.
type exchangeKey struct{}

// proxyBack forwards a request of the back channel.
func (g *IdentityGateway) proxyBack(w http.ResponseWriter, r *http.Request, out outbound) error {
	if fault := g.forward(w, r, out); fault != nil {
		return g.refuse(w, out.endpoint, fault)
	}
	return nil
}

// proxyFront forwards a request of the front channel.
func (g *IdentityGateway) proxyFront(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint, query string) error {
	out := outbound{endpoint: endpoint, header: make(http.Header, 8), path: g.policy.IdPPath(endpoint), query: query}
	idp.CopyRequestHeader(out.header, r.Header, endpoint)
	if fault := g.forward(w, r, out); fault != nil {
		return g.refuseFront(w, r, endpoint, fault)
	}
	return nil
}

// forward sends out through the reverse proxy and its answer to w. An error is
// returned if nothing was written to w. A reservation is settled in any case.
func (g *IdentityGateway) forward(w http.ResponseWriter, r *http.Request, out outbound) *idp.Error {
	x := &exchange{outbound: out, host: hostname(r), answer: bodies.Get().(*bytes.Buffer)}
	defer func() {
		if x.reserved && !x.granted {
			x.reservation.Release(r.Context())
		}
		putBody(x.answer)
	}()

	// Caddy's proxy adds forwarding headers unless they are there without a value.
	out.header["X-Forwarded-For"] = []string{clientIP(r)}
	if !g.isProxied() {
		out.header["X-Forwarded-Host"] = nil
		out.header["X-Forwarded-Proto"] = nil
	}
	request := r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	request.URL = &url.URL{Path: out.path, RawPath: out.rawPath, RawQuery: out.query}
	request.Header, request.Trailer, request.TransferEncoding = out.header, nil, nil
	request.Body, request.ContentLength = http.NoBody, int64(len(out.body))
	if len(out.body) > 0 {
		request.Body = io.NopCloser(bytes.NewReader(out.body))
	}
	err := g.Upstream.ServeHTTP(w, request, noNext)
	if x.fault != nil {
		g.metrics.count(out.endpoint, x.fault.Code)
		g.logFault(out.endpoint, x.fault)
	} else if err == nil && (out.endpoint == idp.Token || out.endpoint == idp.UserInfo) {
		g.metrics.pass(out.endpoint)
	}
	if err == nil {
		return nil
	}
	fault := faultOf(err)
	g.logger.Error("no answer from the identity provider",
		zap.Stringer("endpoint", out.endpoint), zap.Int("status", fault.Status), zap.Error(scrubbed{err}))
	return fault
}

// logFault reports an answer of the IdP that was not passed on.
func (g *IdentityGateway) logFault(endpoint idp.Endpoint, fault *idp.Error) {
	if fault.Status >= 500 {
		g.logger.Error("answer of the identity provider not passed on",
			zap.Stringer("endpoint", endpoint), zap.String("reason", fault.Description))
	}
}

// faultOf translates an error of Caddy's proxy.
func faultOf(err error) *idp.Error {
	status := http.StatusBadGateway
	if handlerErr, ok := err.(caddyhttp.HandlerError); ok {
		status = handlerErr.StatusCode
	}
	switch status {
	case http.StatusGatewayTimeout:
		return idp.GatewayTimeout()
	case http.StatusServiceUnavailable:
		return idp.Unavailable("no identity provider is available at the moment; try again later", 5)
	}
	return idp.BadGateway("the identity provider could not be reached")
}

// scrubbed is an error whose text has no URL query, where a transport's error
// may repeat what was requested.
type scrubbed struct{ error }

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

// noNext ends the chain behind the proxy, for the case that the operator's
// handle_response routes do not answer.
var noNext = caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil })

// clientIP is the client's address as Caddy's trusted_proxies option sees it.
func clientIP(r *http.Request) string {
	ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string)
	return ip
}

// withoutInterim is a context that keeps the proxy from passing on the IdP's
// interim (1xx) answers, for which it uses a client trace.
type withoutInterim struct{ context.Context }

// Value implements context.Context.
func (c withoutInterim) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(*httptrace.ClientTrace); ok {
		return nil
	}
	return value
}
