package idp

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// tokenRequest is a request to the token endpoint. Each step of its way adds a value, roughly in this
// order. The value of a step that a request has not, or not yet, is zero.
type tokenRequest struct {
	clients.Auth
	tokenForm
	possession
	target
	loginTerms
	tokenUser

	// signing are the keys of the gateway's own ID tokens and JWTs.
	signing *signing.Keys
	// family is that of the refresh tokens which a code brings.
	family rotation.Family
	// granted is the scope that the client is told that it got; "" if no resources are configured.
	granted string
	// exchanged is the user's token for what lies behind the resource, zero if that has none.
	exchanged upstream.Exchanged
	// session is the login at the IdP that a code has brought.
	session rotation.Session
}

// tokenForm is what a client has sent.
type tokenForm struct {
	Grant grants.Type
	// Code, Verifier and RedirectURI belong to [grants.Code];
	// RedirectURI is "" if the client sent none.
	Code        string
	Verifier    pkce.Verifier
	RedirectURI string
	// onlyRedirectURI is the one that /authorize sent on for a client that named
	// none. Sealed codes have it in themselves.
	onlyRedirectURI string
	// RefreshToken belongs to [grants.Refresh], Scope to that and to the direct grants.
	RefreshToken string
	Scope        string
	// Audience, Resources (RFC 8707) and AuthorizationDetails (RFC 9396) belong to
	// each; empty if not sent.
	Audience             string
	Resources            []string
	AuthorizationDetails string
}

// possession is what a client has shown to have.
type possession struct {
	// proof is the DPoP proof, nil if the client sent none.
	proof *dpop.Proof
	// certificate is that of the connection, zero if the client has shown none.
	// certificateBound: the client's tokens are bound to it.
	certificate      clientcert.Thumbprint
	certificateBound bool
}

// target is what a token is for.
type target struct {
	// resource is nil if no resources are configured.
	resource *clients.Resource
	// asked is the scope of it that was asked for, "" if no resources are configured.
	asked string
	// scopeAtIdP and indicators (RFC 8707) are how the IdP is asked for it.
	scopeAtIdP string
	indicators []string
}

// loginTerms are what a code or refresh token says of its login.
type loginTerms struct {
	// loginID is zero while it is not known.
	loginID login.ID
	// ownOpenID: the login's openid is the gateway's own, and stays here.
	ownOpenID bool
	// idToken: the client gets an ID token besides an access token of the gateway's own. ownIDToken: it
	// is the gateway's own, with the client's nonce.
	idToken, ownIDToken bool
	clientNonce         string
	// lasting: the IdP gives no refresh tokens, but an access token that does not expire. It is sealed
	// in the place of one.
	lasting bool
}

// tokenUser is whose a token is, where the gateway has to know.
type tokenUser struct {
	subject string
	// named is who it is where the gateway need not know, "" if nobody says: see [login.RefreshToken].
	named string
	// by is how the user has logged in, claims are those of the gateway's own access tokens.
	by     login.Authentication
	claims claims.Object
	// idTokenClaims are those of the IdP's ID token, nil if it has sent none, idpSession is its session.
	idTokenClaims []byte
	idpSession    string
}

// newTokenRequest checks the form of a request to the token endpoint.
func (p *Policy) newTokenRequest(y clients.Party, f *params.Values, header http.Header) (r tokenRequest, err error) {
	if r.Auth, err = p.registry.Authenticate(y, f, header); err != nil {
		return r, err
	}
	c := r.Client
	if f.Flag("dpop_jkt") || len(header["Dpop"]) > 0 && !c.TakesProofs() {
		return r, bearer.Unsupported("leave out the proof and dpop_jkt")
	}
	r.Audience, r.Resources, r.AuthorizationDetails = f.Get("audience"), f.All("resource"), f.Get("authorization_details")
	if err := r.parseGrant(p, f, c); err != nil {
		return r, err
	}
	r.target = target{scopeAtIdP: r.Scope, indicators: r.Resources}
	if c == nil {
		return r, p.registry.AllowsResources(c, r.Resources)
	}
	if c.NoIDTokens && len(p.registry.Resources) == 0 && !p.signs && params.HasScope(r.Scope, "openid") {
		return r, c.RejectOpenID()
	}
	scope := r.Scope
	if r.Grant == grants.Assertion { // which gives less than is asked for, and no error
		scope = ""
	}
	r.resource, err = p.registry.AllowsTarget(c, f, scope)
	return r, err
}

