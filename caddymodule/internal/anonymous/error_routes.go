package anonymous

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// HasErrorRoutes reports that the server has error routes (handle_errors) that may respond to a
// request, which is not one of theirs.
func HasErrorRoutes(r *http.Request) bool {
	server, _ := r.Context().Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	return server != nil && server.Errors != nil && len(server.Errors.Routes) > 0 && r.Context().Value(caddyhttp.ErrorCtxKey) == nil
}

// ServeErrorRoutes has the error routes of the server respond to a request that was not let in.
// It is false if they do not. What they get is no request for a page of the app: they may lead there, past
// whatever would have asked for a token.
//
// To return the error instead would be Caddy's way, but then a request that no error
// route is for gets an empty page.
func ServeErrorRoutes(w http.ResponseWriter, r *http.Request, why caddyhttp.HandlerError) (responded bool, err error) {
	if !HasErrorRoutes(r) {
		return false, nil
	}
	failed, restore := Request(r)
	defer restore()
	server := r.Context().Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	failed = server.Errors.WithError(failed, why)

	page := &errorPage{ResponseWriter: w}
	err = server.Errors.Routes.Compile(emptyHandler).ServeHTTP(page, failed)
	if !page.written && err == nil && page.status != 0 && page.status != why.StatusCode {
		page.begin() // such as a redirect
	}
	if !page.written {
		w.Header().Del("Content-Length")
		w.Header().Del("Content-Encoding")
	}
	return page.written, err
}

// errorPage keeps the status of a response back until its body begins. What Caddy does
// where no route matches is to respond with a status and nothing else.
type errorPage struct {
	http.ResponseWriter
	status  int // 0: none yet
	written bool
}

// begin writes the header.
func (p *errorPage) begin() {
	if p.written {
		return
	}
	p.written = true
	if p.status == 0 {
		p.status = http.StatusOK
	}
	p.ResponseWriter.WriteHeader(p.status)
}

// WriteHeader implements http.ResponseWriter.
func (p *errorPage) WriteHeader(status int) {
	switch {
	case status < http.StatusOK: // interim
		p.ResponseWriter.WriteHeader(status)
	case p.status == 0:
		p.status = status
	}
}

// Write implements http.ResponseWriter.
func (p *errorPage) Write(b []byte) (int, error) {
	if len(b) == 0 && !p.written {
		return 0, nil
	}
	p.begin()
	return p.ResponseWriter.Write(b)
}

// FlushError is what http.ResponseController calls.
func (p *errorPage) FlushError() error {
	if !p.written {
		return nil
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// emptyHandler is the end of the routes.
var emptyHandler = caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil })
