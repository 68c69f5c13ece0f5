package idp

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// introspect tells a resource server about an access token of the gateway's own (RFC 7662).
// Of one that is not good, or for another resource, it says nothing but that (section
// 2.2).
func (f *flow) introspect() (Response, error) {
	form, err := f.readBody()
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseIntrospection(f.r.URL.RawQuery, f.r.Header, form)
	f.result.Decision.ClientID = request.ClientID
	if err != nil {
		return Response{}, err
	}
	response := Response{http.StatusOK, http.Header{"Content-Type": {"application/json"}, "X-Content-Type-Options": {"nosniff"}}, []byte(`{"active":false}`)}
	setNoStore(response.Header)
	token, err := OpenAccessToken(f.r.Context(), f.gateway.parts.Keys, f.policy.public.url, request.Token, f.gateway.parts.Now())
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
func (f *flow) checkLogin(token *AccessToken) error {
	families, of := f.gateway.families, token.session
	if families == nil {
		return nil
	}
	if token.family != nil {
		known, err := open(f, func(s sealer) (*rotation.Known, error) {
			known, err := families.Find(f.r.Context(), s.Keys, *token.family)
			return known, refreshError(err)
		})
		if err != nil {
			return err
		}
		of = known.Session
	}
	return f.checkSession(of)
}
