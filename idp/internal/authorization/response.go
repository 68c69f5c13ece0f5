// Package authorization is the authorization response: what goes to a client's redirect URI
// through the browser, a code or an error (RFC 6749 sections 4.1.2 and 4.1.2.1).
package authorization

import (
	"net/http"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Response is one. Its redirect URI is one that [uris.CheckRedirect] has checked.
type Response struct {
	RedirectURI string
	Mode        oauth.ResponseMode

	params []pages.Field
}

// Add appends a parameter, if it has a value.
func (r *Response) Add(name, value string) {
	if r.params == nil {
		r.params = make([]pages.Field, 0, 4) // code or error and its description, state, iss
	}
	if value != "" {
		r.params = append(r.params, pages.Field{Name: name, Value: value})
	}
}

// AddError appends what reports an error.
func (r *Response) AddError(e *oauth.Error) {
	r.Add("error", string(e.Code))
	r.Add("error_description", e.ClientDescription())
}

// IsPage reports whether it is a page, and no redirect.
func (r *Response) IsPage() bool {
	return r.Mode == oauth.FormPostMode || r.Mode == oauth.WebMessageMode
}

// Page is the response in the mode that the client asked for. status is that of a redirect.
func (r *Response) Page(status int) pages.Page {
	switch r.Mode {
	case oauth.FormPostMode:
		return pages.FormPost(r.RedirectURI, r.params)
	case oauth.WebMessageMode:
		return pages.WebMessage(uris.Origin(r.RedirectURI), r.params)
	}
	page := pages.Page{Status: status, Header: make(http.Header)}
	header.SetReferrer(page.Header, header.NoReferrer)
	header.SetRedirect(page.Header, r.Location())
	return page
}

// Location is the response as a URL, in the query or the fragment.
func (r *Response) Location() string {
	var buffer [1024]byte
	location := append(buffer[:0], r.RedirectURI...)
	switch {
	case r.Mode == oauth.FragmentMode:
		location = append(location, '#')
	case strings.IndexByte(r.RedirectURI, '?') < 0:
		location = append(location, '?')
	}
	for _, p := range r.params {
		location = params.Append(location, p.Name, p.Value)
	}
	return string(location)
}
