package identity

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/anonymous"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveErrorRoutes has the error routes of the server (handle_errors) respond to a
// refusal that a person would see as a page. It is false if they do not, so that the
// gateway's own page remains. What they get is no request for a page of the app: they may
// lead there, past whatever would have asked for a token.
//
// To return the error instead would be Caddy's way, but then a request that no error
// route is for gets an empty page.
func (g *Gateway) serveErrorRoutes(w http.ResponseWriter, r *http.Request, result *idp.Result, d *decision.Decision) bool {
	server, _ := r.Context().Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	if server == nil || server.Errors == nil || len(server.Errors.Routes) == 0 || r.Context().Value(caddyhttp.ErrorCtxKey) != nil {
		return false
	}
	header := w.Header()
	for _, field := range [...]string{"Connection", idp.ReferenceHeader} {
		if values := result.Header[field]; values != nil {
			header[field] = values
		}
	}
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")

	failed, restore := anonymous.Request(r)
	defer restore()
	failed = server.Errors.WithError(failed, caddyhttp.HandlerError{StatusCode: d.Refusal.Status, Err: d.Refusal, ID: d.Reference()})

	page := &errorPage{ResponseWriter: w}
	err := server.Errors.Routes.Compile(emptyHandler).ServeHTTP(page, failed)
	if err != nil {
		g.logger.Error("handle_errors failed", zap.String("reference", d.Reference()), zap.Error(idp.Scrub(err)))
	}
	if !page.written && err == nil && page.status != 0 && page.status != d.Refusal.Status {
		page.begin() // such as a redirect
	}
	if !page.written {
		header.Del("Content-Length")
		header.Del("Content-Encoding")
	}
	return page.written
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
