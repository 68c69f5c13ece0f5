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
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// tokenRequest is a checked request to the token endpoint.
type tokenRequest struct {
	clients.Auth

	Grant grants.Type
	// Code, Verifier and RedirectURI belong to [grants.Code];
	// RedirectURI is "" if the client sent none.
	Code        string
	Verifier    pkce.Verifier
	RedirectURI string
	// RefreshToken belongs to [grants.Refresh], Scope to that and to the direct grants.
	RefreshToken string
	Scope        string
	// Audience, Resources (RFC 8707) and AuthorizationDetails (RFC 9396) belong to
	// each; empty if not sent.
	Audience             string
	Resources            []string
	AuthorizationDetails string

	// loginID is that of the login, zero while it is not known.
	loginID login.ID
	// resource is what the token is for, asked the scope of it that was asked for, granted
	// what the client is told that it got; nil and "" if no resources are configured.
	resource       *clients.Resource
	asked, granted string
	// subject is the user, where the gateway has to know; claims are those of the gateway's own
	// access tokens; idToken: the client gets an ID token besides.
	subject string
	claims  claims.Object
	idToken bool
	// ownIDToken: it is the gateway's own, signed with signing; with the claims idTokenClaims of the
	// IdP's, nil if that has sent none, the client's nonce, and the IdP's session.
	ownIDToken    bool
	signing       *signing.Keys
	idTokenClaims []byte
	clientNonce   string
	idpSession    string
	// exchanged is the user's token for what lies behind the resource, zero if that has none.
	exchanged upstream.Exchanged
	// by is how the user has logged in, where the gateway issues the access token.
	by login.Authentication
	// session is the login at the IdP that a code has brought, family that of its refresh tokens.
	session rotation.Session
	family  rotation.Family
	// lasting: the IdP gives no refresh tokens, but an access token that does not expire. It is sealed
	// in the place of one.
	lasting bool
	// ownOpenID: the login's openid is the gateway's own, and stays here.
	ownOpenID bool
	// proof is the DPoP proof, nil if the client sent none.
	proof *dpop.Proof
	// certificate is that of the connection, zero if the client has shown none.
	// certificateBound: the client's tokens are bound to it.
	certificate      clientcert.Thumbprint
	certificateBound bool
	// onlyRedirectURI is the one that /authorize sent on for a client that named
	// none. Sealed codes have it in themselves.
	onlyRedirectURI string
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
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 appendix A.11", "code must be printable ASCII, as the identity provider gave it")
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
	if c.AllowsRedirect(r.RedirectURI) {
		return nil
	}
	if err := uris.CheckRedirect(r.RedirectURI); err != nil {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2", "redirect_uri "+err.Error())
	}
	if c != nil {
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2",
			"redirect_uri is not one that is registered for this client at the gateway")
	}
	return nil
}

func (r *tokenRequest) parseRefreshGrant(f *params.Values, c *clients.Client) error {
	r.RefreshToken = f.Get("refresh_token")
	if r.RefreshToken == "" {
		return params.Missing("refresh_token", "RFC 6749 section 6")
	}
	if !syntax.VSChar.Holds(r.RefreshToken) {
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 appendix A.17", "refresh_token must be printable ASCII, as the identity provider gave it")
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

// bind holds a token request to the resource and scope of its login, nil and "" if no
// resources are configured.
func (r *tokenRequest) bind(p *Policy, to *clients.Resource, scope string) error {
	if to == nil {
		return nil
	}
	if r.resource != nil && r.resource != to {
		return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2.2", "resource is not the one of the login; log in once for each")
	}
	if r.Client.IsDynamic() { // who may send what was asked for, in the place of what was granted
		r.Scope = strings.Join(slices.DeleteFunc(strings.Fields(r.Scope), func(name string) bool { return !params.HasScope(scope, name) }), " ")
	}
	if r.Scope != "" {
		if err := to.CheckScope(r.Scope); err != nil {
			return err
		}
		for name := range strings.FieldsSeq(r.Scope) {
			if !params.HasScope(scope, name) {
				return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 6", "scope names one that was not granted in the login")
			}
		}
		scope = r.Scope
	}
	r.resource, r.asked = to, scope
	r.Resources, r.Scope = to.Indicators(), to.AtIdP(r.Scope, p.idp.Scopes())
	return nil
}

// checkProof checks the proof of a token request, if it has one (RFC 9449 section 5).
func (f *tokenFlow) checkProof() (err error) {
	c := f.request.Client
	if !c.TakesProofs() {
		return nil
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	switch {
	case len(f.r.Header["Dpop"]) > 0:
		f.request.proof, err = f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+Token.Path(), "")
	case c.DPoP == oauth.Required:
		err = bearer.BadProof("this client's tokens are bound to a key: send a DPoP proof")
	}
	return err
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
func (r *tokenRequest) key() dpop.Thumbprint {
	if r.proof == nil {
		return dpop.Thumbprint{}
	}
	return r.proof.Key
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
// is bound to, if it is bound to one. proof is nil if it sent none.
func holdsKey(proof *dpop.Proof, key dpop.Thumbprint) error {
	switch {
	case key == dpop.Thumbprint{}, proof != nil && proof.Key == key:
		return nil
	case proof == nil:
		return bearer.BadProof("the grant is bound to a key: send a DPoP proof made with it")
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 9449 section 5", "the DPoP proof is made with another key than the one that the grant is bound to")
}

// certify notes the certificate with which a client asks for tokens (RFC 8705 section 3).
func (f *tokenFlow) certify() error {
	c := f.request.Client
	switch {
	case f.r.Certificate != nil:
		f.request.certificate = f.r.Certificate.Thumbprint()
		f.request.certificateBound = c != nil && c.CertificateBound
	case c != nil && c.CertificateBound:
		return oauth.Reject(oauth.InvalidRequest, "RFC 8705 section 3", "this client's tokens are bound to its TLS certificate, and the connection has none")
	}
	return nil
}

// boundCertificate is that to which the access token is bound, zero for none.
func (r *tokenRequest) boundCertificate() clientcert.Thumbprint {
	if !r.certificateBound {
		return clientcert.Thumbprint{}
	}
	return r.certificate
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
func (r *tokenRequest) holdsCertificate(bound clientcert.Thumbprint) error {
	if bound == (clientcert.Thumbprint{}) || r.certificate == bound {
		return nil
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 8705 section 4", "the refresh token is bound to another TLS certificate than the one of this connection")
}
