package idp

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// ClientConfig is the registration of one OAuth client at the gateway.
type ClientConfig struct {
	ID string
	// RedirectURIs are compared exactly, except for the port of http loopback
	// URIs (RFC 8252 section 7.3).
	RedirectURIs []string
	// ReturnTo are the pages to return to after logout, compared exactly.
	// Empty: any that has the form.
	ReturnTo []string
	// Origins are the web origins whose scripts may call the token, revocation and
	// userinfo endpoints.
	Origins []string
	// Audiences and Scopes bound what may be asked for, and what the IdP may grant
	// ([Policy.checkGranted]). Empty: anything.
	Audiences, Scopes []string
	// Parameters are the names of parameters of the authorization request that travel
	// to the IdP besides those of the specifications, if Audiences or Scopes are bound.
	// Without bounds all do.
	Parameters []string
	// AuthMethods are the ways in which a confidential client may authenticate
	// at the token endpoint, by their registered names (RFC 7591 section 2).
	// Empty: it is a public client, "none".
	AuthMethods []string
	// SecretHashes and Keys are what the client authenticates with at the gateway, by
	// AuthMethods, where the gateway is another client at the IdP: the SHA-256 of each of its
	// secrets, in hex, and the keys of private_key_jwt. Without, the IdP checks it.
	SecretHashes []string
	Keys         KeySet
	// CertificateName is a name that its TLS certificate has, by a trusted authority
	// (tls_client_auth), and CertificateHashes are the SHA-256 of each of its certificates, in
	// hex (self_signed_tls_client_auth).
	CertificateName   CertificateName
	CertificateHashes []string
	// CertificateBound binds the gateway's own access tokens, and the refresh tokens of a
	// public client, to the TLS certificate with which it asks for them (RFC 8705 section 3).
	// It needs a callback.
	CertificateBound bool
	// Name is what people know the client by. Empty: its id.
	Name string
	// Consent has the user approve each login on the gateway's own page.
	Consent bool
	// DPoP says whether its codes, refresh tokens and the gateway's own access tokens are
	// bound to its key (RFC 9449). It needs a callback and [Config.PublicURL].
	DPoP bearer.DPoPMode
	// Push says whether it pushes its authorization requests to the gateway. It needs a
	// callback.
	Push PushMode
	// JAR says whether it signs its authorization requests, with Keys. It needs a callback and
	// [Config.PublicURL].
	JAR JARMode
	// IdPClient is the confidential client that the gateway is at the IdP for
	// this client. Nil: it has the same id there, and what it authenticates with
	// is its own.
	IdPClient *IdPClientConfig
}

// The client authentication methods of RFC 7591 section 2, OpenID Connect Core 1.0 section
// 9 and RFC 8705 section 2 that the gateway accepts.
const (
	AuthNone          = "none"
	AuthSecretBasic   = "client_secret_basic"
	AuthSecretPost    = "client_secret_post"
	AuthPrivateKeyJWT = "private_key_jwt"
	AuthTLS           = "tls_client_auth"
	AuthSelfSignedTLS = "self_signed_tls_client_auth"
)

// client is a compiled ClientConfig.
type client struct {
	redirects                   []uris.Registered
	digests                     []registrationDigest // of redirects, if registered
	returnTo, audiences, scopes []string
	origins                     cors.Origins
	parameters                  []string
	auth                        []string
	secrets                     [][sha256.Size]byte
	keys                        KeySet           // nil: none
	certificate                 *certificateRule // nil: none
	certificateBound            bool
	credentials                 *credentials // nil: the client's own
	name                        string
	consent                     bool
	dpop                        bearer.DPoPMode
	push                        PushMode
	jar                         JARMode
	// dynamic: no configuration names it.
	dynamic bool
	// host is that of the metadata document which the name is from; unverified: nobody
	// knows whose the name is.
	host       string
	unverified bool
	// terms are what its requests are checked against, in one form.
	terms string
	// bounded: there is a list of what it may ask for, its own or the resources'.
	bounded bool
	// noIDTokens: those that the IdP gives are for another client id, which others share.
	noIDTokens bool
}

