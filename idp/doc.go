// Package idp is an identity gateway: what an OAuth client may send through it to an
// identity provider (IdP), and which responses of the IdP may reach the client.
//
// [NewPolicy] compiles a [Config] into the rules. [NewGateway] serves them with [Parts]: a
// transport to the IdP, sealing keys, a replay store. [Gateway.Handler] works with any
// HTTP server; a server that knows more of a request calls [Gateway.Serve].
//
// # A login with a callback
//
// The IdP redirects to the gateway, which binds each code to its login and remembers neither.
// What it would have to remember travels sealed (package internal/login):
//
//	client            browser                   gateway                         IdP
//	  |                  |                         |                             |
//	  |-- request ------>|------ /authorize ------>| check; seal the login       |
//	  |                  |<-- 302, state ----------| into state                  |
//	  |                  |------------------ state, challenge ------------------>|
//	  |                  |<----------------- state, the IdP's code --------------|
//	  |                  |------ callback -------->| open state; seal login and  |
//	  |<------ code -----|<-- 303, code -----------| the IdP's code into a code  |
//	  |------------------- code, verifier -------->| open; claim it once         |
//	  |                                            |-- the IdP's code, verifier->|
//	  |                                            |<- tokens, ID token ---------|
//	  |                                            | hold them to the login; who |
//	  |<-- access token, refresh token ------------| is the user; seal both      |
//	  |------------------- refresh token --------->| open; take the family       |
//	  |                                            |-- the IdP's refresh token ->|
//	  |<-- access token, refresh token ------------|<- tokens -------------------|
//
// Without a callback the IdP's codes and tokens pass to the client as they are. Requests pushed
// to [PushedRequest] travel sealed in their request_uri, and those that a user is asked about in
// the page of [ConsentForm].
//
// The paths [Authorize], [Token], [UserInfo] and [Logout] are always served. With a
// [CallbackConfig], so are [Callback] and [Revoke], and [ConsentForm] for clients whose
// users are asked.
//
// A request is classified once, and parsed once into the typed value of its endpoint. The
// request to the IdP is built from that value alone, and the IdP's response is checked
// before the client gets it: parse, open, claim, ask, check, give.
//
// Each rule stands in one place and names its source: OAuth 2.0 (RFC 6749), bearer tokens
// (RFC 6750), PKCE (RFC 7636), native apps (RFC 8252), the security best current practice
// (RFC 9700), OpenID Connect Core 1.0. [oauth.AsError] turns a rejection into an [*oauth.Error] with
// the protocol's error code, the HTTP status, and a description that says what to do and
// never contains a value that the client sent.
package idp
