package identity

import (
	"net/http"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// askForConsent shows the page on which the user approves a login, or does not.
func (g *Gateway) askForConsent(w http.ResponseWriter, r *http.Request, d *decision.Decision, request *idp.AuthorizeRequest, s idp.Sealing) error {
	page, err := g.policy.ConsentPage(s, request, r.URL.RawQuery, r.Header)
	if err != nil {
		return g.rejectFront(w, r, d, err, negotiate(r.Header))
	}
	g.pass(d)
	return writePage(w, page)
}

// serveConsent takes the user's answer and sends the browser to the IdP, or back to
// the client.
func (g *Gateway) serveConsent(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	format := negotiate(r.Header)
	body, err := g.readBody(w, r)
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	if err := g.policy.Reachable(idp.Authorize); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	var consent idp.Consent
	var sealing idp.Sealing
	err = g.open(r, func(s idp.Sealing) (err error) {
		sealing = s
		consent, err = g.policy.ParseConsent(s, r.URL.RawQuery, r.Header, body)
		return err
	})
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	d.ClientID = g.policy.Registered(consent.Request.ClientID)
	if consent.Again != "" {
		g.pass(d)
		return redirect(w, http.StatusSeeOther, consent.Again)
	}
	if !consent.Approved {
		page, e := consent.Denied()
		g.refuse(w, r, d, e)
		return writePage(w, page)
	}
	get := r.Clone(r.Context())
	get.Method, get.Body, get.ContentLength = http.MethodGet, http.NoBody, 0
	return g.sendToIdP(w, get, d, &consent.Request, sealing, format, http.StatusSeeOther)
}

// logShared warns of clients that the IdP can't tell apart.
func (g *Gateway) logShared() {
	for _, shared := range g.policy.SharedRegistrations() {
		unasked := g.policy.WithoutConsent(shared)
		if len(unasked) == 0 {
			continue
		}
		g.logger.Warn("these clients are one client at the identity provider: who trusted one of them is asked nothing when another one logs in, "+
			"and their access tokens are good for each other; give those that do not trust each other an idp_client each, or set consent",
			zap.String("idp_client", shared.IdPClient), zap.Strings("clients", shared.ClientIDs), zap.Strings("without_consent", unasked))
	}
}
