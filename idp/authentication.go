package idp

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// authentication is how a user has logged in, by an ID token (OpenID Connect Core 1.0 section
// 2). Fields are zero if that does not say, or nothing that can be sealed.
type authentication struct {
	acr string
	amr []string
	at  time.Time // auth_time, in whole seconds
}

// maxAuthentication is the longest acr, and the longest amr with spaces between the methods, in
// bytes: they travel in tokens, and acr_values in state.
const maxAuthentication = 512

// readAuthentication reads the claims of an ID token that [Policy.checkIDToken] has checked.
func readAuthentication(payload []byte) (a authentication) {
	c := jwt.ReadAuthentication(payload)
	if isACR(c.ACR) {
		a.acr = c.ACR
	}
	if len(strings.Join(c.AMR, " ")) <= maxAuthentication && !slices.ContainsFunc(c.AMR, func(method string) bool { return !isACR(method) }) {
		a.amr = c.AMR
	}
	if c.Time >= 1 && c.Time <= 1<<32-1 {
		a.at = time.Unix(int64(c.Time), 0)
	}
	return a
}

// isACR reports whether a value can stand among others with spaces between them.
func isACR(value string) bool {
	return value != "" && len(value) <= maxAuthentication && syntax.VSChar.Holds(value) && !strings.Contains(value, " ")
}

func (a *authentication) isZero() bool { return a.acr == "" && len(a.amr) == 0 && a.at.IsZero() }

// write writes auth_time, acr, and amr with spaces.
func (a *authentication) write(w *seal.Writer) {
	w.Time(a.at)
	w.Text(a.acr)
	w.Text(strings.Join(a.amr, " "))
}

func readSealedAuthentication(r *seal.Reader) (a authentication) {
	a.at, a.acr = r.Time(), r.Text()
	if methods := r.Text(); methods != "" {
		a.amr = strings.Split(methods, " ")
	}
	return a
}

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
		switch param.name {
		case "acr_values":
			values := strings.Fields(param.value)
			if r.acr = strings.Join(values, " "); len(r.acr) > maxAuthentication || !syntax.VSChar.Holds(r.acr) {
				return oauth.Reject(oauth.InvalidRequest, source, "acr_values must be printable ASCII, and at most "+strconv.Itoa(maxAuthentication)+" bytes")
			}
		case "max_age":
			seconds, err := strconv.ParseUint(param.value, 10, 31)
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
func (s *stepUp) check(a authentication) error {
	switch {
	case s.acr != "" && (a.acr == "" || !slices.Contains(strings.Fields(s.acr), a.acr)):
		return unmet("the user has not logged in as acr_values asks for: the identity provider's ID token has another acr, or none; " +
			"if that is so in each login, its operator has to configure these values there")
	case !s.since.IsZero() && a.at.Before(s.since.Add(-seal.Skew)):
		return unmet("the user has logged in longer ago than max_age allows, or the identity provider's ID token does not say when (auth_time)")
	}
	return nil
}

// unmet withholds a token response whose login is less than its request has asked for. The code
// is spent.
func unmet(description string) error {
	return oauth.Reject(oauth.UnmetAuthentication, "OpenID Connect Core Error Code unmet_authentication_requirements 1.0", description)
}
