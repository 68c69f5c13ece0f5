package login

import "time"

// The lifetimes and bounds of what is sealed and no option sets: clients redeem a code at once.
// How long a user may take is login_timeout; how long a login lives without a refresh, rotate_refresh.
const (
	// CodeLifetime is how long a client may take to redeem its code.
	CodeLifetime = time.Minute
	// RequestLifetime is how long a request_uri is good for.
	RequestLifetime = time.Minute
	// MaxState is the longest state of a client that is sealed into the IdP's, in bytes.
	MaxState = 2 << 10
	// MaxRequest is the longest query that is pushed, in bytes: it travels in the request_uri.
	MaxRequest = 4 << 10
	// MaxNonce is the longest nonce of a client's that comes back in an ID token of the gateway's own, in
	// bytes: IdPs bound the length of state, in which it travels.
	MaxNonce = 256
	// MaxAuthentication is the longest acr, and the longest amr with spaces between the methods, in
	// bytes: they travel in tokens, and acr_values in state.
	MaxAuthentication = 512
)
