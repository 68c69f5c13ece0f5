package clientcert

import (
	"crypto/x509"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
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
		if value == "" || strings.ContainsAny(value, "*/: ") {
			return Name{}, fmt.Errorf("%s %q is no host name", kind, value)
		}
		return Name{func(c *x509.Certificate) bool {
			return slices.ContainsFunc(c.DNSNames, func(name string) bool { return strings.EqualFold(name, value) })
		}}, nil
	case SANURI:
		if u, err := url.Parse(value); err != nil || u.Scheme == "" || u.String() != value {
			return Name{}, fmt.Errorf("%s %q is no absolute URI", kind, value)
		}
		return Name{func(c *x509.Certificate) bool {
			return slices.ContainsFunc(c.URIs, func(uri *url.URL) bool { return uri.String() == value })
		}}, nil
	case SANIP:
		address, err := netip.ParseAddr(value)
		if err != nil || address.Zone() != "" {
			return Name{}, fmt.Errorf("%s %q is no IP address", kind, value)
		}
		return Name{func(c *x509.Certificate) bool {
			for _, ip := range c.IPAddresses {
				if known, _ := netip.AddrFromSlice(ip); known.Unmap() == address.Unmap() {
					return true
				}
			}
			return false
		}}, nil
	case SANEmail:
		if strings.Count(value, "@") != 1 {
			return Name{}, fmt.Errorf("%s %q is no address", kind, value)
		}
		return Name{func(c *x509.Certificate) bool { return slices.Contains(c.EmailAddresses, value) }}, nil
	}
	return Name{}, fmt.Errorf("%q is no kind of name; use %s, %s, %s, %s or %s", kind, SubjectDN, SANDNS, SANURI, SANIP, SANEmail)
}
