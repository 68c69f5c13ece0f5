// Package upstream asks the identity provider (IdP) and judges its answers. An [Upstream] is what
// the configuration and the IdP's metadata say of it: where its endpoints are, how the gateway
// authenticates there, what its answers are held to. It knows logins and clients, and no endpoint
// of the gateway's own.
//
// Whatever the IdP sends is read once, by a Check or Read function here, into a typed answer, or
// is an error of the protocol that says what the IdP did.
//
// # Files
//
//	upstream.go: what is known of the IdP: issuer, scopes, modes; what metadata changes; when it can't be asked
//	address.go: where its endpoints are; auth_url
//	call.go: one request: when it is tried again, how its body is read, what a failure is
//	header.go: which header fields the IdP gets
//	form.go: the forms of token and revocation requests, and how the gateway authenticates in them
//	pushed.go: PAR at the IdP: when, and its answer
//	answer.go: what a token response, user info, revocation or error of the IdP must be; header fields that pass
//	standardize.go: which deviations of token responses are put right, such as a form, or a number in quotes
//	granted.go: whether the scope and audience that it grants are what the client may have
//	idtoken.go: what an ID token must say, and who signs it; nonces
//	user.go: whose a token is: by ID token or user info, signed or not
//	github.go: what GitHub says of a user elsewhere: teams, organizations, addresses; a page of its lists
//	exchange.go: token exchange, on-behalf-of
//	logout.go: the form of a logout request, and what hints it takes
//	logout_token.go: what a logout token must say
//	trial.go: what check asks the IdP without a login
//	limits.go: how big, how long, how many
package upstream

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Config is what an [Upstream] is made from.
type Config struct {
	// AuthURL is the IdP's address, Discover whether the rest follows from its metadata.
	AuthURL  string
	Discover bool
	// Issuer is the IdP's, "" if it is not known.
	Issuer    string
	Endpoints map[endpoint.Endpoint]string
	Nonce     NonceRule
	Logout    LogoutProtocol
	PAR       PARMode
	// BindsLogins: the gateway is the redirect target of the IdP, and binds each code to its
	// login.
	BindsLogins bool
	// Proxied: another handler passes browsers' requests on to the IdP, on this host.
	Proxied bool
}

// Upstream is the IdP. It is immutable and safe for concurrent use.
type Upstream struct {
	authURL   *url.URL
	endpoints [endpoint.Count]address
	issuer    string
	nonce     NonceRule
	logout    LogoutProtocol
	par       PARMode

	bindsLogins, proxied bool

	discover bool
	metadata *discovery.Metadata // nil: not known, or not asked for
	// requiresIssuer: authorization responses have iss (RFC 9207).
	requiresIssuer bool
	// secretPost: a secret is sent in the body unless the configuration says
	// otherwise.
	secretPost bool
	// formPost: authorization responses can be asked for as forms.
	formPost bool
}

// New reads a configuration. Errors name the field and what to write.
func New(c Config) (u *Upstream, err error) {
	u = &Upstream{
		issuer: c.Issuer, nonce: cmp.Or(c.Nonce, NonceOptional), logout: c.Logout, par: c.PAR,
		bindsLogins: c.BindsLogins, proxied: c.Proxied, discover: c.Discover,
	}
	if u.logout == "" && !c.Discover {
		u.logout = Auth0Logout
	}
	if u.authURL, err = ParseAuthURL(c.AuthURL); err != nil {
		return nil, err
	}
	u.formPost = vendors.SupportsFormPost(u.authURL.Hostname())
	if c.Discover {
		if err := discovery.CheckTenant(u.authURL); err != nil {
			return nil, fmt.Errorf("the IdP's address %s: %w", c.AuthURL, err)
		}
	}
	if c.Issuer != "" {
		issuer, err := uris.Parse(c.Issuer)
		if err != nil {
			return nil, fmt.Errorf("issuer %s %w; write it as the identity provider does in iss, such as https://tenant.eu.auth0.com/", c.Issuer, err)
		}
		if err := discovery.CheckTenant(issuer); err != nil {
			return nil, fmt.Errorf("issuer %s: %w", c.Issuer, err)
		}
	}
	return u, u.setEndpoints(c)
}

