// Package discovery reads the metadata that an identity provider (IdP) publishes
// about itself: OpenID Connect Discovery 1.0 and RFC 8414, which share their
// format. It fetches nothing.
//
// [Addresses] says where the document of an issuer can be, and [Parse] checks
// what was found there. Whoever can alter the document decides where codes,
// secrets and users are sent, so that it is believed as a whole or not at all.
package discovery

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// The bounds of a document. The largest that are known, with all of Keycloak's
// options, have 8 KB.
const (
	// MaxDocument is the longest document that is read, in bytes.
	MaxDocument = 128 << 10
	maxURL      = 2 << 10 // bytes
	maxList     = 128     // entries
	maxEntry    = 256     // bytes
)

// The well-known paths (OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3).
const (
	openIDPath = "/.well-known/openid-configuration"
	oauthPath  = "/.well-known/oauth-authorization-server"
)

// Metadata is a checked document. It must not be changed. URLs are nil, and
// lists empty, if the document leaves them out.
type Metadata struct {
	// Issuer is the IdP's issuer identifier as the document writes it, which is
	// also how ID tokens and authorization responses do.
	Issuer string `json:"issuer"`

	AuthorizationEndpoint *url.URL `json:"authorization_endpoint"`
	TokenEndpoint         *url.URL `json:"token_endpoint"`
	UserInfoEndpoint      *url.URL `json:"userinfo_endpoint"`
	EndSessionEndpoint    *url.URL `json:"end_session_endpoint"`
	RevocationEndpoint    *url.URL `json:"revocation_endpoint"`
	IntrospectionEndpoint *url.URL `json:"introspection_endpoint"`
	// PushedAuthorizationRequestEndpoint is where the IdP takes authorization requests
	// on the back channel, RequiresPushedRequests that it takes no others (RFC 9126
	// section 5).
	PushedAuthorizationRequestEndpoint *url.URL `json:"pushed_authorization_request_endpoint"`
	RequiresPushedRequests             bool     `json:"require_pushed_authorization_requests"`
	// JWKSURI is where the IdP publishes its keys.
	JWKSURI *url.URL `json:"jwks_uri"`

	// ResponseModes are the response modes. Left out, they are query and fragment.
	ResponseModes []string `json:"response_modes_supported"`
	// ChallengeMethods are the PKCE methods. None are known if they are left out,
	// which RFC 8414 reads as: no PKCE.
	ChallengeMethods []string `json:"code_challenge_methods_supported"`
	Scopes           []string `json:"scopes_supported"`
	GrantTypes       []string `json:"grant_types_supported"`
	// TokenEndpointAuthMethods are the client authentication methods of the token
	// endpoint. Left out, there is client_secret_basic.
	TokenEndpointAuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	// AssertionAlgorithms are those by which client assertions may be signed.
	AssertionAlgorithms []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	// IDTokenAlgorithms are the algorithms with which ID tokens are signed.
	IDTokenAlgorithms []string `json:"id_token_signing_alg_values_supported"`
	// SubjectTypes say whether a user has the same name for all clients.
	SubjectTypes []string `json:"subject_types_supported"`
	// SendsIssuer reports whether authorization responses have iss (RFC 9207).
	SendsIssuer bool `json:"authorization_response_iss_parameter_supported"`
	// MTLSAliases are the endpoints for clients that show a TLS certificate, as far as they
	// are others (RFC 8705 section 5).
	MTLSAliases struct {
		TokenEndpoint                      *url.URL `json:"token_endpoint"`
		UserInfoEndpoint                   *url.URL `json:"userinfo_endpoint"`
		RevocationEndpoint                 *url.URL `json:"revocation_endpoint"`
		PushedAuthorizationRequestEndpoint *url.URL `json:"pushed_authorization_request_endpoint"`
	} `json:"mtls_endpoint_aliases"`
}

