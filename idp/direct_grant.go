package idp

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// grantIdentity gives a client that has authenticated what an ID-JAG is for
// (draft-ietf-oauth-identity-assertion-authz-grant section 4.4).
func (f *tokenFlow) grantIdentity(assertion *trust.Assertion) (Response, error) {
	grant, err := assertion.Verify(f.r.Context(), f.gateway.parts.IssuerKeys, f.request.ClientID, f.gateway.parts.Now())
	if err != nil {
		return Response{}, err
	}
	if grant.IsOwn {
		if err := f.policy.users.Check(grant.Claims); err != nil {
			return Response{}, users.EndedLogin(err)
		}
		f.request.by = login.ReadAuthentication(grant.Claims)
		f.request.claims = users.Pick(grant.Claims, f.policy.tokenClaims)
	}
	if err := f.request.holdsKey(grant.Key); err != nil {
		return Response{}, err
	}
	if err := f.chooseResource(grant); err != nil {
		return Response{}, err
	}
	f.request.subject = grant.Subject
	return f.issueDirect(grant)
}

// grantWorkload gives a workload what its token is for. It is no client, and its token is all that
// it has.
func (f *tokenFlow) grantWorkload(form *params.Values, assertion *trust.Assertion) (Response, error) {
	switch {
	case len(f.r.Header["Authorization"]) > 0, form.Get("client_secret") != "", form.Get("client_assertion") != "":
		return Response{}, oauth.Reject(oauth.InvalidRequest, "RFC 7521 section 4.1", "a workload has its token alone; leave out client authentication")
	case len(f.r.Header["Dpop"]) > 0:
		return Response{}, bearer.Unsupported("leave out the proof")
	}
	grant, err := assertion.Verify(f.r.Context(), f.gateway.parts.IssuerKeys, "", f.gateway.parts.Now())
	if err != nil {
		return Response{}, err
	}
	r := &f.request
	r.Grant, r.Scope, r.subject = grants.Assertion, form.Get("scope"), grant.Subject
	r.Party = clients.Party{ClientID: grant.Subject, Client: new(clients.Client), Reference: grant.Subject}
	f.result.Decision.ClientID = r.LogName()
	if r.Scope != "" {
		err = params.CheckScope(r.Scope)
	}
	if err == nil {
		r.resource, err = f.policy.registry.AllowsTarget(r.Client, form, "")
	}
	if err == nil {
		err = f.chooseResource(grant)
	}
	if err != nil {
		return Response{}, err
	}
	return f.issueDirect(grant)
}

// grantClient gives a client that has authenticated a token for itself (RFC 6749 section 4.4).
func (f *tokenFlow) grantClient() (Response, error) {
	if err := f.chooseResource(nil); err != nil {
		return Response{}, err
	}
	r := &f.request
	r.subject = gatewaytoken.ClientSubject(r.ClientID)
	if err := r.resource.CheckScope(r.Scope); err != nil {
		return Response{}, err
	}
	if r.granted = r.resource.WithoutLogin(r.Client, r.Scope); r.granted == "" {
		r.granted = r.resource.WithoutLogin(r.Client, r.resource.DefaultScope)
	}
	return f.sealDirect(nil)
}

// chooseResource is the one that a request names, held to those that an assertion is for, or else
// the only one of these, or else the client's first. It has the gateway's own tokens.
func (f *tokenFlow) chooseResource(grant *trust.Grant) error {
	r, registry := &f.request, f.policy.registry
	if grant != nil && grant.Resources != nil {
		named := registry.Named(r.Client, grant.Resources)
		switch {
		case len(named) == 0, r.resource != nil && !slices.Contains(named, r.resource):
			return oauth.Reject(oauth.InvalidGrant, "RFC 8707 section 2", "resource of assertion is not one that this client may have at the gateway, or not the one that the request names")
		case r.resource == nil && len(named) > 1:
			return oauth.Reject(oauth.InvalidGrant, "RFC 8707 section 2", "assertion is for several resources; say in the parameter resource which one")
		case r.resource == nil:
			r.resource = named[0]
		}
	}
	if r.resource == nil {
		r.resource = registry.DefaultResource(r.Client)
	}
	if !r.resource.HasOwnTokens() || r.resource.HasJWTs() {
		return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2", "this resource takes the identity provider's tokens, or JWTs, which only a login brings")
	}
	return nil
}

