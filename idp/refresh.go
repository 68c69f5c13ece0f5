package idp

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// refreshGrant is a client's refresh token, opened and found to be the client's own.
type refreshGrant struct {
	opened login.RefreshToken
	// token is the IdP's refresh token.
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
	if err := cmp.Or(holdsKey(r.proof, opened.Key), r.holdsCertificate(opened.Certificate)); err != nil {
		return nil, err
	}
	r.loginID, r.ownOpenID = opened.LoginID, opened.OwnOpenID
	bound := opened.Key == (dpop.Thumbprint{}) && r.refreshKey() != (dpop.Thumbprint{}) ||
		opened.Certificate == (clientcert.Thumbprint{}) && r.refreshCertificate() != (clientcert.Thumbprint{})
	renewal, err := checkRenewal(r.Party, &refreshGrant{opened: opened, token: opened.Token, replace: !current || bound})
	if err != nil {
		return nil, err
	}
	r.subject, r.by = opened.Subject, opened.By
	r.ownIDToken, r.idpSession = opened.IDToken, opened.Session
	to := p.registry.ResourceOf(opened.Resource)
	if to.HasOwnTokens() && r.subject == "" {
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the refresh token is from before this resource had the gateway's own access tokens; log in again")
	}
	return renewal, r.bind(p, to, opened.Scope)
}

// checkRenewal holds an opened refresh token to the client that sends it.
func checkRenewal(y clients.Party, r *refreshGrant) (*refreshGrant, error) {
	switch {
	case r.opened.ClientID != y.Reference:
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the refresh token was issued to another client")
	case r.opened.IdPClient != y.IDAtIdP():
		return nil, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"the refresh token was issued for another registration of this client at the identity provider; log in again")
	}
	return r, nil
}

// sealTokens puts the client's refresh token in the place of the IdP's into a token
// response, which [upstream.Upstream.CheckToken] found to be [upstream.Granted]. renewal is nil
// after a code. families are nil unless refresh tokens rotate; their store
// is tried again for a while if it fails, so ctx should outlive the client.
//
// A login that they can't record gets no refresh token, with the error
// [errNotRecorded] and a body all the same.
func (r *tokenRequest) sealTokens(p *Policy, ctx context.Context, families *rotation.Families, s sealer, renewal *refreshGrant, answer *upstream.TokenAnswer) (given, error) {
	token, err := answer.Token.RefreshTokenText()
	if err != nil {
		return given{}, err
	}
	if r.resource.HasOwnTokens() {
		return r.sealOwnTokens(p, ctx, families, s, renewal, &answer.Token, token)
	}
	g := givenAsIs(answer)
	switch {
	case r.ownIDToken: // below
	case r.ownOpenID:
		g.withoutOpenID()
	case r.Client != nil && r.Client.NoIDTokens && g.idToken:
		g.set("id_token", "") // the client may not ask for one, but some IdPs send one unasked
	}
	if r.resource != nil {
		g.set("scope", r.granted)
	}
	next, err := r.nextRefreshToken(p, ctx, families, s, renewal, token)
	switch {
	case errors.Is(err, errNotRecorded):
		g.set("refresh_token", "")
	case err != nil:
		return given{}, err
	case next != nil:
		g.set("refresh_token", p.codec.SealRefreshToken(s.Keys, next))
	}
	if r.ownIDToken {
		lifetime, unknown := answer.Token.Lifetime(gatewaytoken.MaxLifetime)
		if unknown != nil {
			lifetime = gatewaytoken.MaxLifetime
		}
		idToken, failure := r.signIDToken(p, familyOf(next), g.accessToken, s.Now, s.Now.Add(lifetime))
		if failure != nil {
			return given{}, failure
		}
		g.set("id_token", idToken)
	}
	failure := g.rewrite()
	return g, errors.Join(err, failure)
}

// given is the token response that a client gets.
type given struct {
	body []byte
	// members replace those in body: see [given.rewrite].
	members []jsonobject.Member

	accessToken           string
	scope                 upstream.Names
	idToken, refreshToken bool // there is one
}

// givenAsIs is what a client gets that gets the IdP's answer as it is.
func givenAsIs(a *upstream.TokenAnswer) given {
	return given{
		body: a.Body, accessToken: a.Token.AccessToken, scope: a.Token.Scope,
		idToken: len(a.Token.IDToken) > 0, refreshToken: len(a.Token.RefreshToken) > 0,
	}
}

// set replaces a member of the response; "" leaves it out.
func (g *given) set(name, value string) {
	if i := slices.IndexFunc(g.members, func(m jsonobject.Member) bool { return m.Name == name }); i >= 0 {
		g.members[i].Value = value
	} else {
		g.members = append(g.members, jsonobject.Member{Name: name, Value: value})
	}
	switch name {
	case "id_token":
		g.idToken = value != ""
	case "refresh_token":
		g.refreshToken = value != ""
	case "scope":
		if g.scope = nil; value != "" {
			g.scope = upstream.Names{value}
		}
	}
}

// rewrite puts the members that were set into the body.
func (g *given) rewrite() (err error) {
	if len(g.members) > 0 {
		g.body, err = jsonobject.Replace(g.body, g.members...)
	}
	return err
}

// nextRefreshToken is the client's refresh token after the IdP has given token, or none:
// nil if the client keeps what it has.
func (r *tokenRequest) nextRefreshToken(p *Policy, ctx context.Context, families *rotation.Families, s sealer, renewal *refreshGrant, token string) (*login.RefreshToken, error) {
	next := login.RefreshToken{
		IDToken: r.ownIDToken, Session: r.idpSession,
		ClientID: r.Reference, IdPClient: r.IDAtIdP(), LoginID: r.loginID, Issued: s.Now, OwnOpenID: r.ownOpenID,
		Resource: r.resource.KeyOf(), Scope: r.granted, Subject: r.subject, By: r.by, Key: r.refreshKey(), Certificate: r.refreshCertificate(),
	}
	if renewal != nil {
		next.Scope = renewal.opened.Scope // RFC 6749 section 6
	}
	switch {
	case renewal != nil && renewal.lease != nil:
		place, err := renewal.lease.Finish(ctx, token)
		if err != nil {
			return nil, refreshError(err)
		}
		next.Place = &place
	case token == "" && (renewal == nil || !renewal.replace):
		return nil, nil
	case families != nil:
		place, err := families.Begin(ctx, s.Keys, token, r.session)
		if err != nil {
			return nil, errors.Join(errNotRecorded, err)
		}
		next.Place = &place
	default:
		next.Token = cmp.Or(token, renewal.idpToken())
	}
	return &next, nil
}

// familyOf is that of a login's refresh tokens, nil if they do not rotate, or there are none.
func familyOf(token *login.RefreshToken) *rotation.Family {
	if token == nil || token.Place == nil {
		return nil
	}
	return &token.Place.Family
}

// errNotRecorded is in the chain of an error of [tokenRequest.sealTokens].
var errNotRecorded = errors.New("the login gets no refresh token: it could not be recorded in the replay store")

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
		e = oauth.Reject(oauth.InvalidGrant, "OpenID Connect Back-Channel Logout 1.0 section 2.7", "the user has logged out; log in again")
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
