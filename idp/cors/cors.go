// Package cors lets scripts of configured web origins call an endpoint (CORS
// protocol, Fetch standard section 3.2). Scripts of any origin never may with
// credentials: see [Origins.WithCredentials].
//
// # Files
//
//	cors.go: what scripts of configured origins may do; preflights
//	origin.go: how an origin is written, and which are the same
//	public.go: what scripts of all origins may do
package cors

import (
	"net/http"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
)

// maxAge is how long browsers may remember a preflight, in seconds.
const maxAge = "600"

// Endpoint is what scripts may do at an endpoint, once their origin is allowed.
type Endpoint struct {
	// Method is the endpoint's method.
	Method string
	// RequestHeaders are the header fields that a script may send besides the
	// safelisted ones.
	RequestHeaders []string
	// ResponseHeaders are the header fields that a script may read besides the
	// safelisted ones.
	ResponseHeaders []string
}

// SetHeader lets a script of the request's origin read the response, if that
// origin is in origins, and reports whether it is. It may be called again with
// fewer origins, once the client is known. With origins configured it sets Vary
// whatever the outcome, for caches.
func (e *Endpoint) SetHeader(response http.Header, request *http.Request, origins Origins) bool {
	if origins.IsEmpty() && response["Access-Control-Allow-Origin"] == nil {
		return false
	}
	if !slices.Contains(response["Vary"], "Origin") {
		response.Add("Vary", "Origin")
	}
	origin := request.Header["Origin"]
	if !origins.contains(origin) {
		response.Del("Access-Control-Allow-Origin")
		response.Del("Access-Control-Allow-Credentials")
		response.Del("Access-Control-Expose-Headers")
		return false
	}
	response.Set("Access-Control-Allow-Origin", origin[0])
	response.Del("Access-Control-Allow-Credentials")
	if slices.Contains(origins.credentials, origin[0]) {
		response.Set("Access-Control-Allow-Credentials", "true")
	}
	response.Set("Access-Control-Expose-Headers", strings.Join(e.ResponseHeaders, ", "))
	return true
}

// ServePreflight serves r if it is a CORS preflight: with 204 for an origin that is
// configured, with 403 for another one. It reports whether it did.
// Every other OPTIONS request is for the caller to reject with 405 and
// [Endpoint.Allow].
func (e *Endpoint) ServePreflight(w http.ResponseWriter, r *http.Request, origins Origins) bool {
	if !IsPreflight(r) {
		return false
	}
	h := w.Header()
	if !e.SetHeader(h, r, origins) {
		header.SetOwn(h, "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("Scripts of this origin may not call this endpoint. Its operator can add it with the option origin.\n"))
		return true
	}
	h.Del("Access-Control-Expose-Headers")
	h.Set("Access-Control-Allow-Methods", e.Method)
	h.Set("Access-Control-Allow-Headers", strings.Join(e.RequestHeaders, ", "))
	h.Set("Access-Control-Max-Age", maxAge)
	w.WriteHeader(http.StatusNoContent)
	return true
}

// IsPreflight reports whether r asks, before another request, if that would be
// allowed.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header["Origin"] != nil && r.Header["Access-Control-Request-Method"] != nil
}

// Allow is the value of the Allow field in a response with status 405.
func (e *Endpoint) Allow(origins Origins) string {
	if origins.IsEmpty() {
		return e.Method
	}
	return e.Method + ", " + http.MethodOptions
}
