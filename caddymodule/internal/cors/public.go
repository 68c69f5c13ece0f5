package cors

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/body"
)

// OpenToAll lets scripts of all origins read the response to r, a public document, and
// send what fields they like: clients of the Model Context Protocol send one of their
// own. It responds itself unless r is a GET or HEAD, and reports whether it did.
func OpenToAll(w http.ResponseWriter, r *http.Request) bool {
	body.CloseConnection(w, r)
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", Any)
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return false
	case http.MethodOptions:
		header.Set("Access-Control-Allow-Methods", "GET")
		header.Set("Access-Control-Allow-Headers", "*")
		w.WriteHeader(http.StatusNoContent)
	default:
		header.Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
	return true
}
