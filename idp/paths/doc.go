// Package paths says which paths a server behind the gateway could take for one that is protected, in
// whatever spelling (RFC 3986 section 6.2).
//
// # Files
//
//	confusion.go: spellings of a path, and fields that replace it; how long one may be
//	denied.go: deny_path, and the lists of IdPs that it has by name; what * stands for
//	public.go: paths that need no token
package paths

// The paths at which the gateway is a party to a login, below whatever path it is served at.
// The callback's is the default one.
const (
	Authorize = "/authorize"
	Token     = "/oauth/token" //nolint:gosec // a path
	UserInfo  = "/userinfo"
	Logout    = "/v2/logout"
	Revoke    = "/oauth/revoke"
	Consent   = "/oauth/consent"
	Callback  = "/oauth/callback"
)
