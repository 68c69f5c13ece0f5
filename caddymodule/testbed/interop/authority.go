package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// authority is a certificate for localhost that signs itself, for providers
// that only work over TLS. Files are in PEM.
type authority struct {
	certFile string
	keyFile  string
	pool     *x509.CertPool
}

func newAuthority(dir string) (_ *authority, err error) {
	defer fail.Catch(&err)
	key := fail.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IsCA: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	certDER := fail.Must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	keyDER := fail.Must(x509.MarshalPKCS8PrivateKey(key))
	a := &authority{certFile: filepath.Join(dir, "localhost.pem"), keyFile: filepath.Join(dir, "localhost-key.pem"), pool: x509.NewCertPool()}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certDER})
	a.pool.AppendCertsFromPEM(certPEM)
	fail.Check(os.WriteFile(a.certFile, certPEM, 0o600))
	return a, os.WriteFile(a.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600)
}

// transport trusts the certificate.
func (a *authority) transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: a.pool}
	return transport
}