// issueDirect gives what an assertion brings: nothing beyond what it says, what the operator lets
// its issuer give, what the client may have, and what the request asks for.
func (f *tokenFlow) issueDirect(grant *trust.Grant) (Response, error) {
	r := &f.request
	asked := clients.WithoutStandard(r.Scope)
	offered := strings.Fields(r.resource.DefaultScope)
	switch {
	case grant.Scoped:
		offered = strings.Fields(grant.Scope)
	case grant.IsUser():
	case len(asked) > 0:
		offered = asked
	case grant.Limit != nil:
		offered = grant.Limit
	}
	r.granted = r.resource.WithoutLogin(r.Client, strings.Join(offered, " "), grant.Limit, asked)
	if r.granted == "" && (len(asked) > 0 || grant.Limit != nil || grant.Scoped && len(clients.WithoutStandard(grant.Scope)) > 0) {
		return Response{}, oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 3.3", "no scope is left: of those that assertion has, and the request asks for, "+
			"the resource has none, or the gateway gives none to this client or for this issuer")
	}
	return f.sealDirect(grant)
}

// sealDirect gives the token, once nothing else can go wrong. grant is nil without an assertion.
func (f *tokenFlow) sealDirect(grant *trust.Grant) (Response, error) {
	s, err := f.newSealer()
	if err != nil {
		return Response{}, err
	}
	r := &f.request
	r.loginID = login.NewID()
	f.trace(r.loginID)
	if err := f.useProof("direct\x00" + r.subject + "\x00" + r.ClientID); err != nil {
		return Response{}, err
	}
	if grant != nil && grant.IsUser() {
		if err := f.useOnce(grant.Once, grant.Remember(s.Now), r.ClientID, "identity assertions", "assertion",
			oauth.Reject(oauth.InvalidGrant, "RFC 7523 section 3", "assertion was used before; get another one at the identity provider")); err != nil {
			return Response{}, err
		}
	}
	expires := s.Now.Add(gatewaytoken.MaxLifetime)
	if grant != nil && !grant.IsUser() && grant.Expires.Before(expires) { // a workload's token is all that it has
		expires = grant.Expires
	}
	access := r.newAccessToken(f.policy, s.Now, expires)
	token := access.Seal(s.Keys)
	f.issueToken(token, Issued{Subject: f.loggedSubject(r.subject), Scope: r.granted})
	body, err := jsonobject.Replace([]byte(`{"expires_in":`+strconv.Itoa(int(expires.Sub(s.Now).Seconds()))+`}`),
		jsonobject.Member{Name: "token_type", Value: access.Type()}, jsonobject.Member{Name: "scope", Value: r.granted},
		jsonobject.Member{Name: "access_token", Value: token})
	return Response{Status: http.StatusOK, Header: header.Of("application/json"), Body: body}, err
}

// compileGrants reads [Config.Trust].
func (p *Policy) compileGrants(c Config) error {
	trusted, err := trust.New(c.Trust, p.issuerAtIdP(c), p.public.url, p.public.url+Token.Path())
	if err != nil {
		return err
	}
	if p.users != nil && c.Issuer == "" && !c.Discover && trusted.IsForOthersOnly() {
		return errors.New("users and trust with id_jag: say which issuer is the identity provider's own, whose users users is about; set issuer, or discover")
	}
	p.grants, err = grants.New(trusted, p.registry)
	return err
}

// TrustedIssuers are those of [Config.Trust], with where their keys are, "" if their metadata says.
func (p *Policy) TrustedIssuers() map[string]string { return p.grants.Trusted.Issuers() }
