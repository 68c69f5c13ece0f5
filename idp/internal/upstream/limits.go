package upstream

import "time"

// The bounds of what the IdP sends, and of what it takes to ask it.
const (
	// MaxResponse is the longest body of a response, in bytes.
	MaxResponse = 1 << 20
	// MaxConnections is how many connections one request may take. net/http goes on to
	// the next one, without a pause, as long as an HTTP/2 server says GOAWAY.
	MaxConnections = 4
	// maxRequestURI is the longest request_uri that is taken, in bytes.
	maxRequestURI = 1 << 10
	// maxSubject is the longest name of a user, in bytes (OpenID Connect Core 1.0 section 2).
	maxSubject = 255
	// MaxLogoutToken is the longest logout token that is looked at, in bytes.
	MaxLogoutToken = 16 << 10
	// MaxLogoutTokenAge is how long ago one may have been made, which is how long it is remembered
	// that it was used.
	MaxLogoutTokenAge = 5 * time.Minute
)
