package idp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// KeySet is the public keys of a client or of the IdP: a [jwks.Set] or [jwks.Keys].
type KeySet interface {
	// Verify checks a signature. Its errors are those of package jwks.
	Verify(ctx context.Context, signed *jose.JSONWebSignature) error
}

// verifySignature checks a signature with somebody's keys. rejection is the error of a wrong one.
func verifySignature(ctx context.Context, keys KeySet, signed *jose.JSONWebSignature, rejection *oauth.Error) error {
	err := keys.Verify(ctx, signed)
	switch {
	case errors.Is(err, jwks.ErrSignature), errors.Is(err, jwks.ErrUnknownKey):
		return rejection
	case errors.Is(err, jwks.ErrUnavailable):
		return oauth.Unavailable("the keys for this signature can't be had at the moment; try again later", "10")
	}
	return err
}

// maxAssertion is how long an assertion may be good for; assertionMemory is how long it is
// remembered that it was used.
const (
	maxAssertion    = 5 * time.Minute
	assertionMemory = maxAssertion + 2*seal.Skew
	// maxAhead is how far ahead a client's clock may be (FAPI 2.0 Security Profile section 5.3.2.1).
	maxAhead = time.Minute
	// assertionsOfAClient is how many of one client are used within four minutes: 270 a second
	// all the time. One client can't fill the store, in which everybody's codes are.
	assertionsOfAClient = 1 << 16
)

// isConfidential reports a client whose authentication is checked here.
func (c *client) isConfidential() bool {
	return c != nil && (len(c.secrets) > 0 || c.keys != nil || c.certificate != nil)
}

// addCredentials reads what a client authenticates with at the gateway.
func (c *client) addCredentials(config ClientConfig) error {
	for _, hash := range config.SecretHashes {
		b, err := hex.DecodeString(hash)
		if err != nil || len(b) != sha256.Size {
			return fmt.Errorf("client %s: secret_hash must be the SHA-256 of the secret, 64 hexadecimal digits", config.ID)
		}
		c.secrets = append(c.secrets, [sha256.Size]byte(b))
	}
	c.keys = config.Keys
	if err := c.addCertificate(config); err != nil {
		return fmt.Errorf("client %s: %w", config.ID, err)
	}
	has := func(methods ...string) bool {
		return slices.ContainsFunc(config.AuthMethods, func(method string) bool { return slices.Contains(methods, method) })
	}
	bySecret, byKey := has(AuthSecretBasic, AuthSecretPost), has(AuthPrivateKeyJWT)
	switch {
	case !c.isConfidential() && len(config.AuthMethods) > 0 && config.IdPClient != nil:
		return fmt.Errorf("client %s: has token_endpoint_auth and idp_client; with idp_client the gateway authenticates at the identity provider, "+
			"and what the client authenticates with here is missing: secret_hash, jwks, tls_client_auth or self_signed_tls_client_auth", config.ID)
	case !c.isConfidential():
		return nil
	case config.IdPClient == nil:
		return fmt.Errorf("client %s: secret_hash, jwks, tls_client_auth and self_signed_tls_client_auth need idp_client: without it the identity provider checks the client's authentication", config.ID)
	case has(AuthNone):
		return fmt.Errorf("client %s: token_endpoint_auth none beside others lets anybody do without them", config.ID)
	case bySecret != (len(c.secrets) > 0):
		return fmt.Errorf("client %s: secret_hash and token_endpoint_auth %s or %s need one another", config.ID, AuthSecretBasic, AuthSecretPost)
	case byKey != (c.keys != nil):
		return fmt.Errorf("client %s: jwks and token_endpoint_auth %s need one another", config.ID, AuthPrivateKeyJWT)
	}
	return nil
}

// clientAuth is who sends a request on the back channel, and how it authenticates.
type clientAuth struct {
	party
	// method is how the client authenticates: [AuthTLS] stands for [AuthSelfSignedTLS], too.
	method string
	// Basic reports whether the client authenticates with its Authorization
	// header, which is then sent to the IdP.
	Basic bool

	clientSecret, basicSecret, assertion, assertionType string
	// credentials are the gateway's own at the IdP, nil for the client's.
	credentials *credentials
}

// assertionTypeJWT is the only client_assertion_type (RFC 7523 section 2.2).
const assertionTypeJWT = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

