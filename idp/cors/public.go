package cors

import (
	"net/http"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

// Open lets scripts of all origins read a response that says nothing of a user, without credentials.
func (e *Endpoint) Open(response http.Header) {
	response.Set("Access-Control-Allow-Origin", Any)
	response.Set("Access-Control-Expose-Headers", strings.Join(e.ResponseHeaders, ", "))
}

// AllowRequest lets a script whose origin is allowed make any request without credentials, also
// one with a token (Fetch standard section 4.9: the wildcard does not stand for Authorization).
func AllowRequest(response http.Header) {
	response.Del("Access-Control-Expose-Headers")
	response.Set("Access-Control-Allow-Methods", Any)
	response.Set("Access-Control-Allow-Headers", "Authorization, "+Any)
	response.Set("Access-Control-Max-Age", maxAge)
}

// OpenToAll lets scripts of all origins read the response to r, a public document, and
// send what fields they like: clients of the Model Context Protocol send one of their
// own. It responds itself unless r is a GET or HEAD, and reports whether it did.
func OpenToAll(w http.ResponseWriter, r *http.Request) bool {
	body.CloseConnection(w.Header(), r)
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
