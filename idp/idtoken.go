package idp

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
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
func (p *Policy) addOpenID(r *authorizeRequest, scope string) {
	if r.resource.HasOwnTokens() && !r.getsIDToken() {
		r.openID, r.issuer = false, p.responseIssuer(r.Party, false, false)
		scope = "" // openid in it is the client's wish, and not known to be the IdP's
	}
	if p.callback == nil || r.openID || scope == "" && r.resource == nil || !p.isOpenIDProvider() && !params.HasScope(scope, "openid") {
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
	case nonce == "" && p.nonce == NonceRequired:
		return params.Missing("nonce", "OpenID Connect Core 1.0 section 3.1.2.1; this gateway has nonce require")
	case p.callback != nil && strings.HasPrefix(nonce, ownNoncePrefix):
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 15.5.2",
			"nonce begins with "+ownNoncePrefix+", which only the gateway's own do; send a random one for each login")
	}
	return nil
}

// isOpenIDProvider reports whether the IdP says so: by the algorithms of ID tokens, which
// its metadata has to have (OpenID Connect Discovery 1.0 section 3), and by the scope
// openid if it lists scopes.
func (p *Policy) isOpenIDProvider() bool {
	m := p.metadata
	return m != nil && len(m.IDTokenAlgorithms) > 0 && accepts(m.Scopes, "openid")
}

// withoutOpenID takes out of a token response to a login whose openid is the gateway's own
// what its client does not get: the ID token, and openid in scope (RFC 6749 section 5.1)
// unless nothing else was granted.
func (g *given) withoutOpenID() {
	g.set("id_token", "")
	if others := slices.DeleteFunc(spaced(g.scope), func(name string) bool { return name == "openid" }); len(others) > 0 {
		g.set("scope", strings.Join(others, " "))
	}
}

// checkIDToken holds the ID token of a token response to the login (OpenID Connect
// Core 1.0 section 3.1.3.7): it is for the login's client (step 3), carries the
// nonce that the login began with, and none if it began with none (step 11). There
// has to be one if the login asked for it, by openid or a nonce: otherwise the code
// of a login that did not would do. A code that was stolen from one login and redeemed
// in another gives an ID token with the wrong nonce. One that the IdP gave to another
// client, whose login had whatever nonce that client liked, gives one with the wrong
// audience. What the login has asked for by acr_values and max_age holds (steps 12 and 13),
// with [Config.StepUp].
//
// The signature is not looked at: the token came from the IdP itself over TLS
// (step 6), and what counts is what the IdP says of this code.
func (p *Policy) checkIDToken(a *tokenAnswer, l *login.Login, idpClient string) error {
	t := &a.idToken
	switch {
	case a.invalid != nil:
		return a.invalid
	case t.payload == nil:
		return p.checkNoIDToken(l)
	}
	if !slices.Contains(t.Audience, idpClient) {
		return badIDToken("the ID token's audience is not " + idpClient + ": the code is another client's")
	}
	hasNonce := t.Nonce != nil && *t.Nonce != ""
	switch {
	case l.Nonce == login.NonceHash{}:
		if hasNonce && p.nonce != NonceAny {
			return badIDToken("the ID token has a nonce and the login had none: " +
				"the code is another login's, or this identity provider invents nonces (see nonce any)")
		}
	case !hasNonce || !l.Nonce.Matches(*t.Nonce):
		return badIDToken("the ID token's nonce is not this login's: the code is another login's")
	}
	if l.StepUp == (login.StepUp{}) {
		return nil
	}
	return l.StepUp.Check(login.ReadAuthentication(t.payload))
}

// idToken is the ID token of a token response (OpenID Connect Core 1.0 section 2).
type idToken struct {
	// payload are its claims, nil if there is no ID token.
	payload  []byte
	Audience jwt.List `json:"aud"`
	Nonce    *string  `json:"nonce"`
	// Subject is any value: see [idToken.subject].
	Subject jsontext.Value `json:"sub"`
}

// subject is the user, "" if the ID token names none.
func (t *idToken) subject() string {
	subject, err := jsontext.AppendUnquote(nil, t.Subject)
	if err != nil {
		return ""
	}
	return string(subject)
}

// readIDToken reads the ID token of a token response.
func readIDToken(token *tokenResponse) (t idToken, err error) {
	if len(token.IDToken) == 0 || token.IDToken.Kind() == 'n' {
		return t, nil
	}
	jwt, err := jsontext.AppendUnquote(nil, token.IDToken)
	switch {
	case err != nil:
		return t, badIDToken("the identity provider's id_token is not a string")
	case len(jwt) == 0:
		return t, nil
	}
	switch bytes.Count(jwt, []byte{'.'}) {
	case 2:
	case 4:
		return t, badIDToken("the identity provider encrypted the ID token, so that its nonce can't be checked; have it sign ID tokens only")
	default:
		return t, badIDToken("the identity provider's ID token is not a JWT")
	}
	_, rest, _ := bytes.Cut(jwt, []byte{'.'})
	payload, _, _ := bytes.Cut(rest, []byte{'.'})
	if t.payload, err = base64.RawURLEncoding.AppendDecode([]byte{}, payload); err != nil {
		return idToken{}, badIDToken("the identity provider's ID token is not a JWT")
	}
	if json.Unmarshal(t.payload, &t) != nil {
		return t, badIDToken("the claims of the identity provider's ID token can't be read")
	}
	return t, nil
}

// checkNoIDToken holds a token response without an ID token to the login.
func (p *Policy) checkNoIDToken(l *login.Login) error {
	switch {
	case p.nonce == NonceRequired:
		return badIDToken("the identity provider sent no ID token, and nonce require asks for one")
	case l.OwnOpenID:
		return badIDToken("the identity provider sent no ID token, although its metadata calls it an OpenID Provider and the gateway asked for openid: " +
			"allow the client that scope there, or write the endpoints instead of discover")
	case l.OpenID || l.Nonce != login.NonceHash{}:
		return badIDToken("the identity provider sent no ID token, and the login asked for one: " +
			"have the client leave out the scope openid and nonce if this provider has no OpenID Connect, and send both if it has")
	}
	return l.StepUp.Check(login.Authentication{})
}

// badIDToken withholds a token response. The code is spent.
func badIDToken(description string) error {
	e := oauth.BadGateway(description)
	e.Source = "OpenID Connect Core 1.0 section 3.1.3.7"
	return e
}
