package requiretoken_test

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newTLSIssuer is reached by TLS, and has a certificate for example.com that no system
// trusts.
func newTLSIssuer(t testing.TB) *issuer {
	i := newIssuer(t)
	i.Close()
	i.Server = httptest.NewTLSServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.Close)
	return i
}

func writeCertificate(t testing.TB, path string, certificate []byte) {
	require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600))
}

// A transport that can't reach an issuer is no reason to panic, which would end Caddy.
func TestATransportForSomethingElse(t *testing.T) {
	i := newIssuer(t)
	g := site(t, i, "require_token "+nobody+" https://api.example {\ntransport fastcgi\n}\nrespond ok")
	require.Equal(t, 503, get(t, g.URL(), "Authorization", "Bearer "+i.token(t, "iss", nobody)).StatusCode)
}

// Caddy resolves them with each request, and takes it for granted that a client has sent
// that.
func TestPlaceholdersInTheTransport(t *testing.T) {
	i := newTLSIssuer(t)
	trusted := filepath.Join(t.TempDir(), "issuer.pem")
	writeCertificate(t, trusted, i.Certificate().Raw)
	t.Setenv("ISSUER_NAME", "example.com")
	for name, tt := range map[string]struct {
		serverName string
		status     int
	}{
		"of the environment":      {"{env.ISSUER_NAME}", 200},
		"of the client's request": {"{http.request.header.Issuer}", 503},
	} {
		t.Run(name, func(t *testing.T) {
			for token, rules := range map[string]string{
				i.token(t): "require_token {issuer} https://api.example {",
				"opaque-1": "require_token {issuer} https://api.example {\nintrospection api secret",
			} {
				g := site(t, i, rules+"\ntransport http {\ntls_trust_pool file "+trusted+"\ntls_server_name "+tt.serverName+"\n}\n}\nrespond ok")
				r := get(t, g.URL(), "Authorization", "Bearer "+token, "Issuer", "example.com")
				require.Equal(t, tt.status, r.StatusCode, r.body)
			}
		})
	}
}

// A reload reads the certificates anew, also where the rest of the configuration, and
// the keys with it, stay as they are.
func TestCertificatesAreRenewedByAReload(t *testing.T) {
	i := newTLSIssuer(t)
	trusted := filepath.Join(t.TempDir(), "issuer.pem")
	other := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, other, other, i.key.Public(), i.key)
	require.NoError(t, err)
	writeCertificate(t, trusted, certificate)
	block := "require_token {issuer} https://api.example {\ntransport http {\ntls_trust_pool file " + trusted + "\n}\n}\nrespond ok"
	before := site(t, i, block)
	require.Equal(t, 503, get(t, before.URL(), "Authorization", "Bearer "+i.token(t)).StatusCode)

	writeCertificate(t, trusted, i.Certificate().Raw)
	after := site(t, i, block) // as a reload does: the new one first
	require.NoError(t, before.Stop())

	writeCertificate(t, trusted, certificate)
	require.NoError(t, site(t, i, block).Stop(), "one that is given up again")
	require.Eventually(t, func() bool {
		return get(t, after.URL(), "Authorization", "Bearer "+i.token(t)).StatusCode == 200
	}, time.Minute, 100*time.Millisecond)
}

// nobody is an issuer that can't be asked for its metadata.
const nobody = "https://127.0.0.1:1"

func TestWhereTheIssuerIsAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		block, token string // "": a signed one
		claims       []any
		want         string
	}{
		"at the address of its metadata": {"require_token {issuer}/.well-known/openid-configuration {\nclient app\n}", "", nil, "u1"},
		"for keys alone":                 {"require_token " + nobody + " https://api.example {\njwks_uri {issuer}/keys\n}", "", []any{"iss", nobody}, "u1"},
		"for introspection":              {"require_token " + nobody + " https://api.example {\njwks_uri {issuer}/keys\nintrospection api secret {issuer}/introspect\n}", "opaque-1", nil, "u2"},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer(t)
			g := site(t, i, tt.block+"\nhandle /teapot {\nerror 418\n}\nrespond {http.auth.user.id}")
			token := tt.token
			if token == "" {
				token = i.token(t, tt.claims...)
			}
			got := get(t, g.URL(), "Authorization", "Bearer "+token)
			require.Equal(t, 200, got.StatusCode, got.body)
			require.Equal(t, tt.want, got.body)
			require.Equal(t, 418, get(t, g.URL()+"/teapot", "Authorization", "Bearer "+token).StatusCode, "an error of the next handler")
		})
	}
}
