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
