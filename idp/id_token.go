package idp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// IDTokenIssuer says whose ID tokens clients get.
type IDTokenIssuer string

const (
	// GatewayIDTokens are the gateway's own: it is the OpenID Provider of its clients, and the IdP
	// that of the gateway.
	GatewayIDTokens IDTokenIssuer = "gateway"
	// IdPIDTokens are the IdP's, as they are: for its issuer, and the id that the client has there.
	IdPIDTokens IDTokenIssuer = "idp"
)

// SigningKeys are those of the gateway's own ID tokens.
type SigningKeys interface {
	// Current are the keys to use now. It waits for them only if none are known.
	Current(ctx context.Context) (*signing.Keys, error)
}

// IdPKeySet is the public keys of the IdP: a [jwks.Keys].
type IdPKeySet interface {
	KeySet
	// Ready returns why there are no keys.
	Ready(ctx context.Context) error
}

// compileIDTokens reads [Config.IDTokens].
func (p *Policy) compileIDTokens(c Config) error {
	can := c.Callback != nil && p.public.url != "" && c.Discover && c.FrontChannel != ProxyFrontChannel
	if c.IDTokens == GatewayIDTokens && !can {
		return errors.New("id_tokens gateway needs callback, public_url and discover, on a host that is not the identity provider's own (front_channel proxy): " +
			"the gateway is then the issuer, public_url its name")
	}
	p.signs = can && c.IDTokens != IdPIDTokens
	p.oauth = p.oauth || p.signs && c.Parameters == "" // its clients know OpenID Connect, and no contract
	if err := p.checkJWTs(); err != nil {
		return err
	}
	p.idTokenAlgorithms = []jose.SignatureAlgorithm{signing.RS256}
	for _, y := range p.registry.All() {
		if y.Client.DoesWithoutPKCE() && !p.signs {
			return errors.New("client " + y.ClientID + ": pkce optional needs ID tokens of the gateway's own, which carry the client's nonce: callback, public_url and discover, without id_tokens idp")
		}
		switch algorithm := y.Client.IDTokenAlgorithm; {
		case algorithm == "":
		case !p.signs:
			return errors.New("client " + y.ClientID + ": id_token_alg needs ID tokens of the gateway's own: callback, public_url and discover, without id_tokens idp")
		case !slices.Contains(p.idTokenAlgorithms, algorithm):
			p.idTokenAlgorithms = append(p.idTokenAlgorithms, algorithm)
		}
	}
	return nil
}

// checkJWTs makes sure that access tokens that are JWTs can be signed, and are nobody's ID tokens.
func (p *Policy) checkJWTs() error {
	for _, resource := range p.registry.Resources {
		if !resource.HasJWTs() {
			continue
		}
		if !p.signs {
			return errors.New("resource " + resource.URI + ": tokens jwt needs the gateway to be the issuer: callback, public_url and discover, without id_tokens idp")
		}
		for _, y := range p.registry.All() {
			if y.ClientID == resource.URI {
				return errors.New("resource " + resource.URI + ": with tokens jwt it can't be the id of a client, too, whose ID tokens have the same audience")
			}
		}
	}
	return nil
}

// SignsIDTokens reports whether clients get ID tokens of the gateway's own, if the IdP is an
// OpenID Provider.
func (p *Policy) SignsIDTokens() bool { return p.signs }

// IDTokenAlgorithms are those by which the gateway signs its own.
func (p *Policy) IDTokenAlgorithms() []jose.SignatureAlgorithm { return p.idTokenAlgorithms }

// checkHint rejects an id_token_hint for the IdP that is no ID token.
func (f *flow) checkHint(forwarded []params.Param) error {
	for _, param := range forwarded {
		if param.Name != "id_token_hint" {
			continue
		}
		if sealed, err := f.isSealed(param.Value); err != nil || sealed {
			return cmp.Or(err, error(oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 3.1.2.1",
				"id_token_hint is not an ID token, but a value that this gateway has sealed; send the ID token, or leave it out")))
		}
	}
	return nil
}

// hintClaims are those of an ID token of the gateway's own that comes back as a hint.
type hintClaims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience jwt.List `json:"aud"`
	Session  string   `json:"sid"`
	Hint     string   `json:"login_hint"`
	Login    string   `json:"gateway_login"`
}

// openHint reads an ID token of the gateway's own, also one that has expired; nil for any other.
func (f *flow) openHint(hint string) (*hintClaims, error) {
	keys, err := f.signingKeys()
	if err != nil {
		return nil, err
	}
	payload, err := keys.Verify(hint, f.gateway.parts.Now())
	var c hintClaims
	if err != nil || json.Unmarshal(payload, &c) != nil || c.Subject == "" {
		return nil, nil
	}
	return &c, nil
}

// readyToIssue gets at what an ID token needs before the code or refresh token of a request is
// spent: the keys of the IdP, which has to have signed its own, and the gateway's.
func (f *tokenFlow) readyToIssue() (err error) {
	p, request := f.policy, &f.request
	switch {
	case !p.signs && !request.ownIDToken:
		return nil
	case p.signs && !p.idp.IsKnown():
		return upstream.NotDiscovered()
	case !p.issues && request.ownIDToken:
		return oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the login is from when this gateway gave out ID tokens of its own; log in again")
	case !p.issues:
		return nil
	}
	if p.idp.PublishesKeys() {
		if err := f.gateway.parts.IdPKeys.Ready(f.r.Context()); err != nil {
			return oauth.Unavailable("the gateway can't get at the keys of the identity provider, with which it checks ID tokens; try again later", "5")
		}
	}
	request.signing, err = f.signingKeys()
	return err
}

