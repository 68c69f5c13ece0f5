package idp

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func (f *flow) metadata(document metadataDocument) ([]byte, error) {
	if document != publicKeys {
		return f.policy.serverMetadata(document)
	}
	keys, err := f.signingKeys()
	if err != nil {
		return nil, err
	}
	return keys.Public(f.policy.idTokenAlgorithms, f.gateway.parts.Now())
}

// serverMetadata has the fields of RFC 8414 section 2, OpenID Connect Discovery 1.0
// section 3 and RFC 9207 section 3.
type serverMetadata struct {
	Issuer            string   `json:"issuer"`
	Authorize         string   `json:"authorization_endpoint"`
	Token             string   `json:"token_endpoint"`
	UserInfo          string   `json:"userinfo_endpoint,omitzero"`
	EndSession        string   `json:"end_session_endpoint,omitzero"`
	Revocation        string   `json:"revocation_endpoint,omitzero"`
	Introspection     string   `json:"introspection_endpoint,omitzero"`
	IntrospectionAuth []string `json:"introspection_endpoint_auth_methods_supported,omitzero"`
	JWKSURI           string   `json:"jwks_uri,omitzero"`
	ResponseTypes     []string `json:"response_types_supported"`
	ResponseModes     []string `json:"response_modes_supported,omitzero"`
	// GrantProfiles is of draft-ietf-oauth-identity-assertion-authz-grant section 7.2.
	GrantProfiles     []string `json:"authorization_grant_profiles_supported,omitempty"`
	GrantTypes        []string `json:"grant_types_supported"`
	AuthMethods       []string `json:"token_endpoint_auth_methods_supported"`
	AuthAlgorithms    []string `json:"token_endpoint_auth_signing_alg_values_supported,omitzero"`
	ChallengeMethods  []string `json:"code_challenge_methods_supported"`
	Scopes            []string `json:"scopes_supported,omitzero"`
	SubjectTypes      []string `json:"subject_types_supported,omitzero"`
	IDTokenAlgorithms []string `json:"id_token_signing_alg_values_supported,omitzero"`
	Claims            []string `json:"claims_supported,omitzero"`
	SendsIssuer       bool     `json:"authorization_response_iss_parameter_supported"`
	PushedRequest     string   `json:"pushed_authorization_request_endpoint,omitzero"`
	RequiresPushed    bool     `json:"require_pushed_authorization_requests,omitzero"`
	// TakesRequestURIs is false: those of /oauth/par are no request objects. Left out it means true
	// (OpenID Connect Discovery 1.0 section 3).
	TakesRequestURIs bool `json:"request_uri_parameter_supported"`
	// TakesClaims is false, also where the parameter goes to the IdP: which claims the gateway's own ID
	// tokens have is a list ([claimsSupported]). It is nil where they are the IdP's.
	TakesClaims       *bool    `json:"claims_parameter_supported,omitzero"`
	DPoPAlgorithms    []string `json:"dpop_signing_alg_values_supported,omitzero"`
	BindsCertificates bool     `json:"tls_client_certificate_bound_access_tokens,omitzero"`
	Registration      string   `json:"registration_endpoint,omitzero"`
	ClientDocuments   bool     `json:"client_id_metadata_document_supported,omitzero"`
}

