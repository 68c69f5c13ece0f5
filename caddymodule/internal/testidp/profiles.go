package testidp

import (
	"strings"
	"time"
)

// The profiles are how well-known identity providers behave, each from the
// vendor's own documentation, as far as a client or a gateway notices. Clients and
// their redirect URIs are the caller's.

// development is the strict one for development: Auth0's modes and names of claims.
func development(clients []Client) Behavior {
	return Behavior{
		Clients: clients, Strict: true, PKCE: RequiresPKCE, PAR: OffersPAR,
		SingleUse: true, CodeLifetime: time.Minute, ChecksClient: true, ChecksRedirectURI: true,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: OfflineAccess,
		JWTs:          true,
		ResponseModes: []string{"query", modeFragment, modeFormPost, modeWebMessage},
		Metadata: map[string]any{
			"scopes_supported":                []string{scopeOpenID, scopeProfile, scopeEmail, scopeOfflineAccess},
			"claims_supported":                []string{"sub", "name", "given_name", "family_name", "nickname", "picture", "locale", "updated_at", "email", "email_verified"},
			"request_uri_parameter_supported": false,
		},
	}
}

// vendor is what every vendor's provider does.
func vendor(clients []Client, endpoints Endpoints, more Behavior) Behavior {
	more.Clients, more.Endpoints = clients, endpoints
	more.PKCE, more.SingleUse, more.ChecksClient, more.ChecksRedirectURI = VerifiesPKCE, true, true, true
	return more
}

// Google is Google's: three hosts, a secret even with PKCE for the client type
// "Web application", refresh tokens for access_type=offline only, no scope
// offline_access, no logout.
//
//   - https://developers.google.com/identity/openid-connect/openid-connect (endpoints, discovery)
//   - https://developers.google.com/identity/protocols/oauth2/web-server (access_type, prompt=consent, client_secret)
//   - https://github.com/googleapis/google-api-python-client/pull/1088 (names of scopes)
//   - https://github.com/openid/AppAuth-iOS/issues/207 ("Parameter not allowed for this message type")
func Google(clients ...Client) Behavior {
	return vendor(clients, Endpoints{
		Authorize: "/o/oauth2/v2/auth", Token: "/token", UserInfo: "/v1/userinfo", JWKS: "/oauth2/v3/certs",
	}, Behavior{
		Hosts:           []Host{TokenHost, UserInfoHost, KeysHost},
		AnySecretMethod: true,
		ResponseModes:   []string{"query", "fragment", "form_post"},
		Scopes:          []string{"openid", "email", "profile"},
		Refuses:         map[string]string{"resource": "invalid_request"},
		Grants: strings.NewReplacer("email", "https://www.googleapis.com/auth/userinfo.email",
			"profile", "https://www.googleapis.com/auth/userinfo.profile").Replace,
		RefreshTokens: true, Offline: AccessTypeOffline,
		Logout: NoLogout,
	})
}

// EntraTenant is the tenant of [Entra].
const EntraTenant = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"

// Entra is Microsoft Entra ID: user info on another host, PKCE that its metadata
// does not mention, refresh tokens for the scope offline_access, and the rule that
// clients other than single-page applications redeem their codes without an Origin (AADSTS9002326).
//
//   - https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc (endpoints, logout)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow (PKCE, offline_access)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/userinfo (graph.microsoft.com/oidc/userinfo)
//   - https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/2482 (the Origin)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes (AADSTS901002: resource is not supported)
//   - https://github.com/anthropics/claude-code/issues/73460 (AADSTS9010010: nor one that does not match the scopes)
func Entra(clients ...Client) Behavior {
	const base = "/" + EntraTenant
	return vendor(clients, Endpoints{
		Authorize: base + "/oauth2/v2.0/authorize", Token: base + "/oauth2/v2.0/token", UserInfo: "/oidc/userinfo",
		Logout: base + "/oauth2/v2.0/logout", JWKS: base + "/discovery/v2.0/keys",
	}, Behavior{
		IssuerPath:      base + "/v2.0",
		Hosts:           []Host{UserInfoHost},
		AnySecretMethod: true, RefusesOrigin: true,
		Refuses:       map[string]string{"resource": "invalid_target"},
		Metadata:      map[string]any{"code_challenge_methods_supported": nil},
		ResponseModes: []string{"query", "fragment", "form_post"},
		// https://learn.microsoft.com/en-us/answers/questions/806413/scope-offline-access-isnt-being-returned-in-the-to
		Grants:        strings.NewReplacer(" offline_access", "").Replace,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: OfflineAccess,
		Logout: StandardLogout,
	})
}

// Okta is Okta's custom authorization server "default": everything below its
// issuer, and a logout that requires an id_token_hint.
//
//   - https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/tag/CustomAS (endpoints)
//   - https://support.okta.com/help/s/article/the-purpose-of-id-token-hint-in-the-logout-api-and-how-does-it-affect-the-single-logout-process
//   - https://developer.okta.com/docs/guides/refresh-tokens/main/ (offline_access)
//   - https://developer.okta.com/docs/guides/customize-authz-server/main/ (the audience is the authorization server's)
func Okta(clients ...Client) Behavior {
	const base = "/oauth2/default"
	return vendor(clients, Endpoints{
		Authorize: base + "/v1/authorize", Token: base + "/v1/token", UserInfo: base + "/v1/userinfo",
		Logout: base + "/v1/logout", JWKS: base + "/v1/keys",
	}, Behavior{
		IssuerPath:    base,
		ResponseModes: []string{"query", "fragment", "form_post"},
		Scopes:        []string{"openid", "profile", "email", "address", "phone", "offline_access", "device_sso"},
		JWTs:          true, Resources: IgnoresResource,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: OfflineAccess,
		Logout: HintedLogout,
	})
}

