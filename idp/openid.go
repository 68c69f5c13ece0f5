package idp

import (
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// addOpenID asks an OpenID Provider for an ID token in a login that asks for none,
// because its nonce tells the code of this login from that of any other. The client
// gets nothing of it: see withoutOpenID. Scope is in the IdP's names, which may have
// openid where the client's do not. A login without any scope stays as it is, since
// openid alone would take the place of the IdP's default (RFC 6749 section 3.3), unless
// a resource says what that is.
//
// Where the gateway issues the access token, it has to know the user: see
// [authorizeRequest.getsIDToken].
//
// Where the gateway is the issuer, the client's own login has a nonce of the gateway's, too.
func (r *authorizeRequest) addOpenID(p *Policy, scope string) {
	if p.issues() && (r.openID || scope != "" || r.resource != nil) {
		r.nonceForIdP()
		return
	}
	if r.resource.HasOwnTokens() && !r.getsIDToken() {
		r.openID, r.issuer = false, p.responseIssuer(r.Party, false, false)
		scope = "" // openid in it is the client's wish, and not known to be the IdP's
	}
	if p.callback == nil || r.openID || scope == "" && r.resource == nil || !p.idp.IsOpenIDProvider() && !params.HasScope(scope, "openid") {
		return
	}
	r.ownOpenID, r.ownNonce = true, ownNoncePrefix+rand.Text()
	r.nonce = r.ownNonce
}

// ownNoncePrefix begins the gateway's own nonces, and no client's. So whoever has read
// one in the authorization request of a login can't begin another login with it, in
// which the first one's code would do.
const ownNoncePrefix = "identity-gateway."

// checkNonce rejects a client's nonce that is one of the gateway's own.
func (p *Policy) checkNonce(nonce string) error {
	switch {
	case nonce == "" && p.idp.Nonce() == NonceRequired:
		return params.Missing("nonce", "OpenID Connect Core 1.0 section 3.1.2.1; this gateway has nonce require")
	case p.signs && len(nonce) > login.MaxNonce:
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 3.1.2.1",
			"nonce is longer than "+strconv.Itoa(login.MaxNonce)+" bytes; send a random value, or the hash of a longer one")
	case p.callback != nil && strings.HasPrefix(nonce, ownNoncePrefix):
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 15.5.2",
			"nonce begins with "+ownNoncePrefix+", which only the gateway's own do; send a random one for each login")
	}
	return nil
}

// withoutOpenID takes out of a token response to a login whose openid is the gateway's own
// what its client does not get: the ID token, and openid in scope (RFC 6749 section 5.1)
// unless nothing else was granted.
func (g *given) withoutOpenID() {
	g.set("id_token", "")
	if others := slices.DeleteFunc(g.scope.Spaced(), func(name string) bool { return name == "openid" }); len(others) > 0 {
		g.set("scope", strings.Join(others, " "))
	}
}

// askStepUp reads what goes to the IdP, at the time at which the login begins.
func (r *authorizeRequest) askStepUp() error {
	const source = "OpenID Connect Core 1.0 section 3.1.2.1"
	for _, param := range r.forwarded {
		switch param.Name {
		case "acr_values":
			values := strings.Fields(param.Value)
			if r.acr = strings.Join(values, " "); len(r.acr) > login.MaxAuthentication || !syntax.VSChar.Holds(r.acr) {
				return oauth.Reject(oauth.InvalidRequest, source, "acr_values must be printable ASCII, and at most "+strconv.Itoa(login.MaxAuthentication)+" bytes")
			}
		case "max_age":
			seconds, err := strconv.ParseUint(param.Value, 10, 31)
			if err != nil {
				return oauth.Reject(oauth.InvalidRequest, source, "max_age must be a number of seconds")
			}
			age := time.Duration(seconds) * time.Second
			r.maxAge = &age
		}
	}
	return nil
}

// stepUp is what a request asks of a login that begins now.
func (r *authorizeRequest) stepUp(now time.Time) login.StepUp {
	s := login.StepUp{ACR: r.acr}
	if r.maxAge != nil {
		s.Since = time.Unix(max(now.Add(-*r.maxAge).Unix(), 1), 0)
	}
	return s
}

// ownScopes are those that the gateway itself asks an OpenID Provider for, where no client
// sees what was granted.
func (r *authorizeRequest) ownScopes(p *Policy) []string {
	if !r.resource.HasOwnTokens() || !p.idp.IsOpenIDProvider() {
		return nil
	}
	scopes := p.users.Scopes()
	for _, c := range p.tokenClaims {
		switch c.Path {
		case "email":
			scopes = append(scopes, "email")
		case "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "locale", "zoneinfo":
			scopes = append(scopes, "profile")
		}
	}
	return scopes
}
