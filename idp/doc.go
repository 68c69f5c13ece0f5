// Package idp is the rule book of an identity gateway: what an OAuth client may
// send through it to someone else's identity provider (IdP), and what the IdP
// may answer.
//
// The gateway serves four public paths ([Authorize], [Token], [UserInfo],
// [Logout]). A request is classified once by [Policy.Route] and then parsed once
// by the parser of its endpoint ([Policy.ParseAuthorize], [Policy.ParseToken],
// [Policy.ParseUserInfo], [Policy.ParseLogout]) into a typed value. What leaves
// for the IdP is rebuilt from that value and from nothing else. What comes back
// is judged by [CheckTokenAnswer] and [CheckUserInfoAnswer].
//
// Each rule stands in exactly one place and names its source: OAuth 2.0
// (RFC 6749), bearer tokens (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252),
// the security best current practice (RFC 9700), OpenID Connect Core 1.0.
// Whoever refuses something does it with an [*Error], which carries the protocol's
// error code, the HTTP status and a sentence that says what to do; never a value
// that the client sent.
//
// The package serves and requests nothing itself. The memory of the logins that
// began here is in the package ledger.
package idp
