package login

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Digest stands for a text of the configuration in what is sealed, because IdPs bound the length
// of state.
type Digest [8]byte

func digestOf(s string) Digest {
	sum := sha256.Sum256([]byte(s))
	return Digest(sum[:])
}

// Terms stand for what dynamic clients are checked against.
func Terms(text string) *Digest {
	digest := redirect{terms: text}.digest()
	return &digest
}

// Client is a client of the configuration. Terms are what its requests are checked against, in
// one form.
type Client struct {
	ID        string
	Redirects []uris.Registered
	Terms     string
}

// redirect is a client with one of its redirect URIs, and what it may do: a login that was
// checked against other terms than those of now opens nowhere.
type redirect struct {
	clientID string
	uri      uris.Registered
	terms    string
	sealed   Digest
}

func (r redirect) digest() Digest {
	return digestOf(r.clientID + "\x00" + r.uri.Exact + "\x00" + r.terms)
}

// register makes the redirect URIs of a client known.
func (c *Codec) register(client Client) error {
	for _, uri := range client.Redirects {
		added := redirect{clientID: client.ID, uri: uri, terms: client.Terms}
		added.sealed = added.digest()
		if other, ok := c.registered[added.sealed]; ok && *other != added {
			return fmt.Errorf("client %s: redirect_uri %s has the same digest as %s of client %s; change one of them",
				client.ID, uri.Exact, other.uri.Exact, other.clientID)
		}
		c.registered[added.sealed] = &added
		c.redirects[client.ID] = append(c.redirects[client.ID], &added)
	}
	return nil
}

// find is the digest and, for a loopback URI, the port that stand for a client and its redirect
// URI. It reports false if they are not registered.
func (c *Codec) find(clientID, redirectURI string) (Digest, uint16, bool) {
	for _, known := range c.redirects[clientID] {
		if known.uri.Matches(redirectURI) {
			return known.sealed, known.uri.Port(redirectURI), true
		}
	}
	return Digest{}, 0, false
}

// Resource is what logins are for, by its key ([uris.Key]).
type Resource struct {
	Key string
	// scopes are the names of its scopes, which stand as bits in what is sealed.
	scopes []string
	// digest stands for it in what is sealed for long, terms for what it says now, too.
	digest, terms Digest
}

// NewResource is a resource with the names of its scopes. Terms are what requests for it are
// checked against, in one form.
func NewResource(key, terms string, scopes []string) Resource {
	return Resource{Key: key, scopes: scopes, digest: digestOf(key), terms: digestOf(terms)}
}

// resource is the resource with a key, nil if there is none.
func (c *Codec) resource(key string) *Resource {
	for i := range c.resources {
		if c.resources[i].Key == key {
			return &c.resources[i]
		}
	}
	return nil
}

// readResource reads the digest of a resource that is configured now, nil if there is none.
func (c *Codec) readResource(from *seal.Reader, of func(*Resource) Digest) *Resource {
	b := from.Bytes(len(Digest{}))
	for i := range c.resources {
		if r := &c.resources[i]; !from.Failed && of(r) == Digest(b) {
			return r
		}
	}
	return nil
}

// appendScopes appends a bit for each name, set for those that scope has.
func (r *Resource) appendScopes(dst []byte, scope string) []byte {
	bits := make([]byte, (len(r.scopes)+7)/8)
	for name := range strings.SplitSeq(scope, " ") {
		for i, known := range r.scopes {
			if name == known {
				bits[i/8] |= 1 << (i % 8)
			}
		}
	}
	return append(dst, bits...)
}

// readScopes reads what appendScopes wrote.
func (r *Resource) readScopes(from *seal.Reader) string {
	bits := from.Bytes((len(r.scopes) + 7) / 8)
	if from.Failed {
		return ""
	}
	var names []string
	for i, name := range r.scopes {
		if bits[i/8]>>(i%8)&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