func newClient(c ClientConfig) (*client, error) {
	if c.ID == "" || !syntax.VSChar.Holds(c.ID) {
		return nil, fmt.Errorf("client: the id must be printable ASCII")
	}
	compiled := &client{
		returnTo: c.ReturnTo, audiences: c.Audiences, scopes: c.Scopes, parameters: c.Parameters,
		auth: c.AuthMethods,
		name: c.Name, consent: c.Consent, dpop: c.DPoP, push: c.Push, jar: c.JAR, certificateBound: c.CertificateBound,
		bounded: len(c.Audiences) > 0 || len(c.Scopes) > 0,
	}
	if len(compiled.auth) == 0 {
		compiled.auth = []string{AuthNone}
	}
	if err := c.checkAddresses(); err != nil {
		return nil, err
	}
	var err error
	if compiled.origins, err = cors.ParseOrigins(c.Origins); err != nil {
		return nil, fmt.Errorf("client %s: %w", c.ID, err)
	}
	if compiled.origins.HasAny() {
		return nil, fmt.Errorf("client %s: origin %s is not accepted here; list each origin", c.ID, cors.Any)
	}
	for _, uri := range c.RedirectURIs {
		if err := uris.CheckRedirect(uri); err != nil {
			return nil, fmt.Errorf("client %s: redirect_uri %s %w", c.ID, uri, err)
		}
		compiled.redirects = append(compiled.redirects, uris.NewRegistered(uri))
	}
	if err := compiled.checkNames(c); err != nil {
		return nil, err
	}
	if err := compiled.addCredentials(c); err != nil {
		return nil, err
	}
	if c.IdPClient != nil {
		if compiled.credentials, err = newCredentials(*c.IdPClient); err != nil {
			return nil, fmt.Errorf("client %s: %w", c.ID, err)
		}
	}
	compiled.terms = fmt.Sprintf("%q %q %q %q %t %q%s", slices.Sorted(slices.Values(c.Audiences)), slices.Sorted(slices.Values(c.Scopes)),
		slices.Sorted(slices.Values(c.Parameters)), slices.Sorted(slices.Values(compiled.auth)), c.Consent, compiled.idpID(c.ID), c.DPoP)
	return compiled, nil
}

// checkAddresses checks the redirect URIs and the pages after logout for their form.
func (c *ClientConfig) checkAddresses() error {
	for _, uri := range slices.Concat(c.RedirectURIs, c.ReturnTo) {
		if _, second, _ := strings.Cut(uri, ","); strings.Contains(second, "://") {
			return fmt.Errorf("client %s: %s is several addresses; separate them with spaces, not commas", c.ID, uri)
		}
		if _, second, _ := strings.Cut(uri, " "); strings.Contains(second, "://") {
			return fmt.Errorf("client %s: %s is several addresses in one pair of quotes; write them without", c.ID, uri)
		}
	}
	for _, uri := range slices.Concat(c.RedirectURIs, c.ReturnTo) {
		if strings.Contains(uri, "*") {
			return fmt.Errorf("client %s: %s has a *, and addresses are compared exactly (RFC 9700 section 2.1); "+
				"write each in full; the port of http://localhost and http://127.0.0.1 may be left out, and any is good", c.ID, uri)
		}
	}
	for _, uri := range c.ReturnTo {
		if _, err := uris.ParseWeb(uri); err != nil {
			return fmt.Errorf("client %s: return_to %s %w", c.ID, uri, err)
		}
	}
	return nil
}

// checkNames checks what a client has of a fixed set, or of names.
func (c *client) checkNames(config ClientConfig) error {
	var wrong error
	for _, method := range c.auth {
		wrong = cmp.Or(wrong, checkOneOf("token_endpoint_auth", method, AuthNone, AuthSecretBasic, AuthSecretPost, AuthPrivateKeyJWT, AuthTLS, AuthSelfSignedTLS))
	}
	if wrong != nil {
		return fmt.Errorf("client %s: %w", config.ID, wrong)
	}
	if len(c.redirects) == 0 {
		return fmt.Errorf("client %s: needs at least one redirect_uri", config.ID)
	}
	for _, scope := range config.Scopes {
		if scope == "" || !syntax.ScopeChar.Holds(scope) {
			return fmt.Errorf("client %s: scope %s is not a scope name", config.ID, scope)
		}
	}
	for _, name := range config.Parameters {
		if !isForwarded(name) {
			return fmt.Errorf("client %s: parameter %s is one that the gateway makes itself, or never sends on", config.ID, name)
		}
	}
	return nil
}

// idpID is the client's id at the IdP.
func (c *client) idpID(id string) string {
	if c.credentials != nil {
		return c.credentials.clientID
	}
	return id
}

