package idp

import "github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"

// What a [Config] says of clients and resources.
type (
	// ClientConfig is the registration of one OAuth client at the gateway.
	ClientConfig = clients.ClientConfig
	// CertificateName is a name in a client's certificate (RFC 8705 section 2.1.2).
	CertificateName = clients.CertificateName
	// IdPClientConfig is the confidential client that the gateway is at the IdP.
	IdPClientConfig = clients.IdPClientConfig
	// ResourceConfig is a protected resource that access tokens are for (RFC 8707).
	ResourceConfig = clients.ResourceConfig
	// ScopeConfig is a scope of a resource.
	ScopeConfig = clients.ScopeConfig
	// IndicatorMode says what the IdP gets of a resource indicator (RFC 8707).
	IndicatorMode = clients.IndicatorMode
	// TokenIssuer says whose access tokens the clients of a resource get.
	TokenIssuer = clients.TokenIssuer
	// IntrospectionConfig is the credential of a resource server that asks about tokens.
	IntrospectionConfig = clients.IntrospectionConfig
	// DynamicClientsConfig admits clients that the configuration does not name.
	DynamicClientsConfig = clients.DynamicClientsConfig
	// MetadataDocumentsConfig are the documents by which clients describe themselves.
	MetadataDocumentsConfig = clients.MetadataDocumentsConfig
	// RegistrationConfig says for how long a registration is good.
	RegistrationConfig = clients.RegistrationConfig
	// DocumentSource finds the metadata documents of clients.
	DocumentSource = clients.DocumentSource
	// KeySet is the public keys of a client or of the IdP.
	KeySet = clients.KeySet
)

// The values of options of a [ClientConfig], [IdPClientConfig] and [ResourceConfig].
const (
	AuthNone          = clients.AuthNone
	AuthSecretBasic   = clients.AuthSecretBasic
	AuthSecretPost    = clients.AuthSecretPost
	AuthPrivateKeyJWT = clients.AuthPrivateKeyJWT
	AuthTLS           = clients.AuthTLS
	AuthSelfSignedTLS = clients.AuthSelfSignedTLS

	IssuerAudience   = clients.IssuerAudience
	EndpointAudience = clients.EndpointAudience

	DropIndicator     = clients.DropIndicator
	PassIndicator     = clients.PassIndicator
	AudienceIndicator = clients.AudienceIndicator

	GatewayTokens = clients.GatewayTokens
	IdPTokens     = clients.IdPTokens
)
