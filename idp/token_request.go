package idp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// grantType is a grant_type of the token endpoint.
type grantType string

// The grant types that the gateway accepts (RFC 6749 sections 4.1.3 and 6), after
// RFC 9700 section 2.4.
const (
	codeGrantType    grantType = "authorization_code"
	refreshGrantType grantType = "refresh_token"
)

// grantTypes are all of them.
func grantTypes() []string { return []string{string(codeGrantType), string(refreshGrantType)} }

// tokenRequest is a checked request to the token endpoint.
type tokenRequest struct {
	clients.Auth

	Grant grantType
	// Code, Verifier and RedirectURI belong to codeGrantType;
	// RedirectURI is "" if the client sent none.
	Code        string
	Verifier    pkce.Verifier
	RedirectURI string
	// RefreshToken and Scope belong to refreshGrantType.
	RefreshToken string
	Scope        string
	// Audience, Resources (RFC 8707) and AuthorizationDetails (RFC 9396) belong to
	// both; empty if not sent.
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
	// access tokens; idToken: the client
	// gets an ID token besides.
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
	// by is how the user has logged in, where the gateway issues the access token.
	by login.Authentication
	// session is the login at the IdP that a code has brought.
	session rotation.Session
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
	r.resource, err = p.registry.AllowsTarget(c, f, r.Scope)
	return r, err
}

func (r *tokenRequest) parseGrant(p *Policy, f *params.Values, c *clients.Client) error {
	switch r.Grant = grantType(f.Get("grant_type")); r.Grant {
	case codeGrantType:
		return r.parseCodeGrant(p, f, c)
	case refreshGrantType:
		return parseRefreshGrant(f, r, c)
	case "":
		return params.Missing("grant_type", "RFC 6749 section 4.1.3")
	}
	return oauth.Reject(oauth.UnsupportedGrantType, "RFC 9700 section 2.4", "grant_type must be authorization_code or refresh_token")
}

func (r *tokenRequest) parseCodeGrant(p *Policy, f *params.Values, c *clients.Client) error {
	r.Code = f.Get("code")
	if r.Code == "" {
		return params.Missing("code", "RFC 6749 section 4.1.3")
	}
	if !syntax.VSChar.Holds(r.Code) {
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 appendix A.11", "code must be printable ASCII, as the identity provider gave it")
	}
	verifier, err := pkce.ParseVerifier(f.Get("code_verifier"))
	if err != nil {
		return err
	}
	r.Verifier = verifier
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

func parseRefreshGrant(f *params.Values, r *tokenRequest, c *clients.Client) error {
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
