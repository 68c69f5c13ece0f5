package idp

import (
	"crypto/rand"
	"html/template"
	"net/http"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// authorizationResponse is what goes to a client's redirect URI through the
// browser: a code or an error (RFC 6749 sections 4.1.2 and 4.1.2.1).
type authorizationResponse struct {
	redirectURI string
	mode        ResponseMode
	params      []param
}

// add appends a parameter, if it has a value.
func (a *authorizationResponse) add(name, value string) {
	if value != "" {
		a.params = append(a.params, param{name, value})
	}
}

// addError appends what reports an error.
func (a *authorizationResponse) addError(e *Error) {
	a.add("error", string(e.Code))
	a.add("error_description", e.clientDescription())
}

// page is the response in the mode that the client asked for. status is that of
// a redirect.
func (a *authorizationResponse) page(status int) Response {
	switch a.mode {
	case FormPostMode:
		type field struct{ Name, Value string }
		data := struct {
			Action template.URL // uris.CheckRedirect has checked it
			Fields []field
			Nonce  string
		}{template.URL(a.redirectURI), nil, rand.Text()}
		for _, p := range a.params {
			data.Fields = append(data.Fields, field{p.name, p.value})
		}
		page := newPage(http.StatusOK, "default-src 'none'; script-src 'nonce-"+data.Nonce+"'; base-uri 'none'; frame-ancestors 'none'")
		page.render("form_post.html", data)
		return page
	case WebMessageMode:
		response := make(map[string]string, len(a.params))
		for _, p := range a.params {
			response[p.name] = p.value
		}
		data := struct {
			Origin   string
			Response map[string]string
			Nonce    string
		}{uris.Origin(a.redirectURI), response, rand.Text()}
		page := newPage(http.StatusOK, "default-src 'none'; script-src 'nonce-"+data.Nonce+"'; base-uri 'none'; frame-ancestors "+data.Origin)
		page.render("web_message.html", data)
		return page
	}
	page := Response{Status: status, Header: http.Header{"Location": {a.location()}, "Referrer-Policy": {"no-referrer"}}}
	setNoStore(page.Header)
	return page
}

// location is the response as a URL, in the query or the fragment.
func (a *authorizationResponse) location() string {
	location := []byte(a.redirectURI)
	switch {
	case a.mode == FragmentMode:
		location = append(location, '#')
	case strings.IndexByte(a.redirectURI, '?') < 0:
		location = append(location, '?')
	}
	for _, p := range a.params {
		location = appendParam(location, p.name, p.value)
	}
	return string(location)
}
