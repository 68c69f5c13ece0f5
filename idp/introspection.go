package idp

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// introspect tells a resource server about an access token of the gateway's own (RFC 7662).
// Of one that is not good, or for another resource, it says nothing but that (section
// 2.2).
func (f *flow) introspect() (Response, error) {
	form, err := f.readForm("introspection", "RFC 7662 section 2.1")
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseIntrospection(&form, f.r.Header)
	f.result.Decision.ClientID = request.ClientID
	if err != nil {
		return Response{}, err
	}
	response := Response{http.StatusOK, http.Header{"Content-Type": {"application/json"}, "X-Content-Type-Options": {"nosniff"}}, []byte(`{"active":false}`)}
	setNoStore(response.Header)
	token, err := gatewaytoken.Open(f.r.Context(), f.gateway.parts.Keys, f.policy.public.url, request.Token, f.gateway.parts.Now())
	switch {
	case err != nil && oauth.AsError(err).Code != oauth.InvalidToken:
		return Response{}, err
	case err != nil || token.Resource != request.resource.key:
		return response, nil
	}
	f.result.Decision.LoginID = token.LoginID
	switch err := f.checkLogin(token); {
	case err != nil && oauth.AsError(err).Code == oauth.InvalidGrant:
		return response, nil // the login was revoked, or has ended
	case err != nil:
		return Response{}, f.noteRefresh(err)
	}
	response.Body = append([]byte(`{"active":true,"token_type":"`+token.Type()+`",`), token.Claims()[1:]...)
	return response, nil
}

// checkLogin rejects an access token whose login has ended, here or at the IdP.
func (f *flow) checkLogin(token *gatewaytoken.Token) error {
	families, of := f.gateway.families, token.Session
	if families == nil {
		return nil
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
	return f.checkSession(of)
}

// IntrospectionConfig is the credential of a resource server that asks about access tokens,
// by `client_secret_basic` (RFC 7662 section 2.1).
type IntrospectionConfig struct {
	// The id, another one for each resource. Required.
	ClientID string `json:"client_id"`
	// The secret, of at least 32 characters at random, because anybody can try: one that can
	// be guessed is refused. Placeholders such as `{env.INTROSPECTION_SECRET}` are resolved
	// when the configuration is loaded. Required.
	ClientSecret string `json:"client_secret"`
}

// introspection is a compiled IntrospectionConfig.
type introspection struct {
	clientID string
	secret   [sha256.Size]byte // its digest
}

func newIntrospection(c IntrospectionConfig) (*introspection, error) {
	switch {
	case c.ClientID == "" || !syntax.VSChar.Holds(c.ClientID):
		return nil, errors.New("introspection: the client id must be printable ASCII")
	case !syntax.VSChar.Holds(c.ClientSecret):
		return nil, errors.New("introspection: the secret must be printable ASCII (make one with: openssl rand -hex 32)")
	}
	if err := seal.CheckSecret([]byte(c.ClientSecret)); err != nil {
		return nil, fmt.Errorf("introspection: the secret %w (make one with: openssl rand -hex 32)", err)
	}
	return &introspection{c.ClientID, sha256.Sum256([]byte(c.ClientSecret))}, nil
}

// hasSecret compares a secret as it was sent: encoded as RFC 6749 section 2.3.1 has it, or not,
// as some libraries send it. There is one that it can be, whichever way it is read.
func (i *introspection) hasSecret(sent string) bool {
	encoded, plain := sha256.Sum256([]byte(formDecoded(sent))), sha256.Sum256([]byte(sent))
	return subtle.ConstantTimeCompare(i.secret[:], encoded[:])|subtle.ConstantTimeCompare(i.secret[:], plain[:]) == 1
}

// introspectionRequest is a checked request to the introspection endpoint.
type introspectionRequest struct {
	// ClientID is the resource server's, resource what it may ask about.
	ClientID string
	resource *resource
	Token    string
}

// parseIntrospection checks the form of a request to the introspection endpoint (RFC 7662
// section 2.1). token_type_hint, which may be anything, is not needed.
func (p *Policy) parseIntrospection(f *params.Values, header http.Header) (introspectionRequest, error) {
	var r introspectionRequest
	id, secret, _ := basicCredentials(header["Authorization"])
	for _, known := range p.registry.resources {
		if known.introspection != nil && known.introspection.clientID == id && known.introspection.hasSecret(secret) {
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
		return r, missing("token", "RFC 7662 section 2.1")
	}
	return r, nil
}
