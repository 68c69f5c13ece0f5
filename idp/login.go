package idp

import (
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// sealer is what it takes to seal and open: the keys, the time, and the
// callback's address as the browser knows it ([Policy.CallbackURL]).
type sealer struct {
	Keys     *seal.Keys
	Now      time.Time
	Callback string
}

// checkCallback refuses a login that would end at the gateway's own callback, where
// only the IdP's responses can go. The error must not be sent there either.
func (s sealer) checkCallback(r *authorizeRequest) error {
	if s.Callback != "" && r.RedirectURI == s.Callback {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2",
			"redirect_uri is the gateway's own callback, which is for the identity provider only; it must be an address of the app")
	}
	return nil
}

// login is the login that an authorization request begins.
func (r *authorizeRequest) login(p *Policy, s sealer) login.Login {
	l := login.Login{
		ClientID: r.Reference, ID: r.loginID, RedirectURI: r.RedirectURI, Named: r.Named, Challenge: r.Challenge,
		Expires: s.Now.Add(p.callback.loginTimeout), Nonce: login.HashNonce(r.nonce), OpenID: r.openID, OwnOpenID: r.ownOpenID,
		Resource: r.resource.KeyOf(), Scope: r.scope, Key: r.key, StepUp: r.stepUp(s.Now),
	}
	if r.browser != "" {
		l.Browser = login.HashBrowser(r.browser)
	}
	if p.served[BackchannelLogout] {
		l.Began = s.Now
	}
	return l
}

// sealPending is the state that the IdP gets for an authorization request.
func (r *authorizeRequest) sealPending(p *Policy, s sealer) string {
	return p.codec.SealPending(s.Keys, s.Callback, &login.Pending{Login: r.login(p, s), Mode: r.ResponseMode, State: r.State})
}
