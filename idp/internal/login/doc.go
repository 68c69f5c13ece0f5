// Package login seals what the gateway remembers of a login, which it does not store: it travels
// through browsers, clients and the IdP, and only who has the gateway's keys can read or make it.
//
//	what            purpose          who carries it      type           good for
//	state           state            browser, IdP        [Pending]      login_timeout
//	code            code             browser, client     [Authorized]   [CodeLifetime]
//	refresh token   refresh token    client              [RefreshToken] until it is revoked, replaced or not used
//	access token    access token     client, resource    gatewaytoken   an hour at most
//	request_uri     pushed request   client, browser     [RequestURI]   [RequestLifetime]
//	consent page    consent          browser             [Consent]      login_timeout
//	client_id       client id        client, browser     [Registration] the lifetime of registrations
//
// Each is bound to its site ([Site]), so that another one with the same keys opens none of it,
// and names the client, its redirect URI and the resource by digests of what they were checked
// against: under other terms than those of now it opens nowhere. A [Codec] seals and opens all
// of them but access tokens, which package gatewaytoken does without a gateway.
//
// # Files
//
//	login.go: what is known of a login: state and code; acr_values and max_age held to (StepUp.Check)
//	codec.go: what makes another site's values foreign; the purposes
//	terms.go: which change of a client or resource makes what was sealed no good
//	refresh_token.go: what is in a refresh token
//	request_uri.go: what is in a request_uri
//	consent.go: what is in the form of a consent page
//	registration.go: what is in the client_id of a registered client
//	authentication.go: how a user has logged in: acr, amr, auth_time
//	id.go: the login_id of logs
//	reference.go: the short name of a dynamic client
//	limits.go: how long each is good, how big
package login