// WithMetadata is the upstream with what the IdP says about itself where the configuration leaves
// it open: endpoints, issuer, the response mode, the form of logouts, how a secret is sent,
// whether requests are pushed. u does not change: who holds it sees nothing of m, so that no
// request sees half of it. byCertificate: the gateway authenticates there by the certificate of
// its connection (RFC 8705 section 5).
func (u *Upstream) WithMetadata(m *discovery.Metadata, byCertificate bool) *Upstream {
	next := *u
	next.metadata = m
	addresses := map[endpoint.Endpoint]*url.URL{
		endpoint.Authorize: m.AuthorizationEndpoint, endpoint.Token: m.TokenEndpoint, endpoint.UserInfo: m.UserInfoEndpoint,
		endpoint.Logout: m.EndSessionEndpoint, endpoint.Revoke: m.RevocationEndpoint, endpoint.PushedRequest: m.PushedAuthorizationRequestEndpoint,
	}
	if byCertificate {
		for at, alias := range map[endpoint.Endpoint]*url.URL{
			endpoint.Token: m.MTLSAliases.TokenEndpoint, endpoint.UserInfo: m.MTLSAliases.UserInfoEndpoint, endpoint.Revoke: m.MTLSAliases.RevocationEndpoint,
			endpoint.PushedRequest: m.MTLSAliases.PushedAuthorizationRequestEndpoint,
		} {
			addresses[at] = cmp.Or(alias, addresses[at])
		}
	}
	for at, address := range addresses {
		if next.endpoints[at].text == "" && address != nil {
			next.endpoints[at] = newAddress(address)
		}
	}
	if next.logout == "" {
		next.discoverLogout(m)
	}
	if next.issuer == "" {
		next.issuer = m.Issuer
	}
	next.requiresIssuer = m.SendsIssuer && next.issuer == m.Issuer
	next.secretPost = !accepts(m.TokenEndpointAuthMethods, clients.AuthSecretBasic) && slices.Contains(m.TokenEndpointAuthMethods, clients.AuthSecretPost)
	next.formPost = slices.Contains(m.ResponseModes, string(oauth.FormPostMode))
	return &next
}

func (u *Upstream) discoverLogout(m *discovery.Metadata) {
	u.logout = discoveredLogout(m)
	switch at := *u.authURL; {
	case u.logout == NoLogout && u.endpoints[endpoint.Logout].text != "":
		u.logout = RPInitiatedLogout
	case u.logout == Auth0Logout && u.endpoints[endpoint.Logout].text == "":
		at.Path += endpoint.Logout.Path()
		u.endpoints[endpoint.Logout] = newAddress(&at)
	}
}

// accepts reports whether a list of the metadata has a value, or is left out.
func accepts(list []string, value string) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// AuthURL is the IdP's address, without trailing slashes. It must not be changed.
func (u *Upstream) AuthURL() *url.URL { return u.authURL }

// Issuer is the IdP's issuer, "" if it is not known.
func (u *Upstream) Issuer() string { return u.issuer }

// IsIssuer compares iss. Google's may lack the scheme (OpenID Connect Core 1.0 section
// 15.6.2).
func (u *Upstream) IsIssuer(iss string) bool {
	return iss == u.issuer || u.issuer == vendors.Google && iss == "accounts.google.com"
}

// RequiresIssuer reports whether authorization responses of the IdP have iss (RFC 9207).
func (u *Upstream) RequiresIssuer() bool { return u.requiresIssuer }

// Metadata is what the IdP says about itself, nil if it is not known or was not
// asked for.
func (u *Upstream) Metadata() *discovery.Metadata { return u.metadata }

// IsKnown reports whether nothing remains to be discovered.
func (u *Upstream) IsKnown() bool { return !u.discover || u.metadata != nil }

