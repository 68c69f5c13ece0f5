package idp

import "github.com/identity-gateway/caddy-identity-gateway/idp/body"

// userInfo asks the IdP about the user of an access token (OpenID Connect Core 1.0
// section 5.3).
func (f *flow) userInfo() (Response, error) {
	request, err := f.policy.parseUserInfo(f.r.URL.RawQuery, f.r.Header, !body.IsEmpty(f.r.Request))
	if err != nil {
		return Response{}, err
	}
	f.traceToken(request.Token)
	if err := f.policy.reachable(UserInfo); err != nil {
		return Response{}, err
	}
	c := f.newCall(UserInfo)
	c.header.Set("Authorization", request.authorization())
	response, _, err := f.send(c)
	if err != nil {
		return Response{}, err
	}
	if err := checkUserInfoResponse(response); err != nil {
		return Response{}, err
	}
	filterBackResponse(response.Header)
	return response, nil
}
