package clients

import (
	"errors"
	"fmt"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
)

// CertificateName is a name in a client's certificate (RFC 8705 section 2.1.2).
type CertificateName struct {
	// Kind is [clientcert.SubjectDN], or that of a subject alternative name.
	Kind string `json:"kind"`
	// Value is compared exactly, but for the case of DNS names, and how a
	// distinguished name is written.
	Value string `json:"value"`
}

// certificateRule is whose certificates are a client's.
type certificateRule struct {
	name  clientcert.Name // zero: none
	known []clientcert.Thumbprint
}

func (c *Client) addCertificate() (err error) {
	byName, bySelf := c.CertificateName != CertificateName{}, len(c.CertificateHashes) > 0
	switch {
	case byName != slices.Contains(c.AuthMethods, AuthTLS):
		return errors.New("token_endpoint_auth " + AuthTLS + " and the name in its certificate need one another")
	case bySelf != slices.Contains(c.AuthMethods, AuthSelfSignedTLS):
		return errors.New("token_endpoint_auth " + AuthSelfSignedTLS + " and the SHA-256 of a certificate need one another")
	case !byName && !bySelf:
		return nil
	}
	c.certificate = new(certificateRule)
	if byName {
		if c.certificate.name, err = clientcert.ParseName(c.CertificateName.Kind, c.CertificateName.Value); err != nil {
			return fmt.Errorf("tls_client_auth: %w", err)
		}
	}
	for _, hash := range c.CertificateHashes {
		known, err := clientcert.ParseFingerprint(hash)
		if err != nil {
			return fmt.Errorf("self_signed_tls_client_auth %w", err)
		}
		c.certificate.known = append(c.certificate.known, known)
	}
	return nil
}

// check holds the certificate of a connection to the client (RFC 8705 section 2). That the
// client has its key, the handshake has proved.
func (rule *certificateRule) check(r *Auth, shown *clientcert.Certificate) error {
	switch {
	case shown == nil:
		return r.Reject("this client authenticates by its TLS certificate, and the connection has none")
	case slices.Contains(rule.known, shown.Thumbprint()), shown.Has(rule.name):
		return nil
	case len(rule.known) == 0 && !shown.IsVerified():
		return r.Reject("the TLS certificate is not verified: the server asks for certificates without holding them to an authority")
	}
	return r.Reject("the TLS certificate is not this client's")
}
