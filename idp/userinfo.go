package idp

import (
	"cmp"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// userInfo asks the IdP about the user of an access token (OpenID Connect Core 1.0
// section 5.3).
func (f *flow) userInfo() (Response, error) {
	if err := f.readUserInfoForm(); err != nil {
		return Response{}, err
	}
	token, err := f.policy.parseUserInfo(f.r.URL.RawQuery, f.r.Header, f.r.Method != http.MethodPost && !body.IsEmpty(f.r.Request))
	if err != nil {
		return Response{}, err
	}
	if token.form != gatewaytoken.Foreign {
		return f.ownUserInfo(token)
	}
	f.traceToken(token.text)
	if sealed, err := f.isSealed(token.text); err != nil || sealed {
		return Response{}, cmp.Or(err, error(upstream.UserInfoChallenge(bearer.BadToken("RFC 6750 section 3.1", "this is not an access token, but another value that this gateway has sealed; send the access token"))))
	}
	if err := f.policy.idp.CheckReachable(UserInfo); err != nil {
		return Response{}, err
	}
	c := f.newCall(UserInfo)
	c.Header.Set("Authorization", token.authorization())
	response, _, err := f.send(c)
	if err != nil {
		return Response{}, err
	}
	if err := f.openUserInfo(&response, ""); err != nil {
		return Response{}, err
	}
	if err := upstream.CheckUserInfo(response); err != nil {
		return Response{}, err
	}
	upstream.FilterHeader(response.Header)
	return response, nil
}

// openUserInfo puts the JSON that is in a signed response into its place (OpenID Connect Core 1.0 section
// 5.3.2). client is the client's id at the IdP, "" if it is not known.
func (f *flow) openUserInfo(r *Response, client string) error {
	if !upstream.IsSignedUserInfo(r) {
		return nil
	}
	keys := f.gateway.parts.IdPKeys
	if keys == nil {
		return oauth.BadGateway("the identity provider signs its user info, which the gateway reads with discover, callback and public_url only; have it send JSON")
	}
	claims, err := f.policy.idp.VerifyUserInfo(f.r.Context(), keys, r.Body, client)
	if err != nil {
		return err
	}
	r.Body = claims
	r.Header.Set("Content-Type", "application/json")
	r.Header.Del("Content-Length")
	return nil
}

// ownUserInfo is what an access token of the gateway's own says of its user, with the scope openid
// (OpenID Connect Core 1.0 section 5.3.2). The ID token has more.
func (f *flow) ownUserInfo(t presented) (Response, error) {
	token, err := f.openAccessToken(t)
	switch {
	case err != nil:
	case token.Key != dpop.Thumbprint{}:
		err = bearer.BadToken("RFC 9449 section 7.1", "this access token is bound to a key, and user info takes bearer tokens only; the ID token says who the user is")
	case token.Certificate != clientcert.Thumbprint{} && (f.r.Certificate == nil || f.r.Certificate.Thumbprint() != token.Certificate):
		err = bearer.BadToken("RFC 8705 section 3", "this access token is bound to a TLS certificate, with which the connection has to be made")
	case !params.HasScope(token.Scope, "openid"):
		e := oauth.Reject(oauth.InsufficientScope, "OpenID Connect Core 1.0 section 5.3.1", "user info needs the scope openid, which this access token does not have")
		e.Status = http.StatusForbidden
		err = e
	default:
		f.result.Decision.LoginID = token.LoginID
		if err = f.checkTokenLogin(token); err != nil && oauth.AsError(err).Code == oauth.InvalidGrant {
			err = bearer.BadToken("RFC 6750 section 3.1", "the login of this access token has ended; log in again")
		}
		err = f.noteRefresh(err)
	}
	if err != nil {
		return Response{}, upstream.UserInfoChallenge(oauth.AsError(err))
	}
	response := Response{Status: http.StatusOK, Header: header.Of("application/json")}
	response.Body = append(jsonobject.AppendString([]byte(`{"sub":`), token.Subject), '}')
	return response, nil
}

// readUserInfoForm reads the form of a POST to its end. It goes no further.
func (f *flow) readUserInfoForm() error {
	if f.r.Method != http.MethodPost {
		return nil
	}
	content, err := params.ReadBody(f.r.Request, f.header, params.MaxBody)
	if err != nil || content == "" {
		return err
	}
	form, err := params.ParseForm("user info", "RFC 6750 section 2.2", "", f.r.Header, content)
	if err == nil && form.Flag("access_token") {
		err = oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2.2", "an access token in the body is not accepted; send it as Authorization: Bearer")
	}
	if err != nil {
		return upstream.UserInfoChallenge(oauth.AsError(err))
	}
	return nil
}

// authorization is the value of the Authorization header for the IdP: the
// client's, with the scheme written as in RFC 6750 section 2.1.
func (t presented) authorization() string { return "Bearer " + t.text }

// parseUserInfo checks a request to the userinfo endpoint, for its access token. That must come
// in exactly one Authorization header (RFC 6750 section 2.1). In the query or a
// body it would end up in logs and histories (RFC 9700 section 4.3.2). hasBody
// reports that the request has a body, which is not read.
func (p *Policy) parseUserInfo(rawQuery string, header http.Header, hasBody bool) (t presented, err error) {
	_, err = params.Parse(rawQuery, "query")
	if err == nil {
		err = bearer.RejectQuery(rawQuery)
	}
	switch {
	case err != nil:
		return t, upstream.UserInfoChallenge(oauth.AsError(err))
	case hasBody:
		return t, upstream.UserInfoChallenge(oauth.Reject(oauth.InvalidRequest, "RFC 6750 section 2.2",
			"a request body is not accepted; send the access token as Authorization: Bearer"))
	}

	token, err := bearer.Token(header)
	if err != nil {
		return t, upstream.UserInfoChallenge(oauth.AsError(err))
	}
	if t = p.present(token); t.form == gatewaytoken.Sealed && !p.signs {
		return t, upstream.UserInfoChallenge(bearer.BadToken("RFC 6750 section 3.1", "this access token is for its resource server only, which gets the user's name from it; "+
			"the identity provider, whose user info this is, does not know it"))
	}
	return t, nil
}
