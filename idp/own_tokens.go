package idp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// getsIDToken reports whether the client of a login with [GatewayTokens] gets the ID token: it
// is the client's own, with the client's nonce. In any other login openid and nonce are the
// gateway's, which has to know whose the login is.
func (r *authorizeRequest) getsIDToken() bool {
	return r.openID && r.nonce != "" && r.idpClient == r.ClientID
}

// subjectClaims are those that say who the user is: sub of an ID token and of OpenID
// Connect's user info, id of that of others, such as GitHub, whose sub it stands for.
type subjectClaims struct {
	Issuer   string         `json:"iss"`
	Subject  string         `json:"sub"`
	Audience jwt.List       `json:"aud"`
	Party    string         `json:"azp"`
	Expiry   float64        `json:"exp"`
	ID       jsontext.Value `json:"id"`
}

// maxSubject bounds a user's name, in bytes (OpenID Connect Core 1.0 section 2).
const maxSubject = 255

// idTokenSubject is the user of an ID token (OpenID Connect Core 1.0 section 3.1.3.7),
// whose nonce [Policy.checkIDToken] has compared. It came from the IdP itself over TLS.
func (p *Policy) idTokenSubject(payload []byte, idpClient string, now time.Time) (string, error) {
	var c subjectClaims
	switch {
	case json.Unmarshal(payload, &c) != nil:
		return "", badIDToken("the claims of the identity provider's ID token can't be read")
	case !p.isIssuer(c.Issuer):
		return "", badIDToken("the ID token is from another issuer than " + p.issuer)
	case !slices.Contains(c.Audience, idpClient), c.Party != "" && c.Party != idpClient, len(c.Audience) > 1 && c.Party == "":
		return "", badIDToken("the ID token is not for " + idpClient + " alone (aud, azp)")
	case c.Expiry <= float64(now.Add(-seal.Skew).Unix()):
		return "", badIDToken("the ID token has expired: the clocks of the identity provider and the gateway may be apart")
	}
	return checkSubject(c.Subject)
}

// isIssuer compares iss. Google's may lack the scheme (OpenID Connect Core 1.0 section
// 15.6.2).
func (p *Policy) isIssuer(iss string) bool {
	return iss == p.issuer || p.issuer == "https://accounts.google.com" && iss == "accounts.google.com"
}

// userInfoSubject is the user of a user info response.
func userInfoSubject(body []byte) (string, error) {
	var c subjectClaims
	if json.Unmarshal(body, &c) != nil {
		return "", oauth.BadGateway("the identity provider's user info has no sub and no id that can be read")
	}
	if kind := c.ID.Kind(); c.Subject == "" && (kind == '"' || kind == '0') {
		// A number with a point or an exponent, or text with escapes, could be written in
		// several ways.
		if c.Subject = strings.Trim(string(c.ID), `"`); !syntax.Base64URL.Holds(c.Subject) {
			c.Subject = ""
		}
	}
	return checkSubject(c.Subject)
}

func checkSubject(subject string) (string, error) {
	if subject == "" || len(subject) > maxSubject || !syntax.VSChar.Holds(subject) {
		return "", oauth.BadGateway("the identity provider does not say who the user is: neither an ID token nor its user info has a sub, or an id, " +
			"of at most 255 printable characters; see endpoint userinfo")
	}
	return subject, nil
}

