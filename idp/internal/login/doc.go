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
package login
