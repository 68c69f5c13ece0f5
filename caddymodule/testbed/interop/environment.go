package main

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

// environment is what surrounds one provider's row: free ports, certificates,
// scratch files.
type environment struct {
	dir         string // scratch
	clients     string // caddymodule/testbed/interop/clients
	authority   *authority
	gatewayPort int
	idpPort     int
	spaPort     int
	browser     *browserServer
	cleanups    []func()
}

// whenClosed has f run at the end, the last one first.
func (e *environment) whenClosed(f func()) { e.cleanups = append(e.cleanups, f) }

// close ends everything that was started, and waits for it.
func (e *environment) close() {
	for _, cleanup := range slices.Backward(e.cleanups) {
		cleanup()
	}
}

func (e *environment) gatewayURL() string { return fmt.Sprintf("http://localhost:%d", e.gatewayPort) }
func (e *environment) spaOrigin() string  { return fmt.Sprintf("http://localhost:%d", e.spaPort) }

func newEnvironment() (_ *environment, err error) {
	defer fail.Catch(&err)
	clients := fail.Must(clientsFolder())
	port := fail.Must(testgateway.FreePorts(3))
	e := &environment{clients: clients, gatewayPort: port, idpPort: port + 1, spaPort: port + 2}
	e.dir = fail.Must(os.MkdirTemp("", "interop"))
	e.whenClosed(func() { os.RemoveAll(e.dir) })
	if e.authority, err = newAuthority(e.dir); err == nil {
		e.browser, err = newBrowserServer(e.authority)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	e.whenClosed(e.browser.close)
	return e, nil
}

// clientsFolder is caddymodule/testbed/interop/clients, found from this source file.
func clientsFolder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source folder is not known")
	}
	return filepath.Join(filepath.Dir(file), "clients"), nil
}

// authority is a certificate for localhost that signs itself, for providers
// that only work over TLS. Files are in PEM.
type authority struct {
	certFile, keyFile string
	pool              *x509.CertPool
}

func newAuthority(dir string) (*authority, error) {
	certificate := clientcerttest.SelfSigned(x509.Certificate{
		Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IsCA: true,
	})
	a := &authority{certFile: filepath.Join(dir, "localhost.pem"), keyFile: filepath.Join(dir, "localhost-key.pem"), pool: x509.NewCertPool()}
	a.pool.AddCert(certificate.Leaf)
	cert, key := clientcerttest.PEM(certificate)
	return a, errors.Join(os.WriteFile(a.certFile, cert, 0o600), os.WriteFile(a.keyFile, key, 0o600))
}

// transport trusts the certificate.
func (a *authority) transport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: a.pool}
	return transport
}

// chromium is the browser's path, or empty.
func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
