// Package openapi serves the OpenAPI 3.1 document of the plugin's operations: the
// handler and Caddyfile directive gateway_openapi.
package openapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	caddy.RegisterModule(Handler{})
}

//go:embed openapi.json
var document []byte

// Document is the OpenAPI document, JSON. It is the caller's own.
func Document() []byte { return bytes.Clone(document) }

// servedPath is where the document is served.
const servedPath = "/openapi.json"

// Handler serves the OpenAPI 3.1 document of identity_gateway, text_segmentation
// and personification, with which tools show, call and test these operations. It
// says nothing of this server's configuration. Scripts of any origin may read it.
// All other requests pass to the next handler.
type Handler struct {
	etag string
}

// CaddyModule returns the Caddy module information.
func (Handler) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.gateway_openapi", New: func() caddy.Module { return new(Handler) }}
}

// Provision sets up the handler.
func (h *Handler) Provision(caddy.Context) error {
	sum := sha256.Sum256(document)
	h.etag = `"` + hex.EncodeToString(sum[:8]) + `"`
	return nil
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if r.URL.Path != servedPath || r.URL.RawPath != "" {
		return next.ServeHTTP(w, r)
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-cache") // ask whether it has changed
	header.Set("Etag", h.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
	return nil
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Handler)(nil)
	_ caddyhttp.MiddlewareHandler = (*Handler)(nil)
	_ caddyfile.Unmarshaler       = (*Handler)(nil)
)
