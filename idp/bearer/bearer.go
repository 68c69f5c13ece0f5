// Package bearer has what travels with requests to a protected resource: access tokens after the
// word Bearer (RFC 6750), those that are bound to a key after the word DPoP, with their proofs (RFC
// 9449), and the challenges with which the resource asks for them.
//
// # Files
//
//	bearer.go: which token a request presents, where none may stand; challenges
//	source.go: tokens in a cookie or another field, and from which pages
//	proofs.go: DPoP proofs and nonces: checked, and used once
package bearer

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// ErrNone is in the chain of the errors of [Token] for a request
// that has no bearer token, rather than a bad one.
var ErrNone = errors.New("no bearer token")

// Token is the access token of a request. It must come in exactly one
// Authorization header (RFC 6750 section 2.1), in any spelling of the scheme (RFC
// 9110 section 11.1) and with one space after it. The errors have no challenge:
// see [Challenge.With].
func Token(header http.Header) (string, error) {
	if len(header["Dpop"]) > 0 {
		return "", Unsupported("leave out the proof")
	}
	token, bound, err := Presented(header)
	if bound {
		return "", noToken("RFC 9449 section 7.1", Unsupported("send Authorization: Bearer").Description)
	}
	return token, err
}

// Presented is [Token] for a server that takes the scheme DPoP, too (RFC 9449
// section 7.1), which bound reports.
func Presented(header http.Header) (token string, bound bool, err error) {
	values := header["Authorization"]
	if len(values) == 0 {
		return "", false, noToken("RFC 6750 section 3", "the access token is missing; send it in the field Authorization, after the word Bearer")
	}
	if len(values) > 1 {
		return "", false, oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 3.1", "more than one Authorization header")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	bound = strings.EqualFold(scheme, "DPoP")
	switch {
	case !bound && !strings.EqualFold(scheme, "Bearer"):
		return "", false, noToken("RFC 6750 section 2.1", "Authorization must be the word Bearer, a space and the access token")
	case !isToken68(token):
		return "", bound, BadToken("RFC 6750 section 2.1", "the access token is malformed; send it as it was given")
	}
	return token, bound, nil
}

// isToken68 reports the token68 syntax of RFC 9110 section 11.2, which is that
// of a bearer token (b64token, RFC 6750 section 2.1).
func isToken68(s string) bool {
	s = strings.TrimRight(s, "=")
	return s != "" && syntax.Token68.Holds(s)
}

// underscored replaces what PHP replaces in the names of parameters.
var underscored = strings.NewReplacer(".", "_", " ", "_", "[", "_")

// RejectQuery rejects a query with an access token (RFC 6750 section 2.3), in
// any spelling that some server takes for one: it would end up in logs and
// histories (RFC 9700 section 4.3.2), and a server behind this one might prefer it
// to the token that was checked.
func RejectQuery(rawQuery string) error {
	const name = "access_token"
	for pair := range strings.FieldsFuncSeq(rawQuery, func(r rune) bool { return r == '&' || r == ';' }) {
		given, _, _ := strings.Cut(pair, "=")
		if len(given) < len(name) {
			continue
		}
		if decoded, err := url.QueryUnescape(given); err == nil {
			given = decoded
		}
		given, _, _ = strings.Cut(given, "\x00") // as a string of C ends
		given = strings.TrimSpace(given)
		element, _, _ := strings.Cut(given, "[") // access_token[], of a list
		for _, reading := range [...]string{element, given} {
			if strings.EqualFold(underscored.Replace(reading), name) {
				return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 4.3.2",
					"access_token in the URL is not accepted; send it in the field Authorization, after the word Bearer")
			}
		}
	}
	return nil
}

func noToken(source, description string) *oauth.Error {
	e := BadToken(source, description)
	e.Cause = ErrNone
	return e
}

