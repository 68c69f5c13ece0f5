package testidp

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// Behavior is how a [Provider] behaves. The zero value is the identity provider
// that the gateway exists for: it sends users to registered redirect URIs only,
// and checks nothing else. It looks at no challenge, and anybody who has a code
// gets a token for it, as often as he asks.
type Behavior struct {
	// Clients are the registered clients.
	Clients []Client
	// Endpoints are the paths of those endpoints that are not where an Auth0 tenant has
	// them; "" for one that is missing.
	Endpoints map[string]string
	// Hosts are those that are not the main one. They can't be changed while the server runs.
	Hosts []Host
	// IssuerPath is the path of the issuer, "" for none.
	IssuerPath string
	// Metadata replaces members of the metadata; nil takes one out.
	Metadata map[string]any

	// Strict rejects what the specifications call malformed: a parameter that is given
	// twice, a login without a scope or with a challenge that is not S256, a refresh for
	// more than the login's scopes, a code that is older than a minute.
	Strict bool
	// VerifiesPKCE requires the verifier of a challenge that it was sent (RFC 7636). A
	// login without a challenge takes any verifier (the downgrade of RFC 9700 section
	// 4.8.2 is possible), unless RequiresPKCE rejects it.
	VerifiesPKCE, RequiresPKCE bool
	// OffersPAR takes pushed authorization requests (RFC 9126), RequiresPAR from
	// confidential clients nothing else.
	OffersPAR, RequiresPAR bool
	// SingleUse ends a code with its first exchange; the second one revokes what the
	// first gave (RFC 6749 section 4.1.2).
	SingleUse bool
	// ChecksClient requires the client at the token endpoint to be the one that
	// the code or refresh token was issued to.
	ChecksClient bool
	// ChecksRedirectURI requires redirect_uri at the token endpoint to equal
	// that of the authorization request.
	ChecksRedirectURI bool
	// AnyRedirectURI sends users, and codes, to whatever redirect_uri says.
	AnyRedirectURI bool
	// Reads changes the parameters of requests before they are read, Routes their path.
	Reads  func(url.Values)
	Routes func(path string) string

	// SendsIssuer adds iss to authorization responses (RFC 9207).
	SendsIssuer bool
	// Issuer replaces the server's address as the issuer.
	Issuer string
	// ResponseModes are the supported ones; none stands for query, fragment and form_post.
	ResponseModes []string
	// Grants are the scopes that a response names in the place of those that were asked for;
	// nil stands for the same.
	Grants func(asked string) string
	// JWTs makes access tokens JWTs (RFC 9068).
	JWTs bool
	// Scopes are the supported ones; others are invalid_scope. None stands for all.
	Scopes []string

	// Refuses are parameters that the authorization and the token endpoint reject, and the
	// code of the error.
	Refuses map[string]string
	// IgnoresResource does not know the parameter resource (RFC 8707). Otherwise it is the
	// audience of the access token; BindsResource requires the login's at the token endpoint.
	IgnoresResource, BindsResource bool
	// Targets are the resources and audiences that may be asked for; others are
	// invalid_target. None stands for all.
	Targets []string
	// Audience is that of access tokens for which none was asked; nil stands for the user info.
	Audience func(clientID string) string

	// GitHub has no ID tokens, and user info and token responses as GitHub's, which are
	// not OpenID Connect's: users by id and login, forms unless Accept names JSON, errors
	// with the status 200. Claims may have the lists orgs and teams, "org/team".
	GitHub bool
	// ReturnTo is the parameter of a logout that says where it leads, "" for those of an Auth0
	// tenant. LogoutNeeds are the parameters that must be there.
	ReturnTo    string
	LogoutNeeds []string

	// Claims are what tokens and user info say of a user now, beside or in the place of the user's own
	// claims; nil stands for nothing.
	Claims func(user string) map[string]any
	// Nonce is the nonce of an ID token by that of the login, which may be ""; nil stands for the same.
	Nonce func(asked string) string

	// TokenExchange gives a client another token for one of its own (RFC 8693). OnBehalfOf does so by
	// Entra ID's flow of that name, for tokens with a scope of the client itself.
	TokenExchange, OnBehalfOf bool

	// RefreshTokens issues one with each exchange of a code.
	RefreshTokens bool
	// Offline is "parameter=word", which a login must have to get one; "" stands for every login.
	Offline string
	// RotatesRefreshTokens replaces a refresh token with each use. The second use of one
	// ends all tokens of its login (RFC 9700 section 4.14.2).
	RotatesRefreshTokens bool

	// TokenOutage is what goes wrong at the token endpoint.
	TokenOutage Outage
}

// Outage is a failure of the token endpoint. The zero value is none.
type Outage struct {
	// Hold keeps requests waiting until it is closed; see [Server.Held].
	Hold <-chan struct{}
	// AfterIssuing redeems the code before the failure: the token is issued, and lost.
	AfterIssuing bool
	// Status is the status of the response, which then holds no token.
	Status int
	// Close ends the connection without a response.
	Close bool
}

// isOffline reports that a login gets a refresh token, if there are any.
func (b *Behavior) isOffline(q url.Values) bool {
	parameter, word, _ := strings.Cut(b.Offline, "=")
	return b.Offline == "" || slices.Contains(strings.Fields(q.Get(parameter)), word)
}

// resource is the parameter, "" if the server does not know it.
func (b *Behavior) resource(q url.Values) string {
	if b.IgnoresResource {
		return ""
	}
	return q.Get("resource")
}

// audience is what the access token of a login is for.
func (b *Behavior) audience(l *login) string {
	return cmp.Or(b.resource(l.asked), l.asked.Get("audience"))
}

// refuses is the error for a parameter that is refused, or its value.
func (b *Behavior) refuses(q url.Values) *oauthError {
	for name, code := range b.Refuses {
		if q.Has(name) {
			return &oauthError{code, name + " is not allowed"}
		}
	}
	for _, target := range []string{b.resource(q), q.Get("audience")} {
		if target != "" && len(b.Targets) > 0 && !slices.Contains(b.Targets, target) {
			return &oauthError{"invalid_target", "there is no such resource"}
		}
	}
	return nil
}