// authenticate identifies the client and its authentication method (RFC 6749 section 2.3). y is
// the one that client_id names.
func (r *registry) authenticate(y party, f *params.Values, header http.Header) (clientAuth, error) {
	a := clientAuth{
		party: y, clientSecret: f.Get("client_secret"), assertion: f.Get("client_assertion"), assertionType: f.Get("client_assertion_type"),
	}
	if a.ClientID == "" && a.assertion != "" {
		a.ClientID = assertionSubject(a.assertion) // who checks the assertion holds it to this; client_id is optional (RFC 7521 section 4.2)
	}
	var err error
	a.method, err = a.presented(header)
	if a.ClientID != y.ClientID { // only the Authorization header or an assertion names it
		a.party = r.find(a.ClientID)
	}
	if err != nil {
		return a, err
	}
	c := a.client
	if c != nil {
		a.credentials = c.credentials
	}
	if c != nil && c.certificate != nil && a.method == AuthNone {
		a.method = AuthTLS
		return a, nil
	}
	if reason := a.refusal(c, r.mayUse(a.party)); reason != "" {
		return a, a.reject(reason)
	}
	return a, nil
}

// refusal says why a client may not authenticate in this way; "" if it may. One that is known
// without being registered is nil.
func (a *clientAuth) refusal(c *client, known bool) string {
	switch {
	case !known:
		return unregistered
	case c == nil && a.method != AuthNone:
		return "client authentication is accepted only from a client that is registered at the gateway with token_endpoint_auth " + a.method
	case c != nil && c.credentials != nil && a.method != AuthNone && !c.isConfidential():
		return "this client needs no secret: the gateway has one (idp_client); send client_id and code_verifier without " + a.method
	case c != nil && !slices.Contains(c.auth, a.method):
		return "this client is not registered for the authentication method " + a.method + " at the gateway"
	}
	return ""
}

// presented is the one form in which a client authenticates, [AuthNone] if in none.
func (a *clientAuth) presented(header http.Header) (string, error) {
	methods := 0
	method := AuthNone
	if authorization := header["Authorization"]; len(authorization) > 0 {
		id, secret, ok := basicCredentials(authorization)
		if !ok {
			a.Basic = true
			return "", a.reject("Authorization must be one header with the Basic scheme; public clients send none")
		}
		if a.ClientID != "" && a.ClientID != id {
			return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 2.3", "client_id and the Authorization header name different clients")
		}
		a.ClientID, a.Basic, a.basicSecret = id, true, secret
		method = AuthSecretBasic
		methods++
	}
	if a.clientSecret != "" {
		method = AuthSecretPost
		methods++
	}
	if a.assertion != "" || a.assertionType != "" {
		method = AuthPrivateKeyJWT
		methods++
	}
	switch {
	case methods > 1:
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 2.3",
			"more than one form of client authentication; use one")
	case a.ClientID == "":
		return "", params.Missing("client_id", "RFC 6749 section 4.1.3")
	case !syntax.VSChar.Holds(a.ClientID):
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A.1", "client_id must be printable ASCII")
	case method == AuthPrivateKeyJWT && (a.assertionType != assertionTypeJWT || a.assertion == ""):
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 7523 section 2.2",
			"client_assertion needs client_assertion_type "+assertionTypeJWT+", and the other way round")
	}
	return method, nil
}

// reject rejects the authentication of a client, with a challenge if it used
// the Authorization header (RFC 6749 section 5.2).
func (a *clientAuth) reject(description string) *oauth.Error {
	e := oauth.Reject(oauth.InvalidClient, "RFC 6749 section 5.2", description)
	e.Status = http.StatusUnauthorized
	if a.Basic {
		e.Challenge = `Basic realm="token"`
	}
	return e
}

// basicCredentials are the client id and secret in a Basic Authorization header, whose
// parts are form-encoded (RFC 6749 section 2.3.1): the secret as it was sent, see
// [formDecoded].
func basicCredentials(authorization []string) (id, secret string, ok bool) {
	if len(authorization) != 1 {
		return "", "", false
	}
	scheme, credentials, _ := strings.Cut(authorization[0], " ")
	if !strings.EqualFold(scheme, "Basic") {
		return "", "", false
	}
	decoded, err := base64.StdEncoding.DecodeString(credentials)
	if err != nil {
		return "", "", false
	}
	id, secret, ok = strings.Cut(string(decoded), ":")
	if !ok || !syntax.VSChar.Holds(string(decoded)) || seal.IsAccessToken(secret) {
		return "", "", false
	}
	id, idErr := url.QueryUnescape(id)
	return id, secret, idErr == nil && id != "" && syntax.VSChar.Holds(id)
}

// formDecoded is a secret without its encoding, or as it is if it has none.
func formDecoded(secret string) string {
	if plain, err := url.QueryUnescape(secret); err == nil {
		return plain
	}
	return secret
}

// hasSecret compares digests, so that neither time nor an early end says anything.
func (c *client) hasSecret(secret string) bool {
	digest, found := sha256.Sum256([]byte(secret)), 0
	for _, known := range c.secrets {
		found |= subtle.ConstantTimeCompare(known[:], digest[:])
	}
	return found == 1 && secret != ""
}