// rejectOpenID rejects the scope openid.
func (c *client) rejectOpenID() *oauth.Error {
	return oauth.Reject(oauth.InvalidScope, "OpenID Connect Core 1.0 section 2",
		"scope openid is not accepted: this client shares its registration at the identity provider, and so would share its ID tokens "+
			"(give it its own idp_client)")
}

// allowsRedirect compares a redirect_uri that was sent with the registered ones. It is
// false for a client that is not known.
func (c *client) allowsRedirect(uri string) bool {
	return c != nil && slices.ContainsFunc(c.redirects, func(registered uris.Registered) bool { return registered.Matches(uri) })
}

// opensPopUps reports whether the page of a browser app may wait for a pop-up: one that is
// registered, or one of a client that nobody knows, if its codes go to the web.
func (c *client) opensPopUps(redirectURI string) bool {
	return !c.origins.IsEmpty() && (!c.origins.HasAny() || strings.HasPrefix(redirectURI, "https://"))
}

// isBounded reports whether there is a list of what the client may ask for.
func (c *client) isBounded() bool { return c != nil && c.bounded }

// takes reports whether a parameter of the client's, one that [isForwarded], is sent on.
// IdPs have other names for audiences and scopes (aud, scopes, permissions, …), and
// nobody knows all of them.
func (c *client) takes(name string) bool {
	return !c.isBounded() || isSpecified(name) || slices.Contains(c.parameters, name)
}

// allowsTarget checks what a request asks for. Scope is the part of it that counts. It
// returns what [Policy.namedResource] does.
func (p *Policy) allowsTarget(c *client, q *params, scope string) (*resource, error) {
	named, err := p.namedResource(c, q)
	if err == nil && len(p.resources) == 0 {
		if err = c.allowsAudience(q.get("audience")); err == nil {
			err = p.allowsResources(c, q.all("resource"))
		}
	}
	if err == nil {
		err = c.allowsOnly(q)
	}
	if err == nil {
		err = c.allowsScope(scope)
	}
	return named, err
}

// allowsAudience checks the audience, if one was sent, against the registered ones.
func (c *client) allowsAudience(audience string) error {
	if audience == "" || len(c.audiences) == 0 || slices.Contains(c.audiences, audience) {
		return nil
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 8707 section 2",
		"audience is not one that is registered for this client at the gateway")
}

// allowsResources checks each resource against the audiences that are configured: the
// client's, or else the default.
func (p *Policy) allowsResources(c *client, resources []string) error {
	switch {
	case c != nil && len(c.audiences) > 0:
		for _, resource := range resources {
			if !slices.Contains(c.audiences, resource) {
				return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2",
					"resource is not one that is registered as an audience for this client at the gateway")
			}
		}
	case p.defaultAudience != "":
		for _, resource := range resources {
			if resource != p.defaultAudience {
				return oauth.Reject(oauth.InvalidTarget, "RFC 8707 section 2",
					"resource is not the default_audience of this gateway; for another one, list both as audience in the client's block")
			}
		}
	}
	return nil
}

// authorizationDetails is the parameter of RFC 9396 section 2.
const authorizationDetails = "authorization_details"

// asksForMore reports the parameters that ask for more than audience, resource and
// scope say.
func asksForMore(name string) bool {
	switch name {
	case authorizationDetails, "claims",
		// Scopes by other names: Google, Slack, HubSpot, Auth0.
		"include_granted_scopes", "user_scope", "optional_scope", "connection_scope":
		return true
	}
	return false
}

// allowsOnly rejects the parameters that [asksForMore] reports, if the client has a list of what it may ask for.
func (c *client) allowsOnly(q *params) error {
	if !c.isBounded() {
		return nil
	}
	for _, param := range q.list {
		switch {
		case slices.Contains(c.parameters, param.name):
		case param.name == authorizationDetails:
			return oauth.Reject(oauth.InvalidAuthorizationDetails, "RFC 9396 section 5",
				"authorization_details is not accepted from a client whose audiences or scopes are registered at the gateway")
		case asksForMore(param.name):
			return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.3",
				param.name+" is not accepted from a client whose audiences or scopes are registered at the gateway; ask with scope")
		}
	}
	return nil
}

// allowsScope checks each scope against the registered ones.
func (c *client) allowsScope(scope string) error {
	if scope == "" || len(c.scopes) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(scope, " ") {
		if !slices.Contains(c.scopes, name) {
			return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 3.3",
				"scope names one that is not registered for this client at the gateway")
		}
	}
	return nil
}
