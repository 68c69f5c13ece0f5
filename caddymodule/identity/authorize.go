package identity

import (
	"errors"
	"net/http"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveAuthorize checks an authorization request and sends it to the IdP.
func (g *Gateway) serveAuthorize(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	request, err := g.policy.ParseAuthorize(r.URL.RawQuery)
	d.ClientID = g.policy.Registered(request.ClientID)
	format := negotiate(r.Header)
	if err != nil {
		return g.rejectAuthorize(w, r, d, &request, err, format)
	}
	g.noteLeftOut(&request)
	if err := g.policy.Reachable(idp.Authorize); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	sealing, err := g.sealing(r)
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	if err := sealing.CheckCallback(&request); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	g.noteCallback(r, sealing)
	if format.result != "" {
		return g.serveResult(w, r, d, &request, sealing, format.result)
	}
	if g.policy.NeedsConsent(&request) {
		return g.askForConsent(w, r, d, &request, sealing)
	}
	return g.sendToIdP(w, r, d, &request, sealing, format, http.StatusFound)
}

// sendToIdP sends a checked request on, in the browser or through the proxy. status is
// that of a redirect.
func (g *Gateway) sendToIdP(w http.ResponseWriter, r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, sealing idp.Sealing, format format, status int) error {
	if err := g.push(r, d, request, sealing, false); err != nil {
		return g.rejectAuthorize(w, r, d, request, err, format)
	}
	if g.isProxied() {
		return g.forwardFront(w, r, d, idp.Authorize, g.policy.AuthorizeQuery(request, sealing), format)
	}
	g.pass(d)
	return redirect(w, status, g.policy.AuthorizeURL(request, sealing))
}

// rejectAuthorize tells the client of an error at its redirect URI, where that may be
// done, or else whoever sent the request.
func (g *Gateway) rejectAuthorize(w http.ResponseWriter, r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, err error, format format) error {
	if errors.Is(err, errClientGone) {
		return g.reject(w, r, d, err)
	}
	e := idp.AsError(err)
	if page, ok := request.RedirectError(e); ok && format.result == "" {
		g.refuse(w, r, d, e)
		return writePage(w, page)
	}
	return g.rejectFront(w, r, d, request.WithWayBack(e), format)
}

// noteLeftOut tells the operator once for each client and configuration that a parameter
// does not reach the IdP.
func (g *Gateway) noteLeftOut(request *idp.AuthorizeRequest) {
	if request.LeftOut == "" {
		return
	}
	if _, noted := g.leftOut.LoadOrStore(request.ClientID, true); noted { // only a registered client has lists
		return
	}
	g.logger.Warn("a parameter of /authorize is not sent on, because this client has a list of audiences or scopes, which other names could go around; "+
		"if it is harmless, allow it in the client's block: parameter <names...>",
		zap.String("client", request.ClientID), zap.String("parameter", request.LeftOut))
}

// redirect responds with 302, or with 303 to a POST: browsers follow both with GET
// (RFC 9700 section 4.12: never 307).
func redirect(w http.ResponseWriter, status int, location string) error {
	header := w.Header()
	header.Set("Location", location)
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return nil
}

func writePage(w http.ResponseWriter, page idp.Page) error {
	header := w.Header()
	for name, values := range page.Header {
		header[name] = values
	}
	w.WriteHeader(page.Status)
	_, _ = w.Write(page.Body) // as in writeJSON
	return nil
}
