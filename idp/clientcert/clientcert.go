// Package clientcert is what a client's TLS certificate says of it (RFC 8705): whose it is,
// and what is bound to it. The handshake has proved that the client has the certificate's key.
package clientcert

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
)

// Certificate is the certificate with which a client has connected.
type Certificate struct {
	leaf *x509.Certificate
	// verified: an authority that the server trusts has issued it, for clients, and it is
	// valid now. Otherwise anybody may have written its names.
	verified bool
}

// Of is the certificate of a connection, nil if the client has shown none. What a header
// field says of one is nothing that a handshake has proved.
func Of(connection *tls.ConnectionState) *Certificate {
	if connection == nil || len(connection.PeerCertificates) == 0 {
		return nil
	}
	return &Certificate{connection.PeerCertificates[0], len(connection.VerifiedChains) > 0}
}

// IsVerified reports whether an authority that the server trusts has issued it.
func (c *Certificate) IsVerified() bool { return c.verified }

// Has reports whether an authority that the server trusts says that the client has a name.
func (c *Certificate) Has(n Name) bool { return c.verified && n.in != nil && n.in(c.leaf) }

// Thumbprint is the certificate's.
func (c *Certificate) Thumbprint() Thumbprint { return sha256.Sum256(c.leaf.Raw) }

// Thumbprint is the SHA-256 of a certificate in DER (RFC 8705 section 3.1), zero for none.
type Thumbprint dpop.Thumbprint

// ParseThumbprint reads an x5t#S256, base64url.
func ParseThumbprint(s string) (Thumbprint, bool) {
	t, ok := dpop.ParseThumbprint(s)
	return Thumbprint(t), ok
}

// String is the thumbprint in base64url, as an x5t#S256 has it.
func (t Thumbprint) String() string { return dpop.Thumbprint(t).String() }

// ParseFingerprint reads a thumbprint as tools print it: 64 hexadecimal digits, with colons
// between the bytes or without.
func ParseFingerprint(s string) (Thumbprint, error) {
	b, err := hex.DecodeString(strings.ReplaceAll(s, ":", ""))
	if err != nil || len(b) != sha256.Size || strings.Contains(s, ":") && len(s) != 3*sha256.Size-1 {
		return Thumbprint{}, errors.New("must be the SHA-256 of a certificate, 64 hexadecimal digits, as `openssl x509 -noout -fingerprint -sha256` prints them")
	}
	return Thumbprint(b), nil
}
