package idp

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// IntrospectionConfig is the credential of a resource server that asks about access tokens,
// by `client_secret_basic` (RFC 7662 section 2.1).
type IntrospectionConfig struct {
	// The id, another one for each resource. Required.
	ClientID string `json:"client_id"`
	// The secret, of at least 16 characters. Placeholders such as
	// `{env.INTROSPECTION_SECRET}` are resolved when the configuration is loaded. Required.
	ClientSecret string `json:"client_secret"`
}

// introspection is a compiled IntrospectionConfig.
type introspection struct {
	clientID string
	secret   [sha256.Size]byte // its digest
}

// minIntrospectionSecret is the length of the shortest secret, in bytes: anybody can try.
const minIntrospectionSecret = 16

func newIntrospection(c IntrospectionConfig) (*introspection, error) {
	switch {
	case c.ClientID == "" || !syntax.VSChar.Holds(c.ClientID):
		return nil, errors.New("introspection: the client id must be printable ASCII")
	case len(c.ClientSecret) < minIntrospectionSecret || !syntax.VSChar.Holds(c.ClientSecret):
		return nil, errors.New("introspection: the secret must be printable ASCII of at least 16 characters (make one with: openssl rand -hex 32)")
	}
	return &introspection{c.ClientID, sha256.Sum256([]byte(c.ClientSecret))}, nil
}

// hasSecret compares a secret as it was sent: encoded as RFC 6749 section 2.3.1 has it, or not,
// as some libraries send it. There is one that it can be, whichever way it is read.
func (i *introspection) hasSecret(sent string) bool {
	encoded, plain := sha256.Sum256([]byte(formDecoded(sent))), sha256.Sum256([]byte(sent))
	return subtle.ConstantTimeCompare(i.secret[:], encoded[:])|subtle.ConstantTimeCompare(i.secret[:], plain[:]) == 1
}

// introspectionRequest is a checked request to the introspection endpoint.
type introspectionRequest struct {
	// ClientID is the resource server's, resource what it may ask about.
	ClientID string
	resource *resource
	Token    string
}

// parseIntrospection checks a request to the introspection endpoint (RFC 7662 section
// 2.1): its raw query, header and whole body. token_type_hint, which may be anything, is
// not needed.
func (p *Policy) parseIntrospection(rawQuery string, header http.Header, body string) (introspectionRequest, error) {
	var r introspectionRequest
	f, err := parseForm("introspection", "RFC 7662 section 2.1", rawQuery, header, body)
	if err != nil {
		return r, err
	}
	id, secret, _ := basicCredentials(header["Authorization"])
	for _, known := range p.resources {
		if known.introspection != nil && known.introspection.clientID == id && known.introspection.hasSecret(secret) {
			r.ClientID, r.resource = id, known
		}
	}
	if r.resource == nil {
		e := oauth.Reject(oauth.InvalidClient, "RFC 7662 section 2.1",
			"the resource server must authenticate by client_secret_basic, with the id and secret of its option introspection")
		e.Status, e.Challenge = http.StatusUnauthorized, `Basic realm="introspection"`
		return r, e
	}
	if r.Token = f.get("token"); r.Token == "" {
		return r, missing("token", "RFC 7662 section 2.1")
	}
	return r, nil
}

// addIntrospection makes sure that an id stands for one resource.
func (p *Policy) addIntrospection(added *introspection) error {
	if added == nil {
		return nil
	}
	for _, r := range p.resources {
		if r.introspection != nil && r.introspection.clientID == added.clientID {
			return fmt.Errorf("introspection: %s is the id of %s, too; each resource server has its own", added.clientID, r.uri)
		}
	}
	p.served[Introspect] = true
	return nil
}