// Endpoints are all URLs of the metadata that are not nil, by their names in the
// document, without the aliases.
func (m *Metadata) Endpoints() map[string]*url.URL {
	endpoints := map[string]*url.URL{
		"authorization_endpoint": m.AuthorizationEndpoint,
		"token_endpoint":         m.TokenEndpoint,
		"userinfo_endpoint":      m.UserInfoEndpoint,
		"end_session_endpoint":   m.EndSessionEndpoint,
		"revocation_endpoint":    m.RevocationEndpoint,
		"introspection_endpoint": m.IntrospectionEndpoint,
		"jwks_uri":               m.JWKSURI,

		"pushed_authorization_request_endpoint": m.PushedAuthorizationRequestEndpoint,
	}
	maps.DeleteFunc(endpoints, func(_ string, u *url.URL) bool { return u == nil })
	return endpoints
}

// Addresses are where the metadata of an issuer can be, in the order in which to
// try them: OpenID Connect's, which nearly all IdPs have, then RFC 8414's.
func Addresses(issuer string) ([]string, error) {
	u, err := parseIssuer(issuer)
	if err != nil {
		return nil, err
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	return []string{origin + path + openIDPath, origin + oauthPath + path}, nil
}

// AddressesAt are [Addresses] unless the operator has said where the document is: at.
func AddressesAt(issuer, at string) ([]string, error) {
	if at == "" {
		return Addresses(issuer)
	}
	if _, err := parseIssuer(issuer); err != nil {
		return nil, err
	}
	if _, err := parseURL(at); err != nil {
		return nil, fmt.Errorf("the address of the metadata %w; write all of it, such as https://idp.example.com/policy/.well-known/openid-configuration", err)
	}
	return []string{at}, nil
}

// IssuerOf is the issuer whose metadata is at an address, if that has one of the
// two well-known forms: what a user copies from a browser.
func IssuerOf(address string) (issuer string, ok bool) {
	if issuer, ok = strings.CutSuffix(address, openIDPath); ok {
		return issuer, true
	}
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" {
		return "", false
	}
	if path, found := strings.CutPrefix(u.EscapedPath(), oauthPath); found && (path == "" || path[0] == '/') {
		return u.Scheme + "://" + u.Host + path, true
	}
	// Some IdPs append this one, too.
	return strings.CutSuffix(address, oauthPath)
}

// CheckIssuer checks the form of an issuer identifier, or of the address of its metadata.
func CheckIssuer(address string) error {
	_, err := parseIssuer(address)
	return err
}

// parseIssuer checks an issuer identifier (RFC 8414 section 2): https, or http on
// loopback, without a query or fragment.
func parseIssuer(s string) (*url.URL, error) {
	u, err := parseURL(s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the issuer %w", err)
	case !uris.IsSecure(u):
		return nil, errors.New("the issuer must be https (http only on 127.0.0.1, [::1] or localhost): " +
			"whoever can alter its metadata on the way decides where codes and secrets go")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("the issuer must have no query")
	}
	return u, CheckTenant(u)
}

// CheckTenant refuses the addresses under which Entra ID has people of any tenant log
// in: no issuer is called so, and tokens name that of the user's own tenant
// (https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols#endpoints).
func CheckTenant(u *url.URL) error {
	tenant, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if !strings.Contains(strings.ToLower(u.Host), ".microsoftonline.") || !slices.Contains([]string{"common", "organizations", "consumers"}, strings.ToLower(tenant)) {
		return nil
	}
	return fmt.Errorf("%s is not a tenant: write your tenant's id instead, such as https://%s/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0; "+
		"that of personal accounts is 9188040d-6c67-4c5b-b112-36a304b66dad", tenant, u.Host)
}

// parseURL checks an absolute URL with a host.
func parseURL(s string) (*url.URL, error) {
	if len(s) > maxURL {
		return nil, fmt.Errorf("is longer than %d bytes", maxURL)
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return nil, errors.New("has a character that a URL may not have")
		}
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, errors.New("is not an https URL")
	case u.User != nil:
		return nil, errors.New("has user information before the host")
	case strings.IndexByte(s, '#') >= 0:
		return nil, errors.New("has a fragment")
	}
	return u, nil
}
