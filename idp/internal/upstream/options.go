package upstream

// LogoutProtocol is the form of the logout request that the IdP expects.
type LogoutProtocol string

const (
	// Auth0Logout sends client_id, returnTo and federated. It is the default.
	Auth0Logout LogoutProtocol = "auth0"
	// RPInitiatedLogout sends post_logout_redirect_uri instead of returnTo (OpenID Connect RP-Initiated Logout 1.0 section 2).
	RPInitiatedLogout LogoutProtocol = "rp_initiated"
	// CognitoLogout sends client_id and logout_uri.
	CognitoLogout LogoutProtocol = "cognito"
	// NoLogout asks no IdP, for those that have no logout: the browser goes straight
	// to returnTo, which must be registered, and stays logged in at the IdP.
	NoLogout LogoutProtocol = "none"
)

// NonceRule says which nonces logins and their ID tokens must have (OpenID Connect Core
// 1.0 section 3.1.2.1).
type NonceRule string

const (
	// NonceOptional lets logins be without one. Their ID tokens then have none either. It
	// is the default.
	NonceOptional NonceRule = "optional"
	// NonceRequired demands a nonce of every login, and an ID token with it.
	NonceRequired NonceRule = "require"
)

// PARMode says whether authorization requests are pushed to the IdP (RFC 9126).
type PARMode string

const (
	// PAROn pushes every request. The gateway has to be a confidential client at the
	// IdP for each of its clients.
	PAROn PARMode = "on"
	// PAROff pushes none.
	PAROff PARMode = "off"
)

// Forwards reports the parameters that go on as they are: those of OpenID Connect
// RP-Initiated Logout 1.0 section 2. Anything else could be another server's name
// for returnTo.
func (l LogoutProtocol) Forwards(name string) bool {
	switch name {
	case "id_token_hint", "logout_hint", "ui_locales":
		return l == Auth0Logout || l == RPInitiatedLogout
	case "state":
		return l != CognitoLogout
	}
	return false
}

// ReturnToName is what the IdP calls returnTo.
func (l LogoutProtocol) ReturnToName() string {
	switch l {
	case RPInitiatedLogout:
		return "post_logout_redirect_uri"
	case CognitoLogout:
		return "logout_uri"
	}
	return "returnTo"
}
