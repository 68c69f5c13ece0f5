package identity

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/accept"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// format is what the client of a front-channel request wants, from its Accept.
type format struct {
	// page: errors are HTML pages. Only a client that names HTML is a browser.
	page bool
	// result is the media type in which an API client wants the result of a
	// login. It is empty for a client that wants to be redirected.
	result idp.ResultType
}

// negotiate reads Accept. A client that names JSON or a form and does not accept
// HTML is an API client. Others, such as those that accept anything, are
// redirected.
func negotiate(header http.Header) format {
	const html, xhtml = "text/html", "application/xhtml+xml"
	ranges := accept.Parse(header["Accept"])
	if ranges.Quality(html) > 0 || ranges.Quality(xhtml) > 0 {
		return format{page: ranges.Names(html) || ranges.Names(xhtml)}
	}
	var offers []string
	for _, offer := range []idp.ResultType{idp.FormResult, idp.JSONResult} { // in the contract's order
		if ranges.Names(string(offer)) {
			offers = append(offers, string(offer))
		}
	}
	return format{result: idp.ResultType(ranges.Best(offers...))}
}
