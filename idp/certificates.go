package idp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
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

// addCertificate reads by which certificates a client authenticates.
func (c *client) addCertificate(config ClientConfig) (err error) {
	byName, bySelf := config.CertificateName != CertificateName{}, len(config.CertificateHashes) > 0
	switch {
	case byName != slices.Contains(config.AuthMethods, AuthTLS):
		return errors.New("tls_client_auth and token_endpoint_auth " + AuthTLS + " need one another")
	case bySelf != slices.Contains(config.AuthMethods, AuthSelfSignedTLS):
		return errors.New("self_signed_tls_client_auth and token_endpoint_auth " + AuthSelfSignedTLS + " need one another")
	case !byName && !bySelf:
		return nil
	}
	c.certificate = new(certificateRule)
	if byName {
		if c.certificate.name, err = clientcert.ParseName(config.CertificateName.Kind, config.CertificateName.Value); err != nil {
			return fmt.Errorf("tls_client_auth: %w", err)
		}
	}
	for _, hash := range config.CertificateHashes {
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
func (rule *certificateRule) check(r *clientAuth, shown *clientcert.Certificate) error {
	switch {
	case shown == nil:
		return r.reject("this client authenticates by its TLS certificate, and the connection has none")
	case slices.Contains(rule.known, shown.Thumbprint()), shown.Has(rule.name):
		return nil
	case len(rule.known) == 0 && !shown.IsVerified():
		return r.reject("the TLS certificate is not verified: the server asks for certificates without holding them to an authority")
	}
	return r.reject("the TLS certificate is not this client's")
}

// authenticates reports whether the client has shown a credential.
func (a *clientAuth) authenticates() bool { return a.method != "" && a.method != AuthNone }

// certify notes the certificate with which a client asks for tokens (RFC 8705 section 3).
func (f *flow) certify(r *tokenRequest) error {
	c := r.client
	switch {
	case f.r.Certificate != nil:
		r.certificate = f.r.Certificate.Thumbprint()
		r.certificateBound = c != nil && c.certificateBound
	case c != nil && c.certificateBound:
		return oauth.Reject(oauth.InvalidRequest, "RFC 8705 section 3", "this client's tokens are bound to its TLS certificate, and the connection has none")
	}
	return nil
}

// boundCertificate is that to which the access token is bound, zero for none.
func (r *tokenRequest) boundCertificate() clientcert.Thumbprint {
	if !r.certificateBound {
		return clientcert.Thumbprint{}
	}
	return r.certificate
}

// refreshCertificate is that to which the refresh token is bound. That of a client which
// authenticates is bound to the client, which may get another one (RFC 8705 section 7.1).
func (r *tokenRequest) refreshCertificate() clientcert.Thumbprint {
	if r.authenticates() {
		return clientcert.Thumbprint{}
	}
	return r.boundCertificate()
}

// holdsCertificate checks that the client has connected with the certificate that its refresh
// token is bound to, if it is bound to one.
func (r *tokenRequest) holdsCertificate(bound clientcert.Thumbprint) error {
	if bound == (clientcert.Thumbprint{}) || r.certificate == bound {
		return nil
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 8705 section 4", "the refresh token is bound to another TLS certificate than the one of this connection")
}
