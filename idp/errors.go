package idp

import (
	"net/http"
	"strconv"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// bodyTooLarge rejects a request body over limit bytes.
func bodyTooLarge(limit int64) *oauth.Error {
	return &oauth.Error{
		Code: oauth.InvalidRequest, Status: http.StatusRequestEntityTooLarge,
		Description: "the request body is larger than " + strconv.FormatInt(limit, 10) + " bytes",
		Source:      "RFC 9110 section 15.5.14",
	}
}

// unreadableBody rejects a request body that ended early or could not be read.
func unreadableBody() *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 8.6", "the request body could not be read to its end")
}
