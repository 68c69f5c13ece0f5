package operation

import (
	"net/http"
	"slices"
)

// What a script of another origin may send beside the safelisted headers, and
// read of the answer (Fetch standard, CORS protocol).
const (
	corsHeaders = "Content-Type, X-Application-ID"
	corsExposed = "Retry-After"
	corsMaxAge  = "600"
)

// allowOrigin sets the headers with which a script of r's origin may read the
// answer, if the origin is one of the operation's, and reports whether it is.
// Credentials are never allowed: the operation reads none.
func (o *Operation) allowOrigin(answer http.Header, r *http.Request) bool {
	if len(o.origins) == 0 {
		return false
	}
	answer.Add("Vary", "Origin")
	origin := r.Header["Origin"]
	if len(origin) != 1 || !slices.Contains(o.origins, origin[0]) && !slices.Contains(o.origins, "*") {
		return false
	}
	answer.Set("Access-Control-Allow-Origin", origin[0])
	answer.Set("Access-Control-Expose-Headers", corsExposed)
	return true
}

// isPreflight reports whether r asks, before another request, if that would be
// allowed.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header["Origin"] != nil && r.Header["Access-Control-Request-Method"] != nil
}

func answerPreflight(w http.ResponseWriter) {
	header := w.Header()
	header.Del("Access-Control-Expose-Headers")
	header.Set("Access-Control-Allow-Methods", http.MethodPost)
	header.Set("Access-Control-Allow-Headers", corsHeaders)
	header.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}
