package upstream

import (
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
)

// What is known of single IdPs, by their hosts.

// isEntra reports Microsoft's login hosts: of the clouds
// (https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud)
// and of customers' tenants.
func isEntra(u *url.URL) bool {
	switch host := u.Hostname(); host {
	case "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn":
		return true
	default:
		return strings.HasSuffix(host, ".ciamlogin.com") || strings.HasSuffix(host, ".b2clogin.com")
	}
}

// isOkta reports whether a domain is Okta's own.
func isOkta(host string) bool {
	return strings.HasSuffix(host, ".okta.com") || strings.HasSuffix(host, ".oktapreview.com") || strings.HasSuffix(host, ".okta-emea.com")
}

// supportsFormPost reports the IdPs that say so in their discovery documents
// (response_modes_supported), for all their tenants.
func supportsFormPost(host string) bool {
	for _, domain := range [...]string{".auth0.com", ".okta.com", ".oktapreview.com", "login.microsoftonline.com", "accounts.google.com"} {
		if strings.HasSuffix("."+host, "."+strings.TrimPrefix(domain, ".")) {
			return true
		}
	}
	return false
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
	case strings.HasPrefix(host, "cognito-idp.") && (strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn")):
		return CognitoLogout
	case m.EndSessionEndpoint != nil:
		return RPInitiatedLogout
	case strings.HasSuffix(host, ".auth0.com"):
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
	host := u.authURL.Hostname()
	return isEntra(u.authURL) || host == "accounts.google.com" || host == "github.com" || strings.HasSuffix(host, ".okta.com") ||
		strings.HasPrefix(host, "cognito-idp.") || strings.Contains(u.authURL.Path, "/realms/") // Keycloak
}

// TakesSessionHint reports whether logout_hint is the session (sid) of an ID token, which only
// its vendor says: Auth0.
func (u *Upstream) TakesSessionHint() bool {
	at, err := url.Parse(u.issuer)
	return err == nil && strings.HasSuffix(at.Hostname(), ".auth0.com") && u.logout == RPInitiatedLogout
}
