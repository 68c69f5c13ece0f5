package idp

import (
	"net/http"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// authorizationResponse is what goes to a client's redirect URI through the
// browser: a code or an error (RFC 6749 sections 4.1.2 and 4.1.2.1).
type authorizationResponse struct {
	redirectURI string
	mode        ResponseMode
	params      []pages.Field
}

// add appends a parameter, if it has a value.
func (a *authorizationResponse) add(name, value string) {
	if value != "" {
		a.params = append(a.params, pages.Field{Name: name, Value: value})
	}
}

// addError appends what reports an error.
func (a *authorizationResponse) addError(e *oauth.Error) {
	a.add("error", string(e.Code))
	a.add("error_description", e.ClientDescription())
}

// page is the response in the mode that the client asked for. status is that of
// a redirect.
func (a *authorizationResponse) page(status int) Response {
	switch a.mode {
	case FormPostMode:
		return Response(pages.FormPost(a.redirectURI, a.params)) // uris.CheckRedirect has checked it
	case WebMessageMode:
		return Response(pages.WebMessage(uris.Origin(a.redirectURI), a.params))
	}
	page := Response{Status: status, Header: http.Header{"Location": {a.location()}, "Referrer-Policy": {"no-referrer"}}}
	setNoStore(page.Header)
	return page
}

// location is the response as a URL, in the query or the fragment.
func (a *authorizationResponse) location() string {
	var buffer [1024]byte
	location := append(buffer[:0], a.redirectURI...)
	switch {
	case a.mode == FragmentMode:
		location = append(location, '#')
	case strings.IndexByte(a.redirectURI, '?') < 0:
		location = append(location, '?')
	}
	for _, p := range a.params {
		location = params.Append(location, p.Name, p.Value)
	}
	return string(location)
}