func (r *tokenRequest) parseGrant(p *Policy, f *params.Values, c *clients.Client) error {
	switch r.Grant = grants.Type(f.Get("grant_type")); r.Grant {
	case grants.Code:
		return r.parseCodeGrant(p, f, c)
	case grants.Refresh:
		return r.parseRefreshGrant(f, c)
	case grants.Assertion, grants.Client:
		if p.grants.TakesDirect(r.Grant) {
			return r.parseDirectGrant(f, c)
		}
	case "":
		return params.Missing("grant_type", "RFC 6749 section 4.1.3")
	}
	return oauth.Reject(oauth.UnsupportedGrantType, "RFC 9700 section 2.4", "grant_type must be "+strings.Join(p.grants.Types(), " or "))
}

func (r *tokenRequest) parseCodeGrant(p *Policy, f *params.Values, c *clients.Client) error {
	r.Code = f.Get("code")
	if r.Code == "" {
		return params.Missing("code", "RFC 6749 section 4.1.3")
	}
	if !syntax.VSChar.Holds(r.Code) {
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 appendix A.11", "code must be printable ASCII, as it was given")
	}
	if verifier := f.Get("code_verifier"); verifier != "" || !c.DoesWithoutPKCE() {
		var err error
		if r.Verifier, err = pkce.ParseVerifier(verifier); err != nil {
			return err
		}
	}
	r.RedirectURI = f.Get("redirect_uri")
	if r.RedirectURI == "" {
		if c != nil && len(c.Redirects) == 1 {
			r.onlyRedirectURI = c.Redirects[0].Exact
		}
		return nil
	}
	registered, err := c.CheckRedirect(r.RedirectURI)
	if err == nil && !registered && c != nil {
		err = oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"redirect_uri is not one that is registered for this client at the gateway")
	}
	return err
}

func (r *tokenRequest) parseRefreshGrant(f *params.Values, c *clients.Client) error {
	r.RefreshToken = f.Get("refresh_token")
	if r.RefreshToken == "" {
		return params.Missing("refresh_token", "RFC 6749 section 6")
	}
	if !syntax.VSChar.Holds(r.RefreshToken) {
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 appendix A.17", "refresh_token must be printable ASCII, as it was given")
	}
	r.Scope = c.ReadScope(f.Get("scope"))
	if r.Scope == "" {
		return nil
	}
	return params.CheckScope(r.Scope)
}

// parseDirectGrant checks that a client may use a direct grant.
func (r *tokenRequest) parseDirectGrant(f *params.Values, c *clients.Client) error {
	switch {
	case !c.IsConfidential():
		return oauth.Reject(oauth.UnauthorizedClient, "RFC 6749 section 5.2", "this grant is for clients that authenticate at the gateway; log the user in instead")
	case r.Grant == grants.Client && !c.ClientCredentials:
		return oauth.Reject(oauth.UnauthorizedClient, "RFC 6749 section 4.4", "this client may not act for itself; the gateway's operator can set client_credentials in its block")
	}
	if r.Scope = f.Get("scope"); r.Scope == "" {
		return nil
	}
	return params.CheckScope(r.Scope)
}

// bind is the target of a token request that is held to the resource and scope of its login, nil and
// "" if no resources are configured.
func (r *tokenRequest) bind(p *Policy, to *clients.Resource, scope string) (target, error) {
	if to == nil {
		return r.target, nil
	}
	if r.resource != nil && r.resource != to {
		return target{}, oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2.2", "resource is not the one of the login; log in once for each")
	}
	named := r.Scope
	if r.Client.IsDynamic() { // who may send what was asked for, in the place of what was granted
		named = strings.Join(slices.DeleteFunc(strings.Fields(named), func(name string) bool { return !params.HasScope(scope, name) }), " ")
	}
	if named != "" {
		if err := to.CheckScope(named); err != nil {
			return target{}, err
		}
		for name := range strings.FieldsSeq(named) {
			if !params.HasScope(scope, name) {
				return target{}, oauth.Reject(oauth.InvalidScope, "RFC 6749 section 6", "scope names one that was not granted in the login")
			}
		}
		scope = named
	}
	return target{resource: to, asked: scope, scopeAtIdP: to.AtIdP(named, p.idp.Scopes()), indicators: to.Indicators()}, nil
}

