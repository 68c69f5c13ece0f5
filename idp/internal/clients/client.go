package clients

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// ClientConfig is the registration of one OAuth client at the gateway.
type ClientConfig struct {
	// The client id. Required.
	ID string `json:"id"`
	// The redirect URIs, compared exactly; of http loopback URIs the port may
	// differ (RFC 8252 section 7.3). Required, unless no user logs in with the client: it then
	// authenticates here, and has client_credentials or is named in `trust`.
	RedirectURIs []string `json:"redirect_uris,omitempty"`
	// The pages to return to after logout, compared exactly. Default: any that
	// is https or on loopback.
	ReturnTo []string `json:"return_to,omitempty"`
	// The web origins whose scripts may call `/oauth/token` and `/userinfo`, and whose
	// pages may open the login in a pop-up where there is consent.
	Origins []string `json:"origins,omitempty"`
	// The audiences and resources (RFC 8707) it may ask for. Default: any.
	Audiences []string `json:"audiences,omitempty"`
	// The scopes it may ask for. Default: any. What the IdP grants beyond these lists is
	// withheld, as far as its response says.
	Scopes []string `json:"scopes,omitempty"`
	// The parameters of `/authorize` that travel to the IdP besides those of the
	// specifications, for a client with audiences or scopes. Others are left out. Default: none.
	Parameters []string `json:"parameters,omitempty"`
	// How it may authenticate at `/oauth/token` (RFC 7591 section 2): `none` (default, a
	// public client), `client_secret_basic`, `client_secret_post`, `private_key_jwt`,
	// `tls_client_auth`, `self_signed_tls_client_auth`. The IdP checks it, or with idp_client
	// the gateway, by what follows.
	AuthMethods []string `json:"token_endpoint_auth,omitempty"`
	// The SHA-256 of each of its secrets, in hexadecimal digits. Secrets are random, as
	// `openssl rand -hex 32` makes them.
	SecretHashes []string `json:"secret_hashes,omitempty"`
	// Where its public keys (a JWK Set) are, for `private_key_jwt`: a file, or an
	// https URL, or http on loopback, from which they are fetched when they are needed.
	JWKS string `json:"jwks,omitempty"`
	// Keys are those: this package reads no files, and fetches no keys.
	Keys KeySet `json:"-"`
	// A name in its TLS certificate, for `tls_client_auth` (RFC 8705 section 2.1), as an
	// object of `kind`: `subject_dn`, `san_dns`, `san_uri`, `san_ip` or `san_email`, and `value`. The
	// site's `client_auth` has to verify certificates.
	CertificateName CertificateName `json:"tls_client_auth,omitzero"`
	// The SHA-256 of each of its TLS certificates, in hexadecimal digits, for
	// `self_signed_tls_client_auth` (RFC 8705 section 2.2). The site's `client_auth` has to
	// ask for certificates.
	CertificateHashes []string `json:"self_signed_tls_client_auth,omitempty"`
	// Whether the gateway's own access tokens, and a public client's refresh tokens, are bound
	// to the TLS certificate with which the client asks for them (RFC 8705 section 3), without
	// which it then gets none. It needs callback. Default: false.
	CertificateBound bool `json:"certificate_bound,omitempty"`
	// Whether it gets access tokens of the gateway's own for itself, without a user
	// (`client_credentials`, RFC 6749 section 4.4). It has to authenticate here. Default: false.
	ClientCredentials bool `json:"client_credentials,omitempty"`
	// The algorithm of its ID tokens, where they are the gateway's own: `RS256` (default), `ES256`
	// or `PS256`.
	IDTokenAlgorithm jose.SignatureAlgorithm `json:"id_token_alg,omitempty"`
	// What people know the client by, on the consent page. Default: its id.
	Name string `json:"name,omitempty"`
	// Whether the user approves each login on a page of the gateway's own, before the
	// IdP is asked. For clients that share an idp_client, whom the IdP can't tell
	// apart. The callback accepts a login from the browser only that approved it.
	Consent bool `json:"consent,omitempty"`
	// Whether it pushes its authorization requests to `/oauth/par` (RFC 9126), so that nobody
	// can alter them in the browser: `optional` takes others, too, `required` does not. It
	// needs callback. Default: none are taken.
	Push oauth.Mode `json:"par,omitempty"`
	// Whether it may do without PKCE (`optional`) in logins with the scope openid and a nonce (RFC
	// 9700 section 2.1.1). It has to authenticate here, and to compare the nonce; ID tokens have to be the
	// gateway's own. Default: PKCE is required.
	PKCE oauth.Mode `json:"pkce,omitempty"`
	// Whether its codes, refresh tokens and the gateway's own access tokens are bound to a
	// key of which it sends proofs (DPoP, RFC 9449): `optional` binds those of logins with
	// proofs, `required` takes no request without one. It needs callback and public_url.
	// Default: proofs are rejected.
	DPoP oauth.Mode `json:"dpop,omitempty"`
	// The confidential client that the gateway is at the IdP for this client.
	// Default: the client has the same id at the IdP and authenticates itself.
	IdPClient *IdPClientConfig `json:"idp_client,omitempty"`
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

// AuthMethods are all of them.
func AuthMethods() []string {
	return []string{AuthNone, AuthSecretBasic, AuthSecretPost, AuthPrivateKeyJWT, AuthTLS, AuthSelfSignedTLS}
}

// Client is a compiled ClientConfig.
type Client struct {
	ClientConfig

	Redirects   []uris.Registered
	Origins     cors.Origins
	Auth        []string // AuthMethods, or their default
	secrets     digests
	certificate *certificateRule // nil: none
	Credentials *Credentials     // nil: the client's own
	// Host is that of the metadata document which the name is from; unverified: nobody
	// knows whose the name is.
	Host       string
	Unverified bool
	// Terms are what its requests are checked against, in one form.
	Terms string
	// bounded: there is a list of what it may ask for, its own or the resources'.
	bounded bool
	// NoIDTokens: those that the IdP gives are for another client id, which others share.
	NoIDTokens bool
}

// newClient compiles a client with an id. Errors complete a sentence that names it.
func newClient(config ClientConfig) (*Client, error) {
	c := &Client{ClientConfig: config, Auth: config.AuthMethods, bounded: len(config.Audiences) > 0 || len(config.Scopes) > 0}
	if len(c.Auth) == 0 {
		c.Auth = []string{AuthNone}
	}
	for _, check := range [...]func() error{c.checkAddresses, c.addOrigins, c.addRedirects, c.checkNames, c.addCredentials} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if c.DoesWithoutPKCE() && !c.IsConfidential() {
		return nil, errors.New("pkce optional is for clients that authenticate here: it needs idp_client, and " +
			"token_endpoint_auth with what it shows behind the method (RFC 9700 section 2.1.1)")
	}
	if c.certificate == nil && !c.CertificateBound {
		c.Origins = c.Origins.WithCredentials() // no endpoint for scripts reads cookies
	}
	if c.IdPClient != nil {
		var err error
		if c.Credentials, err = newCredentials(*c.IdPClient); err != nil {
			return nil, err
		}
	}
	c.Terms = fmt.Sprintf("%q %q %q %q %t %q%s", slices.Sorted(slices.Values(c.Audiences)), slices.Sorted(slices.Values(c.Scopes)),
		slices.Sorted(slices.Values(c.Parameters)), slices.Sorted(slices.Values(c.Auth)), c.Consent, c.IDAtIdP(c.ID), c.DPoP)
	return c, nil
}

func (c *Client) addOrigins() (err error) {
	if c.Origins, err = cors.ParseOrigins(c.ClientConfig.Origins); err == nil && c.Origins.HasAny() {
		err = fmt.Errorf("origin %s is not accepted here; list each origin", cors.Any)
	}
	return err
}

func (c *Client) addRedirects() error {
	for _, uri := range c.RedirectURIs {
		if err := uris.CheckConfigured(uri); err != nil {
			return fmt.Errorf("redirect_uri %s %w", uri, err)
		}
		c.Redirects = append(c.Redirects, uris.NewRegistered(uri))
	}
	return nil
}

func (c *Client) checkAddresses() error {
	all := slices.Concat(c.RedirectURIs, c.ReturnTo)
	for _, uri := range all {
		if _, second, _ := strings.Cut(uri, ","); strings.Contains(second, "://") {
			return fmt.Errorf("%s is several addresses; separate them with spaces, not commas", uri)
		}
		if _, second, _ := strings.Cut(uri, " "); strings.Contains(second, "://") {
			return fmt.Errorf("%s is several addresses in one pair of quotes; write them without", uri)
		}
	}
	for _, uri := range all {
		if strings.Contains(uri, "*") {
			return fmt.Errorf("%s has a *, and addresses are compared exactly (RFC 9700 section 2.1); "+
				"write each in full; the port of http://localhost and http://127.0.0.1 may be left out, and any is good", uri)
		}
	}
	for _, uri := range c.ReturnTo {
		if _, err := uris.ParseWeb(uri); err != nil {
			return fmt.Errorf("return_to %s %w", uri, err)
		}
	}
	return nil
}

func (c *Client) checkNames() error {
	var wrong error
	for _, method := range c.Auth {
		wrong = cmp.Or(wrong, syntax.CheckOneOf("token_endpoint_auth", method, AuthMethods()...))
	}
	if wrong = cmp.Or(wrong, syntax.CheckOneOf("id_token_alg", c.IDTokenAlgorithm, signing.Algorithms()...)); wrong != nil {
		return wrong
	}
	if len(c.Redirects) == 0 && !c.authenticatesHere() {
		return errors.New("needs at least one redirect_uri")
	}
	for _, scope := range c.Scopes {
		if scope == "" || !syntax.ScopeChar.Holds(scope) {
			return fmt.Errorf("scope %s is not a scope name", scope)
		}
	}
	for _, name := range c.Parameters {
		if !IsForwarded(name) {
			return fmt.Errorf("parameter %s is one that the gateway makes itself, or never sends on", name)
		}
	}
	return nil
}

// LogsUsersIn reports whether users log in with the client. With any other one the IdP has
// nothing to do.
func (c *Client) LogsUsersIn() bool { return len(c.Redirects) > 0 }

// IDAtIdP is the client's id at the IdP.
func (c *Client) IDAtIdP(id string) string {
	if c.Credentials != nil {
		return c.Credentials.ClientID
	}
	return id
}

// RejectOpenID rejects the scope openid.
func (c *Client) RejectOpenID() *oauth.Error {
	return oauth.Reject(oauth.InvalidScope, "OpenID Connect Core 1.0 section 2",
		"scope openid is not accepted: this client shares its registration at the identity provider, and so would share its ID tokens "+
			"(give it its own idp_client)")
}

// CheckRedirect compares a redirect_uri that was sent with the registered ones, and reports whether it
// is one of them: never of a client that is not known. An error says what is wrong with its form; what
// to say of a well-formed one that is not registered is the endpoint's business.
func (c *Client) CheckRedirect(uri string) (registered bool, err error) {
	if c != nil && slices.ContainsFunc(c.Redirects, func(registered uris.Registered) bool { return registered.Matches(uri) }) {
		return true, nil
	}
	if err := uris.CheckRedirect(uri); err != nil {
		return false, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2", "redirect_uri "+err.Error())
	}
	return false, nil
}

// OpensPopUps reports whether the page of a browser app may wait for a pop-up: one that is
// registered, or one of a client that nobody knows, if its codes go to the web.
func (c *Client) OpensPopUps(redirectURI string) bool {
	return !c.Origins.IsEmpty() && (!c.Origins.HasAny() || strings.HasPrefix(redirectURI, "https://"))
}

// IsBounded reports whether there is a list of what the client may ask for.
func (c *Client) IsBounded() bool { return c != nil && c.bounded }

// Takes reports whether a parameter of the client's, one that [IsForwarded], is sent on.
// IdPs have other names for audiences and scopes (aud, scopes, permissions, …), and
// nobody knows all of them.
func (c *Client) Takes(name string) bool {
	return !c.IsBounded() || IsSpecified(name) || slices.Contains(c.Parameters, name)
}

func (c *Client) allowsAudience(audience string) error {
	if audience == "" || len(c.Audiences) == 0 || slices.Contains(c.Audiences, audience) {
		return nil
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 8707 section 2",
		"audience is not one that is registered for this client at the gateway")
}

// allowsOnly rejects the parameters that [AsksForMore] reports, if the client has a list of what it may ask for.
func (c *Client) allowsOnly(q *params.Values) error {
	if !c.IsBounded() {
		return nil
	}
	for _, param := range q.List {
		switch {
		case slices.Contains(c.Parameters, param.Name):
		case param.Name == AuthorizationDetails:
			return oauth.Reject(oauth.InvalidAuthorizationDetails, "RFC 9396 section 5",
				"authorization_details is not accepted from a client whose audiences or scopes are registered at the gateway")
		case AsksForMore(param.Name):
			return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.3",
				param.Name+" is not accepted from a client whose audiences or scopes are registered at the gateway; ask with scope")
		}
	}
	return nil
}

func (c *Client) allowsScope(scope string) error {
	if scope == "" || len(c.Scopes) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(scope, " ") {
		if !slices.Contains(c.Scopes, name) {
			return oauth.Reject(oauth.InvalidScope, "RFC 6749 section 3.3",
				"scope names one that is not registered for this client at the gateway")
		}
	}
	return nil
}

// AllowsResource reports whether a resource is among the client's audiences, if it has some.
func (c *Client) AllowsResource(r *Resource) bool {
	return len(c.Audiences) == 0 || slices.ContainsFunc(c.Audiences, func(audience string) bool {
		key, err := uris.Key(audience)
		return err == nil && key == r.Key
	})
}

func (c *Client) TakesProofs() bool { return c != nil && c.DPoP != oauth.Off }

// DoesWithoutPKCE reports a client that may do so, in logins with a nonce.
func (c *Client) DoesWithoutPKCE() bool { return c != nil && c.PKCE == oauth.Optional }
