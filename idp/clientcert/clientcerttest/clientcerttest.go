// Package clientcerttest makes certificates of clients, and connections with them, for tests.
package clientcerttest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"time"
)

// Authority issues certificates.
type Authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// NewAuthority makes one.
func NewAuthority(name string) *Authority {
	a := new(Authority)
	made := a.Issue(x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageAny, x509.ExtKeyUsageServerAuth}, // to OpenSSL, any is not for servers
	})
	a.certificate, a.key = made.Leaf, made.PrivateKey.(crypto.Signer)
	return a
}

// Issue makes a certificate: one for clients that is valid now, unless the template says
// otherwise. That of a new authority signs itself.
func (a *Authority) Issue(template x509.Certificate) tls.Certificate {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template.SerialNumber = must(rand.Int(rand.Reader, big.NewInt(1<<62)))
	if template.NotAfter.IsZero() {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	}
	if template.ExtKeyUsage == nil {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	parent, signer := a.certificate, a.key
	if parent == nil {
		parent, signer = &template, key
	}
	der := must(x509.CreateCertificate(rand.Reader, &template, parent, key.Public(), signer))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: must(x509.ParseCertificate(der))}
}

// SelfSigned makes a certificate that nobody else vouches for.
func SelfSigned(template x509.Certificate) tls.Certificate { return new(Authority).Issue(template) }

// Pool is the authority alone.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// PEM is the authority's certificate.
func (a *Authority) PEM() []byte { return encoded("CERTIFICATE", a.certificate.Raw) }

// PEM is a certificate and its private key.
func PEM(c tls.Certificate) (certificate, key []byte) {
	return encoded("CERTIFICATE", c.Certificate[0]), encoded("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(c.PrivateKey)))
}

func encoded(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// Connect is what a server learns from the handshake of a client with these certificates, of
// which it sends the first one, whatever the server asks for.
func Connect(mode tls.ClientAuthType, trusted *x509.CertPool, shown ...tls.Certificate) (*tls.ConnectionState, error) {
	own := SelfSigned(x509.Certificate{DNSNames: []string{"server.example"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	authorities := x509.NewCertPool()
	authorities.AddCert(must(x509.ParseCertificate(own.Certificate[0])))
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	client := tls.Client(far, &tls.Config{
		ServerName: "server.example",
		RootCAs:    authorities,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if len(shown) == 0 {
				return new(tls.Certificate), nil
			}
			return &shown[0], nil
		},
	})
	failed := make(chan error, 1)
	go func() {
		_, err := client.Read(make([]byte, 1)) // until the server closes it
		failed <- err
	}()
	server := tls.Server(near, &tls.Config{Certificates: []tls.Certificate{own}, ClientAuth: mode, ClientCAs: trusted})
	if err := server.Handshake(); err != nil {
		near.Close()
		return nil, errors.Join(err, <-failed)
	}
	state := server.ConnectionState()
	near.Close()
	<-failed
	return &state, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
