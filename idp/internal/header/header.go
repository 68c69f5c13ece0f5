// Package header has the fields that the gateway's own responses have in common.
package header

import "net/http"

// Of is the header of a response with a body of this media type: no cache stores it, and no browser
// takes it for another type.
func Of(mediaType string) http.Header {
	h := make(http.Header)
	SetOwn(h, mediaType)
	return h
}

// SetOwn is [Of] for a header that there is.
func SetOwn(h http.Header, mediaType string) {
	h.Set("Content-Type", mediaType)
	h.Set("X-Content-Type-Options", "nosniff")
	SetNoStore(h)
}

// SetRedirect leads a browser to a location. No cache stores the way.
func SetRedirect(h http.Header, location string) {
	values := [...]string{location, "no-store"} // in one allocation
	h["Location"], h["Cache-Control"] = values[:1:1], values[1:]
}

// Reference has a request found in the log.
const Reference = "Gateway-Reference"

// Who learns from a browser where it was: nobody, or the origin of the response itself.
const (
	NoReferrer   = "no-referrer"
	SameReferrer = "same-origin"
)

// SetReferrer says whom the browser tells the address of a response, which may have a code in it.
func SetReferrer(h http.Header, policy string) { h["Referrer-Policy"] = []string{policy} }

// SetNoStore tells caches not to store a response (RFC 6749 section 5.1).
func SetNoStore(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
}
