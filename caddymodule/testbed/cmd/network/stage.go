package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testlogin"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

const (
	gatewayPort = 8080
	idpPort     = 443
	idpName     = "idp.test"
	// publicAddress is that of the gateway, as clients and the IdP know it.
	publicAddress = "https://login.test"
	// responseTimeout is the gateway's.
	responseTimeout = 5 * time.Second
)

// stage is clients, a gateway and an IdP, each at a host of its own. A second host
// is the IdP, too: its name may be moved there.
type stage struct {
	folder           string
	network          *testnet.Network
	clients, gateway *testnet.Host
	idpHosts         [2]*testnet.Host
	idp              *testidp.Server
	listeners        [2]net.Listener
	process          *caddyprocess.Process
}

// newStage starts all. protocol is what the IdP speaks: http/1.1 or h2.
func newStage(protocol string) (*stage, error) {
	network, err := testnet.New()
	if err != nil {
		return nil, err
	}
	s := &stage{network: network}
	if err := s.start(protocol); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stage) start(protocol string) error {
	var err error
	if s.folder, err = os.MkdirTemp("", "network"); err != nil {
		return err
	}
	hosts, err := s.network.Hosts("clients.test", "gateway.test", idpName, "other.test")
	if err != nil {
		return err
	}
	s.clients, s.gateway, s.idpHosts = hosts[0], hosts[1], [2]*testnet.Host(hosts[2:])
	s.network.Name(idpName, s.idpHosts[0])
	certificate, file, err := s.certificate()
	if err != nil {
		return err
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{protocol}, MinVersion: tls.VersionTLS12}
	for i, h := range s.idpHosts {
		listener, err := h.Listen(idpPort)
		if err != nil {
			return err
		}
		s.listeners[i] = tls.NewListener(listener, config)
	}
	behavior := testlogin.Behavior(publicAddress)
	behavior.Listen = func() (net.Listener, error) { return newJoined(s.listeners[:]), nil }
	if s.idp, err = testidp.Start(behavior); err != nil {
		return err
	}
	home := filepath.Join(s.folder, "caddy")
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	s.process, err = caddyprocess.Start(caddyprocess.Config{
		Home: home, Start: s.gateway.Start, Env: []string{"SSL_CERT_FILE=" + file},
		Caddyfile: caddyprocess.Caddyfile(home, "log default {\nlevel WARN\n}", fmt.Sprintf("http://:%d {\n%s\n}", gatewayPort, s.site())),
	})
	return err
}

func (s *stage) site() string {
	return testlogin.Site("https://"+idpName, publicAddress, fmt.Sprintf("response_timeout %s", responseTimeout))
}

func (s *stage) close() error {
	if s.process != nil {
		s.process.Kill()
	}
	var err error
	if s.idp != nil {
		err = s.idp.Close()
	}
	return errors.Join(err, s.network.Close(), os.RemoveAll(s.folder))
}

// certificate makes the IdP's certificate, which signs itself, and a file with it.
func (s *stage) certificate() (tls.Certificate, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: idpName}, DNSNames: []string{idpName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	file := filepath.Join(s.folder, "idp.pem")
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file,
		os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}

// url is the address of the gateway for the clients.
func (s *stage) url() string { return fmt.Sprintf("http://%s:%d", s.gateway.Address(), gatewayPort) }

// client is a browser and an app at the clients' host. Their way to the IdP is its
// second host, which always reaches them.
func (s *stage) client() *http.Client {
	return &http.Client{
		Timeout: time.Minute,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // what the browser thinks of the IdP is not the question
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if host, port, err := net.SplitHostPort(address); err == nil && host == idpName {
					address = net.JoinHostPort(s.idpHosts[1].Address(), port)
				}
				return s.clients.DialContext(ctx, network, address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// joined is several listeners as one.
type joined struct {
	listeners []net.Listener
	accepted  chan net.Conn
	closed    chan struct{}
}

func newJoined(listeners []net.Listener) *joined {
	j := &joined{listeners: listeners, accepted: make(chan net.Conn), closed: make(chan struct{})}
	for _, l := range listeners {
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return // closed
				}
				select {
				case j.accepted <- conn:
				case <-j.closed:
					_ = conn.Close()
				}
			}
		}()
	}
	return j
}

// Accept implements net.Listener.
func (j *joined) Accept() (net.Conn, error) {
	select {
	case conn := <-j.accepted:
		return conn, nil
	case <-j.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. It is called once.
func (j *joined) Close() error {
	close(j.closed)
	var err error
	for _, l := range j.listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// Addr implements net.Listener.
func (j *joined) Addr() net.Addr { return j.listeners[0].Addr() }
