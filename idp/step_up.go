package idp

import (
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

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
func (r *authorizeRequest) stepUp(now time.Time) login.StepUp {
	s := login.StepUp{ACR: r.acr}
	if r.maxAge != nil {
		s.Since = time.Unix(max(now.Add(-*r.maxAge).Unix(), 1), 0)
	}
	return s
}
