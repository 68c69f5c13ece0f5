package idp

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// ParameterRules says which parameters a request must have.
type ParameterRules string

const (
	// ContractParameters requires what the gateway's contract requires:
	// audience, scope, response_type, client_id, code_challenge_method,
	// code_challenge and response_mode. It is the default without resources, unless
	// the gateway issues ID tokens.
	ContractParameters ParameterRules = "contract"
	// OAuthParameters requires what RFC 6749 and RFC 7636 require, for
	// standard clients that send no audience or response_mode.
	OAuthParameters ParameterRules = "oauth"
)

// LogoutProtocol is the form of the logout request that the IdP expects.
type LogoutProtocol = upstream.LogoutProtocol

// NonceRule says which nonces logins and their ID tokens must have.
type NonceRule = upstream.NonceRule

// PARMode says whether authorization requests are pushed to the IdP (RFC 9126).
type PARMode = upstream.PARMode

// The values of these options.
const (
	Auth0Logout       = upstream.Auth0Logout
	RPInitiatedLogout = upstream.RPInitiatedLogout
	CognitoLogout     = upstream.CognitoLogout
	NoLogout          = upstream.NoLogout

	NonceOptional = upstream.NonceOptional
	NonceRequired = upstream.NonceRequired

	PAROn  = upstream.PAROn
	PAROff = upstream.PAROff
)

// FrontChannel says how requests to /authorize and logouts reach the IdP.
type FrontChannel string

const (
	// RedirectFrontChannel sends the browser there. It is the default.
	RedirectFrontChannel FrontChannel = "redirect"
	// ProxyFrontChannel has the next handler pass what was checked on to the IdP, for
	// deployments in which the gateway's whole host is handed to it (its custom domain).
	ProxyFrontChannel FrontChannel = "proxy"
)

