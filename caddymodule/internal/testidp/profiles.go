package testidp

import "strings"

// The profiles are how well-known identity providers behave, each from the
// vendor's own documentation, as far as a client or a gateway notices. Clients and
// their redirect URIs are the caller's.

// development is the strict one for development: Auth0's modes and names of claims.
func development(config Config) Behavior {
	return Behavior{
		Clients: config.Clients, Issuer: config.Issuer, Strict: true, VerifiesPKCE: true, RequiresPKCE: true, OffersPAR: true,
		SingleUse: true, ChecksClient: true, ChecksRedirectURI: true,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: offlineAccess,
		JWTs:          true,
		ResponseModes: []string{"query", "fragment", "form_post", "web_message"},
		Metadata: map[string]any{
			"scopes_supported":                []string{"openid", "profile", "email", "offline_access"},
			"claims_supported":                []string{"sub", "name", "given_name", "family_name", "nickname", "picture", "locale", "updated_at", "email", "email_verified"},
			"request_uri_parameter_supported": false,
		},
	}
}

// offlineAccess is the scope for which logins get a refresh token (OpenID Connect Core 11).
const offlineAccess = "scope=offline_access"

// standardLogout is that of OpenID Connect RP-Initiated Logout 1.0.
const standardLogout = "post_logout_redirect_uri"

// vendor is what every vendor's provider does.
func vendor(clients []Client, endpoints map[string]string, more Behavior) Behavior {
	more.Clients, more.Endpoints = clients, endpoints
	more.VerifiesPKCE, more.SingleUse, more.ChecksClient, more.ChecksRedirectURI = true, true, true, true
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
	return vendor(clients, map[string]string{
		PathAuthorize: "/o/oauth2/v2/auth", PathToken: "/token", PathUserInfo: "/v1/userinfo", PathKeys: "/oauth2/v3/certs", PathLogout: "",
	}, Behavior{
		Hosts:   []Host{TokenHost, UserInfoHost, KeysHost},
		Scopes:  []string{"openid", "email", "profile"},
		Refuses: map[string]string{"resource": "invalid_request"},
		Grants: strings.NewReplacer("email", "https://www.googleapis.com/auth/userinfo.email",
			"profile", "https://www.googleapis.com/auth/userinfo.profile").Replace,
		RefreshTokens: true, Offline: "access_type=offline",
	})
}

