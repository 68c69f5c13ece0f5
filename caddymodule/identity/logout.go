package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveLogout checks a logout request and sends it to the IdP.
func (g *Gateway) serveLogout(w http.ResponseWriter, r *http.Request, d *decision.Decision) error {
	format := negotiate(r.Header)
	request, err := g.policy.ParseLogout(r.URL.RawQuery)
	d.ClientID = request.Registered
	if err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	if err := g.policy.Reachable(idp.Logout); err != nil {
		return g.rejectFront(w, r, d, err, format)
	}
	if g.isProxied() && g.policy.AsksIdPToLogOut() {
		return g.forwardFront(w, r, d, idp.Logout, g.policy.LogoutQuery(&request), format)
	}
	g.pass(d)
	if location := g.policy.LogoutURL(&request); location != "" {
		return redirect(w, http.StatusFound, location)
	}
	return writePage(w, idp.LoggedOutPage())
}
