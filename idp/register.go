package idp

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// register registers a client that the gateway has never seen (RFC 7591 section 3). It
// remembers nothing of it.
func (f *flow) register() (Response, error) {
	form, err := f.readBodyWithin(clients.MaxRegistration)
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.registry.Dynamic.ParseRegistration(f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	s, err := f.sealing()
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
		GrantTypes: grantTypes(), ResponseTypes: []string{"code"}, AuthMethod: AuthNone,
		DPoPBound: r.DPoPBound || p.registry.Dynamic.Template.DPoP == oauth.Required,
	})
	if err != nil {
		return Response{}, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	setNoStore(header)
	return Response{Status: http.StatusCreated, Header: header, Body: append(b, '\n')}, nil
}