// Config is the operator's policy. The zero value of each optional field is
// the strict default.
type Config struct {
	// The address of the IdP: a URL with an optional path, to which the paths
	// of the endpoints are appended. With `discover` it is the IdP's issuer. One
	// that ends in `/.well-known/openid-configuration` or
	// `/.well-known/oauth-authorization-server` stands for `discover` and the issuer
	// before that. Required.
	AuthURL string `json:"auth_url"`

	// Whether what is not configured follows from the metadata that the IdP
	// publishes (OpenID Connect Discovery 1.0, RFC 8414): its endpoints, issuer,
	// response modes, the form of logouts. As long as nothing is known, what needs it gets a 503.
	// Default: false.
	Discover bool `json:"discover,omitempty"`

	// Where that metadata is, if it is not below the issuer, or the IdP is reached here by another name than
	// by browsers: the endpoints on the issuer's own origin that the gateway asks are then asked at the
	// origin of this URL. Its issuer has to be auth_url all the same. Default: the well-known
	// addresses of the issuer.
	DiscoverAt string `json:"discover_at,omitempty"`

	// How `/authorize` and `/v2/logout` reach the IdP: `redirect` (default)
	// sends the browser there; `proxy` has the next handler proxy them, for deployments in which
	// this whole host is handed to the IdP (its custom domain).
	FrontChannel FrontChannel `json:"front_channel,omitempty"`

	// Which parameters `/authorize` requires: `contract` (default) requires
	// audience, scope, response_type, client_id, code_challenge_method,
	// code_challenge and response_mode; `oauth` requires what RFC 6749 and
	// RFC 7636 require, for standard clients, and is the default with resources.
	Parameters ParameterRules `json:"parameters,omitempty"`

	// The audience to send to the IdP when the client sends none. A client that has a
	// list of audiences must have it there.
	DefaultAudience string `json:"default_audience,omitempty"`

	// What access tokens are for (RFC 8707), such as MCP servers, and their scopes. A login that names
	// none is for the first one that its client may have. It needs callback and clients.
	// Default: what clients name is the IdP's business.
	Resources []ResourceConfig `json:"resources,omitempty"`

	// Parameters that the IdP gets with each authorization request, whatever the client
	// sends under these names, such as `access_type`.
	AuthorizeParameters map[string]string `json:"authorize_parameters,omitempty"`

	// Whether requests to `/authorize` are pushed to the IdP over the back channel (RFC
	// 9126), so that nobody can alter them in the browser: `on` or `off`. `on` needs an
	// idp_client for each client. Default: on where `discover` finds that the IdP
	// requires it, for clients with an idp_client.
	PAR PARMode `json:"par,omitempty"`

	// The registered OAuth clients. If there are none, any client id passes and
	// redirect URIs are checked for their form only.
	Clients []ClientConfig `json:"clients,omitempty"`

	// The IdP's own addresses, by endpoint (`authorize`, `token`, `userinfo`,
	// `logout`, `revoke`, `par`), where they differ from the public paths above: paths below
	// auth_url, or URLs, also on other hosts.
	Endpoints map[Endpoint]string `json:"endpoints,omitempty"`

	// Paths that no later handler serves either, for deployments in which this
	// whole host is proxied to the IdP. A `*` stands for one segment, at the end
	// for all that is below. The names `auth0`, `cognito`, `dex`, `entra`, `hydra`,
	// `keycloak`, `oidc_provider` and `okta` stand for the IdP's paths of the
	// password, device authorization, pushed authorization, back-channel and
	// client registration endpoints.
	DenyPaths []string `json:"deny_paths,omitempty"`

	// The form of the logout request that the IdP expects: `auth0` with client_id,
	// returnTo and federated; `rp_initiated` with post_logout_redirect_uri
	// and id_token_hint (OpenID Connect RP-Initiated Logout 1.0); `cognito` with
	// client_id and logout_uri; `none` sends the browser straight to returnTo,
	// which must be registered. Default: what `discover` finds, else `auth0`.
	LogoutProtocol LogoutProtocol `json:"logout_protocol,omitempty"`

	// Whether the IdP may end logins at `/oauth/backchannel_logout` (OpenID Connect
	// Back-Channel Logout 1.0): refresh tokens of a session or user that it names are no
	// good any more. It needs discover, callback and rotate_refresh. Default: false.
	BackchannelLogout bool `json:"backchannel_logout,omitempty"`

	// Whose ID tokens clients get: the `gateway`'s own, for which it is the issuer, under
	// public_url; or the `idp`'s, of whose issuer the metadata then speaks. Default: `gateway` with
	// callback, public_url and discover, else `idp`.
	IDTokens IDTokenIssuer `json:"id_tokens,omitempty"`

	// Which nonces logins have: with `require` every login must have one, and an ID
	// token with it. Default: `optional`.
	Nonce NonceRule `json:"nonce,omitempty"`

	// Whether ID tokens are held to what their logins have asked for: `acr` to `acr_values`,
	// `auth_time` to `max_age` (RFC 9470). It needs callback. Default: false.
	StepUp bool `json:"step_up,omitempty"`

	// Which users may come in: one of these rules has to hold. It needs callback. Default: whoever
	// has an account at the IdP.
	Users []users.Rule `json:"users,omitempty"`

	// The claims of the IdP about the user that the gateway's own access tokens have. It needs a resource
	// with these. Default: sub alone.
	TokenClaims []users.GivenClaim `json:"token_claims,omitempty"`

	// The issuers whose assertions buy access tokens of the gateway's own, without a login: about users of
	// a company's IdP, or of workloads. It needs a resource with these. Default: none.
	Trust []trust.Rule `json:"trust,omitempty"`

	// The IdP's issuer identifier. `iss` in its authorization responses must be
	// equal to it (RFC 9207). Default: what `discover` finds, else not checked, and
	// not passed on.
	Issuer string `json:"issuer,omitempty"`

	// The gateway's own address as browsers and clients know it, such as
	// `https://login.example.com`. The callback is below it. With it the gateway publishes its metadata: at
	// `/.well-known/oauth-authorization-server` (RFC 8414), with this address as the issuer, and with `discover` at
	// `/.well-known/openid-configuration`, with the issuer of ID tokens: see `id_tokens`. With
	// `callback`, `iss` in responses (RFC 9207) is that issuer. It is never taken from a request.
	PublicURL string `json:"public_url,omitempty"`

	// DynamicClients admits clients that the configuration does not name. Nil: none.
	DynamicClients *DynamicClientsConfig `json:"-"`
	// Callback makes the gateway the redirect target of the IdP, which binds each
	// code to its login. Nil: the IdP's codes go to the clients as they are.
	Callback *CallbackConfig `json:"-"`
	// Rotation has each refresh replace the refresh token. Nil: it stays.
	Rotation *rotation.Config `json:"-"`
	// Pages is how the pages look that users see. Nil: plain.
	Pages *pages.Theme `json:"-"`
	// Replay says which replay store claims are made in ([replay.Namer]): another one
	// does not know which codes were redeemed, so that it redeems none of this one's.
	Replay string `json:"-"`
}

// Policy is a compiled [Config]. It is immutable and safe for concurrent use.
type Policy struct {
	// idp is the IdP, registry who may use the gateway, codec what seals logins, which is nil
	// without a callback.
	idp      *upstream.Upstream
	registry *clients.Registry
	codec    *login.Codec

	public   publicURL
	callback *CallbackConfig // complete; nil without
	tokens   tokens
	rotation *rotation.Config // nil: refresh tokens stay

	oauth  bool
	fixed  []params.Param // of each authorization request
	stepUp bool
	pages  *pages.Theme

	users       *users.Rules       // nil: everybody may come in
	tokenClaims []users.GivenClaim // of the gateway's own access tokens

	grants *grants.Grants

	// idpClients are the clients' ids at the IdP, with [BackchannelLogout].
	idpClients []string

	// signs: ID tokens are the gateway's own if the IdP is an OpenID Provider; by idTokenAlgorithms.
	// issues: it is one, and does not have the gateway's name.
	signs, issues     bool
	idTokenAlgorithms []jose.SignatureAlgorithm

	// served are the endpoints with a path of their own that the gateway has.
	served    [endpoint.Count]bool
	protected paths.Protected
}

