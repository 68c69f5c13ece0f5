// Package idp is an identity gateway: what an OAuth client may send through it to an
// identity provider (IdP), and which responses of the IdP may reach the client.
//
// [NewPolicy] compiles a [Config] into the rules. [NewGateway] serves them with [Parts]: a
// transport to the IdP, sealing keys, a replay store. [Gateway.Handler] works with any
// HTTP server; a server that knows more of a request calls [Gateway.Serve].
//
// The paths [Authorize], [Token], [UserInfo] and [Logout] are always served. With a
// [CallbackConfig], so are [Callback] and [Revoke], and [ConsentForm] for clients whose
// users are asked.
//
// A request is classified once, and parsed once into the typed value of its endpoint. The
// request to the IdP is built from that value alone, and the IdP's response is checked
// before the client gets it. With a callback the IdP redirects to the gateway, which binds
// each code to its login and remembers neither: the login is sealed into state, and with
// the IdP's code into the client's code, which only a token request of the same client,
// redirect URI and verifier opens.
//
// Each rule stands in one place and names its source: OAuth 2.0 (RFC 6749), bearer tokens
// (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252), the security best current practice
// (RFC 9700), OpenID Connect Core 1.0. [oauth.AsError] turns a rejection into an [*oauth.Error] with
// the protocol's error code, the HTTP status, and a description that says what to do and
// never contains a value that the client sent.
package idp
