package idp

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// stepUp is what an authorization request asks of the login (OpenID Connect Core 1.0 section
// 3.1.2.1, RFC 9470 section 4): what the IdP is asked for by acr_values and max_age, which
// somebody may alter on the way there. The zero value is nothing.
type stepUp struct {
	// acr are the values of which acr has to be one, with spaces between them.
	acr string
	// since is the earliest auth_time, in whole seconds; zero: any.
	since time.Time
}

// askStepUp reads what goes to the IdP, at the time at which the login begins.
func (r *authorizeRequest) askStepUp() error {
	const source = "OpenID Connect Core 1.0 section 3.1.2.1"
	for _, param := range r.forwarded {
		switch param.Name {
		case "acr_values":
			values := strings.Fields(param.Value)
			if r.acr = strings.Join(values, " "); len(r.acr) > login.MaxAuthentication || !syntax.VSChar.Holds(r.acr) {
				return oauth.Reject(oauth.InvalidRequest, source, "acr_values must be printable ASCII, and at most "+strconv.Itoa(login.MaxAuthentication)+" bytes")
			}
		case "max_age":
			seconds, err := strconv.ParseUint(param.Value, 10, 31)
			if err != nil {
				return oauth.Reject(oauth.InvalidRequest, source, "max_age must be a number of seconds")
			}
			age := time.Duration(seconds) * time.Second
			r.maxAge = &age
		}
	}
	return nil
}

// stepUp is what a request asks of a login that begins now.
func (r *authorizeRequest) stepUp(now time.Time) stepUp {
	s := stepUp{acr: r.acr}
	if r.maxAge != nil {
		s.since = time.Unix(max(now.Add(-*r.maxAge).Unix(), 1), 0)
	}
	return s
}

// check holds the ID token of a login to what its request has asked for. Clocks may differ by
// [seal.Skew].
func (s *stepUp) check(a login.Authentication) error {
	switch {
	case s.acr != "" && (a.ACR == "" || !slices.Contains(strings.Fields(s.acr), a.ACR)):
		return unmet("the user has not logged in as acr_values asks for: the identity provider's ID token has another acr, or none; " +
			"if that is so in each login, its operator has to configure these values there")
	case !s.since.IsZero() && a.Time.Before(s.since.Add(-seal.Skew)):
		return unmet("the user has logged in longer ago than max_age allows, or the identity provider's ID token does not say when (auth_time)")
	}
	return nil
}

// unmet withholds a token response whose login is less than its request has asked for. The code
// is spent.
func unmet(description string) error {
	return oauth.Reject(oauth.UnmetAuthentication, "OpenID Connect Core Error Code unmet_authentication_requirements 1.0", description)
}
