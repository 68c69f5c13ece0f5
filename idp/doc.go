// Package idp is the policy of an identity gateway: what an OAuth client may send
// through it to an identity provider (IdP), and which responses of the IdP may
// reach the client.
//
// The gateway always serves four public paths ([Authorize], [Token], [UserInfo],
// [Logout]), and with a [CallbackConfig] also [takeCallback], [Revoke] and, for clients
// whose users are asked, [ConsentForm]. A request is classified once by [Policy.route]
// and then parsed once by the parser of its endpoint ([Policy.parseAuthorize],
// [Policy.parseToken], [Policy.parseUserInfo], [Policy.parseLogout] and so on) into a
// typed value. The request to the IdP is built from that value only. The IdP's response
// is checked by [Policy.checkTokenResponse], [checkUserInfoResponse] and
// [checkRevocationResponse].
//
// With a callback the IdP redirects to the gateway, and the policy binds each
// code to its login without remembering either: [Policy.authorizeURL] seals the
// login into state, [Policy.takeCallback] seals it with the IdP's code into the
// client's code, and [Policy.openCode] opens that for a token request of the same
// client, redirect URI and verifier.
//
// Where the IdP's endpoints are, and what it supports, follows from the
// configuration or from the IdP's metadata, which package discovery checks:
// [Policy.withMetadata].
//
// Each rule stands in exactly one place and names its source: OAuth 2.0
// (RFC 6749), bearer tokens (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252),
// the security best current practice (RFC 9700), OpenID Connect Core 1.0.
// Rejections are errors that [AsError] turns into an [*Error] with the protocol's
// error code, the HTTP status and a description that says what to do. It never
// contains a value that the client sent.
//
// The package neither serves nor sends requests. Package seal encrypts what
// travels through browsers, package replay records which codes were redeemed.
package idp
