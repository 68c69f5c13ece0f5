package login

import "time"

// The lifetimes and bounds of what is sealed. Users read mail and look for their phones while
// they log in, for which login_timeout is; clients redeem a code at once.
const (
	// CodeLifetime is how long a client may take to redeem its code.
	CodeLifetime = time.Minute
	// RequestLifetime is how long a request_uri is good for.
	RequestLifetime = time.Minute
	// MaxState is the longest state of a client that is sealed into the IdP's, in bytes.
	MaxState = 2 << 10
	// MaxRequest is the longest query that is pushed, in bytes: it travels in the request_uri.
	MaxRequest = 4 << 10
)