// possession is what the client shows to have: a proof (RFC 9449 section 5), and a certificate (RFC
// 8705 section 3).
func (f *tokenFlow) possession(c *clients.Client) (has possession, err error) {
	if has.proof, err = f.checkProof(c); err != nil {
		return has, err
	}
	switch {
	case f.r.Certificate != nil:
		has.certificate = f.r.Certificate.Thumbprint()
		has.certificateBound = c != nil && c.CertificateBound
	case c != nil && c.CertificateBound:
		return has, oauth.Reject(oauth.InvalidRequest, "RFC 8705 section 3", "this client's tokens are bound to its TLS certificate, and the connection has none")
	}
	return has, nil
}

// checkProof checks the proof of a token request, nil if it has none.
func (f *tokenFlow) checkProof(c *clients.Client) (proof *dpop.Proof, err error) {
	if !c.TakesProofs() {
		return nil, nil
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	switch {
	case len(f.r.Header["Dpop"]) > 0:
		proof, err = f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+Token.Path(), "")
	case c.DPoP == oauth.Required:
		err = bearer.BadProof("this client's tokens are bound to a key: send a DPoP proof")
	}
	return proof, err
}

// useProof notes that the proof of a token request was used, whose grant was found to be
// good for its key. With an error nothing may be sent to the IdP.
func (f *tokenFlow) useProof(grant string) error {
	if f.request.proof == nil {
		return nil
	}
	err := f.gateway.proofs.Use(f.r.Context(), f.request.proof, grant)
	if cause := errors.Unwrap(err); cause != nil {
		f.note(ClaimFailed, cause)
	}
	return err
}

// key is that which the client has proved to have, zero if none.
func (has *possession) key() dpop.Thumbprint {
	if has.proof == nil {
		return dpop.Thumbprint{}
	}
	return has.proof.Key
}

// refreshKey is what the refresh token is bound to. That of a client which authenticates is
// bound to the client, which may change its key (RFC 9449 section 5).
func (r *tokenRequest) refreshKey() dpop.Thumbprint {
	if r.Authenticates() {
		return dpop.Thumbprint{}
	}
	return r.key()
}

// holdsKey checks that the client has proved to have the key that its code or refresh token
// is bound to, if it is bound to one.
func (has *possession) holdsKey(key dpop.Thumbprint) error {
	switch {
	case key == dpop.Thumbprint{}, has.key() == key:
		return nil
	case has.proof == nil:
		return bearer.BadProof("the grant is bound to a key: send a DPoP proof made with it")
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 9449 section 5", "the DPoP proof is made with another key than the one that the grant is bound to")
}

// boundCertificate is that to which the access token is bound, zero for none.
func (has *possession) boundCertificate() clientcert.Thumbprint {
	if !has.certificateBound {
		return clientcert.Thumbprint{}
	}
	return has.certificate
}

// refreshCertificate is that to which the refresh token is bound. That of a client which
// authenticates is bound to the client, which may get another one (RFC 8705 section 7.1).
func (r *tokenRequest) refreshCertificate() clientcert.Thumbprint {
	if r.Authenticates() {
		return clientcert.Thumbprint{}
	}
	return r.boundCertificate()
}

// holdsCertificate checks that the client has connected with the certificate that its refresh
// token is bound to, if it is bound to one.
func (has *possession) holdsCertificate(bound clientcert.Thumbprint) error {
	if bound == (clientcert.Thumbprint{}) || has.certificate == bound {
		return nil
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 8705 section 4", "the refresh token is bound to another TLS certificate than the one of this connection")
}
