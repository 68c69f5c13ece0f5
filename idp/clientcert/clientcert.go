// Package clientcert is what a client's TLS certificate says of it (RFC 8705): whose it is,
// and what is bound to it. The handshake has proved that the client has the certificate's key.
package clientcert

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
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

// The kinds of names (RFC 8705 section 2.1.2, without the prefix tls_client_auth_).
const (
	SubjectDN = "subject_dn" // RFC 4514
	SANDNS    = "san_dns"
	SANURI    = "san_uri"
	SANIP     = "san_ip"
	SANEmail  = "san_email"
)

// Name is one that a client's certificate has to have.
type Name struct {
	in func(*x509.Certificate) bool
}

// ParseName reads a name of a kind. Certificates are compared with it as they are, but for the
// case of DNS names: a wildcard in one is no name of a client.
func ParseName(kind, value string) (Name, error) {
	switch kind {
	case SubjectDN:
		dn, err := parseDN(value)
		return Name{func(c *x509.Certificate) bool { return dn.isSubject(c.RawSubject) }}, err
	case SANDNS:
		if value == "" || !syntax.HostChar.Holds(value) || strings.Contains(value, ":") {
			return Name{}, fmt.Errorf("%s %q is not a host name", kind, value)
		}
		return Name{func(c *x509.Certificate) bool {
			return slices.ContainsFunc(c.DNSNames, func(name string) bool { return strings.EqualFold(name, value) })
		}}, nil
	case SANURI:
		if u, err := url.Parse(value); err != nil || u.Scheme == "" || !syntax.URIChar.Holds(value) {
			return Name{}, fmt.Errorf("%s %q is not an absolute URI", kind, value)
		}
		return Name{func(c *x509.Certificate) bool { return slices.Contains(urisOf(c), value) }}, nil
	case SANIP:
		address, err := netip.ParseAddr(value)
		if err != nil || address.Zone() != "" {
			return Name{}, fmt.Errorf("%s %q is no IP address", kind, value)
		}
		return Name{func(c *x509.Certificate) bool {
			return slices.ContainsFunc(c.IPAddresses, func(ip net.IP) bool { return bytes.Equal(ip, address.Unmap().AsSlice()) })
		}}, nil
	case SANEmail:
		if strings.Count(value, "@") != 1 {
			return Name{}, fmt.Errorf("%s %q is not an address", kind, value)
		}
		return Name{func(c *x509.Certificate) bool { return slices.Contains(c.EmailAddresses, value) }}, nil
	}
	return Name{}, fmt.Errorf("%q is not a kind of name; use %s, %s, %s, %s or %s", kind, SubjectDN, SANDNS, SANURI, SANIP, SANEmail)
}

// urisOf are the URIs among a certificate's names, as they stand there (RFC 3986 section 6.2.1):
// as a [url.URL] several are written like one.
func urisOf(c *x509.Certificate) (uris []string) {
	for _, extension := range c.Extensions {
		if !extension.Id.Equal(asn1.ObjectIdentifier{2, 5, 29, 17}) { // subjectAltName (RFC 5280 section 4.2.1.6)
			continue
		}
		var names []asn1.RawValue
		if _, err := asn1.Unmarshal(extension.Value, &names); err != nil {
			return nil
		}
		for _, name := range names {
			if name.Class == asn1.ClassContextSpecific && name.Tag == 6 {
				uris = append(uris, string(name.Bytes))
			}
		}
	}
	return uris
}
