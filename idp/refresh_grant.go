package idp

import (
	"cmp"
	"context"
	"errors"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// refreshGrant is a client's refresh token, opened and found to be the client's own.
type refreshGrant struct {
	opened login.RefreshToken
	// token is the IdP's refresh token, or its access token that does not expire.
	token string
	// replace has the client get a new refresh token even if the IdP sends none:
	// its own is sealed with a key that is on its way out, or is not bound yet to the
	// key or the certificate that the client has now.
	replace bool
	// lease is the right to renew now, with rotation.
	lease *rotation.Lease
}

// openRefreshGrant checks that a token request renews with a refresh token that its
// client was given (RFC 6749 section 6, RFC 9700 section 4.14.2). A request that
// fails must not reach the IdP. [seal.ErrUnknownKey] is in the chain of an error
// that newer keys may resolve.
func (r *tokenRequest) openRefreshGrant(p *Policy, s sealer) (*refreshGrant, error) {
	opened, current, err := p.codec.OpenRefreshToken(s.Keys, r.RefreshToken)
	if err != nil {
		e := oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"this gateway did not issue the refresh token, or under another sealing_key, callback, public_url or rotate_refresh; log in again")
		e.Cause = err
		return nil, e
	}
	if err := cmp.Or(r.holdsKey(opened.Key), r.holdsCertificate(opened.Certificate)); err != nil {
		return nil, err
	}
	r.loginTerms = loginTerms{loginID: opened.LoginID, ownOpenID: opened.OwnOpenID, ownIDToken: opened.IDToken, lasting: opened.Lasting}
	r.tokenUser = tokenUser{subject: opened.Subject, named: opened.User, by: opened.By, idpSession: opened.Session}
	bound := opened.Key == (dpop.Thumbprint{}) && r.refreshKey() != (dpop.Thumbprint{}) ||
		opened.Certificate == (clientcert.Thumbprint{}) && r.refreshCertificate() != (clientcert.Thumbprint{})
	refresh := &refreshGrant{opened: opened, token: opened.Token, replace: !current || bound}
	if err := refresh.checkClient(r.Party); err != nil {
		return nil, err
	}
	to := p.registry.ResourceOf(opened.Resource)
	if to.HasOwnTokens() && r.subject == "" {
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the refresh token is from before this resource had the gateway's own access tokens; log in again")
	}
	if r.lasting && (!to.HasOwnTokens() || !p.idp.GivesLastingTokens()) {
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the refresh token is from before the gateway was configured anew; log in again")
	}
	if r.lasting && r.AuthenticatesAtIdP() {
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"the identity provider alone could check this client's authentication, and is not asked for a refresh of this token; log in again")
	}
	scope := opened.Scope
	if to != nil { // the lists may have been longer at the login
		if !r.Client.AllowsResource(to) {
			return nil, oauth.Reject(oauth.InvalidGrant, "RFC 8707 section 2.2", "the client may have no tokens for this resource any more, by its audience list at the gateway; log in again")
		}
		scope = to.MayHave(r.Client, scope)
	}
	r.target, err = r.bind(p, to, scope)
	return refresh, err
}

// checkClient holds an opened refresh token to the client that sends it.
func (r *refreshGrant) checkClient(y clients.Party) error {
	switch {
	case r.opened.ClientID != y.Reference:
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the refresh token was issued to another client")
	case r.opened.IdPClient != y.IDAtIdP():
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"the refresh token was issued for another registration of this client at the identity provider; log in again")
	}
	return nil
}

func (r *refreshGrant) idpToken() string {
	if r == nil {
		return ""
	}
	return r.token
}

// compileRotation reads [Config.Rotation].
func (p *Policy) compileRotation(config Config) error {
	if config.Rotation == nil {
		return nil
	}
	c, err := config.Rotation.Complete()
	p.rotation = &c
	return err
}

