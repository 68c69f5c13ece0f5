package login

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The purposes of what a [Codec] seals.
const (
	purposeState        seal.Purpose = "state"
	purposeCode         seal.Purpose = "code"
	purposeRefreshToken seal.Purpose = "refresh token"
	purposeRequest      seal.Purpose = "pushed request"
	purposeConsent      seal.Purpose = "consent"
	purposeClientID     seal.Purpose = "client id"
)

// ErrUnknown is the error of sealed bytes that are no login, or none of a client, redirect URI
// and resource that are configured now.
var ErrUnknown = errors.New("not a login of a registered client")

// Site is what is sealed is bound to: the site that seals it, by its IdP, callback and public
// URL, its replay store, and the rules that codes are redeemed by. So a site with looser ones,
// or that remembers elsewhere what was redeemed, opens nothing of this one, though it has the
// same keys. Nothing in it comes from a request, which can name any host, or from metadata.
type Site struct {
	IdP, CallbackPath, PublicURL string
	// Issuer is what the configuration says of the IdP's.
	Issuer string
	// Replay names the replay store, Nonce is the rule for nonces.
	Replay, Nonce string
	// Rotates: each refresh replaces the refresh token. StepUp: ID tokens are held to what
	// their logins have asked for.
	Rotates, StepUp bool
}

// login binds what lasts for one login.
func (s *Site) login() string {
	return fmt.Sprintf("%q", []string{
		s.IdP, s.CallbackPath, s.PublicURL, s.Issuer, s.Replay, s.Nonce, strconv.FormatBool(s.Rotates), strconv.FormatBool(s.StepUp),
	})
}

// client binds the ids of clients, to the IdP and to the site, as far as its addresses are
// configured.
func (s *Site) client() string {
	return strings.Join([]string{s.IdP, s.CallbackPath, s.PublicURL}, "\x00")
}

// refresh binds refresh tokens besides to whether they rotate: otherwise the weakest of several
// sites that share a key would decide what a token is good for.
func (s *Site) refresh() string {
	if s.Rotates {
		return s.client() + "\x00rotates"
	}
	return s.client() + "\x00stays"
}

// Config is what a [Codec] is made from.
type Config struct {
	Site      Site
	Resources []Resource
	Clients   []Client
	// Dynamic are the terms of clients that the configuration does not name, nil if there are
	// none.
	Dynamic *Digest
	// AnyClient: no clients are registered, and any may log in.
	AnyClient bool
}

// Codec seals and opens what travels. It is immutable and safe for concurrent use.
type Codec struct {
	site, refresh, client string
	rotates, anyClient    bool

	resources []Resource
	dynamic   *Digest
	// registered and redirects are the redirect URIs of the clients, by digest and by client.
	registered map[Digest]*redirect
	redirects  map[string][]*redirect
}

// New is a codec. The error is that of two redirect URIs which can't be told apart.
func New(c Config) (*Codec, error) {
	codec := &Codec{
		site: c.Site.login(), refresh: c.Site.refresh(), client: c.Site.client(), rotates: c.Site.Rotates,
		anyClient: c.AnyClient, resources: c.Resources, dynamic: c.Dynamic,
		registered: make(map[Digest]*redirect), redirects: make(map[string][]*redirect),
	}
	for _, client := range c.Clients {
		if err := codec.register(client); err != nil {
			return nil, err
		}
	}
	return codec, nil
}

// RefreshContext is what refresh tokens are bound to.
func (c *Codec) RefreshContext() string { return c.refresh }
