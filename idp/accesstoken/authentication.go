package accesstoken

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
)

// Authentication is how the user of a token has to have logged in, by its claims (RFC 9068 section
// 2.2.1, RFC 9470 section 6). The zero value asks for nothing.
type Authentication struct {
	// ACR are the authentication contexts of which acr has to be one, the preferred one first.
	ACR []string
	// MaxAge is how long ago the user may have logged in, by auth_time, in whole seconds. Zero: any time.
	MaxAge time.Duration
}

// validate names the first mistake of a configuration.
func (a *Authentication) validate() error {
	for _, value := range a.ACR {
		if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
			return fmt.Errorf("acr: %q is no value that can stand in a challenge; give several as several arguments", value)
		}
	}
	if a.MaxAge < 0 || a.MaxAge%time.Second != 0 {
		return errors.New("max_age must be whole seconds")
	}
	return nil
}

// check holds claims to it at a time. What they do not say, or what can't be read, is not enough.
func (a *Authentication) check(claims []byte, now time.Time) error {
	if len(a.ACR) == 0 && a.MaxAge == 0 {
		return nil
	}
	c := jwt.ReadAuthentication(claims)
	at := seconds(c.Time)
	switch {
	case len(a.ACR) > 0 && !slices.Contains(a.ACR, c.ACR):
		return bearer.InsufficientAuthentication("the user has to log in in another way (acr); begin a login with the acr_values of this challenge")
	case a.MaxAge > 0 && (at == 0 || at.time().After(now.Add(ClockSkew)) || now.Sub(at.time()) > a.MaxAge+ClockSkew):
		return bearer.InsufficientAuthentication("the user has logged in too long ago (auth_time); begin a login with the max_age of this challenge")
	}
	return nil
}
