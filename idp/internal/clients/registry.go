package clients

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Config is what a [Registry] is made from.
type Config struct {
	Clients   []ClientConfig
	Dynamic   *DynamicClientsConfig
	Resources []ResourceConfig
	// DefaultAudience is what a client gets that asks for none, PublicURL the gateway's issuer.
	DefaultAudience, PublicURL string
}

// Registry is who may use the gateway, and what for. It is immutable.
type Registry struct {
	Clients         map[string]*Client // nil: any
	Dynamic         *dynamicClients    // nil: none
	Resources       []*Resource
	DefaultAudience string
	publicURL       string
	ReturnTo        []string
	// Origins are those of all clients.
	Origins cors.Origins
	// DPoP: some client's tokens may be bound to its key; Remembers: some client's assertions
	// are used once; BindsCertificates: some client's tokens are bound to its certificate.
	DPoP, Remembers, BindsCertificates bool
	// Consents: some client's users approve its logins here; TakesPushed: some client pushes
	// its requests; Introspects: some resource server asks about tokens.
	Consents, TakesPushed, Introspects bool
}

// New compiles a configuration. Errors name the field and what to write.
func New(c Config) (*Registry, error) {
	r := &Registry{DefaultAudience: c.DefaultAudience, publicURL: c.PublicURL}
	for _, add := range [...]func(Config) error{r.addResources, r.addClients, r.addDynamicClients} {
		if err := add(c); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Registry) addClients(c Config) error {
	for _, config := range c.Clients {
		if config.ID == "" || !syntax.VSChar.Holds(config.ID) {
			return errors.New("client: the id must be printable ASCII")
		}
		if r.Clients[config.ID] != nil {
			return fmt.Errorf("client %s is registered twice; put everything in one block", config.ID)
		}
		if err := r.addClient(config); err != nil {
			return fmt.Errorf("client %s: %w", config.ID, err)
		}
	}
	for _, shared := range r.SharedRegistrations() {
		for _, id := range shared.ClientIDs {
			c := r.Clients[id]
			c.NoIDTokens = id != shared.IdPClient
		}
	}
	return nil
}

func (r *Registry) addClient(config ClientConfig) error {
	c, err := newClient(config)
	if err != nil {
		return err
	}
	if err := cmp.Or(r.bindClient(c), c.Push.Check("par"), c.PKCE.Check("pkce"), r.addDPoP(c.DPoP), r.checkExchanges(c)); err != nil {
		return err
	}
	if c.allowsAudience(r.DefaultAudience) != nil {
		return fmt.Errorf("authorize_parameter audience %s, which it gets if it asks for none, is not one of its audiences; add it there", r.DefaultAudience)
	}
	if r.Clients == nil {
		r.Clients = make(map[string]*Client)
	}
	r.Clients[c.ID] = c
	r.ReturnTo = append(r.ReturnTo, c.ReturnTo...)
	r.Origins = r.Origins.Union(c.Origins)
	r.Consents = r.Consents || c.Consent
	r.TakesPushed = r.TakesPushed || c.Push != oauth.Off
	r.Remembers = r.Remembers || c.Keys != nil
	r.BindsCertificates = r.BindsCertificates || c.CertificateBound
	return nil
}

// bindClient has the resources bound a client.
func (r *Registry) bindClient(c *Client) error {
	c.bounded = c.bounded || len(r.Resources) > 0
	switch {
	case c.Keys != nil && r.publicURL == "":
		return errors.New("private_key_jwt needs public_url: it is what the client's assertions are for")
	case len(c.Parameters) > 0 && !c.bounded:
		return errors.New("parameter needs audience or scope, or a resource: without them all parameters are sent on")
	case c.ClientCredentials && !slices.ContainsFunc(r.Resources, func(known *Resource) bool { return known.HasOwnTokens() && !known.HasJWTs() && c.AllowsResource(known) }):
		return errors.New("client_credentials needs a resource with tokens of the gateway's own")
	case len(r.Resources) > 0 && r.DefaultResource(c) == nil:
		return errors.New("none of its audiences is a resource of this gateway; add one, or leave out audience")
	}
	return nil
}

func (r *Registry) addDynamicClients(config Config) error {
	c := config.Dynamic
	switch {
	case c == nil:
		return nil
	case c.MetadataDocuments == nil && c.Registration == nil:
		return errors.New("dynamic_clients needs metadata_documents, registration, or both: the ways in which clients become known")
	case r.publicURL == "":
		return errors.New("dynamic_clients needs public_url: clients find the gateway by its metadata")
	case len(r.Resources) == 0:
		return errors.New("dynamic_clients needs a resource: clients that nobody configured may ask for its scopes only")
	case c.IdPClient.ID == "":
		return errors.New("dynamic_clients needs idp_client: what the gateway itself is at the identity provider, for all of them")
	}
	d := &dynamicClients{Documents: c.MetadataDocuments != nil}
	err := d.readWays(c)
	if err == nil {
		d.Allowed, err = uris.ParseAllowed(c.Allow)
	}
	var credentials *Credentials
	if err == nil {
		credentials, err = newCredentials(c.IdPClient)
	}
	if err == nil {
		err = r.addDPoP(c.DPoP)
	}
	if err != nil {
		return fmt.Errorf("dynamic_clients: %w", err)
	}
	anyOrigin, _ := cors.ParseOrigins([]string{cors.Any})
	d.Template = &Client{
		ClientConfig: ClientConfig{Consent: true, DPoP: c.DPoP},
		Auth:         []string{AuthNone}, Credentials: credentials, bounded: true, NoIDTokens: true, Origins: anyOrigin,
	}
	d.Terms = fmt.Sprintf("%q %+v %+v %q%s", slices.Sorted(slices.Values(c.Allow)), c.MetadataDocuments, c.Registration != nil, credentials.ClientID, c.DPoP)
	r.Dynamic, r.Consents = d, true
	r.Origins = r.Origins.Union(anyOrigin)
	if r.Clients == nil {
		r.Clients = make(map[string]*Client) // not any client, but these
	}
	return nil
}

func (r *Registry) addDPoP(mode oauth.Mode) error {
	if mode != oauth.Off && r.publicURL == "" {
		return errors.New("dpop needs public_url: proofs are made for the gateway's address as clients know it, which must not follow from the request")
	}
	r.DPoP = r.DPoP || mode != oauth.Off
	return mode.Check("dpop")
}

func (r *Registry) ids() []string { return slices.Sorted(maps.Keys(r.Clients)) }

// TakesAny reports whether any client may use the gateway, because none is registered.
func (r *Registry) TakesAny() bool { return r.Clients == nil }

// IsEmpty reports whether no client is known, and none can become known.
func (r *Registry) IsEmpty() bool { return len(r.Clients) == 0 && r.Dynamic == nil }

// All are the clients, in the order of their ids, and what those have in common that no
// configuration names.
func (r *Registry) All() []Party {
	var all []Party
	for _, id := range r.ids() {
		all = append(all, r.Find(id))
	}
	if r.Dynamic != nil {
		all = append(all, Party{Client: r.Dynamic.Template})
	}
	return all
}

// Find is the client with an id, or with a reference, of those in the configuration.
func (r *Registry) Find(id string) Party {
	return Party{ClientID: id, Client: r.Clients[id], Reference: id}
}

// MayUse reports whether a client may use the gateway: any may if none are registered.
func (r *Registry) MayUse(y Party) bool { return y.Client != nil || r.Clients == nil }

// Unregistered describes a client that is not in the configuration.
const Unregistered = "this client_id is not registered at the gateway; its operator can add a client block for it"

// KeepsSecrets reports whether the gateway is a confidential client at the IdP for
// every client that it knows, so that only the gateway can redeem their codes.
func (r *Registry) KeepsSecrets() bool {
	for _, c := range r.Clients {
		if c.Credentials == nil && c.LogsUsersIn() {
			return false
		}
	}
	return len(r.Clients) > 0 || r.Dynamic != nil
}

// ShowsCertificate reports whether the gateway authenticates at the IdP by the certificate of
// its connection (RFC 8705 section 2).
func (r *Registry) ShowsCertificate() bool {
	shows := func(c *Client) bool { return c.Credentials != nil && c.Credentials.Method == AuthTLS }
	for _, c := range r.Clients {
		if shows(c) {
			return true
		}
	}
	return r.Dynamic != nil && shows(r.Dynamic.Template)
}

// SharedRegistration is several clients that are one at the IdP.
type SharedRegistration struct {
	IdPClient string
	ClientIDs []string // sorted
}

// SharedRegistrations are the clients that are one trust domain: the IdP's consent,
// access tokens and ID tokens of one are those of the others.
func (r *Registry) SharedRegistrations() []SharedRegistration {
	byIdPClient := make(map[string][]string)
	for id, c := range r.Clients {
		if !c.LogsUsersIn() {
			continue
		}
		byIdPClient[c.IDAtIdP(id)] = append(byIdPClient[c.IDAtIdP(id)], id)
	}
	var shared []SharedRegistration
	for _, idpClient := range slices.Sorted(maps.Keys(byIdPClient)) {
		if ids := byIdPClient[idpClient]; len(ids) > 1 {
			slices.Sort(ids)
			shared = append(shared, SharedRegistration{idpClient, ids})
		}
	}
	return shared
}

// WithoutConsent are the clients of a shared registration whose users are asked
// nothing here.
func (r *Registry) WithoutConsent(s SharedRegistration) []string {
	return slices.DeleteFunc(slices.Clone(s.ClientIDs), func(id string) bool { return r.Clients[id].Consent })
}

// OfClients is what any of the registered clients has, sorted; the fallback if none are registered.
func (r *Registry) OfClients(of func(*Client) []string, fallback ...string) []string {
	if r.Clients == nil {
		return fallback
	}
	var all []string
	for _, c := range r.Clients {
		all = append(all, of(c)...)
	}
	if r.Dynamic != nil {
		all = append(all, of(r.Dynamic.Template)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// AllRequire reports what all registered clients require.
func (r *Registry) AllRequire(option func(*Client) string) bool {
	modes := r.OfClients(func(c *Client) []string { return []string{option(c)} })
	return len(modes) == 1 && modes[0] == string(oauth.Required)
}

// Scopes are those that clients can ask for; nil if nobody says. supported are the IdP's, by its
// metadata.
func (r *Registry) Scopes(supported []string) []string {
	bounded := len(r.Clients) > 0
	for _, c := range r.Clients {
		if len(c.Scopes) == 0 {
			bounded = false
		}
	}
	switch {
	case len(r.Resources) > 0:
		var all []string
		for _, known := range r.Resources {
			for _, scope := range known.scopes {
				all = append(all, scope.Name)
			}
			all = append(all, strings.Fields(known.DefaultScope)...)
		}
		if r.Dynamic != nil && slices.Contains(supported, "offline_access") {
			all = append(all, "offline_access") // by which clients know to ask for a refresh token (MCP 2026-07-28, Refresh Tokens)
		}
		slices.Sort(all)
		return slices.Compact(all)
	case bounded:
		return r.OfClients(func(c *Client) []string { return c.Scopes })
	}
	return slices.Clone(supported)
}
