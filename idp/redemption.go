package idp

import (
	"crypto/sha256"
	"errors"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Redemption is a client's code, opened and found to belong to the request that
// redeems it. Before the IdP is asked, Key must be claimed for [Policy.ClaimTTL].
type Redemption struct {
	Key replay.Key

	login authorizedLogin
}

// OpenCode checks that a token request redeems a code that its client was given
// (RFC 6749 section 4.1.3, RFC 7636 section 4.6). A request that fails must not
// reach the IdP. [seal.ErrUnknownKey] is in the chain of an error that newer keys
// may resolve.
func (p *Policy) OpenCode(s Sealing, r *TokenRequest) (*Redemption, error) {
	login, err := p.openAuthorized(s, r.Code)
	named := ""
	if login.Named {
		named = login.RedirectURI
	}
	const section52 = "RFC 6749 section 5.2"
	switch {
	case err != nil:
		e := reject(InvalidGrant, section52,
			"this gateway did not issue the code, or too long ago, or it was altered; start at /authorize here")
		e.cause = err
		return nil, e
	case r.ClientID != login.ClientID:
		return nil, reject(InvalidGrant, section52, "the code was issued to another client")
	case r.RedirectURI != named:
		return nil, reject(InvalidGrant, "RFC 6749 section 4.1.3",
			"redirect_uri is not that of the authorization request; send it exactly as there, or leave it out at both")
	case !r.Verifier.belongsTo(login.Challenge):
		return nil, reject(InvalidGrant, "RFC 7636 section 4.6",
			"code_verifier does not belong to the code_challenge of the authorization request")
	case !s.Now.Before(login.Expires):
		return nil, reject(InvalidGrant, "RFC 6749 section 4.1.2",
			"the code is older than "+p.callback.codeTimeout.String()+"; start a new login")
	}
	return &Redemption{
		// The IdP's code, not the client's: a callback that is loaded twice gives
		// two codes to the client, and they buy one token.
		Key:   sha256.Sum256([]byte(p.authURL.String() + "\x00" + login.code)),
		login: login,
	}, nil
}

// ClaimTTL is how long a claim of a [Redemption.Key] must stay: as long as the
// callback could be loaded again and the code that it gives redeemed.
func (p *Policy) ClaimTTL() time.Duration {
	return p.callback.loginTimeout + p.callback.codeTimeout + seal.Skew
}

// ClaimError is the response to an error of a [replay.Store]: what was redeemed
// is not redeemed again, and neither is what the store can't decide.
func ClaimError(err error) error {
	switch {
	case errors.Is(err, replay.ErrClaimed):
		return reject(InvalidGrant, "RFC 6749 section 4.1.2", "this code was redeemed before; start a new login")
	case errors.Is(err, replay.ErrFull):
		return Unavailable("too many logins at the moment; try again later", "60")
	}
	return Unavailable("the gateway can't tell at the moment whether this code was redeemed before; try again", "5")
}

// KeysError is the response while there are no keys to seal and open with.
func KeysError() error {
	return Unavailable("the gateway has no sealing keys at the moment; try again later", "5")
}
