package identity

import (
	"net/http"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveAuthorize checks and remembers an authorization request and sends it on.
func (g *Gateway) serveAuthorize(w http.ResponseWriter, r *http.Request) error {
	request, fault := g.policy.ParseAuthorize(r.URL.RawQuery)
	as := idp.NegotiateResult(r.Header["Accept"])
	if fault != nil {
		// A client that wants the result itself wants the error itself, too.
		if page, ok := request.RedirectError(fault); ok && as == "" {
			g.noteRefusal(idp.Authorize, fault)
			return writePage(w, page)
		}
		return g.refuseFront(w, r, idp.Authorize, fault)
	}
	if g.ledger != nil {
		if err := g.ledger.remember(r.Context(), request.Login()); err != nil {
			return g.refuseFront(w, r, idp.Authorize, g.refuseLedger(err))
		}
	}
	if as != "" {
		return g.serveResult(w, r, &request, as)
	}
	g.metrics.pass(idp.Authorize)
	if g.isProxied() {
		return g.proxyFront(w, r, idp.Authorize, string(request.AppendQuery(nil)))
	}
	return redirect(w, g.policy.AuthorizeURL(&request))
}

// serveLogout checks a logout request and sends it on.
func (g *Gateway) serveLogout(w http.ResponseWriter, r *http.Request) error {
	request, fault := g.policy.ParseLogout(r.URL.RawQuery)
	if fault != nil {
		return g.refuseFront(w, r, idp.Logout, fault)
	}
	g.metrics.pass(idp.Logout)
	if g.isProxied() {
		return g.proxyFront(w, r, idp.Logout, string(request.AppendQuery(nil)))
	}
	return redirect(w, g.policy.LogoutURL(&request))
}

// redirect answers 302, which browsers follow with GET whatever came before
// (RFC 9700 section 4.12: never 307).
func redirect(w http.ResponseWriter, location string) error {
	values := [...]string{location, "no-store"}
	header := w.Header()
	header["Location"] = values[0:1:1]
	header["Cache-Control"] = values[1:2:2]
	w.WriteHeader(http.StatusFound)
	return nil
}

// refuseFront answers with an error: a page for browsers, JSON for the others.
func (g *Gateway) refuseFront(w http.ResponseWriter, r *http.Request, endpoint idp.Endpoint, fault *idp.Error) error {
	if !idp.WantsPage(r.Header["Accept"]) {
		return g.refuse(w, endpoint, fault)
	}
	g.noteRefusal(endpoint, fault)
	return writePage(w, idp.ErrorPage(fault))
}

func writePage(w http.ResponseWriter, page idp.Page) error {
	header := w.Header()
	for name, values := range page.Header {
		header[name] = values
	}
	w.WriteHeader(page.Status)
	_, err := w.Write(page.Body)
	return err
}

// serveResult follows an authorization request at the IdP for a client that
// asks for the result itself, the contract's ResultedPKCE.
func (g *Gateway) serveResult(w http.ResponseWriter, r *http.Request, request *idp.AuthorizeRequest, as idp.ResultType) error {
	result, fault := g.walk(r, request)
	if fault != nil {
		return g.refuse(w, idp.Authorize, fault)
	}
	g.metrics.pass(idp.Authorize)
	header := w.Header()
	header.Set("Content-Type", string(as))
	header.Set("X-Content-Type-Options", "nosniff")
	idp.SetNoStore(header)
	_, err := w.Write(result.Append(nil, as))
	return err
}

// walk makes the requests of an [idp.Walk] through the proxy, with the cookies
// of this walk only.
func (g *Gateway) walk(r *http.Request, request *idp.AuthorizeRequest) (*idp.Result, *idp.Error) {
	walk, fault := g.policy.NewWalk(request)
	if fault != nil {
		return nil, fault
	}
	cookies := newCookieJar()
	for {
		answer := new(walkAnswer)
		x := g.newExchange(idp.Authorize, r)
		x.url = url.URL{Path: walk.URL().Path, RawPath: walk.URL().RawPath, RawQuery: walk.URL().RawQuery}
		x.walk = answer
		x.setHeader("Accept", "text/html")
		delete(x.header, "Cookie")
		for _, cookie := range cookies.Cookies(walk.URL()) {
			(&http.Request{Header: x.header}).AddCookie(cookie)
		}
		if fault := g.forward(discardWriter{}, r, x); fault != nil {
			return nil, fault
		}
		cookies.SetCookies(walk.URL(), (&http.Response{Header: answer.header}).Cookies())
		result, fault := walk.Next(answer.status, answer.header)
		if result != nil || fault != nil {
			return result, fault
		}
	}
}

// walkAnswer is what a walk needs of an answer. The transport takes it before
// Caddy's proxy sees it, so that the code in it gets into no log.
type walkAnswer struct {
	header http.Header
	status int
}

// discardWriter takes what is left of such an answer.
type discardWriter struct{}

func (discardWriter) Header() http.Header         { return make(http.Header) }
func (discardWriter) WriteHeader(int)             {}
func (discardWriter) Write(b []byte) (int, error) { return len(b), nil }
