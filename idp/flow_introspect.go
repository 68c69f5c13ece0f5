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
	switch err := f.checkLogin(token); {
	case err != nil && AsError(err).Code == InvalidGrant:
		return response, nil // the login was revoked, or has ended
	case err != nil:
		return Response{}, f.noteRefresh(err)
	}
	response.Body = append([]byte(`{"active":true,"token_type":"`+token.Type()+`",`), token.Claims()[1:]...)
	return response, nil
}

// checkLogin rejects an access token whose login has ended, here or at the IdP.
func (f *flow) checkLogin(token *AccessToken) error {
	store, of := f.gateway.states, token.session
	if store == nil {
		return nil
	}
	if token.family != nil {
		value, _, err := store.Load(f.r.Context(), f.policy.familyKey(*token.family))
		switch {
		case err != nil:
			return storeFailed(err)
		case value == nil:
			return familyOver(nil)
		case !f.policy.backchannelLogout:
			return nil
		}
		state, err := open(f, func(s sealer) (familyState, error) { return f.policy.openFamily(s.Keys, *token.family, value) })
		if err != nil {
			return err
		}
		of = state.session
	}
	return f.policy.checkSession(f.r.Context(), store, &of)
}
