package upstream

import (
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
)

// Form is a request to an endpoint of the IdP that takes a form.
type Form struct {
	// Body is the body, application/x-www-form-urlencoded.
	Body []byte
	// Authorization is the value of that header, "" for none.
	Authorization string
}

// Authentication is the authentication of a request to the IdP: what stands in
// the body, and in the header Authorization.
type Authentication struct {
	ClientID, secret, assertion, assertionType string
	authorization                              string
}

// Form is a form with some fields, as far as they have values, and the authentication.
func (a *Authentication) Form(form []byte, fields ...params.Param) Form {
	for _, field := range append(fields, params.Param{Name: "client_secret", Value: a.secret}, params.Param{Name: "client_assertion", Value: a.assertion}, params.Param{Name: "client_assertion_type", Value: a.assertionType}) {
		if field.Value != "" {
			form = params.Append(form, field.Name, field.Value)
		}
	}
	return Form{Body: form, Authorization: a.authorization}
}

// Authenticate is the authentication at an endpoint of the IdP of the gateway, or else
// of the client, whose Authorization header is authorization.
func (u *Upstream) Authenticate(at endpoint.Endpoint, r *clients.Auth, authorization string, now time.Time) (Authentication, error) {
	c := r.Credentials
	if c == nil {
		a := Authentication{ClientID: r.ClientID, secret: r.ClientSecret, assertion: r.Assertion, assertionType: r.AssertionType}
		if r.Method == clients.AuthSecretBasic {
			a.authorization = authorization
		}
		return a, nil
	}
	a := Authentication{ClientID: c.ClientID} // nothing of the client's
	switch u.AuthMethod(c) {
	case clients.AuthSecretBasic:
		a.ClientID, a.authorization = "", c.Basic()
	case clients.AuthSecretPost:
		a.secret = c.Secret
	case clients.AuthPrivateKeyJWT:
		var err error
		if a.assertion, err = c.Assertion(u.assertionSigner(c), u.assertionAudience(c, at), now); err != nil {
			return a, err
		}
		a.assertionType = clients.AssertionTypeJWT
	}
	return a, nil
}

// AuthMethod is how the gateway authenticates: as configured, or as the IdP says,
// or by client_secret_basic, which RFC 6749 section 2.3.1 requires of every one.
func (u *Upstream) AuthMethod(c *clients.Credentials) string {
	switch {
	case c.Method != "":
		return c.Method
	case u.secretPost:
		return clients.AuthSecretPost
	}
	return clients.AuthSecretBasic
}

// assertionSigner signs for the IdP: an RSA key by RS256, which every one knows, unless its
// metadata lists PS256 alone of the two, as FAPI 2.0 asks of it.
func (u *Upstream) assertionSigner(c *clients.Credentials) jose.Signer {
	if c.Pss == nil || u.metadata == nil {
		return c.Signer
	}
	listed := u.metadata.AssertionAlgorithms
	if slices.Contains(listed, string(jose.PS256)) && !slices.Contains(listed, string(jose.RS256)) {
		return c.Pss
	}
	return c.Signer
}

// assertionAudience is whom an assertion is for that is sent to an endpoint of the IdP. It
// names nobody but the IdP that gets it: metadata can name another one's token endpoint,
// and a revocation endpoint of its own, but neither another one's issuer nor another place
// than the one that it is sent to.
func (u *Upstream) assertionAudience(c *clients.Credentials, at endpoint.Endpoint) string {
	switch {
	case c.Audience == clients.EndpointAudience, c.Audience == "" && vendors.IsOkta(u.authURL.Hostname()):
		return u.endpoints[at].text
	case u.issuer != "":
		return u.issuer
	}
	return u.endpoints[endpoint.Token].text
}

// TokenRequest is what the IdP's token endpoint is asked, in checked values; "" for none.
type TokenRequest struct {
	Grant                          string
	Code, RedirectURI, Verifier    string
	RefreshToken, Scope            string
	Audience, AuthorizationDetails string
	Resources                      []string
}

// TokenForm is a token request: the grant's known parameters, encoded again. Everything else
// that the client sent, such as schema, is dropped.
func (a *Authentication) TokenForm(r *TokenRequest) Form {
	fields := append(make([]params.Param, 0, 16), []params.Param{
		{Name: "grant_type", Value: r.Grant},
		{Name: "client_id", Value: a.ClientID},
		{Name: "code", Value: r.Code},
		{Name: "redirect_uri", Value: r.RedirectURI},
		{Name: "code_verifier", Value: r.Verifier},
		{Name: "refresh_token", Value: r.RefreshToken},
		{Name: "scope", Value: r.Scope},
		{Name: "audience", Value: r.Audience},
		{Name: "authorization_details", Value: r.AuthorizationDetails},
	}...) // with room for the authentication
	for _, resource := range r.Resources {
		fields = append(fields, params.Param{Name: "resource", Value: resource})
	}
	return a.Form(make([]byte, 0, 512), fields...)
}

// RevocationForm is a revocation request (RFC 7009 section 2.1).
func (a *Authentication) RevocationForm(token, hint string) Form {
	return a.Form(nil, params.Param{Name: "token", Value: token}, params.Param{Name: "token_type_hint", Value: hint}, params.Param{Name: "client_id", Value: a.ClientID})
}

// WantsOrigin reports whether a token request has to carry the Origin of the page that
// made it: at Entra ID, which redeems the codes of an app that is registered there
// as a single-page application for cross-origin requests only (AADSTS9002327), and
// those of others only without (AADSTS9002326). With a callback the gateway is the
// client, and no page. The caller makes sure that the origin is the client's.
func (u *Upstream) WantsOrigin(r *clients.Auth) bool {
	if u.bindsLogins || r.Credentials != nil || r.Method == clients.AuthSecretBasic || r.ClientSecret != "" || r.Assertion != "" {
		return false
	}
	return vendors.IsEntra(u.endpoints[endpoint.Token].url)
}