// BadToken rejects an access token (RFC 6750 section 3.1).
func BadToken(source, description string) *oauth.Error {
	return &oauth.Error{Code: oauth.InvalidToken, Status: http.StatusUnauthorized, Source: source, Description: description}
}

// AccessDenied rejects an access token that is good, but not of somebody who may do this. With
// insufficient_scope clients would log in again, for nothing.
func AccessDenied(description string) *oauth.Error {
	return &oauth.Error{Code: oauth.AccessDenied, Status: http.StatusForbidden, Source: "RFC 9110 section 15.5.4", Description: description}
}

// InsufficientScopes rejects an access token that is good, but not for this (RFC 6750
// section 3.1).
func InsufficientScopes() *oauth.Error {
	return &oauth.Error{
		Code: oauth.InsufficientScope, Status: http.StatusForbidden, Source: "RFC 6750 section 3.1",
		Description: "the access token does not have the scopes that are needed here; ask for them at the login",
	}
}

// InsufficientAuthentication rejects an access token that is good, but whose user has to log in
// in another way, or anew (RFC 9470 section 3).
func InsufficientAuthentication(description string) *oauth.Error {
	return &oauth.Error{Code: oauth.InsufficientAuth, Status: http.StatusUnauthorized, Source: "RFC 9470 section 3", Description: description}
}

// Challenge is what a protected resource says of itself in WWW-Authenticate
// (RFC 6750 section 3). All fields are optional.
type Challenge struct {
	Realm string
	// Scope is what a request needs, with spaces between several.
	Scope string
	// ResourceMetadata is the URL of the resource's metadata (RFC 9728 section 5.1).
	ResourceMetadata string
	// ACRValues, with spaces between several, and MaxAge are the login that a request needs (RFC
	// 9470 section 3).
	ACRValues string
	MaxAge    time.Duration
	// DPoP offers that scheme (RFC 9449 section 7.1) beside Bearer, or in its place.
	DPoP oauth.Mode
}

// With returns the error with the challenge. One for a request without a bearer
// token has no error code (RFC 6750 section 3.1).
func (c Challenge) With(e *oauth.Error) *oauth.Error {
	challenged := *e
	switch {
	case e.Code == oauth.InvalidDPoPProof || e.Code == oauth.UseDPoPNonce:
		challenged.Status = http.StatusUnauthorized // RFC 9449 section 7.1
		fallthrough
	case c.DPoP == oauth.Required:
		challenged.Challenge = c.scheme("DPoP", e)
	default:
		challenged.Challenge = c.scheme("Bearer", e)
		if c.DPoP == oauth.Optional {
			also := e
			if e.Code != oauth.InsufficientAuth { // which holders of tokens of either scheme need to know
				also = nil
			}
			challenged.AlsoChallenge = c.scheme("DPoP", also)
		}
	}
	return &challenged
}

// scheme is the challenge of a scheme, with the error unless that is nil.
func (c Challenge) scheme(name string, e *oauth.Error) string {
	challenge := append(make([]byte, 0, 256), name...)
	separator := " "
	add := func(name, value string) {
		if value == "" {
			return
		}
		challenge = append(challenge, separator...)
		challenge = append(challenge, name...)
		challenge = append(challenge, `="`...)
		challenge = oauth.AppendDescription(challenge, value)
		challenge = append(challenge, '"')
		separator = ", "
	}
	add("realm", c.Realm)
	if e != nil && !errors.Is(e, ErrNone) {
		add("error", string(e.Code))
		add("error_description", e.Description)
	}
	add("scope", c.Scope)
	if e != nil && e.Code == oauth.InsufficientAuth {
		add("acr_values", c.ACRValues)
		if c.MaxAge > 0 {
			add("max_age", strconv.Itoa(int(c.MaxAge.Seconds())))
		}
	}
	add("resource_metadata", c.ResourceMetadata)
	if name == "DPoP" {
		add("algs", strings.Join(dpop.Algorithms(), " "))
	}
	return string(challenge)
}
