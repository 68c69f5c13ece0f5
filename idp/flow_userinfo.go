package idp

import "github.com/identity-gateway/caddy-identity-gateway/idp/body"

// userInfo asks the IdP about the user of an access token (OpenID Connect Core 1.0
// section 5.3).
func (f *flow) userInfo() (Response, error) {
	request, err := f.policy.ParseUserInfo(f.r.URL.RawQuery, f.r.Header, !body.IsEmpty(f.r.Request))
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.Reachable(UserInfo); err != nil {
		return Response{}, err
	}
	c := f.newCall(UserInfo)
	c.header.Set("Authorization", request.Authorization())
	response, _, err := f.send(c)
	if err != nil {
		return Response{}, err
	}
	if err := CheckUserInfoResponse(response); err != nil {
		return Response{}, err
	}
	FilterBackResponse(response.Header)
	return response, nil
}
