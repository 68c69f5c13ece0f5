package clients

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
)

// IdPClientConfig is the confidential client that the gateway is at the IdP for a client
// that can keep no secret. Without the secret, anybody with a code of the IdP could redeem
// it there, past the gateway. Register it there with the gateway's callback as its only
// redirect URI.
type IdPClientConfig struct {
	// The client id at the IdP. Required.
	ID string `json:"id"`
	// The client secret. Placeholders such as `{env.CLIENT_SECRET}` and
	// `{file./run/secrets/client}` are resolved when the configuration is loaded.
	Secret string `json:"secret,omitempty"`
	// How the secret is sent: `client_secret_basic` (default) or `client_secret_post`
	// (RFC 6749 section 2.3.1). With `tls_client_auth` (RFC 8705 section 2) there is none:
	// the IdP knows the client by the certificate of the transport, which then holds for all
	// of the IdP's endpoints.
	AuthMethod string `json:"auth_method,omitempty"`
	// The PEM file of a private key (RSA, EC or Ed25519), for `private_key_jwt` (RFC 7523)
	// instead of a secret. A certificate in the same file is named by its thumbprint, as
	// Entra ID wants.
	PrivateKeyFile string `json:"private_key_file,omitempty"`
	// PrivateKey is what is in that file: this package reads none.
	PrivateKey []byte `json:"-"`
	// The key id (kid) under which the IdP knows the private key.
	KeyID string `json:"key_id,omitempty"`
	// Whom an assertion of `private_key_jwt` is for: `issuer`, which no other IdP
	// accepts, or the `endpoint` that gets it, which Okta and Ory Hydra want. Default:
	// the issuer, or the token endpoint where the issuer is not known; the endpoint at
	// Okta's own domains.
	Audience string `json:"assertion_audience,omitempty"`
}

// The audiences of an assertion. With IssuerAudience it is the IdP's issuer
// (draft-ietf-oauth-rfc7523bis section 4), or the token endpoint's URL where the issuer
// is not known. With EndpointAudience it is the URL of the endpoint that it is sent to,
// which Okta and Ory Hydra want, and the default for Okta's own domains.
const (
	IssuerAudience   = "issuer"
	EndpointAudience = "endpoint"
)

// Credentials is a compiled IdPClientConfig.
type Credentials struct {
	ClientID string
	Method   string // "" if it follows from the metadata
	Secret   string
	Signer   jose.Signer
	// Pss signs in the place of signer for an IdP that wants PS256; nil without an RSA key.
	Pss      jose.Signer
	Audience string // of assertions; "" for the default
}

func newCredentials(c IdPClientConfig) (*Credentials, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("idp_client: %w", err)
	}
	compiled := &Credentials{ClientID: c.ID, Method: c.AuthMethod, Secret: c.Secret, Audience: c.Audience}
	var err error
	if len(c.PrivateKey) > 0 {
		compiled.Method = AuthPrivateKeyJWT
		compiled.Signer, compiled.Pss, err = newAssertionSigners(c.PrivateKey, c.KeyID)
	}
	return compiled, err
}

func (c *IdPClientConfig) check() error {
	hasKey := len(c.PrivateKey) > 0
	switch {
	case c.ID == "" || !syntax.VSChar.Holds(c.ID):
		return errors.New("the id must be printable ASCII")
	case c.AuthMethod == AuthTLS && (c.Secret != "" || hasKey):
		return errors.New("has tls_client_auth and a secret or a private_key_jwt; use one")
	case c.AuthMethod != AuthTLS && c.Secret == "" && !hasKey:
		return errors.New("needs a secret, a private_key_jwt or tls_client_auth")
	case c.Secret != "" && hasKey:
		return errors.New("has both a secret and a private_key_jwt; use one")
	case !syntax.VSChar.Holds(c.Secret):
		return errors.New("the secret must be printable ASCII")
	case c.Audience != "" && !hasKey:
		return errors.New("assertion_audience needs a private_key_jwt")
	}
	return cmp.Or(syntax.CheckOneOf("assertion_audience", c.Audience, IssuerAudience, EndpointAudience), c.checkMethod(hasKey))
}

func (c *IdPClientConfig) checkMethod(hasKey bool) error {
	switch {
	case c.AuthMethod == "", c.AuthMethod == AuthTLS:
		return nil
	case hasKey && c.AuthMethod != AuthPrivateKeyJWT:
		return fmt.Errorf("a private key authenticates by %s, not %s", AuthPrivateKeyJWT, c.AuthMethod)
	case !hasKey && c.AuthMethod != AuthSecretBasic && c.AuthMethod != AuthSecretPost:
		return fmt.Errorf("a secret authenticates by %s or %s, not %s", AuthSecretBasic, AuthSecretPost, c.AuthMethod)
	}
	return nil
}

// newAssertionSigners reads a private key, and the certificate if there is one. pss signs by
// PS256, nil if the key can't.
func newAssertionSigners(pemText []byte, keyID string) (signer, pss jose.Signer, err error) {
	var key crypto.PrivateKey
	options := new(jose.SignerOptions).WithType("JWT")
	if keyID != "" {
		options.WithHeader("kid", keyID)
	}
	for block, rest := pem.Decode(pemText); block != nil; block, rest = pem.Decode(rest) {
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			key, err = x509.ParseECPrivateKey(block.Bytes)
		case "CERTIFICATE":
			sum := sha256.Sum256(block.Bytes)
			options.WithHeader("x5t#S256", base64.RawURLEncoding.EncodeToString(sum[:]))
		}
		if err != nil {
			return nil, nil, errors.New("idp_client: private_key_jwt: the PEM block " + block.Type + " can't be read")
		}
	}
	algorithm, err := algorithmOf(key)
	if err != nil {
		return nil, nil, err
	}
	if algorithm == jose.RS256 {
		if pss, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.PS256, Key: key}, options); err != nil {
			return nil, nil, err
		}
	}
	signer, err = jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	return signer, pss, err
}

// algorithmOf is the algorithm of RFC 7518 section 3.1 and RFC 8037 section 3.1
// that belongs to a key, RS256 to one of RSA.
func algorithmOf(key crypto.PrivateKey) (jose.SignatureAlgorithm, error) {
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if key.N.BitLen() >= 2048 {
			return jose.RS256, nil
		}
		return "", errors.New("idp_client: private_key_jwt: the RSA key has fewer than 2048 bits")
	case *ecdsa.PrivateKey:
		switch key.Curve.Params().Name {
		case "P-256":
			return jose.ES256, nil
		case "P-384":
			return jose.ES384, nil
		case "P-521":
			return jose.ES512, nil
		}
	case ed25519.PrivateKey:
		return jose.EdDSA, nil
	}
	return "", errors.New("idp_client: private_key_jwt: the file has no private key of the kinds RSA, EC (P-256, P-384, P-521) or Ed25519 in PEM")
}

// Basic is the value of the Authorization header (RFC 6749 section 2.3.1).
func (c *Credentials) Basic() string {
	pair := url.QueryEscape(c.ClientID) + ":" + url.QueryEscape(c.Secret)
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

// Assertion is a client assertion for an audience (RFC 7523 section 3, OpenID Connect
// Core 1.0 section 9).
func (c *Credentials) Assertion(signer jose.Signer, audience string, now time.Time) (string, error) {
	claims, _ := json.Marshal(map[string]any{ // strings and numbers
		"iss": c.ClientID, "sub": c.ClientID, "aud": audience, "jti": rand.Text(),
		"iat": now.Unix(), "exp": now.Add(ownAssertionLifetime).Unix(),
	})
	signed, err := signer.Sign(claims)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}
