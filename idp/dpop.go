package idp

import (
	"errors"
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// parseKey reads dpop_jkt (RFC 9449 section 10).
func (r *authorizeRequest) parseKey(q *params.Values, c *clients.Client) error {
	if !q.Flag("dpop_jkt") {
		return nil
	}
	if !c.TakesProofs() {
		return bearer.Unsupported("leave out dpop_jkt")
	}
	var ok bool
	if r.key, ok = dpop.ParseThumbprint(q.Get("dpop_jkt")); !ok {
		return oauth.Reject(oauth.InvalidRequest, "RFC 9449 section 10", "dpop_jkt must be the SHA-256 thumbprint of a key (RFC 7638), 43 characters of base64url")
	}
	return nil
}

// checkProof checks the proof of a token request, if it has one (RFC 9449 section 5).
func (f *tokenFlow) checkProof() (err error) {
	c := f.request.Client
	if !c.TakesProofs() {
		return nil
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	switch {
	case len(f.r.Header["Dpop"]) > 0:
		f.request.proof, err = f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+Token.Path(), "")
	case c.DPoP == oauth.Required:
		err = bearer.BadProof("this client's tokens are bound to a key: send a DPoP proof")
	}
	return err
}

// useProof notes that the proof of a token request was used, whose grant was found to be
// good for its key. With an error nothing may be sent to the IdP.
func (f *tokenFlow) useProof(grant string) error {
	if f.request.proof == nil {
		return nil
	}
	err := f.gateway.proofs.Use(f.r.Context(), f.request.proof, grant)
	if cause := errors.Unwrap(err); cause != nil {
		f.note(ClaimFailed, cause)
	}
	return err
}

// key is that which the client has proved to have, zero if none.
func (r *tokenRequest) key() dpop.Thumbprint {
	if r.proof == nil {
		return dpop.Thumbprint{}
	}
	return r.proof.Key
}

// refreshKey is what the refresh token is bound to. That of a client which authenticates is
// bound to the client, which may change its key (RFC 9449 section 5).
func (r *tokenRequest) refreshKey() dpop.Thumbprint {
	if r.Authenticates() {
		return dpop.Thumbprint{}
	}
	return r.key()
}

// holdsKey checks that the client has proved to have the key that its code or refresh token
// is bound to, if it is bound to one. proof is nil if it sent none.
func holdsKey(proof *dpop.Proof, key dpop.Thumbprint) error {
	switch {
	case key == dpop.Thumbprint{}, proof != nil && proof.Key == key:
		return nil
	case proof == nil:
		return bearer.BadProof("the grant is bound to a key: send a DPoP proof made with it")
	}
	return oauth.Reject(oauth.InvalidGrant, "RFC 9449 section 5", "the DPoP proof is made with another key than the one that the grant is bound to")
}

// certify notes the certificate with which a client asks for tokens (RFC 8705 section 3).
func (f *tokenFlow) certify() error {
	c := f.request.Client
	switch {
	case f.r.Certificate != nil:
		f.request.certificate = f.r.Certificate.Thumbprint()
		f.request.certificateBound = c != nil && c.CertificateBound
	case c != nil && c.CertificateBound:
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
	if r.Authenticates() {
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
