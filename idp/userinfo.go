package idp

import (
	"cmp"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// userInfo asks the IdP about the user of an access token (OpenID Connect Core 1.0
// section 5.3).
func (f *flow) userInfo() (Response, error) {
	request, err := f.policy.parseUserInfo(f.r.URL.RawQuery, f.r.Header, !body.IsEmpty(f.r.Request))
	if err != nil {
		return Response{}, err
	}
	f.traceToken(request.Token)
	if sealed, err := f.isSealed(request.Token); err != nil || sealed {
		return Response{}, cmp.Or(err, error(upstream.UserInfoChallenge(bearer.BadToken("RFC 6750 section 3.1", "this is no access token, but another value that this gateway has sealed; send the access token"))))
	}
	if err := f.policy.idp.CheckReachable(UserInfo); err != nil {
		return Response{}, err
	}
	c := f.newCall(UserInfo)
	c.Header.Set("Authorization", request.authorization())
	response, _, err := f.send(c)
	if err != nil {
		return Response{}, err
	}
	if err := upstream.CheckUserInfo(response); err != nil {
		return Response{}, err
	}
	upstream.FilterHeader(response.Header)
	return response, nil
}

// userInfoRequest is a checked request to the userinfo endpoint.
type userInfoRequest struct {
	// Token is the access token, a secret.
	Token string
}

// authorization is the value of the Authorization header for the IdP: the
// client's, with the scheme written as in RFC 6750 section 2.1.
func (r *userInfoRequest) authorization() string { return "Bearer " + r.Token }

// parseUserInfo checks a request to the userinfo endpoint. The token must come
// in exactly one Authorization header (RFC 6750 section 2.1). In the query or a
// body it would end up in logs and histories (RFC 9700 section 4.3.2). hasBody
// reports that the request has a body, which is not read.
func (p *Policy) parseUserInfo(rawQuery string, header http.Header, hasBody bool) (userInfoRequest, error) {
	var r userInfoRequest
	_, err := params.Parse(rawQuery, "query")
	if err == nil {
		err = bearer.RejectQuery(rawQuery)
	}
	switch {
	case err != nil:
		return r, upstream.UserInfoChallenge(oauth.AsError(err))
	case hasBody:
		return r, upstream.UserInfoChallenge(oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2.2",
			"a request body is not accepted; send the access token as Authorization: Bearer"))
	}

	if r.Token, err = bearer.Token(header); err != nil {
		return r, upstream.UserInfoChallenge(oauth.AsError(err))
	}
	if seal.IsAccessToken(r.Token) {
		return r, upstream.UserInfoChallenge(bearer.BadToken("RFC 6750 section 3.1", "this access token is for its resource server only, which gets the user's name from it; "+
			"the identity provider, whose user info this is, does not know it"))
	}
	return r, nil
}
