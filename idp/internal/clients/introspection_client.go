package clients

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// IntrospectionConfig is the credential of a resource server that asks about access tokens,
// by `client_secret_basic` (RFC 7662 section 2.1).
type IntrospectionConfig struct {
	// The id, another one for each resource. Required.
	ClientID string `json:"client_id"`
	// The secret, of at least 32 characters at random, because anybody can try: one that can
	// be guessed is refused. Placeholders such as `{env.INTROSPECTION_SECRET}` are resolved
	// when the configuration is loaded. Required.
	ClientSecret string `json:"client_secret"`
}

type introspection struct {
	ClientID string
	secret   digests
}

func newIntrospection(c IntrospectionConfig) (*introspection, error) {
	switch {
	case c.ClientID == "" || !syntax.VSChar.Holds(c.ClientID):
		return nil, errors.New("introspection: the client id must be printable ASCII")
	case !syntax.VSChar.Holds(c.ClientSecret):
		return nil, errors.New("introspection: the secret must be printable ASCII (make one with: openssl rand -hex 32)")
	}
	if err := seal.CheckSecret([]byte(c.ClientSecret)); err != nil {
		return nil, fmt.Errorf("introspection: the secret %w (make one with: openssl rand -hex 32)", err)
	}
	return &introspection{c.ClientID, digests{sha256.Sum256([]byte(c.ClientSecret))}}, nil
}

// HasSecret compares a secret as it was sent: encoded as RFC 6749 section 2.3.1 has it, or not,
// as some libraries send it. There is one that it can be, whichever way it is read.
func (i *introspection) HasSecret(sent string) bool {
	return i.secret.have(formDecoded(sent)) || i.secret.have(sent)
}
