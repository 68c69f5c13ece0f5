package interop

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard" // the providers' Caddyfiles use reverse_proxy and its transports
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"        // the gateway
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp" // the development IdP
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/replay/redis"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

const root = "../../.."

// environment is what surrounds one provider: free ports, a certificate, scratch files, a browser.
type environment struct {
	dir         string // scratch
	gatewayPort int
	idpPort     int
	spaPort     int
	mcpPort     int // of the site of `make run`
	browser     *browserServer

	// A certificate for localhost with its authority, for what only works over TLS, in files
	// as PEM; transport trusts the authority.
	certFile, keyFile string
	transport         *http.Transport
}

func (e *environment) gatewayURL() string  { return fmt.Sprintf("http://localhost:%d", e.gatewayPort) }
func (e *environment) callbackURL() string { return e.gatewayURL() + "/oauth/callback" }
func (e *environment) spaOrigin() string   { return fmt.Sprintf("http://localhost:%d", e.spaPort) }

// newEnvironment runs the test beside others: much of its time goes by waiting for other processes.
func newEnvironment(t *testing.T) *environment {
	t.Parallel()
	port := must.Have(testgateway.FreePorts(4))(t)
	e := &environment{dir: t.TempDir(), gatewayPort: port, idpPort: port + 1, spaPort: port + 2, mcpPort: port + 3}
	authority := clientcerttest.NewAuthority("interop")
	certificate := authority.Issue(x509.Certificate{
		Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	e.certFile, e.keyFile = filepath.Join(e.dir, "localhost.pem"), filepath.Join(e.dir, "localhost-key.pem")
	cert, key := clientcerttest.PEM(certificate)
	require.NoError(t, os.WriteFile(e.certFile, append(cert, authority.PEM()...), 0o600))
	require.NoError(t, os.WriteFile(e.keyFile, key, 0o600))
	e.transport = http.DefaultTransport.(*http.Transport).Clone()
	e.transport.TLSClientConfig = &tls.Config{RootCAs: authority.Pool()}
	e.browser = newBrowserServer(t, e.transport)
	return e
}

// trustCertificate makes the back channel accept the certificate.
func (e *environment) trustCertificate() string {
	return fmt.Sprintf("\ntransport http {\n\ttls_trust_pool file %s\n}", e.certFile)
}

func (e *environment) startGateway(t *testing.T, idp *runningIdP, r registration) {
	directive := idp.recipe
	if directive == "" {
		directive = fmt.Sprintf("identity_gateway %s {\n%s\n%s\n}", idp.authURL, idp.gateway, e.gatewayOptions(idp, r))
	}
	e.startCaddy(t, testgateway.Caddyfile(e.dir, "log default {\nlevel DEBUG\nformat oauth_redact\n}", fmt.Sprintf(`http://localhost:%d {
	bind localhost
	log
	%s
	text_segmentation
	personification
	%s
}
%s`, e.gatewayPort, directive, idp.rest, idp.sites)))
}

// startCaddy runs a Caddyfile until the test ends, and waits until it can serve all requests: a
// gateway that is loaded together with its IdP asks that too early, and has to ask again.
func (e *environment) startCaddy(t *testing.T, caddyfile string) {
	t.Helper()
	caddy, err := testgateway.StartCaddy(caddyfile, e.dir, nil)
	require.NoError(t, err, caddyfile)
	t.Cleanup(func() {
		caddy.Close()
		if t.Failed() {
			t.Log(tail(caddy.Log()))
		}
	})
	require.Eventually(t, func() bool {
		_, err := caddy.Get("/identity_gateway/ready")
		return err == nil
	}, time.Minute, 50*time.Millisecond, "the gateway is not ready")
}

// gatewayOptions are the registration's part of identity_gateway: the clients,
// and the callback if there is one. Clients keep their ids at the provider: that
// is what they find as the audience of their ID tokens.
func (e *environment) gatewayOptions(idp *runningIdP, r registration) string {
	var options strings.Builder
	if r.callback {
		fmt.Fprintf(&options, "callback\nissuer %s\n", idp.issuer)
	}
	if r.secret != "" {
		options.WriteString(idp.par + "\n")
	}
	for _, c := range e.clientsOf(r) {
		// The client's own addresses, whatever the provider knows.
		fmt.Fprintf(&options, "client %s {\nredirect_uri %s\nreturn_to %s\n", c.ID, c.own, c.ReturnTo)
		if c.Origin != "" {
			fmt.Fprintf(&options, "origin %s\n", c.Origin)
		}
		if idp.audience != "" {
			fmt.Fprintf(&options, "audience %s\n", idp.audience)
		}
		if c.Secret != "" {
			fmt.Fprintf(&options, "idp_client %s {\nsecret %s\n}\n", c.ID, c.Secret)
		}
		options.WriteString("}\n")
	}
	return options.String()
}

// registration is how the gateway's clients are registered at the provider.
type registration struct {
	name     string
	suffix   string // of the client ids
	callback bool   // the gateway is the redirect target, else the client itself
	secret   string // of a confidential client, which only the gateway knows
}

var confidential = registration{name: "callback, confidential", suffix: "-confidential", callback: true, secret: "only-the-gateway-knows-it"}

// registrations are all of them. Each has its own clients, so that a provider need not be started again.
var registrations = []registration{{name: "no callback"}, confidential, {name: "callback, public", suffix: "-public", callback: true}}

// idpClient is a client as a provider knows it.
type idpClient struct {
	ID          string `json:"id"`
	RedirectURI string `json:"redirect_uri"`
	ReturnTo    string `json:"return_to"`
	Origin      string `json:"origin"` // of a page
	Secret      string `json:"secret"`

	own string // redirect URI
}

// clientsOf are the native client and the page's in a registration.
func (e *environment) clientsOf(r registration) []idpClient {
	page := e.spaOrigin() + "/"
	clients := []idpClient{
		{ID: "native" + r.suffix, Secret: r.secret, own: e.browser.redirectURI(), ReturnTo: e.browser.returnTo()},
		{ID: "spa" + r.suffix, Secret: r.secret, own: page, ReturnTo: page, Origin: e.spaOrigin()},
	}
	for i := range clients {
		clients[i].RedirectURI = clients[i].own
		if r.callback {
			clients[i].RedirectURI = e.callbackURL()
		}
	}
	return clients
}

// clientsAtIdP are those of all registrations.
func (e *environment) clientsAtIdP() (clients []idpClient) {
	for _, r := range registrations {
		clients = append(clients, e.clientsOf(r)...)
	}
	return clients
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