// families are those of the logins here, whose refresh tokens rotate, in a store.
func (p *Policy) families(store replay.StateStore) *rotation.Families {
	return rotation.New(*p.rotation, rotation.Site{
		IdP: p.idp.AuthURL().String(), Context: p.codec.RefreshContext(), Logouts: p.served[BackchannelLogout],
	}, store)
}

// refreshError is the response for an error of package rotation, nil for nil.
func refreshError(err error) error {
	var e *oauth.Error
	over := func(description string) *oauth.Error {
		return oauth.Reject(oauth.InvalidGrant, "RFC 9700 section 4.14.2", description)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, rotation.ErrLoggedOut):
		e = oauth.Reject(oauth.InvalidGrant, "OpenID Connect Back-Channel Logout 1.0 section 2.7", "the login has ended: the user has logged out, or the operator of the gateway has ended it; log in again")
	case errors.Is(err, rotation.ErrReused):
		e = over("the refresh token was replaced and used again, so that its login has ended here; log in again")
	case errors.Is(err, rotation.ErrRolledBack):
		e = over("the gateway has lost where the refresh tokens of this login stand, so that it has ended here; log in again")
	case errors.Is(err, rotation.ErrOver), errors.Is(err, rotation.ErrForeign):
		e = over("the refresh token was replaced, revoked or not used for too long; log in again")
	case errors.Is(err, rotation.ErrBusy):
		e = oauth.Unavailable("another refresh of this login is under way; try again", "2")
	case errors.Is(err, rotation.ErrCrowded):
		e = oauth.Unavailable("too many refreshes of this login wait for each other; refresh once and share the token, or try again", "1")
	case errors.Is(err, replay.ErrFull):
		e = oauth.Unavailable("too many logins at the moment; try again later", "60")
	default:
		e = oauth.Unavailable("the gateway can't tell at the moment whether this refresh token is the current one; try again", "5")
	}
	e.Cause = err
	return e
}

// endedError is the response for an error of a look at the session of a login for which the IdP
// has granted a token a moment ago, which it does not do again. What the store could not tell, it
// tells at the next refresh.
func (f *tokenFlow) endedError(err error) error {
	err = f.noteRefresh(refreshError(err))
	if errors.Is(err, rotation.ErrStore) {
		return nil
	}
	return err
}

// keep records what the IdP gave for a refresh that may fail, or has: the client tries again with
// the refresh token that it has, and the IdP may take no other one than the new one now.
func (f *tokenFlow) keep(refresh *refreshGrant, answer *upstream.TokenAnswer) {
	token, err := answer.Token.RefreshTokenText()
	if err != nil || refresh == nil {
		return
	}
	if err := refresh.lease.Keep(context.WithoutCancel(f.r.Context()), token); err != nil {
		f.note(RefreshFailed, err)
	}
}

// release gives back the lease of a refresh that brought no token.
func (f *tokenFlow) release(lease *rotation.Lease) {
	ctx, cancel := replay.Detached(f.r.Context())
	defer cancel()
	if err := lease.Release(ctx); err != nil {
		f.note(LeaseKept, err)
	}
}

// noteRefresh notes what an operator wants to know of a refresh that was not to be: a
// sign of theft, and a store that failed.
func (f *flow) noteRefresh(err error) error {
	switch {
	case errors.Is(err, rotation.ErrReused):
		f.note(Reused, nil)
	case errors.Is(err, rotation.ErrRolledBack), errors.Is(err, rotation.ErrForeign):
		f.note(StoreNotTrusted, errors.Unwrap(err))
	case errors.Is(err, rotation.ErrStore):
		f.note(RefreshFailed, errors.Unwrap(err))
	}
	return err
}

// whose is the login of a token request.
func (r *tokenRequest) whose() rotation.Whose {
	return rotation.Whose{Login: r.loginID.String(), User: cmp.Or(r.subject, r.named), Agent: clients.AgentName(r.Agent())}
}
