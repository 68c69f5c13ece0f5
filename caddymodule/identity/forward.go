package identity

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// call is a request to the IdP, built from checked values only, and its outcome.
// In the context of the request it passes through Caddy's reverse proxy to
// [transport].
type call struct {
	endpoint idp.Endpoint
	// decision is the record of the client's request.
	decision *decision.Decision
	// target is where the endpoint is: its scheme and host. url is what is asked for there.
	target *url.URL
	url    url.URL
	header http.Header
	body   []byte
	// modifyResponse changes the IdP's response before the proxy sees it. If it
	// fails, the error replaces the response.
	modifyResponse func(*http.Response) error

	outcome outcome
}

// outcome is what [transport] reports about a call.
type outcome struct {
	// sent: the IdP may have received the request.
	sent bool
	// responded: a response of the IdP, or err in its place, goes to the client.
	responded bool
	// err replaced the IdP's response.
	err error
}

// newCall prepares a call for a request of a client.
func (g *Gateway) newCall(endpoint idp.Endpoint, d *decision.Decision, r *http.Request) *call {
	c := &call{endpoint: endpoint, decision: d, target: g.policy.EndpointURL(endpoint), header: make(http.Header)}
	c.url = url.URL{Path: c.target.Path, RawPath: c.target.RawPath, RawQuery: c.target.RawQuery}
	idp.CopyRequestHeader(c.header, r.Header, endpoint)
	if g.asksForIdentity {
		c.header.Set("Accept-Encoding", "identity")
	}
	// Caddy's proxy adds forwarding headers unless they are there without a value.
	c.header.Set("X-Forwarded-For", clientIP(r))
	if !g.isProxied() {
		c.header["X-Forwarded-Host"] = nil
		c.header["X-Forwarded-Proto"] = nil
	}
	return c
}

// newFormCall prepares a call that sends a form, and how the client or the gateway
// authenticates.
func (g *Gateway) newFormCall(endpoint idp.Endpoint, d *decision.Decision, r *http.Request, upstream idp.TokenCall) *call {
	c := g.newCall(endpoint, d, r)
	c.header.Set("Accept", "application/json")
	c.header.Set("Content-Type", "application/x-www-form-urlencoded")
	if upstream.Authorization != "" {
		c.header.Set("Authorization", upstream.Authorization)
	}
	c.body = upstream.Form
	return c
}

// callKey is the context key of a *call.
type callKey struct{}

// request replaces the client's request r on its way through the proxy.
func (c *call) request(r *http.Request) *http.Request {
	request := r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	request.URL, request.Header = &c.url, c.header
	request.Trailer, request.TransferEncoding = nil, nil
	request.Body, request.ContentLength = c.newBody(), int64(len(c.body))
	return request
}

// newBody is a reader of the body. An HTTP transport that finds a bytes.Reader
// sends header and body in one packet.
func (c *call) newBody() io.ReadCloser {
	if len(c.body) == 0 {
		return http.NoBody
	}
	return io.NopCloser(bytes.NewReader(c.body))
}

// forwardBack forwards a call of the back channel. Its response is read as a
// whole and passes if check accepts it, as check leaves it.
func (g *Gateway) forwardBack(w http.ResponseWriter, r *http.Request, c *call, check func(*idp.Response) error) error {
	c.modifyResponse = func(response *http.Response) error {
		content, err := readAll(body.OfResponse(response), response.ContentLength)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		checked := idp.Response{Status: response.StatusCode, Header: response.Header, Body: content}
		if err := check(&checked); err != nil {
			return err
		}
		idp.FilterBackResponse(checked.Header)
		setResponse(response, checked.Status, checked.Header, checked.Body)
		return nil
	}
	if err := g.forward(w, r, c); err != nil {
		return g.reject(w, r, c.decision, err)
	}
	g.noteOutcome(r, c)
	return nil
}

// readAll reads a body. Memory for its declared length, in bytes (-1 if unknown), is
// allocated at once, up to a limit: 1 KB and 4 allocations less than [io.ReadAll] in
// BenchmarkGateway.
func readAll(src io.Reader, declared int64) ([]byte, error) {
	const limit = 8 << 10
	return body.Append(make([]byte, 0, min(max(declared, 0), limit)+bytes.MinRead), src)
}

// forwardFront forwards a request of the front channel. Its response passes as it
// arrives.
func (g *Gateway) forwardFront(w http.ResponseWriter, r *http.Request, d *decision.Decision, endpoint idp.Endpoint, query string, format format) error {
	c := g.newCall(endpoint, d, r)
	c.url.RawQuery = query
	c.modifyResponse = func(response *http.Response) error {
		idp.FilterFrontResponse(response.Header, hostname(r))
		return nil
	}
	if err := g.forward(w, r, c); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	g.noteOutcome(r, c)
	return nil
}

// forward sends c through the reverse proxy. The response, or the error that
// replaced it, goes to w. If forward fails, nothing was written to w, except
// decision.StatusClientGone with errClientGone.
func (g *Gateway) forward(w http.ResponseWriter, r *http.Request, c *call) error {
	proxy := g.Upstream
	if !g.policy.IsAuthURL(c.target) {
		proxy = g.otherHosts
	}
	err := proxy.ServeHTTP(w, c.request(r), noNext)
	if !c.outcome.responded && r.Context().Err() != nil {
		if err != nil { // otherwise the proxy has
			w.WriteHeader(decision.StatusClientGone)
		}
		return errClientGone
	}
	if err == nil {
		return nil
	}
	e := proxyError(err)
	g.logger.Error("no response from the identity provider", zap.String("reference", c.decision.Reference()),
		zap.Stringer("endpoint", c.endpoint), zap.Int("status", e.Status), zap.Error(scrubbed{err}))
	return e
}

// errClientGone: the client left before there was anything to respond with.
var errClientGone = errors.New("the client has closed the connection")

// noteOutcome notes a call whose response went to the client. An error that
// replaced the IdP's response is logged, too.
func (g *Gateway) noteOutcome(r *http.Request, c *call) {
	if c.outcome.err == nil {
		g.pass(c.decision)
		return
	}
	g.noteRefusal(r, c.decision)
	if e := c.decision.Refusal; e.Status >= 500 {
		g.logger.Error("response of the identity provider not passed on", zap.String("reference", c.decision.Reference()),
			zap.Stringer("endpoint", c.endpoint), zap.String("rule", e.Description))
	}
}

// proxyError is the response to an error of Caddy's proxy.
func proxyError(err error) *idp.Error {
	status := http.StatusBadGateway
	var handlerErr caddyhttp.HandlerError
	if errors.As(err, &handlerErr) {
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

// scrubbed is an error without the URL queries in its text. Errors of a transport
// may contain them.
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

// noNext is the handler after the proxy, in case the operator's handle_response
// routes call it.
var noNext = caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil })

// clientIP is the client's address according to Caddy's trusted_proxies option.
func clientIP(r *http.Request) string {
	ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string)
	return ip
}

// hostname is the name under which the client knows the gateway.
func hostname(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return r.Host
}
