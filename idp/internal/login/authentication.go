package login

import (
	"slices"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// Authentication is how a user has logged in, by an ID token (OpenID Connect Core 1.0 section
// 2). Fields are zero if that does not say, or nothing that can be sealed.
type Authentication struct {
	ACR  string
	AMR  []string
	Time time.Time // auth_time, in whole seconds
}

// ReadAuthentication reads the claims of an ID token that was checked.
func ReadAuthentication(payload []byte) (a Authentication) {
	c := jwt.ReadAuthentication(payload)
	if isACR(c.ACR) {
		a.ACR = c.ACR
	}
	if len(strings.Join(c.AMR, " ")) <= MaxAuthentication && !slices.ContainsFunc(c.AMR, func(method string) bool { return !isACR(method) }) {
		a.AMR = c.AMR
	}
	if c.Time >= 1 && c.Time <= 1<<32-1 {
		a.Time = time.Unix(int64(c.Time), 0)
	}
	return a
}

// isACR reports whether a value can stand among others with spaces between them.
func isACR(value string) bool {
	return value != "" && len(value) <= MaxAuthentication && syntax.VSChar.Holds(value) && !strings.Contains(value, " ")
}

// IsZero reports that nothing is known.
func (a *Authentication) IsZero() bool { return a.ACR == "" && len(a.AMR) == 0 && a.Time.IsZero() }

// Write writes auth_time, acr, and amr with spaces.
func (a *Authentication) Write(w *seal.Writer) {
	w.Time(a.Time)
	w.Text(a.ACR)
	w.Text(strings.Join(a.AMR, " "))
}

// OpenAuthentication reads what Write has written.
func OpenAuthentication(r *seal.Reader) (a Authentication) {
	a.Time, a.ACR = r.Time(), r.Text()
	if methods := r.Text(); methods != "" {
		a.AMR = strings.Split(methods, " ")
	}
	return a
}
