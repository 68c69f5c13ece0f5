package idp

import (
	"net/http"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

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
