package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveMetadata serves what clients find the gateway by, which is public.
func (g *Gateway) serveMetadata(w http.ResponseWriter, r *http.Request, document idp.ServerMetadata) error {
	if cors.OpenToAll(w, r) {
		return nil
	}
	if !g.policy.KnowsMetadata() {
		g = g.await(r.Context())
	}
	body, err := g.policy.ServerMetadata(document)
	if err != nil {
		return g.reject(w, r, newDecision(r, idp.NoEndpoint), err)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "max-age=300")
	_, err = w.Write(body)
	return err
}
