package clients

import "github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"

// IsForwarded reports whether a parameter of the authorization request travels to
// the IdP as it is: the checked ones, and every other one that no lenient server
// could take for one of those, or for a secret.
func IsForwarded(name string) bool {
	switch name {
	case "audience", "scope", "response_type", "client_id", "code_challenge_method", "code_challenge",
		"connection", "prompt", "nonce", "resource":
		return true
	}
	if AsksForMore(name) {
		return true
	}
	var buffer [params.MaxFolded]byte
	folded, ok := params.AppendFolded(buffer[:0], name)
	if !ok {
		return false
	}
	switch string(folded) {
	case "", "audience", "resource", "authorizationdetails", "claims", "scope",
		"includegrantedscopes", "userscope", "optionalscope", "connectionscope",
		"responsetype", "clientid", "codechallengemethod", "codechallenge",
		"responsemode", "state", "redirecturi", "connection", "prompt", "nonce",
		"request", "requesturi", "registration", "dpopjkt", "schema",
		"code", "codeverifier", "clientsecret", "clientassertion", "clientassertiontype",
		"accesstoken", "refreshtoken", "idtoken", "token", "password",
		"returnto", "postlogoutredirecturi", "federated",
		"redirecturl", "returnurl", "callbackurl", "webmessageuri", "webmessagetarget",
		"method", "httpmethod", "httpmethodoverride", "xhttpmethodoverride":
		return false
	}
	return true
}

// IsSpecified reports the parameters of an authorization request that ask for what the
// specifications say and nothing else: RFC 6749, RFC 7636, RFC 8707, RFC 9470, OpenID
// Connect Core 1.0 section 3.1.2.1, and the gateway's contract.
func IsSpecified(name string) bool {
	switch name {
	case "client_id", "response_type", "scope", "code_challenge", "code_challenge_method", "resource",
		"nonce", "display", "prompt", "max_age", "ui_locales", "claims_locales", "id_token_hint", "login_hint", "acr_values",
		"audience", "connection":
		return true
	}
	return false
}

// AuthorizationDetails is the parameter of RFC 9396 section 2.
const AuthorizationDetails = "authorization_details"

// AsksForMore reports the parameters that ask for more than audience, resource and
// scope say.
func AsksForMore(name string) bool {
	switch name {
	case AuthorizationDetails, "claims",
		// Scopes by other names: Google, Slack, HubSpot, Auth0.
		"include_granted_scopes", "user_scope", "optional_scope", "connection_scope":
		return true
	}
	return false
}
