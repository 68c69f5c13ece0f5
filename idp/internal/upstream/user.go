package upstream

import (
	"bytes"
	"cmp"
	"context"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

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

// User is who logs in or refreshes, as the IdP says.
type User struct {
	// Subject is the IdP's name of him (sub, or else id of its user info).
	Subject string
	// Claims are what says so, a JSON object: those of an ID token that was held to its login,
	// or of the user info of the access token that came with it.
	Claims []byte
	// By is how he has logged in, zero if that is not known.
	By login.Authentication
}

// UserSource is what says who a user is.
type UserSource uint8

const (
	// UserInfo: the IdP has to be asked about its access token.
	UserInfo UserSource = iota
	// FromIDToken: the ID token says so.
	FromIDToken
	// Unchanged: the answer says nothing new (OpenID Connect Core 1.0 section 12.2).
	Unchanged
)

// UserSource is where an answer says whose it is. l is the login, nil of a refresh: an OpenID
// Provider that sends no ID token then says nothing new.
func (u *Upstream) UserSource(a *TokenAnswer, l *login.Login) UserSource {
	switch {
	case len(a.IDToken.Payload) > 0 && u.issuer != "" && (l == nil || l.Nonce != login.NonceHash{}):
		return FromIDToken
	case l == nil && u.IsOpenIDProvider():
		return Unchanged
	}
	return UserInfo
}

// IDTokenUser is the user of an ID token (OpenID Connect Core 1.0 section 3.1.3.7),
// whose nonce [Upstream.CheckToken] has compared. It came from the IdP itself over TLS.
func (u *Upstream) IDTokenUser(a *TokenAnswer, client string, now time.Time) (User, error) {
	var c subjectClaims
	switch {
	case json.Unmarshal(a.IDToken.Payload, &c) != nil:
		return User{}, badIDToken("the claims of the identity provider's ID token can't be read")
	case !u.IsIssuer(c.Issuer):
		return User{}, badIDToken("the ID token is from another issuer than " + u.issuer)
	case !slices.Contains(c.Audience, client), c.Party != "" && c.Party != client, len(c.Audience) > 1 && c.Party == "":
		return User{}, badIDToken("the ID token is not for " + client + " alone (aud, azp)")
	case c.Expiry <= float64(now.Add(-seal.Skew).Unix()):
		return User{}, badIDToken("the ID token has expired: the clocks of the identity provider and the gateway may be apart")
	}
	return newUser(c.Subject, a.IDToken.Payload)
}

// UserInfoUser is the user of a user info response.
func UserInfoUser(response Response) (User, error) {
	if isDown(response) {
		return User{}, unsaid(response)
	}
	if response.Status != http.StatusOK || isCompressed(response) {
		return User{}, oauth.BadGateway("the identity provider does not say whose its access token is: its userinfo endpoint responded with an error; see endpoint userinfo")
	}
	var c subjectClaims
	if json.Unmarshal(response.Body, &c) != nil {
		return User{}, oauth.BadGateway("the identity provider's user info has no sub and no id that can be read")
	}
	if kind := c.ID.Kind(); c.Subject == "" && (kind == '"' || kind == '0') {
		// A number with a point or an exponent, or text with escapes, could be written in
		// several ways.
		if c.Subject = strings.Trim(string(c.ID), `"`); !syntax.Base64URL.Holds(c.Subject) {
			c.Subject = ""
		}
	}
	return newUser(c.Subject, response.Body)
}

// IsSignedUserInfo reports user info that is a JWT (OpenID Connect Core 1.0 section 5.3.2).
func IsSignedUserInfo(r *Response) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/jwt" && r.Status == http.StatusOK && !isCompressed(*r)
}

// VerifyUserInfo is the JSON of user info that the IdP has signed with a key that it publishes, for a client
// or, with "", for any.
func (u *Upstream) VerifyUserInfo(ctx context.Context, keys clients.KeySet, token []byte, client string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(string(bytes.TrimSpace(token)), jwks.Algorithms())
	if err != nil {
		return nil, oauth.BadGateway("the identity provider's user info is encrypted, or signed by no key that it could publish; have it send JSON")
	}
	wrong := oauth.BadGateway("the identity provider's user info is not signed with a key that it publishes")
	if err := clients.VerifySignature(ctx, keys, signed, wrong); err != nil {
		return nil, err
	}
	payload := signed.UnsafePayloadWithoutVerification() // which was verified
	var c subjectClaims
	switch {
	case json.Unmarshal(payload, &c) != nil || !u.IsIssuer(c.Issuer):
		return nil, oauth.BadGateway("the identity provider's user info is signed for another issuer (OpenID Connect Core 1.0 section 5.3.2)")
	case client != "" && !slices.Contains(c.Audience, client):
		return nil, oauth.BadGateway("the identity provider's user info is signed for another client (OpenID Connect Core 1.0 section 5.3.2)")
	}
	return payload, nil
}

// isDown reports whether a response about a user says nothing for now: of a server that fails, or
// for whom there were too many requests (GitHub's 403, see
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
func isDown(r Response) bool {
	return r.Status >= 500 || r.Status == http.StatusTooManyRequests ||
		r.Status == http.StatusForbidden && (r.Header.Get("X-Ratelimit-Remaining") == "0" || r.Header.Get("Retry-After") != "")
}

// unsaid is the error while the IdP does not say who the user is.
func unsaid(r Response) *oauth.Error {
	return Unsaid(cmp.Or(retryAfter(r.Header), "5"))
}

// Unsaid is the error while the IdP does not say who a user is, with a Retry-After: nobody comes in,
// and nobody is out.
func Unsaid(retryAfter string) *oauth.Error {
	return oauth.Unavailable("the identity provider does not say at the moment who the user is; try again later", retryAfter)
}

func newUser(subject string, claims []byte) (User, error) {
	if !IsSubject(subject) {
		return User{}, oauth.BadGateway("the identity provider does not say who the user is: neither an ID token nor its user info has a sub, or an id, " +
			"of at most " + strconv.Itoa(maxSubject) + " printable characters; see endpoint userinfo")
	}
	return User{Subject: subject, Claims: claims}, nil
}

// IsSubject reports whether a user can have this name.
func IsSubject(subject string) bool {
	return subject != "" && len(subject) <= maxSubject && syntax.VSChar.Holds(subject)
}