// identifyUser finds whose token response this is: by its ID token, or else by what the
// IdP says of the access token. A refresh, which has no login, has to be of the user who has
// logged in.
func (f *flow) identifyUser(request *tokenRequest, l *login.Login, renewal *refreshGrant, answer *tokenAnswer) (err error) {
	payload := answer.idToken.payload
	if answer.invalid != nil {
		return answer.invalid
	}
	subject := ""
	switch p := f.policy; {
	case len(payload) > 0 && p.issuer != "" && (l == nil || l.Nonce != login.NonceHash{}):
		subject, err = p.idTokenSubject(payload, request.IDAtIdP(), f.gateway.parts.Now())
	case l == nil && p.isOpenIDProvider():
		return nil // who sends no ID token at a refresh says nothing new (OpenID Connect Core 1.0 section 12.2)
	default:
		f.keep(renewal, answer)
		subject, err = f.askUserInfo(answer.token.AccessToken)
	}
	switch {
	case err != nil:
		return err
	case l == nil && subject != request.subject:
		return oauth.Reject(oauth.InvalidGrant, "OpenID Connect Core 1.0 section 12.2",
			"the identity provider's response is about another user than the one who has logged in; log in again")
	}
	request.subject = subject
	if l != nil { // a refresh is no new login (OpenID Connect Core 1.0 section 12.2)
		request.by = login.ReadAuthentication(payload)
	}
	return nil
}

// askUserInfo asks the IdP whose an access token is.
func (f *flow) askUserInfo(token string) (string, error) {
	if err := f.policy.reachable(UserInfo); err != nil {
		return "", err
	}
	c := f.newCall(UserInfo)
	c.header.Set("Authorization", "Bearer "+token)
	if c.header.Get("User-Agent") == "" {
		c.header.Set("User-Agent", "identity-gateway") // GitHub rejects requests without one
	}
	response, _, err := f.send(c)
	switch {
	case err != nil:
		return "", err
	case response.Status != http.StatusOK || isCompressed(response):
		return "", oauth.BadGateway("the identity provider does not say whose its access token is: its userinfo endpoint responded with an error; see endpoint userinfo")
	}
	return userInfoSubject(response.Body)
}

// sealOwnTokens is [Policy.sealTokens] with an access token of the gateway's own (RFC 6749
// section 5.1). Of the IdP's answer there is nothing in it but the ID token of a client
// that gets it.
func (p *Policy) sealOwnTokens(ctx context.Context, families *rotation.Families, s sealer, r *tokenRequest, renewal *refreshGrant, answer *tokenResponse, token string) (g given, err error) {
	lifetime, err := answer.lifetime()
	if err != nil {
		return g, err
	}
	next, err := p.nextRefreshToken(ctx, families, s, r, renewal, token)
	if err != nil && !errors.Is(err, errNotRecorded) {
		return g, err
	}
	access := gatewaytoken.Token{
		Issuer: p.public.url, Resource: r.resource.Key, Subject: r.subject, ClientID: r.Agent(), Scope: r.granted,
		Issued: s.Now, Expires: s.Now.Add(lifetime), Key: r.key(), Certificate: r.boundCertificate(), LoginID: r.loginID.String(), Session: r.session,
		ACR: r.by.ACR, AMR: r.by.AMR, AuthTime: r.by.Time,
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
	if r.idToken {
		idToken, _ := jsontext.AppendUnquote(nil, answer.IDToken) // which readIDToken has read
		members = append(members, jsonobject.Member{Name: "id_token", Value: string(idToken)})
	}
	g = given{accessToken: access.Seal(s.Keys), scope: names{r.granted}, idToken: r.idToken, refreshToken: next != nil}
	body, failure := jsonobject.Replace([]byte(`{"expires_in":`+strconv.Itoa(int(lifetime.Seconds()))+`}`),
		append(members, jsonobject.Member{Name: "access_token", Value: g.accessToken})...)
	g.body = body
	return g, errors.Join(err, failure)
}

// lifetime is that of the gateway's access token: the IdP's, if that says so, and
// [gatewaytoken.MaxLifetime] at most. Entra ID's version 1 writes the number as text.
func (t *tokenResponse) lifetime() (time.Duration, error) {
	var seconds float64
	switch text := strings.Trim(string(t.ExpiresIn), `"`); {
	case text == "" || text == "null":
		return gatewaytoken.MaxLifetime, nil
	case json.Unmarshal([]byte(text), &seconds) != nil || seconds < 1:
		return 0, oauth.BadGateway("the identity provider's expires_in is not a positive number (RFC 6749 section 5.1)")
	}
	return time.Duration(min(seconds, gatewaytoken.MaxLifetime.Seconds())) * time.Second, nil
}
