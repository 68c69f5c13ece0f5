package upstream

import (
	"slices"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// LogoutEvent is the member of events that makes a JWT a logout token.
const LogoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// LogoutToken is what the IdP says of a logout (OpenID Connect Back-Channel Logout 1.0
// section 2.4).
type LogoutToken struct {
	// Clients are those that are logged out, by their ids at the IdP.
	Clients []string
	// Subject is the user, Session one login of his at the IdP. One of them may be "".
	Subject, Session string
	// ID is unique to each token.
	ID string
	// Issued is by the IdP's clock, as is that of its ID tokens.
	Issued time.Time
}

// logoutClaims are the claims of a logout token, and nonce, which only ID tokens have.
type logoutClaims struct {
	Issuer   string                    `json:"iss"`
	Subject  string                    `json:"sub"`
	Session  string                    `json:"sid"`
	Audience jwt.List                  `json:"aud"`
	ID       string                    `json:"jti"`
	IssuedAt float64                   `json:"iat"`
	Expiry   float64                   `json:"exp"`
	Events   map[string]jsontext.Value `json:"events"`
	Nonce    jsontext.Value            `json:"nonce"`
}

// BadLogoutToken rejects a logout token (section 2.8).
func BadLogoutToken(description string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Back-Channel Logout 1.0 section 2.6", description)
}

// ParseLogoutToken checks a logout token for some of the clients of the gateway at the IdP, at a
// time (section 2.6), but for its signature, and whether it was used before.
func (u *Upstream) ParseLogoutToken(raw string, clients []string, now time.Time) (*jose.JSONWebSignature, LogoutToken, error) {
	var t LogoutToken
	if len(raw) > MaxLogoutToken {
		return nil, t, BadLogoutToken("logout_token is longer than " + strconv.Itoa(MaxLogoutToken) + " bytes")
	}
	signed, err := jose.ParseSignedCompact(raw, u.IDTokenAlgorithms())
	if err != nil {
		return nil, t, BadLogoutToken("logout_token is not a JWT with a signature of the identity provider's ID tokens (asymmetric, not encrypted)")
	}
	if typ := jwt.Type(signed.Signatures[0].Protected); typ != "" && typ != "jwt" && typ != "logout+jwt" {
		return nil, t, BadLogoutToken("logout_token has the typ of another kind of JWT")
	}
	var c logoutClaims
	if json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &c) != nil {
		return nil, t, BadLogoutToken("the claims of logout_token can't be read")
	}
	if err := c.check(u, clients, now); err != nil {
		return nil, t, err
	}
	t = LogoutToken{Clients: c.Audience, Subject: c.Subject, Session: c.Session, ID: c.ID, Issued: time.Unix(int64(c.IssuedAt), 0)}
	return signed, t, nil
}

func (c *logoutClaims) check(u *Upstream, clients []string, now time.Time) error {
	foreign := func(id string) bool { return !slices.Contains(clients, id) }
	skew, at := seal.Skew.Seconds(), float64(now.Unix())
	switch {
	case c.Nonce != nil:
		return BadLogoutToken("logout_token has a nonce, as ID tokens have, which log nobody out")
	case c.Events[LogoutEvent].Kind() != '{':
		return BadLogoutToken("logout_token has no event " + LogoutEvent + ": it is another kind of JWT")
	case !u.IsIssuer(c.Issuer):
		return BadLogoutToken("logout_token is from another issuer than the identity provider")
	case len(c.Audience) == 0 || slices.ContainsFunc(c.Audience, foreign):
		return BadLogoutToken("logout_token is not for clients of this gateway at the identity provider alone (aud)")
	case c.Subject == "" && c.Session == "":
		return BadLogoutToken("logout_token says neither whose login has ended (sub) nor which (sid)")
	case c.ID == "" || len(c.ID) > 256:
		return BadLogoutToken("logout_token needs a jti of at most 256 bytes")
	case c.Expiry <= at-skew:
		return BadLogoutToken("logout_token has expired, or has no exp; the clocks may be apart")
	case c.IssuedAt < at-MaxLogoutTokenAge.Seconds()-skew || c.IssuedAt > at+skew:
		return BadLogoutToken("logout_token was not made within the last five minutes (iat); the clocks may be apart")
	}
	return nil
}
