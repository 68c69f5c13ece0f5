package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveLogout checks a logout request and sends it to the IdP.
func (g *Gateway) serveLogout(w http.ResponseWriter, r *http.Request) error {
	format := negotiate(r.Header)
	request, err := g.policy.ParseLogout(r.URL.RawQuery)
	if err != nil {
		return g.rejectFront(w, idp.Logout, err, format)
	}
	if err := g.policy.Reachable(idp.Logout); err != nil {
		return g.rejectFront(w, idp.Logout, err, format)
	}
	if g.isProxied() && g.policy.AsksIdPToLogOut() {
		return g.forwardFront(w, r, idp.Logout, g.policy.LogoutQuery(&request), format)
	}
	g.metrics.pass(idp.Logout)
	if location := g.policy.LogoutURL(&request); location != "" {
		return redirect(w, location)
	}
	return writePage(w, idp.LoggedOutPage())
}
