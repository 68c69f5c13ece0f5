package idp

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// exchangeForResource has the IdP exchange the access token of a login for one that the resource
// server may use, where the resource says so. That goes into the gateway's token and nowhere else: each is of one user and
// client, and a refresh brings a new one.
func (f *tokenFlow) exchangeForResource(refresh *refreshGrant, answer *upstream.TokenAnswer) error {
	to := f.request.resource
	if to == nil || to.Exchange == nil {
		return nil
	}
	f.keep(refresh, answer)
	idp := f.policy.idp
	a, err := idp.Authenticate(Token, &f.request.Auth, "", f.gateway.parts.Now())
	if err != nil {
		f.note(NotSigned, err)
		return err
	}
	response, _, err := f.send(f.newCall(Token).WithForm(idp.ExchangeForm(&a, answer.Token.AccessToken, to.Exchange)))
	if err != nil {
		return err
	}
	upstream.StandardizeToken(&response)
	if err := upstream.CheckCredentials(&f.request.Auth, response); err != nil {
		return err
	}
	f.request.exchanged, err = idp.CheckExchange(response, to.Exchange, refresh != nil, gatewaytoken.MaxLifetime)
	return err
}

// give is the client's response for one of the IdP that grants tokens.
func (f *tokenFlow) give(refresh *refreshGrant, answer *upstream.TokenAnswer) (Response, error) {
	given, err := f.sealAndNote(refresh, answer)
	if err == nil && refresh != nil && refresh.lease != nil {
		err = f.endedError(refresh.lease.CheckSession(f.r.Context())) // once more: the IdP may have ended it while it was asked
		if err == nil {
			err = f.endedError(refresh.lease.CheckEnded(f.r.Context(), f.request.whose()))
		}
	}
	if err != nil {
		return Response{}, err
	}
	f.issue(answer, &given)
	return Response{Status: answer.Status, Header: answer.Header, Body: given.body}, nil
}

// sealAndNote makes the client's response of the IdP's, and notes a login that gets no refresh token.
func (f *tokenFlow) sealAndNote(refresh *refreshGrant, answer *upstream.TokenAnswer) (given, error) {
	s, err := f.newSealer()
	if err != nil {
		return given{}, err
	}
	g, err := f.request.sealTokens(f.policy, context.WithoutCancel(f.r.Context()), f.gateway.families, s, refresh, answer)
	if errors.Is(err, errNotRecorded) {
		f.note(NotRecorded, err)
		return g, nil
	}
	return g, f.noteRefresh(err)
}

