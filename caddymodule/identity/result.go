package identity

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveResult follows an authorization request at the IdP for a client that wants
// the result itself, the contract's ResultedPKCE.
func (g *Gateway) serveResult(w http.ResponseWriter, r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, sealing idp.Sealing, as idp.ResultType) error {
	result, err := g.walk(r, d, request, sealing)
	if errors.Is(err, errClientGone) {
		w.WriteHeader(decision.StatusClientGone)
	}
	if err != nil {
		return g.reject(w, r, d, err)
	}
	g.pass(d)
	header := w.Header()
	header.Set("Content-Type", string(as))
	header.Set("X-Content-Type-Options", "nosniff")
	idp.SetNoStore(header)
	_, err = w.Write(result.Append(nil, as))
	return err
}

// walk makes the requests of an [idp.Walk] through the proxy. It has cookies of
// its own.
func (g *Gateway) walk(r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, sealing idp.Sealing) (*idp.Result, error) {
	if !g.policy.NeedsConsent(request) {
		if err := g.push(r, d, request, sealing, true); err != nil {
			return nil, err
		}
	}
	walk, err := g.policy.NewWalk(request, sealing)
	if err != nil {
		return nil, err
	}
	cookies, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	for {
		var status int
		var header http.Header
		c := g.newCall(idp.Authorize, d, r)
		c.url = url.URL{Path: walk.URL().Path, RawPath: walk.URL().RawPath, RawQuery: walk.URL().RawQuery}
		c.header.Set("Accept", "text/html")
		c.header.Del("Cookie")
		for _, cookie := range cookies.Cookies(walk.URL()) {
			(&http.Request{Header: c.header}).AddCookie(cookie)
		}
		// The proxy gets an empty response, so that the code reaches no log.
		c.modifyResponse = func(response *http.Response) error {
			status, header = response.StatusCode, response.Header
			_ = response.Body.Close()
			setResponse(response, http.StatusNoContent, make(http.Header), nil)
			return nil
		}
		if err := g.forward(discardWriter{}, r, c); err != nil {
			return nil, err
		}
		if c.outcome.err != nil {
			return nil, c.outcome.err
		}
		cookies.SetCookies(walk.URL(), (&http.Response{Header: header}).Cookies())
		result, err := walk.Next(status, header)
		if result != nil || err != nil {
			return result, err
		}
	}
}

// discardWriter takes the empty responses.
type discardWriter struct{}

func (discardWriter) Header() http.Header         { return make(http.Header) }
func (discardWriter) WriteHeader(int)             {}
func (discardWriter) Write(b []byte) (int, error) { return len(b), nil }