// Cognito is an Amazon Cognito user pool: an issuer on another host than the
// endpoints, logouts with logout_uri, no response modes but the default, PKCE that
// the metadata does not mention, refresh tokens always.
//
//   - https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html (endpoints, issuer)
//   - https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html (client_id and logout_uri)
//   - https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html (client_secret_basic, client_secret_post, PKCE)
//   - https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html (resource binding, scopes)
func Cognito(clients ...Client) Behavior {
	return vendor(clients, Endpoints{
		Authorize: "/oauth2/authorize", Token: "/oauth2/token", UserInfo: "/oauth2/userInfo",
		Logout: "/logout", JWKS: "/eu-west-1_EXAMPLE/.well-known/jwks.json",
	}, Behavior{
		IssuerPath:      "/eu-west-1_EXAMPLE",
		Hosts:           []Host{IssuerHost, KeysHost},
		AnySecretMethod: true,
		ResponseModes:   []string{"query"},
		Metadata:        map[string]any{"code_challenge_methods_supported": nil, "response_modes_supported": nil},
		Scopes:          []string{"openid", "email", "phone", "profile"},
		JWTs:            true, HidesScope: true, // https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
		RefreshTokens: true,
		Logout:        LogoutURI,
	})
}

// GitHub is a GitHub OAuth app: no OpenID Connect and no metadata for it, user info
// from an API on another host that wants a User-Agent, forms unless JSON is asked
// for, errors with status 200, no refresh tokens, no logout.
//
//   - https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps (endpoints, forms)
//   - https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors (errors)
//   - https://github.blog/changelog/2025-07-14-pkce-support-for-oauth-and-github-app-authentication (PKCE)
//   - https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent
func GitHub(clients ...Client) Behavior {
	return vendor(clients, Endpoints{
		Authorize: "/login/oauth/authorize", Token: "/login/oauth/access_token", UserInfo: "/user",
	}, Behavior{
		Hosts:       []Host{UserInfoHost},
		Resources:   IgnoresResource,
		NoDiscovery: true, NoIDTokens: true, GitHub: true,
		ResponseModes: []string{"query"},
		Grants:        strings.NewReplacer(" ", ",").Replace, // read:user,repo
		Logout:        NoLogout,
	})
}

// Auth0 is an Auth0 tenant: audience says which API a token is for, resource nothing.
//
//   - https://auth0.com/docs/get-started/apis/api-settings (identifier, offline access)
//   - https://auth0.com/ai/docs/mcp/guides/resource-param-compatibility-profile (resource is ignored unless a tenant turns it on)
func Auth0(clients ...Client) Behavior {
	return vendor(clients, DefaultEndpoints(), Behavior{
		AnySecretMethod: true,
		JWTs:            true, Resources: IgnoresResource,
		RefreshTokens: true, Offline: OfflineAccess,
		Logout: StandardLogout,
	})
}

// Keycloak is Keycloak 26.6 with the feature resource-indicators: a resource has to be
// the resource_url of a client that is in the token's audience, is then the only one
// there, and the same at the token endpoint, character by character.
//
//   - https://www.keycloak.org/securing-apps/mcp-authz-server (the feature)
//   - https://github.com/keycloak/keycloak/blob/af942df712b53dd49d19d4e242f78b5ece17f0ee/services/src/main/java/org/keycloak/protocol/oidc/resourceindicators/ResourceIndicatorsPostProcessor.java (invalid_target)
func Keycloak(clients ...Client) Behavior {
	const base = "/realms/staff/protocol/openid-connect"
	return vendor(clients, Endpoints{
		Authorize: base + "/auth", Token: base + "/token", UserInfo: base + "/userinfo",
		Logout: base + "/logout", JWKS: base + "/certs", Revoke: base + "/revoke",
	}, Behavior{
		IssuerPath:      "/realms/staff",
		AnySecretMethod: true, SendsIssuer: true,
		JWTs: true, Resources: BindsResource, Audience: func(string) string { return "account" },
		RefreshTokens: true, RotatesRefreshTokens: true,
		Logout: StandardLogout,
	})
}

// Authentik is authentik: tokens are for the client, whatever resource says, and scopes
// without a mapping are left out.
//
//   - https://docs.goauthentik.io/add-secure-apps/providers/oauth2/ (endpoints, offline_access)
//   - https://github.com/IBM/mcp-context-forge/issues/4171 (the audience)
func Authentik(clients ...Client) Behavior {
	const base = "/application/o"
	return vendor(clients, Endpoints{
		Authorize: base + "/authorize/", Token: base + "/token/", UserInfo: base + "/userinfo/",
		Logout: base + "/agents/end-session/", JWKS: base + "/agents/jwks/", Revoke: base + "/revoke/",
	}, Behavior{
		IssuerPath:      base + "/agents",
		AnySecretMethod: true,
		JWTs:            true, Resources: IgnoresResource, Audience: func(clientID string) string { return clientID },
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: OfflineAccess,
		Logout: StandardLogout,
	})
}
