package idp

import (
	"net/http"
	"slices"
)

// The answer to a CORS preflight. Credentials are never allowed: the endpoints
// take tokens and codes, not cookies.
const (
	corsMaxAge = "600"
	// corsHeaders are what single-page apps' libraries send beside the
	// safelisted ones.
	corsHeaders = "Authorization, Content-Type, Auth0-Client, X-Application-ID"
	corsExposed = "WWW-Authenticate, Retry-After"
)

// SetCORS sets the headers that let a script of the request's origin read the
// answer of the token or userinfo endpoint, if that origin is registered: for
// clientID if it is given, else for any client. It reports whether it is.
// Vary is set whatever the outcome, for caches (Fetch standard, CORS protocol
// and HTTP caches).
func (p *Policy) SetCORS(answer http.Header, origin []string, clientID string) bool {
	if len(p.origins) == 0 {
		return false
	}
	if !slices.Contains(answer["Vary"], "Origin") {
		answer["Vary"] = append(answer["Vary"], "Origin")
	}
	origins := p.origins
	if c := p.clients[clientID]; c != nil {
		origins = c.origins
	}
	if len(origin) != 1 || !slices.Contains(origins, origin[0]) {
		delete(answer, "Access-Control-Allow-Origin")
		delete(answer, "Access-Control-Expose-Headers")
		return false
	}
	answer["Access-Control-Allow-Origin"] = []string{origin[0]}
	answer["Access-Control-Expose-Headers"] = []string{corsExposed}
	return true
}

// AnswerPreflight sets the headers of the answer to a CORS preflight and
// returns its status, 204 or 403.
func (p *Policy) AnswerPreflight(answer http.Header, endpoint Endpoint, origin []string) int {
	if !p.SetCORS(answer, origin, "") {
		return http.StatusForbidden
	}
	delete(answer, "Access-Control-Expose-Headers")
	answer["Access-Control-Allow-Methods"] = []string{endpoint.Method()}
	answer["Access-Control-Allow-Headers"] = []string{corsHeaders}
	answer["Access-Control-Max-Age"] = []string{corsMaxAge}
	return http.StatusNoContent
}
