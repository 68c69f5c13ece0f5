package idp

import (
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"

	"github.com/go-jose/go-jose/v4"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
)

// formCall is a request to an endpoint of the IdP that takes a form.
type formCall struct {
	// Form is the body, application/x-www-form-urlencoded.
	Form []byte
	// Authorization is the value of that header, "" for none.
	Authorization string
}

// tokenCall builds the request to the IdP: the grant's known parameters, encoded
// again, and the authentication of the gateway, or else of the client, whose
// Authorization header is authorization. Everything else that the client sent,
// such as schema, is dropped. redemption and renewal are nil for codes and refresh
// tokens that were not sealed, and for the other grant.
func (p *Policy) tokenCall(r *tokenRequest, redemption *codeGrant, renewal *refreshGrant, authorization string, now time.Time) (formCall, error) {
	code, redirectURI, refreshToken := r.Code, r.RedirectURI, r.RefreshToken
	if renewal != nil {
		refreshToken = renewal.token
	}
	switch {
	case redemption != nil:
		code, redirectURI = redemption.login.Code, redemption.login.Callback
	case redirectURI == "":
		redirectURI = r.onlyRedirectURI
	}
	a, err := p.authenticateCall(Token, &r.Auth, authorization, now)
	if err != nil {
		return formCall{}, err
	}
	fields := append(make([]params.Param, 0, 16), []params.Param{
		{Name: "grant_type", Value: string(r.Grant)},
		{Name: "client_id", Value: a.clientID},
		{Name: "code", Value: code},
		{Name: "redirect_uri", Value: redirectURI},
		{Name: "code_verifier", Value: string(r.Verifier)},
		{Name: "refresh_token", Value: refreshToken},
		{Name: "scope", Value: r.Scope},
		{Name: "audience", Value: r.Audience},
		{Name: "authorization_details", Value: r.AuthorizationDetails},
	}...) // with room for the authentication
	for _, resource := range r.Resources {
		fields = append(fields, params.Param{Name: "resource", Value: resource})
	}
	return a.call(make([]byte, 0, 512), fields...), nil
}

// callAuthentication is the authentication of a request to the IdP: what stands in
// the body, and in the header Authorization.
type callAuthentication struct {
	clientID, secret, assertion, assertionType string
	authorization                              string
}

// call is a form with some fields, as far as they have values, and the authentication.
func (a *callAuthentication) call(form []byte, fields ...params.Param) formCall {
	for _, field := range append(fields, params.Param{Name: "client_secret", Value: a.secret}, params.Param{Name: "client_assertion", Value: a.assertion}, params.Param{Name: "client_assertion_type", Value: a.assertionType}) {
		if field.Value != "" {
			form = params.Append(form, field.Name, field.Value)
		}
	}
	return formCall{Form: form, Authorization: a.authorization}
}

// authenticateCall is the authentication at an endpoint of the IdP of the gateway, or else
// of the client, whose Authorization header is authorization.
func (p *Policy) authenticateCall(endpoint Endpoint, r *clients.Auth, authorization string, now time.Time) (callAuthentication, error) {
	c := r.Credentials
	if c == nil {
		a := callAuthentication{clientID: r.ClientID, secret: r.ClientSecret, assertion: r.Assertion, assertionType: r.AssertionType}
		if r.Basic {
			a.authorization = authorization
		}
		return a, nil
	}
	a := callAuthentication{clientID: c.ClientID} // nothing of the client's
	switch p.authMethod(c) {
	case AuthSecretBasic:
		a.clientID, a.authorization = "", c.Basic()
	case AuthSecretPost:
		a.secret = c.Secret
	case AuthPrivateKeyJWT:
		var err error
		if a.assertion, err = c.Assertion(p.assertionSigner(c), p.assertionAudience(c, endpoint), now); err != nil {
			return a, err
		}
		a.assertionType = clients.AssertionTypeJWT
	}
	return a, nil
}

// authMethod is how the gateway authenticates: as configured, or as the IdP says,
// or by client_secret_basic, which RFC 6749 section 2.3.1 requires of every one.
func (p *Policy) authMethod(c *clients.Credentials) string {
	switch {
	case c.Method != "":
		return c.Method
	case p.secretPost:
		return AuthSecretPost
	}
	return AuthSecretBasic
}

// assertionSigner signs for the IdP: an RSA key by RS256, which every one knows, unless its
// metadata lists PS256 alone of the two, as FAPI 2.0 asks of it.
func (p *Policy) assertionSigner(c *clients.Credentials) jose.Signer {
	if c.Pss == nil || p.metadata == nil {
		return c.Signer
	}
	listed := p.metadata.AssertionAlgorithms
	if slices.Contains(listed, string(jose.PS256)) && !slices.Contains(listed, string(jose.RS256)) {
		return c.Pss
	}
	return c.Signer
}

// assertionAudience is whom an assertion is for that is sent to an endpoint of the IdP. It
// names nobody but the IdP that gets it: metadata can name another one's token endpoint,
// and a revocation endpoint of its own, but neither another one's issuer nor another place
// than the one that it is sent to.
func (p *Policy) assertionAudience(c *clients.Credentials, endpoint Endpoint) string {
	switch {
	case c.Audience == EndpointAudience, c.Audience == "" && isOkta(p.authURL.Hostname()):
		return p.endpoints[endpoint].text
	case p.issuer != "":
		return p.issuer
	}
	return p.endpoints[Token].text
}

// isOkta reports whether a domain is Okta's own.
func isOkta(host string) bool {
	return strings.HasSuffix(host, ".okta.com") || strings.HasSuffix(host, ".oktapreview.com") || strings.HasSuffix(host, ".okta-emea.com")
}
