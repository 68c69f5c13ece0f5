package idp

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
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

// errorPage is the page for the browser that sent a rejected request with this header. The
// reference is what the request is found by in the log.
func (p *Policy) errorPage(header http.Header, e *oauth.Error, reference string) Response {
	return Response(p.pages.Error(header["Accept-Language"], &pages.Problem{
		Status: e.Status, Code: string(e.Code), Description: e.Description, Source: e.Source, Reference: reference, WayBack: e.WayBack,
	}))
}

// redirectError is the response that reports an error to the client at its
// redirect URI, in the response mode of the request (RFC 6749 section 4.1.2.1).
// It is false if the configuration does not register that redirect URI for the
// client: the gateway would be an open redirector (RFC 9700 section 4.11.2). So it
// would for a client whose users have to approve first, because nobody trusts it: for
// that there is [authorizeRequest.withWayBack]. It has iss (RFC 9207) if the gateway
// has a public URL.
func (r *authorizeRequest) redirectError(e *oauth.Error) (Response, bool) {
	if !r.registered || r.consents {
		return Response{}, false
	}
	response := r.errorResponse(e)
	return response.page(http.StatusFound), true
}

func (r *authorizeRequest) errorResponse(e *oauth.Error) authorizationResponse {
	response := authorizationResponse{redirectURI: r.RedirectURI, mode: r.ResponseMode}
	response.addError(e)
	response.add("state", r.State)
	response.add("iss", r.issuer)
	return response
}

// withWayBack is e for the page that a browser gets in the place of a redirect. If the
// redirect URI is registered, and http or https, the page shows where it leads: to the error
// response to the client, or the app's start page where that can't be a link.
func (r *authorizeRequest) withWayBack(e *oauth.Error) *oauth.Error {
	u, err := url.Parse(r.RedirectURI)
	if !r.registered || err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return e
	}
	shown := *e
	shown.WayBack = &pages.Link{Host: u.Host, URL: uris.Origin(r.RedirectURI) + "/"}
	if response := r.errorResponse(e); response.mode != FormPostMode && response.mode != WebMessageMode {
		shown.WayBack.URL = response.location()
	}
	return &shown
}

// responseIssuer is iss in an authorization response, "" for none; fromIdP reports that
// the IdP's response had one. It is never the IdP's value itself, which anybody can
// write who brings a response. Clients compare it with the issuer whose metadata they
// use (RFC 9207 section 2.4), so that it must be the one of the document that is for
// them: the IdP's with the scope openid, as in their ID tokens, else the gateway's.
// Without a public URL it is the IdP's.
func (p *Policy) responseIssuer(y clients.Party, openID, fromIdP bool) string {
	switch {
	case p.callback == nil:
		return "" // the IdP responds
	case p.public.url == "":
		if fromIdP || p.idp.RequiresIssuer() {
			return p.idp.Issuer()
		}
		return ""
	}
	if !openID || y.Client.IsDynamic() || p.issues() {
		return p.public.url
	}
	return p.idp.Issuer()
}