// Entra is Microsoft Entra ID: user info on another host, PKCE that its metadata
// does not mention, and refresh tokens for the scope offline_access.
//
//   - https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc (endpoints, logout)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow (PKCE, offline_access)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/userinfo (graph.microsoft.com/oidc/userinfo)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes (AADSTS901002: resource is not supported)
//   - https://github.com/anthropics/claude-code/issues/73460 (AADSTS9010010: nor one that does not match the scopes)
//   - https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-on-behalf-of-flow (another token for the same user)
func Entra(clients ...Client) Behavior {
	const base = "/8eaef023-2b34-4da1-9baa-8bc8c9d6a490" // a tenant
	return vendor(clients, map[string]string{
		PathAuthorize: base + "/oauth2/v2.0/authorize", PathToken: base + "/oauth2/v2.0/token", PathUserInfo: "/oidc/userinfo",
		PathLogout: base + "/oauth2/v2.0/logout", PathKeys: base + "/discovery/v2.0/keys",
	}, Behavior{
		IssuerPath: base + "/v2.0",
		Hosts:      []Host{UserInfoHost},
		Refuses:    map[string]string{"resource": "invalid_target"},
		Metadata:   map[string]any{"code_challenge_methods_supported": nil},
		// https://learn.microsoft.com/en-us/answers/questions/806413/scope-offline-access-isnt-being-returned-in-the-to
		Grants:        strings.NewReplacer(" offline_access", "").Replace,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: offlineAccess, OnBehalfOf: true,
		ReturnTo: standardLogout,
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
	return vendor(clients, map[string]string{
		PathAuthorize: base + "/v1/authorize", PathToken: base + "/v1/token", PathUserInfo: base + "/v1/userinfo",
		PathLogout: base + "/v1/logout", PathKeys: base + "/v1/keys",
	}, Behavior{
		IssuerPath: base,
		Scopes:     []string{"openid", "profile", "email", "address", "phone", "offline_access", "device_sso"},
		JWTs:       true, IgnoresResource: true,
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: offlineAccess,
		ReturnTo: standardLogout, LogoutNeeds: []string{"id_token_hint"},
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
	return vendor(clients, map[string]string{
		PathAuthorize: "/oauth2/authorize", PathToken: "/oauth2/token", PathUserInfo: "/oauth2/userInfo",
		PathLogout: "/logout", PathKeys: "/eu-west-1_EXAMPLE/.well-known/jwks.json",
	}, Behavior{
		IssuerPath:    "/eu-west-1_EXAMPLE",
		Hosts:         []Host{IssuerHost, KeysHost},
		ResponseModes: []string{"query"},
		Metadata:      map[string]any{"code_challenge_methods_supported": nil, "response_modes_supported": nil},
		Scopes:        []string{"openid", "email", "phone", "profile"},
		JWTs:          true, Grants: func(string) string { return "" }, // https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
		RefreshTokens: true,
		ReturnTo:      "logout_uri", LogoutNeeds: []string{"client_id", "logout_uri"},
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
	return vendor(clients, map[string]string{
		PathAuthorize: "/login/oauth/authorize", PathToken: "/login/oauth/access_token", PathUserInfo: "/user", PathLogout: "", PathDiscovery: "",
	}, Behavior{
		Hosts:           []Host{UserInfoHost},
		IgnoresResource: true,
		GitHub:          true,
		ResponseModes:   []string{"query"},
		Grants:          strings.NewReplacer(" ", ",").Replace, // read:user,repo
	})
}

// Auth0 is an Auth0 tenant: audience says which API a token is for, resource nothing.
//
//   - https://auth0.com/docs/get-started/apis/api-settings (identifier, offline access)
//   - https://auth0.com/ai/docs/mcp/guides/resource-param-compatibility-profile (resource is ignored unless a tenant turns it on)
func Auth0(clients ...Client) Behavior {
	return vendor(clients, nil, Behavior{
		JWTs: true, IgnoresResource: true,
		RefreshTokens: true, Offline: offlineAccess,
		ReturnTo: standardLogout,
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
	return vendor(clients, map[string]string{
		PathAuthorize: base + "/auth", PathToken: base + "/token", PathUserInfo: base + "/userinfo",
		PathLogout: base + "/logout", PathKeys: base + "/certs", PathRevoke: base + "/revoke",
	}, Behavior{
		IssuerPath:  "/realms/staff",
		SendsIssuer: true,
		JWTs:        true, BindsResource: true, Audience: func(string) string { return "account" },
		RefreshTokens: true, RotatesRefreshTokens: true, TokenExchange: true,
		ReturnTo: standardLogout,
	})
}

// Authentik is authentik: tokens are for the client, whatever resource says, and scopes
// without a mapping are left out.
//
//   - https://docs.goauthentik.io/add-secure-apps/providers/oauth2/ (endpoints, offline_access)
//   - https://github.com/IBM/mcp-context-forge/issues/4171 (the audience)
func Authentik(clients ...Client) Behavior {
	const base = "/application/o"
	return vendor(clients, map[string]string{
		PathAuthorize: base + "/authorize/", PathToken: base + "/token/", PathUserInfo: base + "/userinfo/",
		PathLogout: base + "/agents/end-session/", PathKeys: base + "/agents/jwks/", PathRevoke: base + "/revoke/",
	}, Behavior{
		IssuerPath: base + "/agents",
		JWTs:       true, IgnoresResource: true, Audience: func(clientID string) string { return clientID },
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: offlineAccess,
		ReturnTo: standardLogout,
	})
}

// AzureB2C is Azure AD B2C: its metadata is below the name of a user flow, its issuer below the id of
// the tenant, which is no path of anything, and ends in a slash.
//
//   - https://learn.microsoft.com/en-us/azure/active-directory-b2c/tokens-overview (issuer, keys, metadata)
//   - https://learn.microsoft.com/en-us/azure/active-directory-b2c/authorization-code-flow (endpoints, PKCE, offline_access)
//   - https://learn.microsoft.com/en-us/azure/active-directory-b2c/userinfo-endpoint (only with custom policies)
func AzureB2C(clients ...Client) Behavior {
	const flow = "/contoso.onmicrosoft.com/B2C_1_signin"
	return vendor(clients, map[string]string{
		PathAuthorize: flow + "/oauth2/v2.0/authorize", PathToken: flow + "/oauth2/v2.0/token", PathUserInfo: "",
		PathLogout: flow + "/oauth2/v2.0/logout", PathKeys: flow + "/discovery/v2.0/keys",
		PathDiscovery: flow + "/v2.0/.well-known/openid-configuration", PathOAuthServer: "",
	}, Behavior{
		IssuerPath:    "/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/",
		Metadata:      map[string]any{"code_challenge_methods_supported": nil},
		RefreshTokens: true, RotatesRefreshTokens: true, Offline: offlineAccess,
		ReturnTo: standardLogout,
	})
}
