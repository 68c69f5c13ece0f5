package identity

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveToken checks a token request, holds it to the ledger and proxies it.
func (g *Gateway) serveToken(w http.ResponseWriter, r *http.Request) error {
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

	x := g.newExchange(idp.Token, r)
	if request.Grant == idp.AuthorizationCode && g.ledger != nil {
		reservation, err := g.ledger.begin(r.Context(), request.Login(), request.Code)
		if err != nil {
			return g.refuse(w, idp.Token, g.refuseLedger(err))
		}
		x.reservation, x.reserved = reservation, true
	}
	x.setHeader("Accept", "application/json")
	x.setHeader("Content-Type", "application/x-www-form-urlencoded")
	if request.Basic {
		x.header["Authorization"] = r.Header["Authorization"]
	}
	x.body = request.AppendForm(make([]byte, 0, len(body)+16))
	return g.proxyBack(w, r, x)
}

// serveUserInfo checks a userinfo request and proxies it.
func (g *Gateway) serveUserInfo(w http.ResponseWriter, r *http.Request) error {
	g.policy.SetCORS(w.Header(), r.Header["Origin"], "")
	request, fault := g.policy.ParseUserInfo(r.URL.RawQuery, r.Header, r.ContentLength != 0)
	if fault != nil {
		return g.refuse(w, idp.UserInfo, fault)
	}
	x := g.newExchange(idp.UserInfo, r)
	x.setHeader("Accept", "application/json")
	x.setHeader("Authorization", request.Authorization())
	return g.proxyBack(w, r, x)
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
func (g *Gateway) readBody(r *http.Request) (string, *idp.Error) {
	if r.ContentLength > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	buffer := bodies.Get().(*bytes.Buffer)
	defer putBody(buffer)
	if _, err := buffer.ReadFrom(io.LimitReader(r.Body, g.MaxRequestBody+1)); err != nil {
		var tooLarge *http.MaxBytesError // of Caddy's request_body directive
		if errors.As(err, &tooLarge) {
			return "", idp.TooLarge(tooLarge.Limit)
		}
		return "", idp.Unreadable()
	}
	if int64(buffer.Len()) > g.MaxRequestBody {
		return "", idp.TooLarge(g.MaxRequestBody)
	}
	return buffer.String(), nil
}

// refuseLedger turns an error of the ledger into the answer, and logs it if it
// is the ledger's own failure.
func (g *Gateway) refuseLedger(err error) *idp.Error {
	fault := idp.RefuseLedger(err)
	if fault.Code == idp.TemporarilyUnavailable {
		g.metrics.ledgerFailures.Inc()
		g.logger.Error("login refused: the ledger failed", zap.Error(err))
	}
	return fault
}

// proxyBack forwards a request of the back channel.
func (g *Gateway) proxyBack(w http.ResponseWriter, r *http.Request, x *exchange) error {
	if fault := g.forward(w, r, x); fault != nil {
		return g.refuse(w, x.endpoint, fault)
	}
	return nil
}

// proxyFront forwards a request of the front channel.
func (g *Gateway) proxyFront(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint, query string) error {
	x := g.newExchange(endpoint, r)
	x.url.RawQuery, x.host = query, hostname(r)
	if fault := g.forward(w, r, x); fault != nil {
		return g.refuseFront(w, r, endpoint, fault)
	}
	return nil
}

// forward sends x through the reverse proxy and its answer to w. An error is
// returned if nothing was written to w. A reservation is settled in any case.
func (g *Gateway) forward(w http.ResponseWriter, r *http.Request, x *exchange) *idp.Error {
	x.answer = bodies.Get().(*bytes.Buffer)
	defer func() {
		if x.reserved && !x.settled {
			x.reservation.Release(r.Context())
		}
		putBody(x.answer)
	}()
	err := g.Upstream.ServeHTTP(w, x.request(r), noNext)
	if x.fault != nil {
		g.metrics.count(x.endpoint, x.fault.Code)
		g.logFault(x.endpoint, x.fault)
	} else if err == nil && (x.endpoint == idp.Token || x.endpoint == idp.UserInfo) {
		g.metrics.pass(x.endpoint)
	}
	if err == nil {
		return nil
	}
	fault := faultOf(err)
	g.logger.Error("no answer from the identity provider",
		zap.Stringer("endpoint", x.endpoint), zap.Int("status", fault.Status), zap.Error(scrubbed{err}))
	return fault
}

// logFault reports an answer of the IdP that was not passed on.
func (g *Gateway) logFault(endpoint idp.Endpoint, fault *idp.Error) {
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
		return idp.Unavailable("no identity provider is available at the moment; try again later", "5")
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
