package accesstoken_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// RFC 8705 section 3: a thief has the token, and any certificate but the owner's. What is bound
// to nothing lets him in.
func TestTokensThatAreBoundToACertificate(t *testing.T) {
	connect := func(shown ...tls.Certificate) *tls.ConnectionState {
		state, err := clientcerttest.Connect(tls.RequestClientCert, nil, shown...)
		require.NoError(t, err)
		return state
	}
	owner, thief := connect(clientcerttest.SelfSigned(x509.Certificate{})), connect(clientcerttest.SelfSigned(x509.Certificate{}))
	i := newIssuer(t)
	bound := i.token(t, "cnf", map[string]string{"x5t#S256": clientcert.Of(owner).Thumbprint().String()})
	for name, v := range map[string]*accesstoken.Verifier{
		"alone":     i.verifier(t, func(*accesstoken.Config) {}),
		"with DPoP": i.verifier(t, func(c *accesstoken.Config) { c.DPoP, c.Proofs = oauth.Optional, proofs(i.clock, nil) }),
	} {
		verify := func(token string, over *tls.ConnectionState) error {
			r := &http.Request{Method: "GET", TLS: over, Header: http.Header{"Authorization": {"Bearer " + token}, "Client-Cert": {":x:"}}}
			_, err := v.VerifyRequest(t.Context(), r, "https://api.example/", nil)
			return err
		}
		require.NoError(t, verify(i.token(t), thief), name)
		require.NoError(t, verify(bound, owner), name)
		for what, over := range map[string]*tls.ConnectionState{"no TLS": nil, "no certificate": connect(), "the thief's": thief} {
			require.ErrorContains(t, verify(bound, over), "bound to a TLS certificate", "%s: %s", name, what)
		}
		_, err := v.Verify(t.Context(), bound)
		require.ErrorContains(t, err, "bound to a TLS certificate")
	}
}
