package discovery

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

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
	var named struct {
		Issuer string `json:"issuer"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return nil, unreadable(err)
	}
	if strings.TrimSuffix(named.Issuer, "/") != strings.TrimSuffix(issuer, "/") {
		return nil, issuerMismatch(issuer, named.Issuer)
	}
	m, wrong := new(Metadata), error(nil)
	// Unmarshal rejects invalid UTF-8 and duplicate names; names that are not listed are ignored.
	err = json.Unmarshal(raw, m, json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, u **url.URL) error {
			var s string
			if err := json.UnmarshalDecode(d, &s); err != nil || s == "" || s == noEndpoint {
				return err
			}
			name := strings.ReplaceAll(string(d.StackPointer())[1:], "/", ": ")
			if *u, wrong = parseEndpoint(s, asked, inside, isAskedByBrowsers(name)); wrong != nil {
				wrong = fmt.Errorf("the metadata's %s %w", name, wrong)
			}
			return wrong
		}),
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, list *[]string) error {
			type plain []string // which is not for this function again
			if err := json.UnmarshalDecode(d, (*plain)(list)); err != nil {
				return err
			}
			if wrong = checkList(*list); wrong != nil {
				wrong = fmt.Errorf("the metadata's %s %w", d.StackPointer().LastToken(), wrong)
			}
			return wrong
		}),
	)))
	switch {
	case wrong != nil:
		return nil, wrong
	case err != nil:
		return nil, unreadable(err)
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

// unreadable is for a JSON error, without the package's name and without the document's own words.
func unreadable(err error) error {
	why := "it does not parse"
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		why = fmt.Sprintf("%s at %q has the wrong type", semantic.JSONKind, string(semantic.JSONPointer))
	}
	return errors.New("the metadata is not the JSON object of OpenID Connect Discovery 1.0 section 3: " + why)
}
