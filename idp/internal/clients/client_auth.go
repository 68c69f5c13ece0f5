package clients

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
	"strconv"
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

// VerifySignature checks a signature with somebody's keys. rejection is the error of a wrong one.
func VerifySignature(ctx context.Context, keys KeySet, signed *jose.JSONWebSignature, rejection *oauth.Error) error {
	err := keys.Verify(ctx, signed)
	switch {
	case errors.Is(err, jwks.ErrSignature), errors.Is(err, jwks.ErrUnknownKey):
		return rejection
	case errors.Is(err, jwks.ErrUnavailable):
		return oauth.Unavailable("the keys for this signature can't be had at the moment; try again later", "10")
	}
	return err
}

// IsConfidential reports a client whose authentication is checked here.
func (c *Client) IsConfidential() bool {
	return c != nil && (len(c.secrets) > 0 || c.Keys != nil || c.certificate != nil)
}

func (c *ClientConfig) authenticatesHere() bool {
	return len(c.SecretHashes) > 0 || c.JWKS != "" || c.Keys != nil || c.CertificateName != CertificateName{} || len(c.CertificateHashes) > 0
}

func (c *Client) addCredentials() error {
	for _, hash := range c.SecretHashes {
		b, err := hex.DecodeString(hash)
		if err != nil || len(b) != sha256.Size {
			return fmt.Errorf("token_endpoint_auth: what follows %s or %s must be the SHA-256 of the secret, 64 hexadecimal digits", AuthSecretBasic, AuthSecretPost)
		}
		c.secrets = append(c.secrets, [sha256.Size]byte(b))
	}
	if err := c.addCertificate(); err != nil {
		return err
	}
	has := func(methods ...string) bool {
		return slices.ContainsFunc(c.AuthMethods, func(method string) bool { return slices.Contains(methods, method) })
	}
	switch {
	case !c.IsConfidential() && len(c.AuthMethods) > 0 && c.IdPClient != nil:
		return errors.New("has token_endpoint_auth and idp_client; with idp_client the gateway authenticates at the identity provider, " +
			"and what the client authenticates with here is missing: behind its method write the SHA-256 of the secret, the file or URL of its keys, or its certificate")
	case !c.IsConfidential() && c.ClientCredentials:
		return errors.New("client_credentials needs token_endpoint_auth, and behind its method what the client authenticates with here")
	case !c.IsConfidential() && c.Push != oauth.Off && has(AuthSecretBasic, AuthSecretPost, AuthPrivateKeyJWT):
		return errors.New("par with token_endpoint_auth needs idp_client, and behind the method what the client authenticates with here: " +
			"only the gateway sees a pushed request, so that nobody else could check it")
	case !c.IsConfidential():
		return nil
	case c.IdPClient == nil && c.LogsUsersIn():
		return errors.New("token_endpoint_auth: what follows the method needs idp_client: without it the identity provider checks the client's authentication")
	case has(AuthNone):
		return errors.New("token_endpoint_auth none beside others lets anybody do without them")
	case has(AuthSecretBasic, AuthSecretPost) != (len(c.secrets) > 0):
		return fmt.Errorf("token_endpoint_auth %s or %s and the SHA-256 of a secret need one another", AuthSecretBasic, AuthSecretPost)
	case has(AuthPrivateKeyJWT) != (c.Keys != nil):
		return fmt.Errorf("token_endpoint_auth %s and its keys (jwks) need one another", AuthPrivateKeyJWT)
	}
	return nil
}

// Auth is who sends a request on the back channel, and how it authenticates.
type Auth struct {
	Party
	// Method is how the client authenticates: [AuthTLS] stands for [AuthSelfSignedTLS], too.
	Method string
	// Basic reports whether the client has sent the Authorization header, which a refusal
	// then has a challenge for.
	Basic bool

	ClientSecret, basicSecret, Assertion, AssertionType string
	// Credentials are the gateway's own at the IdP, nil for the client's.
	Credentials *Credentials
}

