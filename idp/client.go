package idp

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// find is the client that a request names by client_id, and is called once for it. One that
// the configuration does not name may say itself what it is.
func (f *flow) find(id string) (clients.Party, error) {
	p, y := f.policy, f.policy.registry.Find(id)
	if y.Client != nil || p.registry.Dynamic == nil || id == "" || !syntax.VSChar.Holds(id) {
		return y, nil
	}
	var c *clients.Client
	var err error
	switch {
	case strings.HasPrefix(id, "https://") && p.registry.Dynamic.Documents:
		c, err = f.documented(id)
	case p.served[Register]:
		c, err = open(f, func(s sealer) (*clients.Client, error) { return p.openClientID(s, id, f.endpoint) })
	default:
		return y, nil
	}
	if err != nil {
		e := oauth.AsError(err)
		if e.Code == oauth.InvalidClient && (f.endpoint == Token || f.endpoint == Revoke) {
			e.Status = http.StatusUnauthorized // RFC 6749 section 5.2
		}
		return clients.Party{}, e
	}
	return clients.DynamicParty(id, c), nil
}

// unavailableDocument is the one answer wherever there is no document of an id, so that
// nobody learns here which names there are on this network, and what answers at them. It says
// what the developer of a client has to see to; the log says what it was.
const unavailableDocument = "the client's metadata document can't be fetched at the moment: the URL that is the client_id must be at a public address, and answer " +
	"within 5 seconds, without a redirect, with 200 and an application/json object whose client_id is that URL, character by character; the gateway's log says what it did"

// documented is the client that is described at its id.
func (f *flow) documented(id string) (*clients.Client, error) {
	const source = "draft-ietf-oauth-client-id-metadata-document section 4"
	if u, err := clientmetadata.ParseID(id); err == nil && uris.SameOrigin(u, f.policy.public.origin) {
		return nil, oauth.Reject(oauth.InvalidClient, source, "client_id is an address on the origin of this gateway, which is not a client")
	}
	document, err := f.gateway.parts.Documents.Get(f.r.Context(), id)
	if errors.Is(err, clientmetadata.ErrUnavailable) {
		e := oauth.Unavailable(unavailableDocument, "30")
		e.Cause = err
		return nil, e
	}
	if err != nil {
		e := oauth.Reject(oauth.InvalidClient, source, "client_id: "+err.Error())
		e.Cause = err
		return nil, e
	}
	return f.policy.registry.Dynamic.Described(document)
}

// noteClient notes the client, whose scripts alone may read what follows if it is known.
func (f *flow) noteClient(y clients.Party) {
	f.result.Decision.ClientID = y.LogName()
	if y.Client != nil {
		f.allowOrigins(y.Client.Origins)
	}
}

// authenticateClient checks the authentication of a client that has credentials here. The IdP
// gets the gateway's own in their place.
func (f *flow) authenticateClient(r *clients.Auth) error {
	once, err := r.Check(f.r.Context(), f.policy.public.url, f.r.Certificate, f.gateway.parts.Now())
	if err != nil || once == (replay.Key{}) {
		return err
	}
	return f.useOnce(once, clients.AssertionMemory, r.ClientID, "assertions", "client_assertion",
		r.Reject("client_assertion was used before; make another one, with another jti, for each request"))
}

// useOnce claims what a client that has authenticated can make any number of; many and one
// name it in errors, used is the error if it was claimed before. Each kind is counted by
// itself: what users do with pushed requests must not use up the client's assertions.
func (f *flow) useOnce(key replay.Key, ttl time.Duration, clientID, many, one string, used error) error {
	holder := sha256.Sum256([]byte(many + "\x00" + clientID))
	switch err := f.gateway.assertions.Claim(f.r.Context(), key, ttl, holder); {
	case err == nil:
		return nil
	case errors.Is(err, replay.ErrClaimed):
		return used
	case errors.Is(err, replay.ErrFull):
		return oauth.Unavailable("too many "+many+", or logins, at the moment; try again later", "60")
	default:
		f.note(ClaimFailed, err)
		return oauth.Unavailable("the gateway can't tell at the moment whether this "+one+" was used before; try again", "5")
	}
}

