// Package vendors is what is known of single identity providers, by their hosts or issuers.
package vendors

import (
	"net/url"
	"strings"
)

// Google is its issuer. Anybody has an account there, also with an address elsewhere.
const Google = "https://accounts.google.com"

// IsEntra reports Microsoft's login hosts: of the clouds
// (https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud)
// and of customers' tenants.
func IsEntra(u *url.URL) bool {
	switch host := u.Hostname(); host {
	case "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn":
		return true
	default:
		return strings.HasSuffix(host, ".ciamlogin.com") || strings.HasSuffix(host, ".b2clogin.com")
	}
}

// VerifiesNoAddress reports an issuer of Entra ID, whose users and administrators write any address.
func VerifiesNoAddress(issuer string) bool {
	return strings.HasPrefix(issuer, "https://login.microsoftonline.com/") || strings.HasPrefix(issuer, "https://sts.windows.net/")
}

// IsPublic reports whether anybody can have an account at an identity provider: whoever is let
// in without a rule is everybody.
func IsPublic(u *url.URL) bool {
	switch u.Hostname() {
	case "accounts.google.com", "github.com", "appleid.apple.com", "www.facebook.com", "discord.com", "gitlab.com", "www.linkedin.com":
		return true
	case "login.microsoftonline.com":
		tenant, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
		return tenant == "common" || tenant == "consumers" || tenant == "organizations"
	}
	return false
}

// IsOkta reports whether a host is Okta's own.
func IsOkta(host string) bool {
	return strings.HasSuffix(host, ".okta.com") || strings.HasSuffix(host, ".oktapreview.com") || strings.HasSuffix(host, ".okta-emea.com")
}

// IsAuth0 reports whether a host is Auth0's own.
func IsAuth0(host string) bool { return strings.HasSuffix(host, ".auth0.com") }

// IsCognito reports whether a host is that of an issuer of Amazon Cognito.
func IsCognito(host string) bool {
	return strings.HasPrefix(host, "cognito-idp.") && (strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn"))
}

// SupportsFormPost reports the hosts of those that say so in their discovery documents
// (response_modes_supported), for all their tenants.
func SupportsFormPost(host string) bool {
	for _, domain := range [...]string{".auth0.com", ".okta.com", ".oktapreview.com", "login.microsoftonline.com", "accounts.google.com"} {
		if strings.HasSuffix("."+host, "."+strings.TrimPrefix(domain, ".")) {
			return true
		}
	}
	return false
}

// HasOtherPaths reports an identity provider that has no endpoint at the gateway's public paths.
func HasOtherPaths(u *url.URL) bool {
	host := u.Hostname()
	return IsEntra(u) || host == "accounts.google.com" || host == "github.com" || strings.HasSuffix(host, ".okta.com") ||
		strings.HasPrefix(host, "cognito-idp.") || strings.Contains(u.Path, "/realms/") // Keycloak
}
