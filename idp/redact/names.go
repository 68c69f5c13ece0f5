// Package redact takes out of text what can buy a token or finish a login: codes,
// states, nonces, challenges, verifiers, tickets, tokens, assertions, secrets. It is for logs,
// whose readers may see who logged in, when and where, but must not be able to log in
// themselves.
//
// It knows URLs and forms, also percent-encoded inside each other, JSON, also quoted
// inside strings and with escapes, header fields, hidden inputs of HTML, what Go prints
// of maps, and base64 of all these. A value stands for a secret by its name; one that
// stands alone is recognized only if it is a JWT, a value that the gateway has sealed, or
// the password in a URL.
//
// # Files
//
//	names.go: which names stand for a secret
//	text.go: values behind these names, in whatever they are written
//	url.go: addresses of the gateway's own endpoints, of which only what is harmless stays
package redact

import "strings"

// Replacement stands where a secret was.
const Replacement = "REDACTED"

// IsParameter reports whether values of the parameter are secret, wherever they
// stand. The case of the name does not matter, nor whether its words have an underscore, a
// hyphen or nothing between them, as accessToken in programs.
func IsParameter(name string) bool {
	return parameters[strings.ReplaceAll(strings.ToLower(name), "-", "_")]
}

// parameters of OAuth 2.0, OpenID Connect and their extensions.
var parameters = withoutUnderscores(
	"code", "state", "nonce", // RFC 6749 section 4.1.2, OpenID Connect Core 1.0 section 3.1.2.1
	"auth_code", "authorization_code", "pre_authorized_code", // other names of codes, OpenID for Verifiable Credential Issuance 1.0
	"request_uri",                     // RFC 9126
	"code_challenge", "code_verifier", // RFC 7636
	"access_token", "refresh_token", "id_token", "id_token_hint", "logout_token", "token", // RFC 6749, 6750, 7009, 7662
	"client_secret", "client_assertion", "assertion", // RFC 6749 section 2.3.1, RFC 7521
	"subject_token", "actor_token", // RFC 8693
	"device_code", "user_code", // RFC 8628
	"auth_req_id", "login_hint_token", // CIBA
	"registration_access_token",                                          // RFC 7591
	"session_state",                                                      // OpenID Connect Session Management 1.0
	"session_id",                                                         // of the Model Context Protocol, in URLs (2024-11-05)
	"password", "passwd", "otp", "mfa_token", "oob_code", "binding_code", // of forms at identity providers
	"passcode", "totp", "mfa_code", "recovery_code", "verification_code", // the same
	"samlresponse", "samlrequest", "samlart", "relaystate", "wresult", "wctx", // of federated logins
	// Steps of a login at CAS, Auth0 and UMA 2.0, Ory Hydra, Keycloak, Okta.
	"ticket", "login_ticket",
	"login_challenge", "login_verifier", "consent_challenge", "consent_verifier", "logout_challenge", "logout_verifier", "device_challenge", "device_verifier",
	"session_code", "client_data",
	"session_token", "state_token", "state_handle", "interaction_code", "interaction_handle",
	"secret", "sealing_key", "sealing_keys", // of configurations, which Caddy logs at DEBUG
	"oauth_token", "oauth_token_secret", "oauth_verifier", // RFC 5849
)

// IsHeader reports whether a header field is secret as a whole. Gateways and APIs have
// fields of their own for tokens: X-Forwarded-Access-Token, X-Auth-Token.
func IsHeader(name string) bool {
	name = strings.ToLower(name)
	return headers[name] || strings.HasPrefix(name, "x-") && strings.HasSuffix(name, "token")
}

var headers = set("authorization", "proxy-authorization", "cookie", "set-cookie", "dpop",
	"mcp-session-id") // of the Model Context Protocol

// isShown reports a parameter of which the gateway's own URLs keep the value. Nothing
// else of them is shown, so that one with a name that nobody thought of is not either.
func isShown(name string) bool { return shown[strings.ToLower(name)] }

var shown = set(
	"client_id", "clientid", "response_type", "response_mode", "redirect_uri", "scope", "audience", "resource",
	"code_challenge_method", "prompt", "max_age", "display", "ui_locales", "acr_values", "grant_type", "token_type", "token_type_hint",
	"connection", "organization", "screen_hint", "iss", "error", "expires_in",
	"returnto", "post_logout_redirect_uri", "logout_uri", "federated",
)

// schemes of the credentials in an Authorization field.
var schemes = set("bearer", "dpop", "basic")

// withoutUnderscores is a set of names, with and without their underscores.
func withoutUnderscores(names ...string) map[string]bool {
	s := set(names...)
	for _, name := range names {
		s[strings.ReplaceAll(name, "_", "")] = true
	}
	return s
}

func set(names ...string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}
