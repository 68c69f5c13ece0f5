// Package anonymous makes a request one that anybody could have sent: for CORS preflights,
// and for error routes (handle_errors), which may lead anywhere.
package anonymous

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

// Path is that of [Request]. No app has a page there.
const Path = "/identity_gateway/error"

// browserFields are what browsers send with every request, and with CORS preflights (Fetch
// standard section 4.8), but for what says where the user comes from or who she is. The last
// one of Access-Control-Request is of Private Network Access.
var browserFields = fields("Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers", "Access-Control-Request-Private-Network",
	"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Cache-Control", "Pragma", "Priority", "Dnt", "Sec-Gpc",
	"Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Ch-Ua", "Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform")

// proxyFields are what the proxies on the way add.
var proxyFields = fields("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via", "Traceparent", "Tracestate")

func fields(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// RemoveFields removes from a request, in place, the fields that anybody might not have sent,
// but for those of kept. What proxies add stays if it comes from a trusted one.
func RemoveFields(r *http.Request, kept ...string) {
	trusted, _ := caddyhttp.GetVar(r.Context(), caddyhttp.TrustedProxyVarKey).(bool)
	stays := fields(kept...)
	for name := range r.Header {
		if !browserFields[name] && !(trusted && proxyFields[name]) && !stays[name] {
			delete(r.Header, name)
		}
	}
}

// RemoveQuery removes the query from what Caddy makes of a request before it runs error routes.
func RemoveQuery(r *http.Request) {
	original, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	if !ok {
		return
	}
	original.URL.RawQuery, original.URL.ForceQuery = "", false
	if replacer, ok := r.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer); ok {
		replacer.Set("http.request.orig_uri", original.URL.RequestURI())
	}
}

// Request is what error routes get in place of a request that was not let in: GET [Path]
// without a query, a body, a user, and fields that anybody might not have sent. Call restore
// after them: the access log is of the request as it was.
//
// A copy of the request is not enough, since placeholders such as {http.request.header.Cookie}
// and {uri} read r, or the one that r is a copy of: these share the URL and the header.
func Request(r *http.Request) (anonymous *http.Request, restore func()) {
	before, address, header := *r, *r.URL, maps.Clone(r.Header)
	undo := []func(){func() {
		r.Method, r.RequestURI, r.Body, r.ContentLength = before.Method, before.RequestURI, before.Body, before.ContentLength
		*r.URL = address
		clear(r.Header)
		maps.Copy(r.Header, header)
	}}
	r.Method, r.RequestURI, r.Body, r.ContentLength = http.MethodGet, Path, http.NoBody, 0
	*r.URL = url.URL{Path: Path}
	RemoveFields(r)

	ctx := r.Context()
	if original, ok := ctx.Value(caddyhttp.OriginalRequestCtxKey).(http.Request); ok {
		address := *original.URL
		undo = append(undo, func() { *original.URL = address })
		*original.URL = *r.URL
		original.Method, original.RequestURI = r.Method, r.RequestURI
		ctx = context.WithValue(ctx, caddyhttp.OriginalRequestCtxKey, original)
	}
	if replacer, ok := ctx.Value(caddy.ReplacerCtxKey).(*caddy.Replacer); ok {
		// They come before those of the request.
		for name, value := range map[string]any{
			"http.request.method": r.Method, "http.request.orig_method": r.Method, "http.request.orig_uri": r.RequestURI,
			"http.request.body": "", "http.request.body_base64": "",
		} {
			replacer.Set(name, value)
			undo = append(undo, func() { replacer.Delete(name) })
		}
	}
	anonymous = r.WithContext(ctx)
	anonymous.TransferEncoding, anonymous.Trailer = nil, nil
	anonymous.Form, anonymous.PostForm, anonymous.MultipartForm = nil, nil, nil
	return anonymous, func() {
		for _, undo := range undo {
			undo()
		}
	}
}

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

func (p *errorPage) WriteHeader(status int) {
	switch {
	case status < http.StatusOK: // interim
		p.ResponseWriter.WriteHeader(status)
	case p.status == 0:
		p.status = status
	}
}

func (p *errorPage) Write(b []byte) (int, error) {
	if len(b) == 0 && !p.written {
		return 0, nil
	}
	p.begin()
	return p.ResponseWriter.Write(b)
}

func (p *errorPage) FlushError() error {
	if !p.written {
		return nil
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// emptyHandler is the end of the routes.
var emptyHandler = caddyhttp.HandlerFunc(func(http.ResponseWriter, *http.Request) error { return nil })
