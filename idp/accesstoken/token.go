package accesstoken

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// Token is a checked access token.
type Token struct {
	// Subject is the user, or the client if it acts for itself: sub, after [Config].Prefix.
	Subject string
	// ClientID is the client that the token was issued to, "" if it does not say.
	ClientID string
	// Scopes are those that were granted.
	Scopes []string
	// Expires is when the token ends, zero if the issuer did not say. What it can
	// still be used for is less than [ClockSkew] longer.
	Expires time.Time
	// Upstream is the access token of the IdP that a gateway's own has inside, "" if it
	// has none. It is no claim.
	Upstream string
	// LoginID is that of the login in the logs of the gateway that has sealed the token, "" of
	// any other token. It is no claim.
	LoginID string

	claims claims.Object
	prefix string          // of Subject
	sub    string          // Subject, as a claim is text
	key    dpop.Thumbprint // to which it is bound, zero for none
	proof  replay.Key      // of the request, zero if none was needed
	// certificate is that to which it is bound, zero for none.
	certificate clientcert.Thumbprint
}

// HasScopes reports whether all of these were granted.
func (t *Token) HasScopes(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(t.Scopes, scope) })
}

// Claims are all of its claims, as the issuer says them, but for sub: see [Token.Claim].
func (t *Token) Claims() claims.Object {
	sub := t.Claim("sub")
	if t.prefix == "" || sub == "" {
		return t.claims
	}
	named, err := json.Marshal(map[string]string{"sub": sub})
	if err != nil {
		return nil
	}
	return t.claims.With(named)
}

// Claim is a claim as text, by its path ([claims.Object.Text]). That of sub is after [Config].Prefix.
func (t *Token) Claim(path string) string {
	if path == "sub" {
		return t.sub
	}
	return t.claims.Text(path)
}

// decisive are the claims that decide (RFC 9068 section 2.2, RFC 7662 section 2.2), with
// the names that issuers used before.
type decisive struct {
	Active    *bool    `json:"active"` // of an introspection
	Issuer    string   `json:"iss"`
	Subject   string   `json:"sub"`
	Audience  jwt.List `json:"aud"`
	Expiry    *seconds `json:"exp"`
	NotBefore *seconds `json:"nbf"`

	ClientID string `json:"client_id"`
	AZP      string `json:"azp"`   // OpenID Connect Core 1.0 section 2: Auth0, Keycloak
	CID      string `json:"cid"`   // Okta
	AppID    string `json:"appid"` // Entra ID, version 1

	Scope scopes `json:"scope"`
	SCP   scopes `json:"scp"` // Okta, Entra ID, Hydra

	// What tells access tokens from others.
	Permissions jsontext.Value `json:"permissions"` // Auth0
	Roles       jsontext.Value `json:"roles"`       // Entra ID
	Type        string         `json:"typ"`         // Keycloak
	Use         string         `json:"token_use"`   // Cognito, Hydra
	TokenType   string         `json:"token_type"`  // RFC 7662 section 2.2
	Nonce       jsontext.Value `json:"nonce"`       // of ID tokens, as the next two
	ATHash      jsontext.Value `json:"at_hash"`
	CHash       jsontext.Value `json:"c_hash"`
	Events      jsontext.Value `json:"events"` // of logout tokens and security events (RFC 8417)

	Confirmation jsontext.Value `json:"cnf"`
}

// binding is what the token is bound to (RFC 7800 section 3.1), zero for nothing. It is false if
// that is anything else than the thumbprints of a key (RFC 9449 section 6) and of a
// certificate (RFC 8705 section 3.1).
func (c *decisive) binding() (key dpop.Thumbprint, certificate clientcert.Thumbprint, ok bool) {
	var members map[string]string
	if c.Confirmation != nil && (json.Unmarshal(c.Confirmation, &members) != nil || len(members) == 0) {
		return key, certificate, false
	}
	ok = members["jkt"] != "" || !isOneOf(c.Type, tokenTypeDPoP) && !isOneOf(c.TokenType, tokenTypeDPoP)
	for name, thumbprint := range members {
		known := false
		switch name {
		case "jkt":
			key, known = dpop.ParseThumbprint(thumbprint)
		case "x5t#S256":
			certificate, known = clientcert.ParseThumbprint(thumbprint)
		}
		ok = ok && known
	}
	return key, certificate, ok
}

