package main

import (
	"io"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	caddy.RegisterModule(readBody{})
	httpcaddyfile.RegisterHandlerDirective("read_body", func(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		h.Next()
		return readBody{}, nil
	})
	httpcaddyfile.RegisterDirectiveOrder("read_body", httpcaddyfile.Before, "respond")
}

// readBody is a handler of this program only. It reads the request body, which
// respond does not, and passes the request on.
type readBody struct{}

// CaddyModule returns the Caddy module information.
func (readBody) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.read_body", New: func() caddy.Module { return new(readBody) }}
}

// ServeHTTP implements caddyhttp.MiddlewareHandler.
func (readBody) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return err
	}
	return next.ServeHTTP(w, r)
}
