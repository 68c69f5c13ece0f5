package idp

import (
	"encoding/base64"
	"strings"

	"github.com/go-json-experiment/json"
)

// checkNonce holds the ID token of a token response to the login (OpenID Connect
// Core 1.0 section 3.1.3.7, step 11): it carries the nonce that the login began
// with, and none if it began with none. A code that was stolen from one login
// and redeemed in another gives an ID token with the wrong nonce. idToken is ""
// if there is none.
//
// The signature is not looked at: the token came from the IdP itself over TLS
// (section 3.1.3.7, step 6), and what counts is what the IdP says of this code.
func (p *Policy) checkNonce(token tokenResponse, login *Login) error {
	if len(token.IDToken) == 0 || token.IDToken.Kind() == 'n' {
		if p.requireNonce {
			return badIDToken("the identity provider sent no ID token, and require_nonce asks for one")
		}
		return nil
	}
	var idToken string
	if json.Unmarshal(token.IDToken, &idToken) != nil {
		return badIDToken("the identity provider's id_token is not a string")
	}
	parts := strings.Split(idToken, ".")
	switch len(parts) {
	case 3:
	case 5:
		return badIDToken("the identity provider encrypted the ID token, so that its nonce can't be checked; have it sign ID tokens only")
	default:
		return badIDToken("the identity provider's ID token is not a JWT")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return badIDToken("the identity provider's ID token is not a JWT")
	}
	var claims struct {
		Nonce *string `json:"nonce"`
	}
	if json.Unmarshal(payload, &claims) != nil {
		return badIDToken("the claims of the identity provider's ID token can't be read")
	}
	hasNonce := claims.Nonce != nil && *claims.Nonce != ""
	switch {
	case login.nonce == nonceHash{}:
		if hasNonce && !p.allowUnrequestedNonce {
			return badIDToken("the ID token has a nonce and the login had none: " +
				"the code is another login's, or this identity provider invents nonces (see allow_unrequested_nonce)")
		}
	case !hasNonce || !login.nonce.matches(*claims.Nonce):
		return badIDToken("the ID token has not the nonce that the login began with: the code is another login's")
	}
	return nil
}

// badIDToken withholds a token response. The code is spent.
func badIDToken(description string) error {
	e := BadGateway(description)
	e.Source = "OpenID Connect Core 1.0 section 3.1.3.7"
	return e
}