// scopes are names with spaces between them (RFC 8693 section 4.2), or a list of them.
type scopes []string

func (s *scopes) UnmarshalJSON(b []byte) error {
	var values jwt.List
	if err := values.UnmarshalJSON(b); err != nil {
		return err
	}
	for _, value := range values {
		*s = append(*s, strings.Fields(value)...)
	}
	return nil
}

// seconds is a NumericDate (RFC 7519 section 2).
type seconds float64

func (s seconds) time() time.Time {
	const latest = 253402300799 // the year 9999
	return time.Unix(int64(math.Min(math.Max(float64(s), 0), latest)), 0)
}

// source is where claims come from.
type source uint8

const (
	claimsOfJWT       source = iota
	claimsOfAccessJWT        // one that says so: at+jwt
	claimsOfIntrospection
)

func (s source) isJWT() bool { return s <= claimsOfAccessJWT }

// read checks the claims of a token at a time.
func (v *Verifier) read(raw []byte, from source, now time.Time) (*Token, error) {
	var c decisive
	if jsontext.Value(raw).Kind() != '{' || json.Unmarshal(raw, &c) != nil {
		if !from.isJWT() {
			return nil, errUnreadable
		}
		return nil, bearer.BadToken("RFC 7519 section 7.2", "the claims of the access token can't be read")
	}
	if err := v.check(&c, from, now); err != nil {
		return nil, err
	}
	subject, ok := v.subject(c.Subject)
	if !ok {
		return nil, bearer.BadToken("RFC 8725 section 3.8", "the sub of the access token begins as the users of another issuer do here")
	}
	token := &Token{
		Subject: subject, prefix: v.config.Prefix, ClientID: c.client(), Scopes: append(c.Scope, c.SCP...),
		claims: claims.Object(raw),
	}
	if claims.String(c.Subject) != "" {
		token.sub = subject
	}
	if c.Expiry != nil {
		token.Expires = c.Expiry.time()
	}
	token.key, token.certificate, _ = c.binding() // checkKind has looked at it
	return token, nil
}

// client is the client that the token was issued to.
func (c *decisive) client() string { return cmp.Or(c.ClientID, c.AZP, c.CID, c.AppID) }

// check holds claims to the configuration. Issuers are compared but for a slash at the end, which
// some have and everybody leaves out.
func (v *Verifier) check(c *decisive, from source, now time.Time) error {
	switch {
	case from == claimsOfIntrospection && c.Active == nil:
		return errUnreadable
	case from == claimsOfIntrospection && !*c.Active:
		return bearer.BadToken("RFC 7662 section 2.2", "the access token is unknown to its issuer, expired or revoked")
	case c.Expiry == nil && from.isJWT():
		return bearer.BadToken("RFC 9068 section 2.2", "the access token does not say when it expires")
	case c.Expiry != nil && !now.Before(c.Expiry.time().Add(ClockSkew)):
		return bearer.BadToken("RFC 9068 section 4", "the access token has expired")
	case c.NotBefore != nil && now.Add(ClockSkew).Before(c.NotBefore.time()):
		return bearer.BadToken("RFC 7519 section 4.1.5", "the access token is not valid yet; the clocks may be apart")
	case strings.TrimSuffix(c.Issuer, "/") != strings.TrimSuffix(v.config.Issuer, "/") && (c.Issuer != "" || from.isJWT()):
		return bearer.BadToken("RFC 9068 section 4", "the access token is from another issuer")
	}
	if err := v.checkKind(c, from); err != nil {
		return err
	}
	return v.checkAudience(c)
}

