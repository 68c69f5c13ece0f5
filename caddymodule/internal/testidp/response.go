package testidp

import (
	"html/template"
	"net/http"
	"net/url"
)

// sendError tells the client why there is none (RFC 6749 section 4.1.2.1).
func (p *Provider) sendError(w http.ResponseWriter, r *http.Request, l *login, problem *oauthError) {
	params := url.Values{"error": {problem.Code}}
	if problem.Description != "" {
		params.Set("error_description", problem.Description)
	}
	p.logger.Warn("authorization rejected", "error", problem.Code, "description", problem.Description, "client_id", l.clientID)
	p.sendResponse(w, r, l, params)
}

// sendResponse sends the parameters to the redirect URI in the requested response
// mode: OAuth 2.0 Multiple Response Type Encoding Practices section 2.1, OAuth
// 2.0 Form Post Response Mode, and Auth0's web_message.
func (p *Provider) sendResponse(w http.ResponseWriter, r *http.Request, l *login, params url.Values) {
	if state := l.asked.Get("state"); state != "" {
		params.Set("state", state)
	}
	if p.SendsIssuer {
		params.Set("iss", p.issuer(r))
	}
	target, err := url.Parse(l.redirectURI)
	if err != nil {
		p.errorPage(w, "This login request is not valid.", "The redirect_uri is not a URI.")
		return
	}
	switch l.responseMode {
	case "form_post":
		// A registered redirect URI may have any scheme.
		p.page(w, http.StatusOK, "form_post.html", map[string]any{"Action": template.URL(l.redirectURI), "Params": params})
	case "web_message": // auth0-spa-js logs in silently by it
		response := make(map[string]string, len(params))
		for name := range params {
			response[name] = params.Get(name)
		}
		p.page(w, http.StatusOK, "web_message.html", map[string]any{"Origin": target.Scheme + "://" + target.Host, "Response": response})
	case "fragment":
		// Written by hand: a url.URL would escape the encoded parameters again.
		p.redirect(w, r, target.String()+"#"+params.Encode())
	default:
		query := target.Query()
		for name := range params {
			query.Set(name, params.Get(name))
		}
		target.RawQuery = query.Encode()
		p.redirect(w, r, target.String())
	}
}

// redirect uses 303 after a form so that the browser does not post it on
// (RFC 9700 section 4.12).
func (p *Provider) redirect(w http.ResponseWriter, r *http.Request, location string) {
	status := http.StatusFound
	if r.Method == http.MethodPost {
		status = http.StatusSeeOther
	}
	http.Redirect(w, r, location, status)
}

// oauthError is an error response (RFC 6749 sections 4.1.2.1 and 5.2).
type oauthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

func (e *oauthError) Error() string { return e.Code + ": " + e.Description }

func invalidRequest(description string) *oauthError {
	return &oauthError{"invalid_request", description}
}

func invalidGrant(description string) *oauthError { return &oauthError{"invalid_grant", description} }