// AssertionTypeJWT is the only client_assertion_type (RFC 7523 section 2.2).
const AssertionTypeJWT = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

// Authenticate identifies the client and its authentication method (RFC 6749 section 2.3). y is
// the one that client_id names.
func (r *Registry) Authenticate(y Party, f *params.Values, header http.Header) (Auth, error) {
	a := Auth{
		Party: y, ClientSecret: f.Get("client_secret"), Assertion: f.Get("client_assertion"), AssertionType: f.Get("client_assertion_type"),
	}
	if a.ClientID == "" && a.Assertion != "" {
		a.ClientID = assertionSubject(a.Assertion) // who checks the assertion holds it to this; client_id is optional (RFC 7521 section 4.2)
	}
	var err error
	a.Method, err = a.presented(header)
	if a.ClientID != y.ClientID { // only the Authorization header or an assertion names it
		a.Party = r.Find(a.ClientID)
	}
	if err != nil {
		return a, err
	}
	c := a.Client
	if c != nil {
		a.Credentials = c.Credentials
	}
	if c != nil && c.certificate != nil && a.Method == AuthNone {
		a.Method = AuthTLS
		return a, nil
	}
	if reason := a.refusal(c, r.MayUse(a.Party)); reason != "" {
		return a, a.Reject(reason)
	}
	return a, nil
}

// refusal says why a client may not authenticate in this way; "" if it may. One that is known
// without being registered is nil.
func (a *Auth) refusal(c *Client, known bool) string {
	switch {
	case !known:
		return Unregistered
	case c == nil && a.Method != AuthNone:
		return "client authentication is accepted only from a client that is registered at the gateway with token_endpoint_auth " + a.Method
	case c != nil && c.Credentials != nil && a.Method != AuthNone && !c.IsConfidential():
		return "this client needs no secret: the gateway has one (idp_client); send client_id and code_verifier without " + a.Method
	case c != nil && !slices.Contains(c.Auth, a.Method):
		return "this client is not registered for the authentication method " + a.Method + " at the gateway"
	}
	return ""
}

// presented is the one form in which a client authenticates, [AuthNone] if in none.
func (a *Auth) presented(header http.Header) (string, error) {
	methods := 0
	method := AuthNone
	if authorization := header["Authorization"]; len(authorization) > 0 {
		id, secret, ok := BasicCredentials(authorization)
		if !ok {
			a.Basic = true
			return "", a.Reject("Authorization must be one header with the Basic scheme; public clients send none")
		}
		if a.ClientID != "" && a.ClientID != id {
			return "", oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 2.3", "client_id and the Authorization header name different clients")
		}
		a.ClientID, a.Basic, a.basicSecret = id, true, secret
		if secret != "" { // google-auth sends a public client's id so; without a secret it proves nothing
			method = AuthSecretBasic
			methods++
		}
	}
	if a.ClientSecret != "" {
		method = AuthSecretPost
		methods++
	}
	if a.Assertion != "" || a.AssertionType != "" {
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
	case method == AuthPrivateKeyJWT && (a.AssertionType != AssertionTypeJWT || a.Assertion == ""):
		return "", oauth.Reject(oauth.InvalidRequest, "RFC 7523 section 2.2",
			"client_assertion needs client_assertion_type "+AssertionTypeJWT+", and the other way round")
	}
	return method, nil
}

// Reject rejects the authentication of a client, with a challenge if it used
// the Authorization header (RFC 6749 section 5.2).
func (a *Auth) Reject(description string) *oauth.Error {
	e := oauth.Reject(oauth.InvalidClient, "RFC 6749 section 5.2", description)
	e.Status = http.StatusUnauthorized
	if a.Basic {
		e.Challenge = `Basic realm="token"`
	}
	return e
}

