// Package grants is which grants the token endpoint takes (RFC 6749 section 1.3), and from whom.
package grants

import (
	"errors"
	"fmt"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/trust"
)

// Type is a grant_type of the token endpoint.
type Type string

// The grants of logins (RFC 6749 sections 4.1.3 and 6), after RFC 9700 section 2.4.
const (
	Code    Type = "authorization_code"
	Refresh Type = "refresh_token"
)

// The direct grants: nobody logs in, the IdP is not asked, and there is no refresh token. They
// give access tokens of the gateway's own.
const (
	// Assertion takes an assertion of an issuer that is trusted (RFC 7523 section 2.1).
	Assertion Type = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	// Client is for clients that act for themselves (RFC 6749 section 4.4).
	Client Type = "client_credentials"
)

// profileIDJAG is a profile of [Assertion], in the metadata
// (draft-ietf-oauth-identity-assertion-authz-grant section 7.2).
const profileIDJAG = "urn:ietf:params:oauth:grant-profile:id-jag"

// IsDirect reports whether it is a direct grant.
func (t Type) IsDirect() bool { return t == Assertion || t == Client }

// OfLogins are the grant types of clients that log users in.
func OfLogins() []string { return []string{string(Code), string(Refresh)} }

// Grants are those that a gateway takes.
type Grants struct {
	// Trusted are the issuers whose assertions buy tokens, nil for none.
	Trusted *trust.Rules

	direct []Type
}

// New are the grants for clients and trusted issuers. Errors name a trusted issuer's client that
// can't use what it is for, and a client that can use no grant.
func New(trusted *trust.Rules, registry *clients.Registry) (*Grants, error) {
	g := &Grants{Trusted: trusted}
	if trusted != nil {
		if !slices.ContainsFunc(registry.Resources, (*clients.Resource).HasOwnTokens) {
			return nil, errors.New("trust needs a resource with tokens of the gateway's own, which its assertions buy")
		}
		g.direct = append(g.direct, Assertion)
	}
	if slices.ContainsFunc(registry.All(), func(y clients.Party) bool { return y.Client.ClientCredentials }) {
		g.direct = append(g.direct, Client)
	}
	return g, g.checkClients(registry)
}

func (g *Grants) checkClients(registry *clients.Registry) error {
	named := g.Trusted.Clients()
	for _, id := range named {
		if c := registry.Find(id).Client; !c.IsConfidential() {
			return fmt.Errorf("trust: client %s has no block in which it authenticates here: token_endpoint_auth with what it shows behind the method", id)
		}
	}
	for _, y := range registry.All() {
		if c := y.Client; !c.LogsUsersIn() && !c.ClientCredentials && !g.Trusted.ForAnyClient() && !slices.Contains(named, y.ClientID) && c.Credentials == nil {
			return fmt.Errorf("client %s: needs at least one redirect_uri, or client_credentials, or a trust that names it", y.ClientID)
		}
	}
	return nil
}

// TakesDirect reports whether a direct grant is of use to anybody.
func (g *Grants) TakesDirect(t Type) bool { return slices.Contains(g.direct, t) }

// ReadAssertion reads the assertion of a token request that has one, before it is known of whom it is:
// nil with any other grant.
func (g *Grants) ReadAssertion(form *params.Values) (*trust.Assertion, error) {
	if Type(form.Get("grant_type")) != Assertion || !g.TakesDirect(Assertion) {
		return nil, nil
	}
	return g.Trusted.Parse(form.Get("assertion"))
}

// Types are those that are taken, as in the metadata.
func (g *Grants) Types() []string {
	types := OfLogins()
	for _, t := range g.direct {
		types = append(types, string(t))
	}
	return types
}

// Profiles are those of the grants, as in the metadata.
func (g *Grants) Profiles() []string {
	if g.Trusted.IsFor(trust.IDJAG) {
		return []string{profileIDJAG}
	}
	return nil
}
