package provider

import (
	"net/http"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// tokenAuthMethods are those of public clients, then of confidential ones.
var tokenAuthMethods = []oidc.AuthMethod{oidc.AuthMethodNone, oidc.AuthMethodBasic, oidc.AuthMethodPost}

// discovery is the provider's metadata (OpenID Connect Discovery 1.0, RFC 8414).
// The library's is corrected to what is really offered here.
func (p *Provider) discovery(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	d := op.CreateDiscoveryConfig(ctx, p.op, p.store)
	d.AuthorizationEndpoint = endpointURL(ctx, PathAuthorize)
	d.TokenEndpoint = endpointURL(ctx, PathToken)
	d.UserinfoEndpoint = endpointURL(ctx, PathUserInfo)
	d.RevocationEndpoint = endpointURL(ctx, PathRevoke)
	d.EndSessionEndpoint = endpointURL(ctx, PathOIDCLogout)
	d.JwksURI = endpointURL(ctx, PathKeys)
	d.IntrospectionEndpoint, d.DeviceAuthorizationEndpoint, d.CheckSessionIframe = "", "", ""
	d.IntrospectionEndpointAuthMethodsSupported, d.IntrospectionEndpointAuthSigningAlgValuesSupported = nil, nil
	d.TokenEndpointAuthMethodsSupported = tokenAuthMethods
	d.TokenEndpointAuthSigningAlgValuesSupported = nil
	d.RevocationEndpointAuthMethodsSupported = tokenAuthMethods
	d.RevocationEndpointAuthSigningAlgValuesSupported = nil
	d.RequestObjectSigningAlgValuesSupported = nil
	d.ResponseTypesSupported = []string{string(oidc.ResponseTypeCode)}
	d.ResponseModesSupported = supportedResponseModes
	d.GrantTypesSupported = []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
	d.ScopesSupported = []string{oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail, oidc.ScopeOfflineAccess}
	d.ClaimsSupported = []string{"sub", "name", "given_name", "family_name", "nickname", "picture", "locale", "updated_at", "email", "email_verified"}
	writeJSON(w, http.StatusOK, struct {
		*oidc.DiscoveryConfiguration
		PushedRequests string `json:"pushed_authorization_request_endpoint"`
	}{d, endpointURL(ctx, PathPAR)})
}