// BasicCredentials are the client id and secret in a Basic Authorization header, whose
// parts are form-encoded (RFC 6749 section 2.3.1): the secret as it was sent, see
// [formDecoded].
func BasicCredentials(authorization []string) (id, secret string, ok bool) {
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

// digests are those of secrets.
type digests [][sha256.Size]byte

// have compares digests, so that neither time nor an early end says anything.
func (d digests) have(secret string) bool {
	digest, found := sha256.Sum256([]byte(secret)), 0
	for _, known := range d {
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
	case t.Expiry > now+(MaxAssertion+seal.Skew).Seconds():
		return "is good for more than five minutes; make one for each request"
	case max(t.NotBefore, t.IssuedAt) > now+maxAhead.Seconds():
		return "is from the future; the clocks may be apart"
	}
	return ""
}

// Authenticates reports whether the client has shown a credential.
func (a *Auth) Authenticates() bool { return a.Method != "" && a.Method != AuthNone }

// AuthenticatesAtIdP reports a credential that nobody here checks: only the IdP can say whether
// it is the client's.
func (a *Auth) AuthenticatesAtIdP() bool { return a.Authenticates() && !a.Client.IsConfidential() }

// Check checks the authentication of a client that has credentials here, at a time; issuer is
// whom its assertion has to be for, certificate that of its connection. The assertion, if there
// is one, may be used once: by the key, zero if there is none.
func (a *Auth) Check(ctx context.Context, issuer string, certificate *clientcert.Certificate, at time.Time) (once replay.Key, err error) {
	c := a.Client
	switch {
	case !c.IsConfidential():
		return once, nil
	case a.Method == AuthPrivateKeyJWT:
		return a.checkAssertion(ctx, issuer, at)
	case a.Method == AuthTLS:
		return once, c.certificate.check(a, certificate)
	case c.secrets.have(a.ClientSecret), c.secrets.have(formDecoded(a.basicSecret)),
		c.secrets.have(a.basicSecret): // not encoded, as some libraries send it
		return once, nil
	}
	return once, a.Reject("the client's secret is wrong")
}

// checkAssertion checks an assertion of private_key_jwt. Its audience is the gateway's issuer,
// and nobody else (draft-ietf-oauth-rfc7523bis section 4): one that was made for another
// server, which could have named this one's endpoint as its own, is no good here.
func (a *Auth) checkAssertion(ctx context.Context, issuer string, at time.Time) (once replay.Key, err error) {
	signed, err := jwks.Parse(a.Assertion)
	if err != nil {
		return once, a.Reject("client_assertion is not a JWT with an asymmetric signature")
	}
	claims, err := a.readAssertion(signed, issuer, at)
	if err == nil {
		err = VerifySignature(ctx, a.Client.Keys, signed, a.Reject("client_assertion is not signed with a key of the client"))
	}
	if err != nil {
		return once, err
	}
	return sha256.Sum256([]byte("client assertion\x00" + a.ClientID + "\x00" + claims.ID)), nil
}

// readAssertion compares the claims of an assertion, whose signature is not verified yet.
func (a *Auth) readAssertion(signed *jose.JSONWebSignature, issuer string, at time.Time) (claims assertionClaims, err error) {
	typ, _ := signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType].(string)
	switch {
	case typ != "" && !strings.EqualFold(typ, "JWT") && !strings.EqualFold(typ, "client-authentication+jwt"):
		err = a.Reject("client_assertion has the typ of another kind of JWT")
	case json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &claims) != nil:
		err = a.Reject("the claims of client_assertion can't be read")
	case claims.Issuer != a.ClientID || claims.Subject != a.ClientID:
		err = a.Reject("iss and sub of client_assertion must be the client_id")
	case len(claims.Audience) != 1 || claims.Audience[0] != issuer:
		err = a.Reject("aud of client_assertion must be the gateway's issuer, " + issuer + ", alone, and not an endpoint")
	case claims.ID == "" || len(claims.ID) > maxAssertionID:
		err = a.Reject("client_assertion needs a jti of at most " + strconv.Itoa(maxAssertionID) + " bytes")
	}
	if err != nil {
		return claims, err
	}
	if wrong := claims.wrong(at); wrong != "" {
		err = a.Reject("client_assertion " + wrong)
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
