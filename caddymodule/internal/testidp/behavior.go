package testidp

import (
	"crypto"
	"net"
	"time"
)

// Behavior is how a [Server] behaves. The zero value is the identity provider
// that the gateway exists for: it sends users to registered redirect URIs only,
// and checks nothing else. It looks at no challenge, and anybody who has a code
// gets a token for it, as often as he asks.
type Behavior struct {
	// Clients are the registered clients.
	Clients []Client
	// Endpoints are the paths; an empty one is the default of [DefaultEndpoints].
	Endpoints Endpoints
	// Listen opens each of the server's sockets; nil stands for a free port of
	// 127.0.0.1. It can't be changed while the server runs.
	Listen func() (net.Listener, error)
	// Hosts says which endpoints are on hosts of their own. It can't be changed
	// while the server runs.
	Hosts Hosts
	// IssuerPath is the path of the issuer, "" for none.
	IssuerPath string
	// Metadata replaces members of the metadata, by somebody who can alter it.
	Metadata map[string]any
	// NoDiscovery publishes no metadata.
	NoDiscovery bool

	// PKCE says what becomes of code_challenge and code_verifier.
	PKCE PKCE
	// HidesPKCE does not mention it in the metadata.
	HidesPKCE bool
	// PAR says what becomes of pushed authorization requests (RFC 9126).
	PAR PAR
	// SingleUse ends a code with its first exchange (RFC 6749 section 4.1.2).
	SingleUse bool
	// CodeLifetime is how long a code can be exchanged; 0 stands for ever.
	CodeLifetime time.Duration
	// ChecksClient requires the client at the token endpoint to be the one that
	// the code or refresh token was issued to.
	ChecksClient bool
	// ChecksRedirectURI requires redirect_uri at the token endpoint to equal
	// that of the authorization request.
	ChecksRedirectURI bool
	// AnyRedirectURI sends users, and codes, to whatever redirect_uri says.
	AnyRedirectURI bool
	// TrimsCodes takes a code with spaces, dots or padding (=) around it for the same code.
	TrimsCodes bool
	// ReissuesCodes gives the same user the same code again, as long as it was
	// not exchanged.
	ReissuesCodes bool
	// LenientPaths takes paths for an endpoint that only resemble it: another
	// case, a doubled or a trailing slash, an extension, a front controller.
	LenientPaths bool
	// Connectors takes the parameters of the authorization endpoint below /auth/, too,
	// as Dex does.
	Connectors bool

	// SendsIssuer adds iss to authorization responses (RFC 9207).
	SendsIssuer bool
	// Issuer replaces the server's address as the issuer.
	Issuer string
	// ResponseModes are the supported ones; none stands for query, fragment and form_post.
	ResponseModes []string
	// HidesResponseModes does not mention them in the metadata.
	HidesResponseModes bool
	// OtherNames takes aud for audience, and scopes for scope, where those are not sent.
	OtherNames bool
	// Grants are the scopes that a response names in the place of those that were asked for;
	// nil stands for the same.
	Grants func(asked string) string
	// JWTs makes access tokens JWTs (RFC 9068), HidesScope leaves out the member scope of
	// token responses, as those may that grant what was asked for (RFC 6749 section 5.1).
	JWTs, HidesScope bool
	// Scopes are the supported ones; others are invalid_scope. None stands for all.
	Scopes []string
	// Refuses are parameters that the authorization and the token endpoint reject, and the
	// code of the error.
	Refuses map[string]string
	// Resources says what becomes of the parameter resource (RFC 8707).
	Resources Resources
	// Targets are the resources and audiences that may be asked for; others are
	// invalid_target. None stands for all.
	Targets []string
	// Audience is that of access tokens for which none was asked; nil stands for the user info.
	Audience func(clientID string) string

	// AnySecretMethod lets clients with a secret send it in both ways.
	AnySecretMethod bool
	// OriginRule redeems codes of single-page applications with an Origin only, and
	// those of others only without.
	OriginRule bool
	// FormAnswers says when the token endpoint answers with a form.
	FormAnswers FormAnswers
	// ErrorsWith200 gives errors of the token endpoint the status 200, and GitHub's codes.
	ErrorsWith200 bool
	// NumbersUsers says who the user is by id and login, without sub.
	NumbersUsers bool
	// NeedsUserAgent refuses requests for the user without one.
	NeedsUserAgent bool
	// Logout is the form of the logout endpoint.
	Logout Logout

	// IDTokens says which ID tokens come with the scope openid.
	IDTokens IDTokens
	// Nonce says which nonce they carry.
	Nonce Nonce

	// RefreshTokens issues one with each exchange of a code.
	RefreshTokens bool
	// Offline says what a login must ask for to get one.
	Offline Offline
	// RotatesRefreshTokens replaces a refresh token with each use.
	RotatesRefreshTokens bool

	// TokenOutage is what goes wrong at the token endpoint.
	TokenOutage Outage
}

