package faults

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"time"
)

// silent takes what the standard library's servers log about their clients.
var silent = log.New(io.Discard, "", 0)

// authority is a certificate authority of the faults' own.
type authority struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	pem         []byte
}

// theAuthority is one for the process, which reads what it trusts only once.
var theAuthority = sync.OnceValues(newAuthority)

func newAuthority() (*authority, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "faults"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{key, certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// config is that of a server at 127.0.0.1 whose certificate and settings change
// has changed.
func (a *authority) config(change func(*x509.Certificate, *tls.Config)) *tls.Config {
	key, err := newKey()
	if err != nil {
		panic(err) // the system has no random numbers
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "idp"},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	config := &tls.Config{NextProtos: []string{"http/1.1"}}
	if change != nil {
		change(template, config)
	}
	parent, signer := a.certificate, a.key
	if template.IsCA { // signs itself
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		panic(err) // the templates of this package are complete
	}
	config.Certificates = []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}
	return config
}

// changed is a [fault.tls] with a change.
func changed(change func(*x509.Certificate, *tls.Config)) func(*authority) *tls.Config {
	return func(a *authority) *tls.Config { return a.config(change) }
}
