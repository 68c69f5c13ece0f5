package clientcert

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
)

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
