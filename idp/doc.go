// Package idp is an identity gateway: what an OAuth client may send through it to an
// identity provider (IdP), and which responses of the IdP may reach the client.
//
// A [Policy] is the rules, made from a [Config]. A [Gateway] serves them over [Parts]: a
// transport to the IdP, sealing keys, a replay store. It always serves four public paths
// ([Authorize], [Token], [UserInfo], [Logout]), and with a [CallbackConfig] also
// [Callback], [Revoke] and, for clients whose users are asked, [ConsentForm].
//
// A request is classified once, then parsed once by the parser of its endpoint into a
// typed value. The request to the IdP is built from that value only, and the IdP's
// response is checked before the client gets it. With a callback the IdP redirects to
// the gateway, which binds each code to its login and remembers neither: the login is
// sealed into state, and with the IdP's code into the client's code, which only a token
// request of the same client, redirect URI and verifier opens.
//
// Where the IdP's endpoints are, and what it supports, follows from the
// configuration or from the IdP's metadata, which package discovery checks.
//
// Each rule stands in exactly one place and names its source: OAuth 2.0
// (RFC 6749), bearer tokens (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252),
// the security best current practice (RFC 9700), OpenID Connect Core 1.0.
// Rejections are errors that [AsError] turns into an [*Error] with the protocol's
// error code, the HTTP status and a description that says what to do. It never
// contains a value that the client sent.
package idp
