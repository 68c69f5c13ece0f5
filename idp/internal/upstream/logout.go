package upstream

import (
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
)

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

// discoveredLogout is the form of logouts that follows from the metadata. Two
// vendors are known by their issuers, because their endpoints are none of RP-Initiated
// Logout 1.0, whatever the document calls them.
func discoveredLogout(m *discovery.Metadata) LogoutProtocol {
	host := ""
	if u, err := url.Parse(m.Issuer); err == nil {
		host = u.Hostname()
	}
	switch {
	case vendors.IsCognito(host):
		return CognitoLogout
	case m.EndSessionEndpoint != nil:
		return RPInitiatedLogout
	case vendors.IsAuth0(host):
		return Auth0Logout
	}
	return NoLogout
}

// TakesSessionHint reports whether logout_hint is the session (sid) of an ID token, which only
// its vendor says: Auth0.
func (u *Upstream) TakesSessionHint() bool {
	at, err := url.Parse(u.issuer)
	return err == nil && vendors.IsAuth0(at.Hostname()) && u.logout == RPInitiatedLogout
}

// TakesLoginHint reports whether logout_hint is the claim login_hint of an ID token: Entra ID then asks
// nobody which account to sign out
// (https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc#send-a-sign-out-request).
func (u *Upstream) TakesLoginHint() bool {
	at, err := url.Parse(u.issuer)
	return err == nil && vendors.IsEntra(at) && u.logout == RPInitiatedLogout
}