// assertionClaims are those of a client assertion (RFC 7523 section 3).
type assertionClaims struct {
	jwtTimes

	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience jwt.List `json:"aud"`
	ID       string   `json:"jti"`
}

// jwtTimes are those of a JWT that a client makes for one request, in Unix seconds.
type jwtTimes struct {
	Expiry    float64 `json:"exp"`
	NotBefore float64 `json:"nbf"`
	IssuedAt  float64 `json:"iat"`
}

// wrong says what is wrong with them at a time, "" if nothing is.
func (t jwtTimes) wrong(at time.Time) string {
	now := float64(at.Unix())
	switch {
	case t.Expiry <= now-seal.Skew.Seconds():
		return "has expired, or has no exp; the clocks may be apart"
	case t.Expiry > now+(maxAssertion+seal.Skew).Seconds():
		return "is good for more than five minutes; make one for each request"
	case max(t.NotBefore, t.IssuedAt) > now+maxAhead.Seconds():
		return "is from the future; the clocks may be apart"
	}
	return ""
}

// authenticates reports whether the client has shown a credential.
func (a *clientAuth) authenticates() bool { return a.method != "" && a.method != AuthNone }

// check checks the authentication of a client that has credentials here, at a time; issuer is
// whom its assertion has to be for, certificate that of its connection. The assertion, if there
// is one, may be used once: by the key, zero if there is none.
func (a *clientAuth) check(ctx context.Context, issuer string, certificate *clientcert.Certificate, at time.Time) (once replay.Key, err error) {
	c := a.client
	switch {
	case !c.isConfidential():
		return once, nil
	case a.method == AuthPrivateKeyJWT:
		return a.checkAssertion(ctx, issuer, at)
	case a.method == AuthTLS:
		return once, c.certificate.check(a, certificate)
	case c.hasSecret(a.clientSecret), c.hasSecret(formDecoded(a.basicSecret)),
		c.hasSecret(a.basicSecret): // not encoded, as some libraries send it
		return once, nil
	}
	return once, a.reject("the client's secret is wrong")
}

// checkAssertion checks an assertion of private_key_jwt. Its audience is the gateway's issuer,
// and nobody else (draft-ietf-oauth-rfc7523bis section 4): one that was made for another
// server, which could have named this one's endpoint as its own, is no good here.
func (a *clientAuth) checkAssertion(ctx context.Context, issuer string, at time.Time) (once replay.Key, err error) {
	signed, err := jwks.Parse(a.assertion)
	if err != nil {
		return once, a.reject("client_assertion is no JWT with an asymmetric signature")
	}
	claims, err := a.readAssertion(signed, issuer, at)
	if err == nil {
		err = verifySignature(ctx, a.client.keys, signed, a.reject("client_assertion is not signed with a key of the client"))
	}
	if err != nil {
		return once, err
	}
	return sha256.Sum256([]byte("client assertion\x00" + a.ClientID + "\x00" + claims.ID)), nil
}

// readAssertion compares the claims of an assertion, whose signature is not verified yet.
func (a *clientAuth) readAssertion(signed *jose.JSONWebSignature, issuer string, at time.Time) (claims assertionClaims, err error) {
	typ, _ := signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType].(string)
	switch {
	case typ != "" && !strings.EqualFold(typ, "JWT") && !strings.EqualFold(typ, "client-authentication+jwt"):
		err = a.reject("client_assertion has the typ of another kind of JWT")
	case json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &claims) != nil:
		err = a.reject("the claims of client_assertion can't be read")
	case claims.Issuer != a.ClientID || claims.Subject != a.ClientID:
		err = a.reject("iss and sub of client_assertion must be the client_id")
	case len(claims.Audience) != 1 || claims.Audience[0] != issuer:
		err = a.reject("aud of client_assertion must be the gateway's issuer, " + issuer + ", alone, and not an endpoint")
	case claims.ID == "" || len(claims.ID) > 256:
		err = a.reject("client_assertion needs a jti of at most 256 bytes")
	}
	if err != nil {
		return claims, err
	}
	if wrong := claims.wrong(at); wrong != "" {
		err = a.reject("client_assertion " + wrong)
	}
	return claims, err
}

// assertionSubject is the subject of an assertion that nobody has checked, "" if it names none.
func assertionSubject(assertion string) string {
	var claims struct {
		Subject string `json:"sub"`
	}
	if parts := strings.Split(assertion, "."); len(parts) == 3 {
		payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
		_ = json.Unmarshal(payload, &claims) // what can't be read is refused where it is checked
	}
	return claims.Subject
}
