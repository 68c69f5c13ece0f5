package login

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"

	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

// ID tells the log lines of one login from those of others. It is no secret, and
// decides nothing but what an operator ends. It travels in what is sealed for the login; zero: there is none.
type ID [6]byte

// NewID is a new one.
func NewID() (id ID) {
	_, _ = rand.Read(id[:]) // never returns an error
	return id
}

// IDOf is the id of a login of which nothing is sealed: both of its requests name its
// challenge.
func IDOf(c pkce.Challenge) ID {
	sum := sha256.Sum256([]byte("login\x00" + c))
	return ID(sum[:])
}

// idText is how an id is written.
var idText = base32.StdEncoding.WithPadding(base32.NoPadding)

// String is ten letters and digits, "" if there is no id.
func (id ID) String() string {
	if id == (ID{}) {
		return ""
	}
	return idText.EncodeToString(id[:])
}

// ParseID reads what [ID.String] writes; anything else is no id.
func ParseID(s string) (id ID) {
	if b, err := idText.DecodeString(s); err == nil && len(b) == len(id) {
		id = ID(b)
	}
	return id
}
