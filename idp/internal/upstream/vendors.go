package upstream

import (
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
)

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

// NeedsDiscovery reports whether an IdP is known to have no endpoint at the public path,
// where the configuration leaves it: browsers would find nothing there.
func (u *Upstream) NeedsDiscovery() bool {
	if u.endpoints[endpoint.Authorize].text != u.authURL.String()+endpoint.Authorize.Path() {
		return false // configured, or left to discover
	}
	return vendors.HasOtherPaths(u.authURL)
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
