package idp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// codeGrant is a client's code, opened and found to belong to the request that
// redeems it. Before the IdP is asked, it must be claimed: [codeKeys.claim].
type codeGrant struct {
	login     login.Authorized
	idpClient string // its client's id at the IdP
}

// openCodeGrant checks that a token request redeems a code that its client was given
// (RFC 6749 section 4.1.3, RFC 7636 section 4.6). A request that fails must not
// reach the IdP. [seal.ErrUnknownKey] is in the chain of an error that newer keys
// may resolve.
func (r *tokenRequest) openCodeGrant(p *Policy, s sealer) (*codeGrant, error) {
	opened, err := p.codec.OpenAuthorized(s.Keys, r.Code)
	r.loginTerms = loginTerms{
		loginID: opened.ID, ownOpenID: opened.OwnOpenID,
		idToken: opened.OpenID, ownIDToken: opened.IDToken.Wanted, clientNonce: opened.IDToken.Nonce,
	}
	named := ""
	if opened.Named {
		named = opened.RedirectURI
	}
	const section52 = "RFC 6749 section 5.2"
	switch {
	case err != nil:
		e := oauth.Reject(oauth.InvalidGrant, section52,
			"this gateway did not issue the code, or the code is too old or was altered, or the gateway's configuration has changed since; start at /authorize here")
		e.Cause = err
		return nil, e
	case r.Reference != opened.ClientID:
		return nil, oauth.Reject(oauth.InvalidGrant, section52, "the code was issued to another client")
	case r.RedirectURI != named:
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 4.1.3",
			"redirect_uri is not that of the authorization request; send it exactly as there, or leave it out at both")
	case opened.Verifier != "" && (r.Verifier != "" || !r.Client.DoesWithoutPKCE()):
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 9700 section 4.8.2",
			"the authorization request had no code_challenge, and the token request has a code_verifier; somebody may have removed it on the way")
	case opened.Verifier == "" && !r.Verifier.BelongsTo(opened.Challenge):
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 7636 section 4.6",
			"code_verifier does not belong to the code_challenge of the authorization request")
	case !s.Now.Before(opened.Expires):
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 4.1.2",
			"the code is older than "+login.CodeLifetime.String()+"; start a new login")
	}
	if err := r.holdsKey(opened.Key); err != nil {
		return nil, err
	}
	if r.target, err = r.bind(p, p.registry.ResourceOf(opened.Resource), opened.Scope); err != nil {
		return nil, err
	}
	return &codeGrant{login: opened, idpClient: r.IDAtIdP()}, nil
}

// codeClaims are the right to redeem a code in its login.
type codeClaims struct{ code, login replay.Claim }

// codeKeys are what is claimed for a code, for as long as the callback could be loaded
// again and the code that it gives redeemed. They are the same at all sites in front of one IdP
// that share a store.
//
// The IdP's code, not the client's, because a callback that is loaded twice gives two
// of those. The login, because a state can come back with any number of codes, and an
// IdP may read one code in several spellings. Whoever gets here has shown the
// login's verifier, so that nobody claims the login of another.
type codeKeys struct {
	code, login replay.Key
	ttl         time.Duration
}

func (p *Policy) codeKeys(r *codeGrant) codeKeys {
	l, idp := &r.login, p.idp.AuthURL().String()
	return codeKeys{
		code:  sha256.Sum256([]byte(idp + "\x00" + l.Code)),
		login: sha256.Sum256([]byte("login\x00" + idp + "\x00" + l.ClientID + "\x00" + string(l.Challenge))),
		ttl:   p.callback.LoginTimeout + login.CodeLifetime + seal.Skew,
	}
}

// family is that of the refresh tokens which a code brings: who sends it again in its login names what
// it has bought, and nobody else does.
func (k codeKeys) family(of login.ID) rotation.Family {
	sum := sha256.Sum256(slices.Concat([]byte("family\x00"), k.code[:], k.login[:], of[:]))
	return rotation.Family(sum[:len(rotation.Family{})])
}

// claim claims both. With an error, which [claimError] turns into the response, nothing is
// claimed, and nothing may be sent to the IdP.
func (k *codeKeys) claim(ctx context.Context, store replay.Store) (*codeClaims, error) {
	code, err := store.Claim(ctx, k.code, k.ttl)
	if err != nil {
		return nil, err
	}
	login, err := store.Claim(ctx, k.login, k.ttl)
	if err == nil {
		return &codeClaims{code, login}, nil
	}
	if errors.Is(err, replay.ErrClaimed) {
		err = fmt.Errorf("%w: %w", errLoginOver, err)
	}
	ctx, cancel := replay.Detached(ctx)
	defer cancel()
	return nil, errors.Join(err, code.Release(ctx))
}

// settle gives back what redeeming did not use up: the code if the IdP has
// [upstream.Rejected] it or was not asked, and the login unless a token was [upstream.Granted] and given
// to the client. Until then, a user who goes back and logs in again gets in.
func (c *codeClaims) settle(ctx context.Context, outcome upstream.Outcome) error {
	var login, code error
	if outcome != upstream.Granted {
		login = c.login.Release(ctx)
	}
	if outcome == upstream.Rejected || outcome == upstream.NotSent {
		code = c.code.Release(ctx)
	}
	return errors.Join(login, code)
}

// errLoginOver is in the chain of the error for a login that is claimed already.
var errLoginOver = errors.New("the login has its token")

// claimError is the response to an error of [codeKeys.claim]: what was redeemed
// is not redeemed again, and neither is what the store can't decide.
func claimError(err error) error {
	switch {
	case errors.Is(err, errLoginOver):
		return oauth.Reject(oauth.InvalidGrant, "RFC 7636 section 4.1",
			"this login already has its token, or is about to get it; start a new login, with its own code_verifier")
	case errors.Is(err, replay.ErrClaimed):
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 4.1.2", "this code was redeemed before; start a new login")
	case errors.Is(err, replay.ErrFull):
		return oauth.Unavailable("too many logins at the moment; try again later", "60")
	}
	return oauth.Unavailable("the gateway can't tell at the moment whether this code was redeemed before; try again", "5")
}
