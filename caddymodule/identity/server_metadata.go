package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/unread"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// serveMetadata serves what clients find the gateway by. It is public: scripts of
// all origins may read it.
func (g *Gateway) serveMetadata(w http.ResponseWriter, r *http.Request, document idp.ServerMetadata) error {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	unread.CloseConnection(w, r)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions: // the Model Context Protocol's clients send a header field of their own
		header.Set("Access-Control-Allow-Methods", "GET")
		header.Set("Access-Control-Allow-Headers", "*")
		w.WriteHeader(http.StatusNoContent)
		return nil
	default:
		header.Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	if !g.policy.KnowsMetadata() {
		g = g.await(r.Context())
	}
	body, err := g.policy.ServerMetadata(document)
	if err != nil {
		return g.reject(w, r, newDecision(r, idp.NoEndpoint), err)
	}
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "max-age=300")
	_, err = w.Write(body)
	return err
}