// Client is a registered client.
type Client struct {
	ID           string
	RedirectURIs []string
	// ReturnTo are the pages to which a logout may return.
	ReturnTo []string
	// Auth is how it authenticates at the token endpoint.
	Auth AuthMethod
	// Secret belongs to client_secret_basic and client_secret_post.
	Secret string
	// PublicKey belongs to private_key_jwt.
	PublicKey crypto.PublicKey
	// SPA is a single-page application; see [Behavior.OriginRule].
	SPA bool
}

// Hosts are the endpoints that are not on the main host. Each has an address of its
// own, and nothing else is there.
type Hosts struct {
	Token, UserInfo, Keys bool
	// Issuer is the host of the metadata.
	Issuer bool
}

// Resources is what becomes of the parameter resource.
type Resources int

// What becomes of it.
const (
	// TakesResource makes it the audience of the access token.
	TakesResource Resources = iota
	// IgnoresResource does not know it.
	IgnoresResource
	// BindsResource takes it, and requires the one of the login at the token endpoint.
	BindsResource
)

// FormAnswers is when a token response is a form in the place of JSON.
type FormAnswers int

// When token responses are forms.
const (
	NoForms FormAnswers = iota
	// UnlessJSON: unless Accept names JSON.
	UnlessJSON
	AlwaysForms
)

// Offline is what a login must ask for to get a refresh token.
type Offline int

// What is asked for.
const (
	AnyLogin Offline = iota
	// OfflineAccess is the scope offline_access.
	OfflineAccess
	// AccessTypeOffline is the parameter access_type=offline.
	AccessTypeOffline
)

// Logout is the form of the logout endpoint.
type Logout int

// The forms of logouts.
const (
	// AnyLogout takes returnTo and post_logout_redirect_uri, and wants nothing else.
	AnyLogout Logout = iota
	// StandardLogout is RP-Initiated Logout 1.0.
	StandardLogout
	// HintedLogout is that with a required id_token_hint.
	HintedLogout
	// LogoutURI takes client_id and logout_uri, both required.
	LogoutURI
	// NoLogout has none.
	NoLogout
)

// AuthMethod is a token_endpoint_auth_method (RFC 7591 section 2).
type AuthMethod string

// The authentication methods. Public is the zero value.
const (
	Public            AuthMethod = ""
	ClientSecretBasic AuthMethod = "client_secret_basic"
	ClientSecretPost  AuthMethod = "client_secret_post"
	PrivateKeyJWT     AuthMethod = "private_key_jwt"
)

// Endpoints are paths on the server.
type Endpoints struct {
	Authorize, Token, UserInfo, Logout, JWKS, Revoke, PAR string
}

// DefaultEndpoints returns the paths that the gateway expects unless told otherwise.
func DefaultEndpoints() Endpoints {
	return Endpoints{
		Authorize: "/authorize", Token: "/oauth/token", UserInfo: "/userinfo",
		Logout: "/v2/logout", JWKS: "/.well-known/jwks.json", Revoke: "/oauth/revoke",
		PAR: "/oauth/par",
	}
}

// PKCE is how far the server implements RFC 7636.
type PKCE int

const (
	// IgnoresPKCE looks at neither challenge nor verifier.
	IgnoresPKCE PKCE = iota
	// VerifiesPKCE requires the verifier of a challenge that it was sent. A
	// login without a challenge takes any verifier (the downgrade of RFC 9700
	// section 4.8.2 is possible).
	VerifiesPKCE
	// RequiresPKCE refuses logins without a challenge.
	RequiresPKCE
)

// PAR is how far the server implements RFC 9126.
type PAR int

const (
	// NoPAR has no endpoint for it.
	NoPAR PAR = iota
	// OffersPAR takes pushed requests, and others.
	OffersPAR
	// RequiresPAR takes only pushed ones of confidential clients.
	RequiresPAR
)

// IDTokens is the kind of ID tokens that are issued.
type IDTokens int

// The kinds of ID tokens.
const (
	SignedIDTokens IDTokens = iota
	EncryptedIDTokens
	NoIDTokens
)

// Nonce is the rule for an ID token's nonce.
type Nonce int

const (
	// EchoesNonce returns the nonce of the authorization request, if it had one.
	EchoesNonce Nonce = iota
	// InventsNonce makes one up for logins that had none.
	InventsNonce
	// ReplacesNonce makes one up for every login.
	ReplacesNonce
	// DropsNonce never returns one.
	DropsNonce
)

// Outage is a failure of the token endpoint. The zero value is none.
type Outage struct {
	// Delay passes before anything else happens.
	Delay time.Duration
	// Hold keeps requests waiting until it is closed; see [Server.Held].
	Hold <-chan struct{}
	// AfterIssuing redeems the code before the failure: the token is issued, and lost.
	AfterIssuing bool
	// Status is the status of the response, which then holds no token.
	Status int
	// Hang gives no response until the other side hangs up.
	Hang bool
	// Close ends the connection without a response.
	Close bool
}

func (o Outage) fails() bool { return o.Status != 0 || o.Hang || o.Close }