// checkAudience holds the token to the resource server and its clients. It is what
// keeps a token that another resource server, or another app, was sent from being
// used here (RFC 9700 section 2.3).
func (v *Verifier) checkAudience(c *decisive) error {
	if len(v.config.Audiences) > 0 && !slices.ContainsFunc(c.Audience, func(one string) bool { return slices.Contains(v.config.Audiences, one) }) {
		return bearer.BadToken("RFC 9068 section 4", "the access token is for another resource server; ask for one with the audience of this one")
	}
	if len(v.config.Clients) > 0 && !slices.Contains(v.config.Clients, c.client()) {
		return bearer.BadToken("RFC 9068 section 2.2", "the access token was issued to a client that may not use this resource server")
	}
	return nil
}

// checkKind rejects what the issuer signed, or knows, and is no access token: ID
// tokens, refresh tokens, logout tokens (RFC 8725 section 2.8). Issuers without
// at+jwt each mark them in a way of their own.
func (v *Verifier) checkKind(c *decisive, from source) error {
	switch key, _, ok := c.binding(); {
	case !ok, key != (dpop.Thumbprint{}) && v.config.DPoP == oauth.Off:
		return errBound()
	case !isOneOf(c.Use, "", "access", "access_token"), !isOneOf(c.Type, "", "Bearer", "at+jwt", "JWT", tokenTypeDPoP),
		!isOneOf(c.TokenType, "", "Bearer", "access_token", tokenTypeDPoP),
		c.Events != nil, c.ATHash != nil, c.CHash != nil, c.Nonce != nil,
		from == claimsOfJWT && !v.config.IdentityTokens && !c.looksLikeAccess():
		return bearer.BadToken("RFC 8725 section 2.8", "this is not an access token but one for another purpose, such as an ID token; send the access_token of the login")
	}
	return nil
}

// looksLikeAccess reports a claim that access tokens have and ID tokens do not. An
// ID token may have azp, but then for the client that it is for.
func (c *decisive) looksLikeAccess() bool {
	return c.Use != "" || isOneOf(c.Type, "Bearer", tokenTypeDPoP) || c.Scope != nil || c.SCP != nil || c.ClientID != "" || c.CID != "" || c.AppID != "" ||
		c.Permissions != nil || c.Roles != nil || c.AZP != "" && !slices.Contains(c.Audience, c.AZP)
}

func isOneOf(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, s) })
}

// tokenTypeDPoP is the type of tokens that are bound to a key (RFC 9449 section 5).
const tokenTypeDPoP = "DPoP"

func errBound() error {
	return bearer.BadToken("RFC 7800 section 3.1", "the access token is bound to a key, which can't be checked here; ask for a bearer token")
}

// errUnreadable is a response of the issuer that says nothing.
var errUnreadable = errors.New("the response is not the JSON that its specification asks for")

// Authentication is how the user of a token has to have logged in, by its claims (RFC 9068 section
// 2.2.1, RFC 9470 section 6). The zero value asks for nothing.
type Authentication struct {
	// ACR are the authentication contexts of which acr has to be one, the preferred one first.
	ACR []string
	// MaxAge is how long ago the user may have logged in, by auth_time, in whole seconds. Zero: any time.
	MaxAge time.Duration
}

// validate names the first mistake of a configuration.
func (a *Authentication) validate() error {
	for _, value := range a.ACR {
		if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
			return fmt.Errorf("acr: %q is no value that can stand in a challenge; give several as several arguments", value)
		}
	}
	if a.MaxAge < 0 || a.MaxAge%time.Second != 0 {
		return errors.New("max_age must be whole seconds")
	}
	return nil
}

// check holds claims to it at a time. What they do not say, or what can't be read, is not enough.
func (a *Authentication) check(claims []byte, now time.Time) error {
	if len(a.ACR) == 0 && a.MaxAge == 0 {
		return nil
	}
	c := jwt.ReadAuthentication(claims)
	at := seconds(c.Time)
	switch {
	case len(a.ACR) > 0 && !slices.Contains(a.ACR, c.ACR):
		return bearer.InsufficientAuthentication("the user has to log in in another way (acr); begin a login with the acr_values of this challenge")
	case a.MaxAge > 0 && (at == 0 || at.time().After(now.Add(ClockSkew)) || now.Sub(at.time()) > a.MaxAge+ClockSkew):
		return bearer.InsufficientAuthentication("the user has logged in too long ago (auth_time); begin a login with the max_age of this challenge")
	}
	return nil
}
