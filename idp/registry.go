package idp

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// registryConfig is what a [registry] is made from.
type registryConfig struct {
	Clients   []ClientConfig
	Dynamic   *DynamicClientsConfig
	Resources []ResourceConfig
	// DefaultAudience is what a client gets that asks for none, PublicURL the gateway's issuer.
	DefaultAudience, PublicURL string
}

// registry is who may use the gateway, and what for. It is immutable.
type registry struct {
	clients         map[string]*client // nil: any
	dynamic         *dynamicClients    // nil: none
	resources       []*resource
	defaultAudience string
	publicURL       string
	returnTo        []string
	// origins are those of all clients.
	origins cors.Origins
	// dpop: some client's tokens may be bound to its key; remembers: some client's assertions
	// are used once; bindsCertificates: some client's tokens are bound to its certificate.
	dpop, remembers, bindsCertificates bool
	// consents: some client's users approve its logins here; takesPushed: some client pushes
	// its requests; introspects: some resource server asks about tokens.
	consents, takesPushed, introspects bool
}

// newRegistry compiles a configuration. Errors name the field and what to write.
func newRegistry(c registryConfig) (*registry, error) {
	r := &registry{defaultAudience: c.DefaultAudience, publicURL: c.PublicURL}
	for _, add := range [...]func(registryConfig) error{r.addResources, r.addClients, r.addDynamicClients} {
		if err := add(c); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addClients reads the clients.
func (r *registry) addClients(c registryConfig) error {
	for _, config := range c.Clients {
		compiled, err := newClient(config)
		if err != nil {
			return err
		}
		if err := r.bindClient(compiled, config); err != nil {
			return err
		}
		if err := cmp.Or(config.Push.Check("par"), r.addDPoP(config.DPoP)); err != nil {
			return fmt.Errorf("client %s: %w", config.ID, err)
		}
		if r.clients == nil {
			r.clients = make(map[string]*client, len(c.Clients))
		}
		if r.clients[config.ID] != nil {
			return fmt.Errorf("client %s is registered twice; put everything in one block", config.ID)
		}
		if compiled.allowsAudience(r.defaultAudience) != nil {
			return fmt.Errorf("client %s: default_audience %s, which it gets if it asks for none, is not one of its audiences; add it there",
				config.ID, r.defaultAudience)
		}
		r.clients[config.ID] = compiled
		r.returnTo = append(r.returnTo, config.ReturnTo...)
		r.origins = r.origins.Union(compiled.origins)
		r.consents = r.consents || config.Consent
		r.takesPushed = r.takesPushed || config.Push != oauth.Off
		r.remembers = r.remembers || compiled.keys != nil
		r.bindsCertificates = r.bindsCertificates || compiled.certificateBound
	}
	for _, shared := range r.SharedRegistrations() {
		for _, id := range shared.ClientIDs {
			c := r.clients[id]
			c.noIDTokens = id != shared.IdPClient
		}
	}
	return nil
}

// bindClient has the resources bound a client.
func (r *registry) bindClient(c *client, config ClientConfig) error {
	c.bounded = c.bounded || len(r.resources) > 0
	switch {
	case c.keys != nil && r.publicURL == "":
		return fmt.Errorf("client %s: private_key_jwt needs public_url: it is what the client's assertions are for", config.ID)
	case len(config.Parameters) > 0 && !c.bounded:
		return fmt.Errorf("client %s: parameter needs audience or scope, or a resource: without them all parameters are sent on", config.ID)
	case len(r.resources) > 0 && r.defaultResource(c) == nil:
		return fmt.Errorf("client %s: none of its audiences is a resource of this gateway; add one, or leave out audience", config.ID)
	}
	return nil
}

// addDynamicClients reads the clients that say themselves what they are.
func (r *registry) addDynamicClients(config registryConfig) error {
	c := config.Dynamic
	switch {
	case c == nil:
		return nil
	case c.MetadataDocuments == nil && c.Registration == nil:
		return errors.New("dynamic_clients needs metadata_documents, registration, or both: the ways in which clients become known")
	case r.publicURL == "":
		return errors.New("dynamic_clients needs public_url: clients find the gateway by its metadata")
	case len(r.resources) == 0:
		return errors.New("dynamic_clients needs a resource: its scopes are all that clients may ask for that nobody knows")
	}
	if c.IdPClient.ID == "" {
		return errors.New("dynamic_clients needs idp_client: what the gateway itself is at the identity provider, for all of them")
	}
	d := &dynamicClients{documents: c.MetadataDocuments != nil}
	if err := d.readWays(c); err != nil {
		return fmt.Errorf("dynamic_clients: %w", err)
	}
	var err error
	if d.allowed, err = uris.ParseAllowed(c.Allow); err != nil {
		return fmt.Errorf("dynamic_clients: %w", err)
	}
	credentials, err := newCredentials(c.IdPClient)
	if err != nil {
		return fmt.Errorf("dynamic_clients: %w", err)
	}
	anyOrigin, _ := cors.ParseOrigins([]string{cors.Any})
	d.template = &client{
		auth: []string{AuthNone}, credentials: credentials, consent: true, bounded: true, noIDTokens: true, origins: anyOrigin, dpop: c.DPoP,
	}
	if err := r.addDPoP(c.DPoP); err != nil {
		return fmt.Errorf("dynamic_clients: %w", err)
	}
	d.terms = fmt.Sprintf("%q %+v %+v %q%s", slices.Sorted(slices.Values(c.Allow)), c.MetadataDocuments, c.Registration != nil, credentials.clientID, c.DPoP)
	r.dynamic, r.consents = d, true
	r.origins = r.origins.Union(anyOrigin)
	if r.clients == nil {
		r.clients = make(map[string]*client) // not any client, but these
	}
	return nil
}

// addDPoP checks what a client has of DPoP.
func (r *registry) addDPoP(mode oauth.Mode) error {
	if mode != oauth.Off && r.publicURL == "" {
		return errors.New("dpop needs public_url: proofs are made for the gateway's address as clients know it, which must not follow from the request")
	}
	r.dpop = r.dpop || mode != oauth.Off
	return mode.Check("dpop")
}

// ids are those of the clients in the configuration, sorted.
func (r *registry) ids() []string { return slices.Sorted(maps.Keys(r.clients)) }

// takesAny reports whether any client may use the gateway, because none is registered.
func (r *registry) takesAny() bool { return r.clients == nil }

// isEmpty reports whether no client is known, and none can become known.
func (r *registry) isEmpty() bool { return len(r.clients) == 0 && r.dynamic == nil }

// all are the clients, in the order of their ids, and what those have in common that no
// configuration names.
func (r *registry) all() []party {
	var all []party
	for _, id := range r.ids() {
		all = append(all, r.find(id))
	}
	if r.dynamic != nil {
		all = append(all, party{client: r.dynamic.template})
	}
	return all
}

// find is the client with an id, or with a reference, of those in the configuration.
func (r *registry) find(id string) party {
	return party{ClientID: id, client: r.clients[id], reference: id}
}

// mayUse reports whether a client may use the gateway: any may if none are registered.
func (r *registry) mayUse(y party) bool { return y.client != nil || r.clients == nil }

// unregistered describes a client that is not in the configuration.
const unregistered = "this client_id is not registered at the gateway; its operator can add a client block for it"

// KeepsSecrets reports whether the gateway is a confidential client at the IdP for
// every client that it knows, so that only the gateway can redeem their codes.
func (r *registry) KeepsSecrets() bool {
	for _, c := range r.clients {
		if c.credentials == nil {
			return false
		}
	}
	return len(r.clients) > 0 || r.dynamic != nil
}

// ShowsCertificate reports whether the gateway authenticates at the IdP by the certificate of
// its connection (RFC 8705 section 2).
func (r *registry) ShowsCertificate() bool {
	shows := func(c *client) bool { return c.credentials != nil && c.credentials.method == AuthTLS }
	for _, c := range r.clients {
		if shows(c) {
			return true
		}
	}
	return r.dynamic != nil && shows(r.dynamic.template)
}

// SharedRegistration is several clients that are one at the IdP.
type SharedRegistration struct {
	IdPClient string
	ClientIDs []string // sorted
}

// SharedRegistrations are the clients that are one trust domain: the IdP's consent,
// access tokens and ID tokens of one are those of the others.
func (r *registry) SharedRegistrations() []SharedRegistration {
	byIdPClient := make(map[string][]string)
	for id, c := range r.clients {
		byIdPClient[c.idpID(id)] = append(byIdPClient[c.idpID(id)], id)
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
func (r *registry) WithoutConsent(s SharedRegistration) []string {
	return slices.DeleteFunc(slices.Clone(s.ClientIDs), func(id string) bool { return r.clients[id].consent })
}

// ofClients is what any of the registered clients has, sorted; the fallback if none are registered.
func (r *registry) ofClients(of func(*client) []string, fallback ...string) []string {
	if r.clients == nil {
		return fallback
	}
	var all []string
	for _, c := range r.clients {
		all = append(all, of(c)...)
	}
	if r.dynamic != nil {
		all = append(all, of(r.dynamic.template)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// allRequire reports what all registered clients require.
func (r *registry) allRequire(option func(*client) string) bool {
	modes := r.ofClients(func(c *client) []string { return []string{option(c)} })
	return len(modes) == 1 && modes[0] == string(oauth.Required)
}

// scopes are those that clients can ask for; nil if nobody says. supported are the IdP's, by its
// metadata.
func (r *registry) scopes(supported []string) []string {
	bounded := len(r.clients) > 0
	for _, c := range r.clients {
		if len(c.scopes) == 0 {
			bounded = false
		}
	}
	switch {
	case len(r.resources) > 0:
		var all []string
		for _, known := range r.resources {
			for _, scope := range known.scopes {
				all = append(all, scope.Name)
			}
			all = append(all, strings.Fields(known.defaultScope)...)
		}
		if r.dynamic != nil && slices.Contains(supported, "offline_access") {
			all = append(all, "offline_access") // by which clients know to ask for a refresh token (MCP 2026-07-28, Refresh Tokens)
		}
		slices.Sort(all)
		return slices.Compact(all)
	case bounded:
		return r.ofClients(func(c *client) []string { return c.scopes })
	}
	return slices.Clone(supported)
}
