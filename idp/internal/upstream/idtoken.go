package upstream

import (
	"bytes"
	"context"
	"encoding/base64"
	"slices"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// CheckIDToken holds the ID token of a token response to the login (OpenID Connect
// Core 1.0 section 3.1.3.7): it is for the login's client (step 3), carries the
// nonce that the login began with, and none if it began with none (step 11). There
// has to be one if the login asked for it, by openid or a nonce: otherwise the code
// of a login that did not would do. A code that was stolen from one login and redeemed
// in another gives an ID token with the wrong nonce. One that the IdP gave to another
// client, whose login had whatever nonce that client liked, gives one with the wrong
// audience. What the login has asked for by acr_values and max_age holds (steps 12 and 13),
// with step_up.
//
// The signature is not looked at: the token came from the IdP itself over TLS
// (step 6), and what counts is what the IdP says of this code.
func (u *Upstream) CheckIDToken(a *TokenAnswer, l *login.Login, client string) error {
	t := &a.IDToken
	switch {
	case a.Invalid != nil:
		return a.Invalid
	case t.Payload == nil:
		return u.checkNoIDToken(l)
	}
	if !slices.Contains(t.Audience, client) {
		return badIDToken("the ID token's audience is not " + client + ": the code is another client's")
	}
	hasNonce := t.Nonce != nil && *t.Nonce != ""
	switch {
	case l.Nonce == login.NonceHash{}:
		if hasNonce {
			return badIDToken("the ID token has a nonce and the login had none: " +
				"the code is another login's, or this identity provider invents nonces: have the client send one, or set public_url and discover")
		}
	case !hasNonce || !l.Nonce.Matches(*t.Nonce):
		return badIDToken("the ID token's nonce is not this login's: the code is another login's")
	}
	if l.StepUp == (login.StepUp{}) {
		return nil
	}
	return l.StepUp.Check(login.ReadAuthentication(t.Payload))
}

// VerifyIDToken checks the signature of the ID token of an answer: that of a key of the IdP or,
// where its metadata names HS256, of the client's secret (OpenID Connect Core 1.0 sections 3.1.3.7
// and 10.1).
func (u *Upstream) VerifyIDToken(ctx context.Context, keys clients.KeySet, a *TokenAnswer, secret string) error {
	raw, err := jsontext.AppendUnquote(nil, a.Token.IDToken)
	if err != nil {
		return badIDToken("the identity provider's id_token is not a string")
	}
	algorithms := u.IDTokenAlgorithms()
	if secret != "" && u.metadata != nil && slices.Contains(u.metadata.IDTokenAlgorithms, string(jose.HS256)) {
		algorithms = append(algorithms, jose.HS256)
	}
	signed, err := jose.ParseSignedCompact(string(raw), algorithms)
	if err != nil {
		return badIDToken("the ID token is not signed by an algorithm that the identity provider's metadata names: " +
			"have it sign ID tokens by RS256 or ES256, or set id_tokens idp")
	}
	wrong := oauth.BadGateway("the ID token is not signed with a key that the identity provider publishes")
	if signed.Signatures[0].Protected.Algorithm == string(jose.HS256) {
		if _, err := signed.Verify([]byte(secret)); err != nil {
			return badIDToken("the ID token is not signed with the secret of idp_client")
		}
		return nil
	}
	return clients.VerifySignature(ctx, keys, signed, wrong)
}

// IDToken is the ID token of a token response (OpenID Connect Core 1.0 section 2).
type IDToken struct {
	// Payload are its claims, nil if there is no ID token.
	Payload  []byte
	Audience jwt.List `json:"aud"`
	Nonce    *string  `json:"nonce"`
	// Subject is any value: see [IDToken.SubjectText].
	Subject jsontext.Value `json:"sub"`
}

// SubjectText is the user, "" if the ID token names none.
func (t *IDToken) SubjectText() string {
	subject, _ := jsonobject.Text(t.Subject)
	return subject
}

// ReadIDToken reads the ID token of a token response.
func ReadIDToken(token *TokenResponse) (t IDToken, err error) {
	if len(token.IDToken) == 0 || token.IDToken.Kind() == 'n' {
		return t, nil
	}
	jwt, err := jsonobject.Unquoted(token.IDToken)
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
	if t.Payload, err = base64.RawURLEncoding.AppendDecode([]byte{}, payload); err != nil {
		return IDToken{}, badIDToken("the identity provider's ID token is not a JWT")
	}
	if json.Unmarshal(t.Payload, &t) != nil {
		return t, badIDToken("the claims of the identity provider's ID token can't be read")
	}
	return t, nil
}

// checkNoIDToken holds a token response without an ID token to the login.
func (u *Upstream) checkNoIDToken(l *login.Login) error {
	switch {
	case u.nonce == NonceRequired:
		return badIDToken("the identity provider sent no ID token, and parameters nonce asks for one")
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
	return badGateway("OpenID Connect Core 1.0 section 3.1.3.7", description)
}

// NonceRule says which nonces logins and their ID tokens must have (OpenID Connect Core
// 1.0 section 3.1.2.1).
type NonceRule string

const (
	// NonceOptional lets logins be without one. Their ID tokens then have none either. It
	// is the default.
	NonceOptional NonceRule = "optional"
	// NonceRequired demands a nonce of every login, and an ID token with it.
	NonceRequired NonceRule = "require"
)