// sealTokens makes the client's token response of the IdP's, which [upstream.Upstream.CheckToken]
// found to be [upstream.Granted]: with a refresh token of the gateway's own in the place of the
// IdP's, and the access token, ID token and scope that the client is to have. refresh is nil for a
// code. families are nil unless refresh tokens rotate; their store is tried again for a while if it
// fails, so ctx should outlive the client.
//
// A login that they can't record gets no refresh token, with the error
// [errNotRecorded] and a body all the same.
func (r *tokenRequest) sealTokens(p *Policy, ctx context.Context, families *rotation.Families, s sealer, refresh *refreshGrant, answer *upstream.TokenAnswer) (given, error) {
	token, err := answer.Token.RefreshTokenText()
	if err != nil {
		return given{}, err
	}
	if r.resource.HasOwnTokens() {
		return r.sealOwnTokens(p, ctx, families, s, refresh, &answer.Token, token)
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
	next, err := r.recordRefreshToken(p, ctx, families, s, refresh, token)
	switch {
	case errors.Is(err, errNotRecorded):
		g.set("refresh_token", "")
	case err != nil:
		return given{}, err
	case next != nil:
		g.set("refresh_token", p.codec.SealRefreshToken(s.Keys, next))
	}
	if r.ownIDToken {
		idToken, failure := r.signIDToken(p, familyOf(next), g.accessToken, s.Now, s.Now.Add(idTokenLifetime(&answer.Token)))
		if failure != nil {
			return given{}, failure
		}
		g.set("id_token", idToken)
	}
	failure := g.rewrite()
	return g, errors.Join(err, failure)
}

// sealOwnTokens is [tokenRequest.sealTokens] with an access token of the gateway's own (RFC 6749
// section 5.1). Of the IdP's answer there is nothing to be read in it but the ID
// token of a client that gets it: the IdP's tokens are sealed in those of the gateway.
func (r *tokenRequest) sealOwnTokens(p *Policy, ctx context.Context, families *rotation.Families, s sealer, refresh *refreshGrant, answer *upstream.TokenResponse, token string) (g given, err error) {
	lifetime, err := answer.Lifetime(gatewaytoken.MaxLifetime)
	if err != nil {
		return g, err
	}
	if r.exchanged.Token != "" {
		lifetime = min(lifetime, r.exchanged.Lifetime)
	}
	begins := refresh == nil && p.idp.IsLasting(answer) && !r.AuthenticatesAtIdP() // nobody would check its secret at a refresh
	if begins {
		token = answer.AccessToken
	}
	next, err := r.recordRefreshToken(p, ctx, families, s, refresh, token)
	if err != nil && !errors.Is(err, errNotRecorded) {
		return g, err
	}
	if next != nil && begins {
		next.Lasting = true
	}
	access := r.newAccessToken(p, s.Now, s.Now.Add(lifetime))
	if r.resource.UpstreamToken {
		access.Upstream = cmp.Or(r.exchanged.Token, answer.AccessToken)
	}
	members := []jsonobject.Member{{Name: "token_type", Value: access.Type()}, {Name: "scope", Value: r.granted}}
	if next != nil {
		if next.Place != nil {
			access.Family, access.Session = &next.Place.Family, rotation.Session{}
		}
		members = append(members, jsonobject.Member{Name: "refresh_token", Value: p.codec.SealRefreshToken(s.Keys, next)})
	}
	g = given{scope: upstream.Names{r.granted}, refreshToken: next != nil}
	var failure error
	if g.accessToken, failure = r.ownAccessToken(s, &access); failure != nil {
		return g, failure
	}
	idToken := ""
	switch {
	case r.ownIDToken:
		if idToken, failure = r.signIDToken(p, access.Family, g.accessToken, access.Issued, access.Expires); failure != nil {
			return g, failure
		}
	case r.idToken:
		idToken, _ = jsonobject.Text(answer.IDToken) // which ReadIDToken has read
	}
	if g.idToken = idToken != ""; g.idToken {
		members = append(members, jsonobject.Member{Name: "id_token", Value: idToken})
	}
	g.body, failure = jsonobject.Replace([]byte(`{"expires_in":`+strconv.Itoa(int(lifetime.Seconds()))+`}`),
		append(members, jsonobject.Member{Name: "access_token", Value: g.accessToken})...)
	return g, errors.Join(err, failure)
}

// newAccessToken is an access token of the gateway's own for a request that gets one.
func (r *tokenRequest) newAccessToken(p *Policy, now, expires time.Time) gatewaytoken.Token {
	return gatewaytoken.Token{
		Issuer: p.public.url, Resource: r.resource.Key, Subject: r.subject, ClientID: r.Agent(), Scope: r.granted,
		Issued: now, Expires: expires, Key: r.key(), Certificate: r.boundCertificate(), LoginID: r.loginID.String(), Session: r.session,
		ACR: r.by.ACR, AMR: r.by.AMR, AuthTime: r.by.Time, Given: r.claims,
	}
}

// ownAccessToken is an access token of the gateway's own as its resource has them: sealed, or a JWT.
func (r *tokenRequest) ownAccessToken(s sealer, access *gatewaytoken.Token) (string, error) {
	if !r.resource.HasJWTs() {
		return access.Seal(s.Keys), nil
	}
	if r.ClientID == r.resource.URI { // of a client that nobody has configured: see [Policy.checkJWTs]
		return "", oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "the resource has the name of this client, for which its ID tokens are")
	}
	if r.signing == nil {
		return "", oauth.Reject(oauth.ServerError, "RFC 9068 section 2.1", "the resource has tokens jwt, which the gateway signs before an OpenID Provider only")
	}
	token, err := access.JWT(s.Keys, r.resource.URI, func(claims []byte) (string, error) { return r.signing.SignAccessToken(claims, s.Now) })
	if err != nil {
		e := oauth.Unavailable("the gateway can't sign access tokens at the moment", "5")
		e.Cause = err
		return "", e
	}
	return token, nil
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

// withoutOpenID takes out of a token response to a login whose openid is the gateway's own
// what its client does not get: the ID token, and openid in scope (RFC 6749 section 5.1)
// unless nothing else was granted.
func (g *given) withoutOpenID() {
	g.set("id_token", "")
	if others := slices.DeleteFunc(g.scope.Spaced(), func(name string) bool { return name == "openid" }); len(others) > 0 {
		g.set("scope", strings.Join(others, " "))
	}
}

// recordRefreshToken makes the client's refresh token after the IdP has given token, or none, and
// records where it stands if it rotates. It is nil if the client keeps what it has.
func (r *tokenRequest) recordRefreshToken(p *Policy, ctx context.Context, families *rotation.Families, s sealer, refresh *refreshGrant, token string) (*login.RefreshToken, error) {
	if token == "" && (refresh == nil || refresh.lease == nil && !refresh.replace) {
		return nil, nil
	}
	next := login.RefreshToken{
		IDToken: r.ownIDToken, Session: r.idpSession, Lasting: r.lasting,
		ClientID: r.Reference, IdPClient: r.IDAtIdP(), LoginID: r.loginID, Issued: s.Now, OwnOpenID: r.ownOpenID,
		Resource: r.resource.KeyOf(), Scope: r.granted, Subject: r.subject, By: r.by, Key: r.refreshKey(), Certificate: r.refreshCertificate(),
	}
	if refresh != nil {
		next.Scope = refresh.opened.Scope // RFC 6749 section 6
	}
	if r.subject == "" {
		next.User = r.named
	}
	switch {
	case refresh != nil && refresh.lease != nil:
		place, err := refresh.lease.Finish(ctx, token)
		if err != nil {
			return nil, refreshError(err)
		}
		next.Place = &place
	case families != nil:
		place, err := families.Begin(ctx, s.Keys, r.family, token, r.session)
		if err != nil {
			return nil, errors.Join(errNotRecorded, err)
		}
		next.Place = &place
	default:
		next.Token = cmp.Or(token, refresh.idpToken())
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

// issue notes what a client gets for the IdP's answer.
func (f *tokenFlow) issue(answer *upstream.TokenAnswer, given *given) {
	subject := cmp.Or(f.request.subject, answer.IDToken.SubjectText())
	var claims upstream.AccessTokenClaims
	if subject == "" || len(given.scope) == 0 {
		claims, _ = upstream.ReadAccessToken(answer.Token.AccessToken)
	}
	subject = cmp.Or(subject, claims.Subject)
	issued := Issued{Subject: f.loggedSubject(subject), IDToken: given.idToken, RefreshToken: given.refreshToken}
	for _, granted := range [...]upstream.Names{given.scope, claims.Scope, claims.SCP} {
		if issued.Scope == "" {
			issued.Scope = strings.Join(granted.Spaced(), " ")
		}
	}
	if c := f.request.Client; c.IsDynamic() {
		issued.ClientName = clients.ClientName(c.Name)
		if c.Host != "" {
			f.gateway.parts.Documents.Used(f.request.ClientID, subject)
		}
	}
	f.issueToken(given.accessToken, issued)
}

// issueToken notes an access token that a client gets.
func (f *tokenFlow) issueToken(token string, issued Issued) {
	f.traceToken(token)
	issued.Grant = string(f.request.Grant)
	issued.Scope = issued.Scope[:min(len(issued.Scope), maxLoggedScope)]
	if f.request.resource != nil {
		issued.Resource = f.request.resource.Key
	}
	f.result.Issued = &issued
}
