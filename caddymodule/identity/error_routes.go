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
// gateway's own page remains.
func (g *Gateway) serveErrorRoutes(w http.ResponseWriter, r *http.Request, result *idp.Result, d *decision.Decision) bool {
	if !anonymous.HasErrorRoutes(r) {
		return false
	}
	header := w.Header()
	for _, field := range [...]string{"Connection", idp.ReferenceHeader, "Cache-Control", "Referrer-Policy", "X-Content-Type-Options"} {
		if values := result.Header[field]; values != nil {
			header[field] = values
		}
	}
	responded, err := anonymous.ServeErrorRoutes(w, r, caddyhttp.HandlerError{StatusCode: d.Refusal.Status, Err: d.Refusal, ID: d.Reference()})
	if err != nil {
		g.logger.Error("handle_errors failed", zap.String("reference", d.Reference()), zap.Error(idp.Scrub(err)))
	}
	return responded
}
