package idp

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

//go:embed pages/*.html pages/*.js
var pageFiles embed.FS

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "pages/*.html"))
})

// plainPagePolicy is the Content-Security-Policy of pages that run nothing.
const plainPagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

// errorPage is the page for the browser that sent a rejected request. The reference
// is what the request is found by in the log.
func errorPage(e *Error, reference string) Response {
	page := newPage(e.Status, plainPagePolicy)
	page.render("error.html", struct {
		*Error
		Reference string
	}{e, reference})
	return page
}

// loggedOutPage is for a logout that leads nowhere else.
func loggedOutPage() Response {
	page := newPage(http.StatusOK, plainPagePolicy)
	page.render("logged_out.html", nil)
	return page
}

// redirectError is the response that reports an error to the client at its
// redirect URI, in the response mode of the request (RFC 6749 section 4.1.2.1).
// It is false if the configuration does not register that redirect URI for the
// client: the gateway would be an open redirector (RFC 9700 section 4.11.2). So it
// would for a client whose users have to approve first, because nobody trusts it: for
// that there is [authorizeRequest.withWayBack]. It has iss (RFC 9207) if the gateway
// has a public URL.
func (r *authorizeRequest) redirectError(e *Error) (Response, bool) {
	if !r.registered || r.consents {
		return Response{}, false
	}
	response := r.errorResponse(e)
	return response.page(http.StatusFound), true
}

func (r *authorizeRequest) errorResponse(e *Error) authorizationResponse {
	response := authorizationResponse{redirectURI: r.RedirectURI, mode: r.ResponseMode}
	response.addError(e)
	response.add("state", r.State)
	response.add("iss", r.issuer)
	return response
}

// wayBack is a link to the app for the user to follow, or not.
type wayBack struct {
	// Host is what the link shows, with the port if there is one.
	Host string
	// URL is the error response to the client, or the app's start page where that
	// can't be a link.
	URL string
}

// withWayBack is e for the page that a browser gets in the place of a redirect. If the
// redirect URI is registered, and http or https, the page shows where it leads.
func (r *authorizeRequest) withWayBack(e *Error) *Error {
	u, err := url.Parse(r.RedirectURI)
	if !r.registered || err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return e
	}
	shown := *e
	shown.WayBack = &wayBack{Host: u.Host, URL: uris.Origin(r.RedirectURI) + "/"}
	if response := r.errorResponse(e); response.mode != FormPostMode && response.mode != WebMessageMode {
		shown.WayBack.URL = response.location()
	}
	return &shown
}

func newPage(status int, contentSecurityPolicy string) Response {
	page := Response{Status: status, Header: http.Header{
		"Content-Type":            {"text/html; charset=utf-8"},
		"Content-Security-Policy": {contentSecurityPolicy},
		"Referrer-Policy":         {"no-referrer"},
		"X-Content-Type-Options":  {"nosniff"},
	}}
	setNoStore(page.Header)
	return page
}

func (p *Response) render(name string, data any) {
	var body bytes.Buffer
	if err := pages().ExecuteTemplate(&body, name, data); err != nil {
		p.Status = http.StatusInternalServerError
		return
	}
	p.Body = body.Bytes()
}