// serverMetadata is a document of the gateway as JSON. The one for OpenID Connect
// needs what the IdP says about itself ([Policy.withMetadata]).
func (p *Policy) serverMetadata(document metadataDocument) ([]byte, error) {
	m := serverMetadata{
		Issuer:        p.public.url,
		Authorize:     p.public.url + Authorize.Path(),
		Token:         p.public.url + Token.Path(),
		ResponseTypes: []string{"code"},
		// What the client asks for is its own business with a callback; without one
		// the IdP's.
		ResponseModes:    []string{string(oauth.QueryMode), string(oauth.FragmentMode), string(oauth.FormPostMode), string(oauth.WebMessageMode)},
		GrantTypes:       p.grants.Types(),
		GrantProfiles:    p.grants.Profiles(),
		AuthMethods:      p.registry.OfClients(func(c *clients.Client) []string { return c.Auth }, AuthNone),
		ChallengeMethods: []string{"S256"},
		Scopes:           p.registry.Scopes(p.idp.Scopes()),
		SendsIssuer:      p.callback != nil,

		BindsCertificates: p.registry.BindsCertificates,
	}
	if p.served[Revoke] {
		m.Revocation = p.public.url + Revoke.Path()
	}
	if p.served[PushedRequest] {
		m.PushedRequest = p.public.url + PushedRequest.Path()
		m.RequiresPushed = p.registry.AllRequire(func(c *clients.Client) string { return string(c.Push) })
	}
	if p.registry.Remembers {
		for _, algorithm := range jwks.Algorithms() {
			m.AuthAlgorithms = append(m.AuthAlgorithms, string(algorithm))
		}
	}
	if p.registry.DPoP {
		m.DPoPAlgorithms = dpop.Algorithms()
	}
	if p.served[Register] {
		m.Registration = p.public.url + Register.Path()
	}
	m.ClientDocuments = p.registry.Dynamic != nil && p.registry.Dynamic.Documents
	if p.served[Introspect] {
		m.Introspection, m.IntrospectionAuth = p.public.url+Introspect.Path(), []string{AuthSecretBasic}
	}
	if p.callback == nil {
		m.ResponseModes = nil
		if p.idp.Metadata() != nil {
			m.ResponseModes = p.idp.Metadata().ResponseModes
		}
	}
	switch {
	case p.issues:
		m.addOwnOpenID(p)
	case document == oauthMetadata:
		m.Scopes = slices.DeleteFunc(m.Scopes, func(scope string) bool { return scope == "openid" })
	case document == openIDMetadata:
		if err := m.addOpenIDMetadata(p); err != nil {
			return nil, err
		}
	}
	return json.Marshal(m)
}

// addOwnOpenID adds what both documents have where the gateway is the issuer of ID tokens: whoever
// finds it by one of them has it as one issuer.
func (m *serverMetadata) addOwnOpenID(p *Policy) {
	m.JWKSURI, m.Claims, m.TakesClaims = p.public.url+keysPath, claimsSupported(), new(bool)
	for _, algorithm := range p.idTokenAlgorithms {
		m.IDTokenAlgorithms = append(m.IDTokenAlgorithms, string(algorithm))
	}
	if m.SubjectTypes = p.idp.Metadata().SubjectTypes; len(m.SubjectTypes) == 0 {
		m.SubjectTypes = []string{"public"}
	}
	m.addOpenID(p)
}

// addOpenID adds what clients with openid find, whoever signs ID tokens.
func (m *serverMetadata) addOpenID(p *Policy) {
	if !slices.Contains(m.Scopes, "openid") && (m.Scopes != nil || p.issues) {
		m.Scopes = append(m.Scopes, "openid")
	}
	if p.answersUserInfo() {
		m.UserInfo = p.public.url + UserInfo.Path()
	}
	if p.idp.Logout() != NoLogout {
		m.EndSession = p.public.url + Logout.Path()
	}
}

// answersUserInfo reports whether user info takes any of the access tokens that clients get: the
// gateway's own are bearer tokens there, of a gateway that is the issuer.
func (p *Policy) answersUserInfo() bool {
	if len(p.registry.Resources) == 0 || slices.ContainsFunc(p.registry.Resources, func(r *clients.Resource) bool { return !r.HasOwnTokens() }) {
		return true
	}
	return p.issues && !p.registry.AllRequire(func(c *clients.Client) string { return string(c.DPoP) })
}

// addOpenIDMetadata adds what only OpenID Connect Discovery 1.0 has.
func (m *serverMetadata) addOpenIDMetadata(p *Policy) error {
	switch {
	case !p.idp.IsKnown():
		return upstream.NotDiscovered()
	case p.idp.Metadata() == nil || p.idp.Metadata().JWKSURI == nil:
		e := oauth.Reject(oauth.InvalidRequest, "OpenID Connect Discovery 1.0 section 3",
			"the gateway does not know the issuer and the keys of the identity provider; its operator can set discover")
		e.Status = http.StatusNotFound
		return e
	}
	m.Issuer, m.JWKSURI = p.idp.Issuer(), p.idp.Metadata().JWKSURI.String()
	m.addOpenID(p)
	m.SubjectTypes = []string{"public"}
	if m.IDTokenAlgorithms = p.idp.Metadata().IDTokenAlgorithms; len(m.IDTokenAlgorithms) == 0 {
		m.IDTokenAlgorithms = []string{"RS256"}
	}
	return nil
}
