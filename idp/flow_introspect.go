package idp

import (
	"net/http"
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
	case err != nil && AsError(err).Code != InvalidToken:
		return Response{}, err
	case err != nil || token.Resource != request.resource.key:
		return response, nil
	}
	f.result.Decision.LoginID = token.LoginID
	if token.family != nil && f.gateway.states != nil {
		value, _, err := f.gateway.states.Load(f.r.Context(), f.policy.familyKey(*token.family))
		if err != nil {
			return Response{}, f.noteRefresh(storeFailed(err))
		}
		if value == nil {
			return response, nil // the login was revoked, or has ended
		}
	}
	response.Body = append([]byte(`{"active":true,"token_type":"`+token.Type()+`",`), token.Claims()[1:]...)
	return response, nil
}