// openClientID is the client that an id was given to, with those of its redirect URIs
// that are allowed now. At the token and revocation endpoints its time must not be
// over, because the error there has clients register anew; people can do nothing about
// it. [seal.ErrUnknownKey] is in the chain of an error that newer keys may resolve.
func (p *Policy) openClientID(s sealer, id string, endpoint Endpoint) (*clients.Client, error) {
	registered, err := p.codec.OpenClientID(s.Keys, id)
	if err != nil {
		e := oauth.Reject(oauth.InvalidClient, "RFC 7591 section 3.2.1",
			"client_id was not registered at this gateway, or under another sealing_key, callback or public_url; register again")
		e.Cause = err
		return nil, e
	}
	d := p.registry.Dynamic
	return d.Registered(&registered, (endpoint == Token || endpoint == Revoke) && d.IsOver(&registered, s.Now))
}

// register registers a client that the gateway has never seen (RFC 7591 section 3). It
// remembers nothing of it.
func (f *flow) register() (Response, error) {
	form, err := params.ReadBody(f.r.Request, f.header, clients.MaxRegistration)
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.registry.Dynamic.ParseRegistration(f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	s, err := f.newSealer()
	if err != nil {
		return Response{}, err
	}
	return f.policy.registeredAs(s, request)
}

// registrationResponse is a registered client (RFC 7591 section 3.2.1).
type registrationResponse struct {
	ClientID      string   `json:"client_id"`
	IssuedAt      int64    `json:"client_id_issued_at"`
	Name          string   `json:"client_name,omitzero"`
	RedirectURIs  []string `json:"redirect_uris"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
	DPoPBound     bool     `json:"dpop_bound_access_tokens,omitzero"` // RFC 9449 section 5.2
}

// registeredAs is the response to a registration.
func (p *Policy) registeredAs(s sealer, r clients.RegistrationRequest) (Response, error) {
	b, err := json.Marshal(registrationResponse{
		ClientID: p.codec.SealClientID(s.Keys, &login.Registration{DPoPBound: r.DPoPBound, Issued: s.Now, Name: r.Name, RedirectURIs: r.RedirectURIs}), IssuedAt: s.Now.Unix(), Name: r.Name, RedirectURIs: r.RedirectURIs,
		GrantTypes: grants.OfLogins(), ResponseTypes: []string{"code"}, AuthMethod: AuthNone,
		DPoPBound: r.DPoPBound || p.registry.Dynamic.Template.DPoP == oauth.Required,
	})
	if err != nil {
		return Response{}, err
	}
	return Response{Status: http.StatusCreated, Header: header.Of("application/json"), Body: append(b, '\n')}, nil
}

// checkResources checks what [Config.Resources] go with.
func (p *Policy) checkResources(c Config) error {
	switch {
	case len(c.Resources) == 0:
		return nil
	case c.Callback == nil:
		return errors.New("resource needs callback: without it no code is bound to the resource that it is for")
	case len(c.Clients) == 0 && c.DynamicClients == nil:
		return errors.New("resource needs client blocks, or dynamic_clients: without them nobody says who may ask for it")
	case c.Parameters == ContractParameters:
		return errors.New("resource and parameters contract: clients name a resource instead of an audience; leave out parameters")
	case c.DefaultAudience != "":
		return errors.New("resource and authorize_parameter audience: each resource says which audience the identity provider is asked for; write idp audience " + c.DefaultAudience + " in its block")
	}
	p.oauth = true
	return nil
}

// compileRegistry reads the clients and the resources.
func (p *Policy) compileRegistry(c Config) (err error) {
	if p.registry, err = clients.New(clients.Config{Clients: c.Clients, Dynamic: c.DynamicClients, Resources: c.Resources, DefaultAudience: c.DefaultAudience, PublicURL: p.public.url}); err != nil {
		return err
	}
	p.served[ConsentForm], p.served[PushedRequest], p.served[Introspect] = p.registry.Consents, p.registry.TakesPushed, p.registry.Introspects
	p.served[Register] = p.registry.Dynamic != nil && p.registry.Dynamic.Lifetime > 0
	return nil
}