// verifyIDToken checks who has signed the ID token of an answer (OpenID Connect Core 1.0 section
// 3.1.3.7), where the gateway vouches for what it says.
func (f *tokenFlow) verifyIDToken(answer *upstream.TokenAnswer) error {
	if !f.policy.issues || len(answer.IDToken.Payload) == 0 {
		return nil
	}
	secret := ""
	if c := f.request.Credentials; c != nil {
		secret = c.Secret
	}
	return f.policy.idp.VerifyIDToken(f.r.Context(), f.gateway.parts.IdPKeys, answer, secret)
}

// profile are the standard claims of OpenID Connect Core 1.0 section 5.1 that go from the IdP's ID
// token into the gateway's own.
var profile = []string{
	"name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
	"email", "email_verified", "locale", "zoneinfo", "updated_at",
}

// profileOf is what an ID token of the IdP says of its user.
func profileOf(payload []byte) map[string]jsontext.Value {
	var all map[string]jsontext.Value
	if json.Unmarshal(payload, &all) != nil {
		return nil
	}
	known := make(map[string]jsontext.Value)
	for _, name := range profile {
		value, ok := all[name]
		if !ok || len(value) > maxClaim {
			continue
		}
		if value = profileClaim(name, value); value != nil {
			known[name] = value
		}
	}
	return known
}

// profileClaim is one of them with the type that clients read it as, nil if it has another one.
func profileClaim(name string, value jsontext.Value) jsontext.Value {
	kind := value.Kind()
	switch {
	case name == "email_verified": // Apple: a string
		if word := strings.Trim(string(value), `"`); word == "true" || word == "false" {
			return jsontext.Value(word)
		}
	case kind == '"', name == "updated_at" && claims.IsNumber(value): // Auth0: a string
		return value
	}
	return nil
}

// sessionOf is the session at the IdP of an ID token, "" if it names none.
func sessionOf(payload []byte) string { return textOf(payload, "sid", maxSession) }

// textOf is a claim that is text, and of so many bytes at most; else "".
func textOf(payload []byte, name string, longest int) (text string) {
	var all map[string]jsontext.Value
	if json.Unmarshal(payload, &all) != nil || all[name].Kind() != '"' || json.Unmarshal(all[name], &text) != nil || len(text) > longest {
		return ""
	}
	return text
}

// idTokenClaims are those of an ID token of the gateway's own (OpenID Connect Core 1.0 section 2).
// There is no azp: nobody but the client may use it.
type idTokenClaims struct {
	Issuer      string   `json:"iss"`
	Subject     string   `json:"sub"`
	Audience    string   `json:"aud"`
	Expires     int64    `json:"exp"`
	Issued      int64    `json:"iat"`
	AuthTime    int64    `json:"auth_time,omitzero"`
	Nonce       string   `json:"nonce,omitzero"`
	AccessToken string   `json:"at_hash"`
	ACR         string   `json:"acr,omitzero"`
	AMR         []string `json:"amr,omitzero"`
	Session     string   `json:"sid,omitzero"`
	// Hint is what the IdP wants to be told at a logout, of Entra ID.
	Hint string `json:"login_hint,omitzero"`
	// Login names the refresh tokens that end with a logout, if they rotate.
	Login string `json:"gateway_login,omitzero"`

	Profile map[string]jsontext.Value `json:",embed"`
}

// claimsSupported are the names of all of them.
func claimsSupported() []string {
	return append([]string{"iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "acr", "amr", "sid"}, profile...)
}

// idTokenLifetime is for how long the gateway's own ID token is good beside an access token of the
// IdP's: as long as that, or as long as tokens of the gateway's own if the IdP says it in no number.
// Beside one of the gateway's own it ends with that.
func idTokenLifetime(beside *upstream.TokenResponse) time.Duration {
	lifetime, err := beside.Lifetime(gatewaytoken.MaxLifetime)
	if err != nil {
		return gatewaytoken.MaxLifetime
	}
	return lifetime
}

// signIDToken is the gateway's own ID token beside an access token that the client gets; "" if the
// IdP has sent none: a refresh then says nothing new of the user.
func (r *tokenRequest) signIDToken(p *Policy, family *rotation.Family, accessToken string, now, expires time.Time) (string, error) {
	if len(r.idTokenClaims) == 0 {
		return "", nil
	}
	hash := sha256.Sum256([]byte(accessToken))
	c := idTokenClaims{
		Issuer: p.public.url, Subject: r.subject, Audience: r.ClientID, Expires: expires.Unix(), Issued: now.Unix(), Nonce: r.clientNonce,
		AccessToken: base64.RawURLEncoding.EncodeToString(hash[:len(hash)/2]),
		ACR:         r.by.ACR, AMR: r.by.AMR, Session: r.idpSession, Profile: profileOf(r.idTokenClaims),
	}
	if p.idp.TakesLoginHint() {
		c.Hint = textOf(r.idTokenClaims, "login_hint", maxClaim)
	}
	if family != nil {
		c.Login = base64.RawURLEncoding.EncodeToString(family[:])
	}
	if !r.by.Time.IsZero() {
		c.AuthTime = r.by.Time.Unix()
	}
	claims, err := json.Marshal(&c)
	if err != nil {
		return "", err
	}
	algorithm := signing.RS256
	if r.Client != nil && r.Client.IDTokenAlgorithm != "" {
		algorithm = r.Client.IDTokenAlgorithm
	}
	token, err := r.signing.Sign(algorithm, claims, now)
	if err != nil {
		e := oauth.Unavailable("the gateway can't sign ID tokens at the moment", "5")
		e.Cause = err
		return "", e
	}
	return token, nil
}
