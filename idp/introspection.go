package idp

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// introspect tells a resource server about an access token of the gateway's own (RFC 7662).
// Of one that is not good, or for another resource, it says nothing but that (section
// 2.2).
func (f *flow) introspect() (Response, error) {
	form, err := params.ReadForm(f.r.Request, f.header, "introspection", "RFC 7662 section 2.1")
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseIntrospection(&form, f.r.Header)
	f.result.Decision.ClientID = request.ClientID
	if err != nil {
		return Response{}, err
	}
	response := Response{Status: http.StatusOK, Header: header.Of("application/json"), Body: []byte(`{"active":false}`)}
	token, err := f.openAccessToken(f.policy.present(request.Token))
	switch {
	case err != nil && oauth.AsError(err).Code != oauth.InvalidToken:
		return Response{}, err
	case err != nil || token.Resource != request.resource.Key:
		return response, nil
	}
	f.result.Decision.LoginID = token.LoginID
	switch err := f.checkTokenLogin(token); {
	case err != nil && oauth.AsError(err).Code == oauth.InvalidGrant:
		return response, nil // the login was revoked, or has ended
	case err != nil:
		return Response{}, f.noteRefresh(err)
	}
	response.Body = append([]byte(`{"active":true,"token_type":"`+token.Type()+`",`), token.Claims()[1:]...)
	return response, nil
}

// introspectionRequest is a checked request to the introspection endpoint.
type introspectionRequest struct {
	// ClientID is the resource server's, resource what it may ask about.
	ClientID string
	resource *clients.Resource
	Token    string
}

// parseIntrospection checks the form of a request to the introspection endpoint (RFC 7662
// section 2.1). token_type_hint, which may be anything, is not needed.
func (p *Policy) parseIntrospection(f *params.Values, header http.Header) (introspectionRequest, error) {
	var r introspectionRequest
	id, secret, _ := clients.BasicCredentials(header["Authorization"])
	for _, known := range p.registry.Resources {
		if known.Introspection != nil && known.Introspection.ClientID == id && known.Introspection.HasSecret(secret) {
			r.ClientID, r.resource = id, known
		}
	}
	if r.resource == nil {
		e := oauth.Reject(oauth.InvalidClient, "RFC 7662 section 2.1",
			"the resource server must authenticate by client_secret_basic, with the id and secret of its option introspection")
		e.Status, e.Challenge = http.StatusUnauthorized, `Basic realm="introspection"`
		return r, e
	}
	if r.Token = f.Get("token"); r.Token == "" {
		return r, params.Missing("token", "RFC 7662 section 2.1")
	}
	return r, nil
}

// presented is what a client shows as a token, and what that says to be. The IdP gets nothing that
// says to be a gateway's.
type presented struct {
	text string
	form gatewaytoken.Form
}

func (p *Policy) present(token string) presented {
	issuer := ""
	if p.signs {
		issuer = p.public.url
	}
	return presented{token, gatewaytoken.FormOf(token, issuer)}
}

// openAccessToken opens an access token of the gateway's own: a sealed one, or a JWT that it has signed.
func (f *flow) openAccessToken(t presented) (*gatewaytoken.Token, error) {
	ctx, p, now := f.r.Context(), f.policy, f.gateway.parts.Now()
	if !p.signs || t.form != gatewaytoken.Signed {
		return gatewaytoken.Open(ctx, f.gateway.parts.Keys, p.public.url, t.text, now)
	}
	keys, err := f.signingKeys()
	if err != nil {
		return nil, err
	}
	claims, err := keys.VerifyAccessToken(t.text, now)
	if err != nil {
		return nil, bearer.BadToken("RFC 9068 section 4", "this is an ID token, which says itself who the user is, or this gateway has not signed it; send the access token")
	}
	return gatewaytoken.OpenJWT(ctx, f.gateway.parts.Keys, p.public.url, claims, now)
}

// checkTokenLogin rejects an access token whose login has ended, here or at the IdP.
func (f *flow) checkTokenLogin(token *gatewaytoken.Token) error {
	families, of := f.gateway.families, token.Session
	switch {
	case families == nil:
		return nil
	case families.Endings.Has(whoseToken(token), token.Issued):
		return refreshError(rotation.ErrLoggedOut)
	}
	if token.Family != nil {
		known, err := open(f, func(s sealer) (*rotation.Known, error) {
			known, err := families.Find(f.r.Context(), s.Keys, *token.Family)
			return known, refreshError(err)
		})
		if err != nil {
			return err
		}
		of = known.Session
	}
	return refreshError(families.CheckSession(f.r.Context(), of))
}

// whoseToken is the login of an access token of the gateway's own.
func whoseToken(t *gatewaytoken.Token) rotation.Whose {
	return rotation.Whose{Login: t.LoginID, User: t.Subject, Agent: clients.AgentName(t.ClientID)}
}
