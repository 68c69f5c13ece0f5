package discovery

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// document is the metadata as it is written. Unmarshal rejects invalid UTF-8 and
// duplicate names; names that are not listed are ignored.
type document struct {
	Issuer                   string   `json:"issuer"`
	AuthorizationEndpoint    string   `json:"authorization_endpoint"`
	TokenEndpoint            string   `json:"token_endpoint"`
	UserInfoEndpoint         string   `json:"userinfo_endpoint"`
	EndSessionEndpoint       string   `json:"end_session_endpoint"`
	RevocationEndpoint       string   `json:"revocation_endpoint"`
	IntrospectionEndpoint    string   `json:"introspection_endpoint"`
	JWKSURI                  string   `json:"jwks_uri"`
	ResponseModes            []string `json:"response_modes_supported"`
	ChallengeMethods         []string `json:"code_challenge_methods_supported"`
	Scopes                   []string `json:"scopes_supported"`
	GrantTypes               []string `json:"grant_types_supported"`
	TokenEndpointAuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	AssertionAlgorithms      []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	IDTokenAlgorithms        []string `json:"id_token_signing_alg_values_supported"`
	SubjectTypes             []string `json:"subject_types_supported"`
	SendsIssuer              bool     `json:"authorization_response_iss_parameter_supported"`
	PushedRequestEndpoint    string   `json:"pushed_authorization_request_endpoint"`
	RequiresPushedRequests   bool     `json:"require_pushed_authorization_requests"`
	MTLSAliases              struct {
		TokenEndpoint         string `json:"token_endpoint"`
		UserInfoEndpoint      string `json:"userinfo_endpoint"`
		RevocationEndpoint    string `json:"revocation_endpoint"`
		PushedRequestEndpoint string `json:"pushed_authorization_request_endpoint"`
	} `json:"mtls_endpoint_aliases"`
}

// Parse checks the document that was found at one of the [Addresses] of issuer. An
// error says what is wrong with it and what to do; nothing of the document is
// good then.
//
// The document's issuer must be the one that was asked for (OpenID Connect
// Discovery 1.0 section 4.3, RFC 8414 section 3.3), except that one of them may
// have a slash at the end: both have the same address, so that neither can be
// another's document.
func Parse(issuer string, raw []byte) (*Metadata, error) { return ParseAt(issuer, "", raw) }

// ParseAt is [Parse] of a document that was found at an address which the operator has written, at,
// unless that is "". Its issuer must be the one that was asked for all the same. Where at has another
// origin than the issuer, the IdP is reached there, under a name that browsers may not know: the
// endpoints on the issuer's own origin that servers ask have the origin of at instead, and may have
// it in the document, also by http.
func ParseAt(issuer, at string, raw []byte) (*Metadata, error) {
	asked, err := parseIssuer(issuer)
	if err != nil {
		return nil, err
	}
	var inside *url.URL // nil: no other name
	if at != "" {
		if inside, err = parseURL(at); err != nil {
			return nil, fmt.Errorf("the address of the metadata %w", err)
		}
		if uris.SameOrigin(inside, asked) {
			inside = nil
		}
	}
	if len(raw) > MaxDocument {
		return nil, fmt.Errorf("the metadata is longer than %d bytes", MaxDocument)
	}
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, errors.New("the metadata is not the JSON object of OpenID Connect Discovery 1.0 section 3: " + describe(err))
	}
	if strings.TrimSuffix(d.Issuer, "/") != strings.TrimSuffix(issuer, "/") {
		return nil, issuerMismatch(issuer, d.Issuer)
	}
	m := &Metadata{Issuer: d.Issuer, SendsIssuer: d.SendsIssuer, RequiresPushedRequests: d.RequiresPushedRequests}
	for _, field := range []struct {
		name, value string
		target      **url.URL
	}{
		{"authorization_endpoint", d.AuthorizationEndpoint, &m.AuthorizationEndpoint},
		{"token_endpoint", d.TokenEndpoint, &m.TokenEndpoint},
		{"userinfo_endpoint", d.UserInfoEndpoint, &m.UserInfoEndpoint},
		{"end_session_endpoint", d.EndSessionEndpoint, &m.EndSessionEndpoint},
		{"revocation_endpoint", d.RevocationEndpoint, &m.RevocationEndpoint},
		{"introspection_endpoint", d.IntrospectionEndpoint, &m.IntrospectionEndpoint},
		{"pushed_authorization_request_endpoint", d.PushedRequestEndpoint, &m.PushedAuthorizationRequestEndpoint},
		{"jwks_uri", d.JWKSURI, &m.JWKSURI},
		{"mtls_endpoint_aliases: token_endpoint", d.MTLSAliases.TokenEndpoint, &m.MTLSAliases.TokenEndpoint},
		{"mtls_endpoint_aliases: userinfo_endpoint", d.MTLSAliases.UserInfoEndpoint, &m.MTLSAliases.UserInfoEndpoint},
		{"mtls_endpoint_aliases: revocation_endpoint", d.MTLSAliases.RevocationEndpoint, &m.MTLSAliases.RevocationEndpoint},
		{"mtls_endpoint_aliases: pushed_authorization_request_endpoint", d.MTLSAliases.PushedRequestEndpoint, &m.MTLSAliases.PushedAuthorizationRequestEndpoint},
	} {
		if field.value == "" || field.value == noEndpoint {
			continue
		}
		if *field.target, err = parseEndpoint(field.value, asked, inside, isAskedByBrowsers(field.name)); err != nil {
			return nil, fmt.Errorf("the metadata's %s %w", field.name, err)
		}
	}
	for _, list := range []struct {
		name   string
		values []string
		target *[]string
	}{
		{"response_modes_supported", d.ResponseModes, &m.ResponseModes},
		{"code_challenge_methods_supported", d.ChallengeMethods, &m.ChallengeMethods},
		{"scopes_supported", d.Scopes, &m.Scopes},
		{"grant_types_supported", d.GrantTypes, &m.GrantTypes},
		{"token_endpoint_auth_methods_supported", d.TokenEndpointAuthMethods, &m.TokenEndpointAuthMethods},
		{"token_endpoint_auth_signing_alg_values_supported", d.AssertionAlgorithms, &m.AssertionAlgorithms},
		{"id_token_signing_alg_values_supported", d.IDTokenAlgorithms, &m.IDTokenAlgorithms},
		{"subject_types_supported", d.SubjectTypes, &m.SubjectTypes},
	} {
		if err := checkList(list.values); err != nil {
			return nil, fmt.Errorf("the metadata's %s %w", list.name, err)
		}
		*list.target = list.values
	}
	return m, nil
}

