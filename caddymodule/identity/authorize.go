package identity

import (
	"errors"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveAuthorize checks an authorization request and sends it to the IdP.
func (g *Gateway) serveAuthorize(w http.ResponseWriter, r *http.Request) error {
	request, err := g.policy.ParseAuthorize(r.URL.RawQuery)
	format := negotiate(r.Header)
	if err != nil {
		if page, ok := request.RedirectError(idp.AsError(err)); ok && format.result == "" {
			g.noteRejection(idp.Authorize, idp.AsError(err))
			return writePage(w, page)
		}
		return g.rejectFront(w, idp.Authorize, err, format)
	}
	if err := g.policy.Reachable(idp.Authorize); err != nil {
		return g.rejectFront(w, idp.Authorize, err, format)
	}
	sealing, err := g.sealing(r)
	if err != nil {
		return g.rejectFront(w, idp.Authorize, err, format)
	}
	if format.result != "" {
		return g.serveResult(w, r, &request, sealing, format.result)
	}
	if g.policy.NeedsConsent(&request) {
		return g.askForConsent(w, r, &request, sealing)
	}
	if g.isProxied() {
		return g.forwardFront(w, r, idp.Authorize, g.policy.AuthorizeQuery(&request, sealing), format)
	}
	g.metrics.pass(idp.Authorize)
	return redirect(w, g.policy.AuthorizeURL(&request, sealing))
}

// redirect responds with 302, which browsers follow with GET (RFC 9700 section
// 4.12: never 307).
func redirect(w http.ResponseWriter, location string) error {
	header := w.Header()
	header.Set("Location", location)
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusFound)
	return nil
}

// rejectFront responds with an error in the format of the client.
func (g *Gateway) rejectFront(w http.ResponseWriter, endpoint idp.Endpoint, err error, format format) error {
	if !format.page || errors.Is(err, errClientGone) {
		return g.reject(w, endpoint, err)
	}
	e := idp.AsError(err)
	g.noteRejection(endpoint, e)
	return writePage(w, idp.ErrorPage(e))
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
