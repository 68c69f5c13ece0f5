package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveAuthorize checks an authorization request and sends it to the IdP.
func (g *Gateway) serveAuthorize(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	request, err := g.policy.ParseAuthorize(r.URL.RawQuery)
	d.ClientID = g.policy.Registered(request.ClientID)
	format := negotiate(r.Header)
	if err != nil {
		if page, ok := request.RedirectError(idp.AsError(err)); ok && format.result == "" {
			g.refuse(w, r, d, idp.AsError(err))
			return writePage(w, page)
		}
		return g.rejectFront(w, r, d, err, format)
	}
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
	if g.isProxied() {
		return g.forwardFront(w, r, d, idp.Authorize, g.policy.AuthorizeQuery(&request, sealing), format)
	}
	g.pass(d)
	return redirect(w, http.StatusFound, g.policy.AuthorizeURL(&request, sealing))
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