// noEndpoint is what the API server of Kubernetes says of an endpoint that it does not have, and has to
// have (kubernetes/kubernetes: pkg/serviceaccount/openidmetadata.go).
const noEndpoint = "urn:kubernetes:programmatic_authorization"

// ErrOtherIssuer is in the chain of the error for a document of another issuer, such as
// the one for OpenID Connect of a gateway, which is the IdP's.
var ErrOtherIssuer = errors.New("the metadata is of another issuer")

// issuerMismatch says how the two issuers differ, for the person who wrote one.
func issuerMismatch(asked, found string) error {
	switch {
	case found == "":
		return errors.New("the metadata names no issuer, which OpenID Connect Discovery 1.0 section 3 requires")
	case strings.Contains(found, "{tenantid}"):
		return errors.New("the metadata is that of every tenant at once: write your tenant's id in the address in place of common or organizations")
	case checkList([]string{found}) != nil:
		return ErrOtherIssuer
	}
	return fmt.Errorf("%w: it names %s, and %s was asked for; write the issuer exactly as the identity provider does", ErrOtherIssuer, found, asked)
}

// isAskedByBrowsers reports the endpoints to which browsers are sent.
func isAskedByBrowsers(name string) bool {
	return name == "authorization_endpoint" || name == "end_session_endpoint"
}

// parseEndpoint checks an endpoint of an issuer: https, or http on loopback if the
// issuer itself is there. A query stays (RFC 6749 section 3.1). inside is where the IdP is reached by
// servers, nil if it has one name for all; see [ParseAt].
func parseEndpoint(s string, issuer, inside *url.URL, browsers bool) (*url.URL, error) {
	u, err := parseURL(s)
	if err != nil {
		return nil, err
	}
	if inside != nil && !browsers && (uris.SameOrigin(u, issuer) || uris.SameOrigin(u, inside)) {
		u.Scheme, u.Host = inside.Scheme, strings.ToLower(inside.Host)
		return u, nil
	}
	if u.Scheme != issuer.Scheme && u.Scheme != "https" || !uris.IsSecure(u) {
		return nil, errors.New("is not https, so that codes and tokens would travel unencrypted; " +
			"an identity provider behind a proxy has to be told its public address")
	}
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

// checkList bounds a list of names.
func checkList(values []string) error {
	if len(values) > maxList {
		return fmt.Errorf("has more than %d entries", maxList)
	}
	for _, value := range values {
		if len(value) > maxEntry {
			return fmt.Errorf("has an entry of more than %d bytes", maxEntry)
		}
		for i := 0; i < len(value); i++ {
			if value[i] < ' ' || value[i] >= 0x7f {
				return errors.New("has an entry that is not printable ASCII")
			}
		}
	}
	return nil
}

// describe is a JSON error without the package's name and without the document's
// own words.
func describe(err error) string {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return fmt.Sprintf("%s at %q has the wrong type", semantic.JSONKind, string(semantic.JSONPointer))
	}
	return "it does not parse"
}
