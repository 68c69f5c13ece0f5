package testidp

import (
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// logout ends the browser's session and goes to the return URL, which must be
// registered for the client, or for any client when none is named. It is Auth0's
// (returnTo) and RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0), or the
// form of [Behavior.Logout].
func (p *Provider) logout(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	clientID, returnTo := q.Get("client_id"), q.Get("post_logout_redirect_uri")
	switch p.Logout {
	case AnyLogout:
		if auth0 := q.Get("returnTo"); auth0 != "" {
			returnTo = auth0
		}
	case LogoutURI:
		if returnTo = q.Get("logout_uri"); returnTo == "" || clientID == "" {
			p.errorPage(w, http.StatusBadRequest, "This logout request is not valid.", "It needs client_id and logout_uri.")
			return
		}
	}
	if problem, detail := p.checkLogout(q.Get("id_token_hint"), p.issuer(r), &clientID, returnTo); problem != "" {
		p.errorPage(w, http.StatusBadRequest, problem, detail)
		return
	}
	p.clearSession(w, r)
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

// checkLogout finds the client of a logout, and says what is wrong with it, "" if nothing is.
func (p *Provider) checkLogout(hint, issuer string, clientID *string, returnTo string) (problem, detail string) {
	if hint != "" || p.Logout == HintedLogout {
		// An expired one still says whose it was.
		claims, err := p.verify(hint, issuer)
		if err != nil || *clientID != "" && *clientID != claims.Client {
			return "This logout request is not valid.", "The id_token_hint is not a token of this provider for this client."
		}
		*clientID = claims.Client
	}
	if _, known := p.clients[*clientID]; *clientID != "" && !known {
		return "This application is not known here.", "The client_id is not registered with this identity provider."
	}
	if returnTo != "" && !p.returnAllowed(*clientID, returnTo) {
		return "After the logout you cannot be sent to that address.", "The return URL is not one of those registered for the client."
	}
	return "", ""
}

func (p *Provider) returnAllowed(clientID, returnTo string) bool {
	for id, client := range p.clients {
		if (clientID == "" || clientID == id) && anyMatches(client.returnTo, returnTo) {
			return true
		}
	}
	return p.AnyRedirectURI
}

func (p *Provider) clearSession(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		p.store.sessions.remove(cookie.Value)
	}
	for _, name := range []string{sessionCookie, userCookie} {
		setCookie(w, r, name, "", -1)
	}
}

// LogoutToken is what the provider would send to a client whose user has logged out (OpenID Connect
// Back-Channel Logout 1.0 section 2.4). claims replace those of a good one.
func (s *Server) LogoutToken(clientID, user string, claims map[string]any) (string, error) {
	now := time.Now()
	all := map[string]any{
		"iss": s.IssuerURL(), "aud": clientID, "sub": user, "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	maps.Copy(all, claims)
	return s.current().sign("logout+jwt", all)
}