// NewPolicy compiles a configuration. Errors name the field and what to write.
func NewPolicy(c Config) (*Policy, error) {
	p := &Policy{tokens: passedTokens{}, oauth: c.Parameters == OAuthParameters, stepUp: c.StepUp, pages: c.Pages}
	for _, endpoint := range Endpoints {
		p.served[endpoint] = true
	}
	for _, compile := range [...]func(Config) error{ // each stands where its rules are, and reads what those before it have made
		p.compileAddresses,
		Config.checkNames,
		p.compileFixed,
		p.checkResources,
		p.compileRegistry,
		p.compileUsers,
		p.compileGrants,
		p.checkPAR,
		p.compileDenyPaths,
		p.compileRotation,
		p.compileCallback,
		p.compileIDTokens,
		p.compileCodec,
		p.compileBackchannelLogout,
	} {
		if err := compile(c); err != nil {
			return nil, err
		}
	}
	// With a callback clients have refresh tokens that the IdP does not know.
	p.served[Revoke] = p.callback != nil || c.Discover || p.idp.Has(Revoke)
	p.protectEndpoints()
	return p, nil
}

// withMetadata is the policy with what the IdP says about itself. p does not change. What p
// sealed, the new policy opens.
func (p *Policy) withMetadata(m *discovery.Metadata) *Policy {
	next := *p
	next.idp = p.idp.WithMetadata(m, p.registry.ShowsCertificate())
	next.issues = p.signs && next.idp.IsOpenIDProvider() && strings.TrimSuffix(next.idp.Issuer(), "/") != p.public.url
	next.protectEndpoints()
	return &next
}

// compileAddresses reads the addresses of the IdP and of the gateway.
func (p *Policy) compileAddresses(c Config) (err error) {
	if p.idp, err = upstream.New(upstream.Config{
		AuthURL: c.AuthURL, Discover: c.Discover, Issuer: c.Issuer, Endpoints: c.Endpoints, Nonce: c.Nonce, Logout: c.LogoutProtocol,
		PAR: c.PAR, BindsLogins: c.Callback != nil, Proxied: c.FrontChannel == ProxyFrontChannel,
	}); err != nil {
		return err
	}
	p.public, err = newPublicURL(c.PublicURL)
	return err
}

// checkNames checks what is one of a few words.
func (c Config) checkNames() error {
	return cmp.Or(
		syntax.CheckOneOf("front_channel", c.FrontChannel, RedirectFrontChannel, ProxyFrontChannel),
		syntax.CheckOneOf("parameters", c.Parameters, ContractParameters, OAuthParameters),
		syntax.CheckOneOf("nonce", c.Nonce, NonceRequired, NonceOptional),
		syntax.CheckOneOf("logout protocol", c.LogoutProtocol, Auth0Logout, RPInitiatedLogout, CognitoLogout, NoLogout),
		syntax.CheckOneOf("id_tokens", c.IDTokens, GatewayIDTokens, IdPIDTokens),
		syntax.CheckOneOf("par", c.PAR, PAROn, PAROff),
	)
}

// ParseAuthURL checks the address of the IdP and brings it into one form.
func ParseAuthURL(s string) (*url.URL, error) { return upstream.ParseAuthURL(s) }

// AuthURL is the IdP's address, without trailing slashes.
func (p *Policy) AuthURL() *url.URL { return p.idp.AuthURL() }

// IdP is what is known of the IdP.
func (p *Policy) IdP() *upstream.Upstream { return p.idp }

// PublicURL is [Config.PublicURL] without a slash at the end: the issuer of the gateway's own
// access tokens.
func (p *Policy) PublicURL() string { return p.public.url }

// Clients are those that may use the gateway.
func (p *Policy) Clients() *clients.Registry { return p.registry }

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
	// ExchangeConfig is what a user's token is exchanged for.
	ExchangeConfig = clients.ExchangeConfig
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
	JWTTokens     = clients.JWTTokens
)

// AuthMethods are the methods of client authentication.
func AuthMethods() []string { return clients.AuthMethods() }

// publicURL is how clients know the gateway.
type publicURL struct {
	url    string // without a slash at the end; "" if it is not configured
	path   string
	origin *url.URL // whose host has no dot at its end
}

// newPublicURL checks [Config.PublicURL] (RFC 8414 section 2).
func newPublicURL(s string) (publicURL, error) {
	if s == "" {
		return publicURL{}, nil
	}
	u, err := uris.ParseWeb(s)
	switch {
	case err != nil:
		return publicURL{}, fmt.Errorf("public_url %w; write the gateway's own address, such as https://login.example.com", err)
	case u.RawQuery != "" || u.ForceQuery:
		return publicURL{}, fmt.Errorf("public_url must have no query")
	case u.RawPath != "":
		return publicURL{}, fmt.Errorf("public_url must have no percent-encoding in its path")
	}
	origin := &url.URL{Scheme: u.Scheme, Host: u.Host}
	if host, ok := strings.CutSuffix(u.Hostname(), "."); ok {
		origin.Host = net.JoinHostPort(host, cmp.Or(u.Port(), "443"))
	}
	return publicURL{strings.TrimSuffix(s, "/"), strings.TrimSuffix(u.Path, "/"), origin}, nil
}