// Discovers reports whether what is not configured follows from the metadata.
func (u *Upstream) Discovers() bool { return u.discover }

// Scopes are those that the IdP supports, by its metadata; nil if that does not say.
func (u *Upstream) Scopes() []string {
	if u.metadata == nil {
		return nil
	}
	return u.metadata.Scopes
}

// IsOpenIDProvider reports whether the IdP says so: by the algorithms of ID tokens, which
// its metadata has to have (OpenID Connect Discovery 1.0 section 3), and by the scope
// openid if it lists scopes.
func (u *Upstream) IsOpenIDProvider() bool {
	m := u.metadata
	return m != nil && len(m.IDTokenAlgorithms) > 0 && accepts(m.Scopes, "openid")
}

// SignsIDTokens reports whether the IdP may sign ID tokens by an algorithm, as far as its metadata
// says.
func (u *Upstream) SignsIDTokens(algorithm string) bool {
	return u.metadata == nil || accepts(u.metadata.IDTokenAlgorithms, algorithm)
}

// IDTokenAlgorithms are the signatures of the IdP's ID tokens, as far as its metadata says, and
// so of its logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4): none that is made
// with a shared secret, and not none.
func (u *Upstream) IDTokenAlgorithms() []jose.SignatureAlgorithm {
	return slices.DeleteFunc(jwks.Algorithms(), func(algorithm jose.SignatureAlgorithm) bool {
		return !u.SignsIDTokens(string(algorithm))
	})
}

// PublishesKeys reports whether ID tokens are signed with keys that the IdP publishes, and not
// only with secrets that it shares.
func (u *Upstream) PublishesKeys() bool { return len(u.IDTokenAlgorithms()) > 0 }

// Nonce is the rule for the nonces of logins.
func (u *Upstream) Nonce() NonceRule { return u.nonce }

// Logout is the form of logouts, "" while it is not known.
func (u *Upstream) Logout() LogoutProtocol { return u.logout }

// ResponseMode is what the IdP is asked for, with a callback: a form where it is known to
// support that, because it keeps codes out of URLs and so out of logs, else the query.
func (u *Upstream) ResponseMode() oauth.ResponseMode {
	if u.formPost {
		return oauth.FormPostMode
	}
	return oauth.QueryMode
}

// CheckReachable checks that the IdP's address of an endpoint is known.
func (u *Upstream) CheckReachable(at endpoint.Endpoint) error {
	if at == endpoint.Callback {
		at = endpoint.Authorize // what comes back has to be held to what is known of it
	}
	switch {
	case at == endpoint.Logout && u.logout == NoLogout:
		return nil
	case at == endpoint.Logout && u.logout == "",
		// What the IdP says of itself decides how a login is bound, also where its address
		// is configured: by a nonce of the gateway's own, by iss, by a pushed request.
		at == endpoint.Authorize && u.bindsLogins && !u.IsKnown():
		return NotDiscovered()
	case u.endpoints[at].text != "":
		return nil
	case !u.IsKnown():
		return NotDiscovered()
	}
	e := oauth.Reject(oauth.ServerError, "OpenID Connect Discovery 1.0 section 3", "the identity provider has no "+at.String()+
		" endpoint; if it does, set its address at the gateway: endpoint "+at.String())
	e.Status = http.StatusNotImplemented
	return e
}

// NotDiscovered is the response while nothing is known of the IdP.
func NotDiscovered() error {
	return oauth.Unavailable("the gateway could not ask the identity provider yet where its endpoints are; try again later", "5")
}

// NeedsDiscovery reports whether an IdP is known to have no endpoint at the public path,
// where the configuration leaves it: browsers would find nothing there.
func (u *Upstream) NeedsDiscovery() bool {
	if u.endpoints[endpoint.Authorize].text != u.authURL.String()+endpoint.Authorize.Path() {
		return false // configured, or left to discover
	}
	return vendors.HasOtherPaths(u.authURL)
}
