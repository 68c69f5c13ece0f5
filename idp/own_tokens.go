package idp

import (
	"context"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// getsIDToken reports whether the client of a login with [GatewayTokens] gets the ID token: it
// is the client's own, with the client's nonce. In any other login openid and nonce are the
// gateway's, which has to know whose the login is.
func (r *authorizeRequest) getsIDToken() bool {
	return r.openID && r.nonce != "" && r.idpClient == r.ClientID
}

// sealOwnTokens is [tokenRequest.sealTokens] with an access token of the gateway's own (RFC 6749
// section 5.1). Of the IdP's answer there is nothing in it but the ID token of a client
// that gets it.
func (r *tokenRequest) sealOwnTokens(p *Policy, ctx context.Context, families *rotation.Families, s sealer, renewal *refreshGrant, answer *upstream.TokenResponse, token string) (g given, err error) {
	lifetime, err := answer.Lifetime(gatewaytoken.MaxLifetime)
	if err != nil {
		return g, err
	}
	next, err := r.nextRefreshToken(p, ctx, families, s, renewal, token)
	if err != nil && !errors.Is(err, errNotRecorded) {
		return g, err
	}
	access := gatewaytoken.Token{
		Issuer: p.public.url, Resource: r.resource.Key, Subject: r.subject, ClientID: r.Agent(), Scope: r.granted,
		Issued: s.Now, Expires: s.Now.Add(lifetime), Key: r.key(), Certificate: r.boundCertificate(), LoginID: r.loginID.String(), Session: r.session,
		ACR: r.by.ACR, AMR: r.by.AMR, AuthTime: r.by.Time, Given: r.claims,
	}
	if r.resource.UpstreamToken {
		access.Upstream = answer.AccessToken
	}
	members := []jsonobject.Member{{Name: "token_type", Value: access.Type()}, {Name: "scope", Value: r.granted}}
	if next != nil {
		if next.Place != nil {
			access.Family, access.Session = &next.Place.Family, rotation.Session{}
		}
		members = append(members, jsonobject.Member{Name: "refresh_token", Value: p.codec.SealRefreshToken(s.Keys, next)})
	}
	g = given{accessToken: access.Seal(s.Keys), scope: upstream.Names{r.granted}, refreshToken: next != nil}
	idToken := ""
	switch {
	case r.ownIDToken:
		var failure error
		if idToken, failure = r.signIDToken(p, access.Family, g.accessToken, access.Issued, access.Expires); failure != nil {
			return g, failure
		}
	case r.idToken:
		raw, _ := jsontext.AppendUnquote(nil, answer.IDToken) // which ReadIDToken has read
		idToken = string(raw)
	}
	if g.idToken = idToken != ""; g.idToken {
		members = append(members, jsonobject.Member{Name: "id_token", Value: idToken})
	}
	body, failure := jsonobject.Replace([]byte(`{"expires_in":`+strconv.Itoa(int(lifetime.Seconds()))+`}`),
		append(members, jsonobject.Member{Name: "access_token", Value: g.accessToken})...)
	g.body = body
	return g, errors.Join(err, failure)
}
