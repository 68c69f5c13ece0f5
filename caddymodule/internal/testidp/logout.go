package testidp

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// logout ends the browser's session and goes to the return URL, which must be
// registered for the client, or for any client when none is named. It is Auth0's
// (returnTo) and RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0), unless
// [Behavior.ReturnTo] says otherwise.
func (p *Provider) logout(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	clientID, returnTo := q.Get("client_id"), q.Get(p.ReturnTo)
	if p.ReturnTo == "" {
		returnTo = cmp.Or(q.Get("returnTo"), q.Get("post_logout_redirect_uri"))
	}
	if slices.ContainsFunc(p.LogoutNeeds, func(name string) bool { return q.Get(name) == "" }) {
		p.errorPage(w, "This logout request is not valid.", "It needs "+strings.Join(p.LogoutNeeds, " and ")+".")
		return
	}
	if hint := q.Get("id_token_hint"); hint != "" {
		whose, ok := p.clientOf(hint, p.issuer(r))
		if !ok || clientID != "" && clientID != whose {
			p.errorPage(w, "This logout request is not valid.", "The id_token_hint is not a token of this provider for this client.")
			return
		}
		clientID = whose
	}
	if _, known := p.clients[clientID]; clientID != "" && !known {
		p.errorPage(w, "This application is not known here.", "The client_id is not registered with this identity provider.")
		return
	}
	if returnTo != "" && !p.mayReturn(clientID, returnTo) {
		p.errorPage(w, "After the logout you cannot be sent to that address.", "The return URL is not one of those registered for the client.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1})
	if returnTo == "" {
		p.page(w, http.StatusOK, "logged_out.html", nil)
		return
	}
	if state := q.Get("state"); state != "" {
		separator := "?"
		if strings.Contains(returnTo, "?") {
			separator = "&"
		}
		returnTo += separator + "state=" + url.QueryEscape(state)
	}
	p.redirect(w, r, returnTo)
}

func (p *Provider) mayReturn(clientID, returnTo string) bool {
	return p.AnyRedirectURI || slices.ContainsFunc(p.Clients, func(c Client) bool {
		return (clientID == "" || clientID == c.ID) && anyMatches(c.ReturnTo, returnTo)
	})
}
