package provider

import (
	"net/http"
	"net/url"
	"strings"
)

// logout is Auth0's logout: it ends the browser's session and goes to returnTo,
// which must be registered for the client, or for any client when no client_id
// is given.
func (p *Provider) logout(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p.endSession(w, r, query.Get("client_id"), query.Get("returnTo"), "")
}

// oidcLogout is RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0).
func (p *Provider) oidcLogout(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	clientID, returnTo := query.Get("client_id"), query.Get("post_logout_redirect_uri")
	if hint := query.Get("id_token_hint"); hint != "" {
		// An expired one still says whose it was.
		claims, err := p.verify(hint, p.issuer(r))
		if err == nil && (clientID == "" || clientID == claims.Client) {
			clientID = claims.Client
		} else {
			p.errorPage(w, http.StatusBadRequest, "This logout request is not valid.", "The id_token_hint is not a token of this provider for this client.")
			return
		}
	}
	p.endSession(w, r, clientID, returnTo, query.Get("state"))
}

// endSession serves both; state is added to the return URL when there is one.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request, clientID, returnTo, state string) {
	if _, known := p.clients[clientID]; clientID != "" && !known {
		p.errorPage(w, http.StatusBadRequest, "This application is not known here.", "The client_id is not registered with the development identity provider.")
		return
	}
	if returnTo != "" && !p.returnAllowed(clientID, returnTo) {
		p.errorPage(w, http.StatusBadRequest, "After the logout you cannot be sent to that address.", "The return URL is not one of those registered for the client.")
		return
	}
	p.clearSession(w, r)
	if returnTo == "" {
		p.page(w, http.StatusOK, "logged_out.html", nil)
		return
	}
	if state != "" {
		separator := "?"
		if strings.Contains(returnTo, "?") {
			separator = "&"
		}
		returnTo += separator + "state=" + url.QueryEscape(state)
	}
	p.redirect(w, r, returnTo)
}

func (p *Provider) returnAllowed(clientID, returnTo string) bool {
	for id, client := range p.clients {
		if (clientID == "" || clientID == id) && anyMatches(client.returnTo, returnTo) {
			return true
		}
	}
	return false
}

func (p *Provider) clearSession(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		p.store.endSession(cookie.Value)
	}
	setSessionCookie(w, r, "", -1)
}
