package requiretoken_test

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// twoIssuers is the block of README.md with issuers of the test.
func twoIssuers(t *testing.T, staff, customers *issuer) string {
	return inside(t, "\n"+recipe(t, "Several issuers", "https://login.example.com", staff.URL, "https://customers.eu.auth0.com", customers.URL,
		"/etc/caddy/adfs-keys.json", keysOf(t, customers), "localhost:3000", "{app}"), "api.example.com")
}

// keysOf is a file with the keys of an issuer.
func keysOf(t *testing.T, i *issuer) string {
	path := filepath.Join(t.TempDir(), "keys.json")
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k1"}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, set, 0o600))
	return path
}

func TestTokensOfSeveralIssuers(t *testing.T) {
	staff, customers := newIssuer(t), newIssuer(t)
	g := site(t, staff, twoIssuers(t, staff, customers))
	user := func(token string) (int, []string) {
		r := get(t, g.URL()+"/x", "Authorization", "Bearer "+token, "X-User", "forged")
		if r.StatusCode != 200 {
			return r.StatusCode, nil
		}
		return 200, r.seen(t).Header["X-User"]
	}
	for name, test := range map[string]struct {
		token  string
		status int
		user   string
	}{
		"staff":                           {staff.token(t, "groups", []string{"engineering"}), 200, "u1"},
		"of a group that is not let in":   {staff.token(t, "groups", []string{"sales"}), 403, ""},
		"a customer":                      {customers.token(t), 200, "customers:u1"},
		"who calls himself like staff":    {customers.token(t, "groups", []string{"engineering"}, "sub", "u1"), 200, "customers:u1"},
		"whose issuer signs for staff":    {customers.token(t, "iss", staff.issuer(), "groups", []string{"engineering"}), 401, ""},
		"staff with the name of customer": {staff.token(t, "groups", []string{"engineering"}, "sub", "customers:u1"), 401, ""},
		"ADFS, whose issuer is http":      {customers.token(t, "iss", "http://adfs.example.com/adfs/services/trust", "scope", nil, "client_id", nil, "appid", "app"), 200, "adfs:u1"},
		"nobody's":                        {customers.token(t, "iss", "https://evil.example"), 401, ""},
		"opaque":                          {"opaque-1", 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, seen := user(test.token)
			require.Equal(t, test.status, status)
			require.Equal(t, test.user, strings.Join(seen, " "))
		})
	}
	customers.down.Store(true)
	status, _ := user(staff.token(t, "groups", []string{"engineering"}))
	require.Equal(t, 200, status, "what one issuer is, the others need not be")
}

// The names of tools' callers, and of users in the access log, are those of their issuers.
func TestPlaceholdersOfUsersOfSeveralIssuers(t *testing.T) {
	a, b := newIssuer(t), newIssuer(t)
	g := site(t, a, `require_token {
			audience https://api.example
			scope read
			issuer {issuer} {
				scope write
			}
			issuer `+b.URL+` {
				prefix b:
				audience https://b.example
			}
		}
		respond "{http.auth.user.id} {http.auth.user.sub} {http.auth.user.iss}"`)
	require.Equal(t, "u1 u1 "+a.issuer(), get(t, g.URL(), "Authorization", "Bearer "+a.token(t)).body)
	require.Equal(t, "b:u1 b:u1 "+b.issuer(), get(t, g.URL(), "Authorization", "Bearer "+b.token(t, "aud", "https://b.example")).body)
	require.Equal(t, 401, get(t, g.URL(), "Authorization", "Bearer "+b.token(t)).StatusCode, "its own audience counts in place of the other")
	require.Equal(t, 403, get(t, g.URL(), "Authorization", "Bearer "+a.token(t, "scope", "read")).StatusCode)
	require.Equal(t, 403, get(t, g.URL(), "Authorization", "Bearer "+a.token(t, "scope", "write")).StatusCode)
}

func TestAKeysFileThatIsNone(t *testing.T) {
	_, err := testgateway.Start(testgateway.Config{Site: "require_token \"legacy issuer\" https://api.example {\njwks_uri /nowhere/keys.json\n}\nrespond ok"})
	require.ErrorContains(t, err, "jwks_uri: open /nowhere/keys.json: no such file")
	site(t, &issuer{Server: new(httptest.Server)}, `require_token "legacy issuer" https://api.example {
		jwks_uri `+keysOf(t, newIssuer(t))+`
	}
	respond ok`)
}

// Tokens have the name that browsers know, as Keycloak's in Compose. This server asks by another one for
// what is on the issuer's host, and for the metadata alone.
func TestAnIssuerByAnInternalName(t *testing.T) {
	const public = "https://sso.example/realms/staff"
	reached := func(name string) (i *issuer, at string) {
		i = newIssuer(t)
		metadata := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/keys" {
				i.serve(w, r)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]any{
				"issuer": name, "authorization_endpoint": public + "/auth", "token_endpoint": "https://sso.example/token", "jwks_uri": "https://sso.example/keys",
			})
		}))
		t.Cleanup(metadata.Close)
		return i, metadata.URL + "/realms/staff/.well-known/openid-configuration"
	}
	staff, at := reached(public)
	other, elsewhere := reached(public)
	_, wrong := reached("https://evil.example")
	for name, tt := range map[string]struct {
		block string
		*issuer
		status int
	}{
		"alone":                      {"require_token " + public + " https://api.example {\ndiscover " + at + "\n}", staff, 200},
		"of several":                 {"require_token {\naudience https://api.example\nissuer " + public + " {\ndiscover " + at + "\n}\n}", staff, 200},
		"with a token of another":    {"require_token " + public + " https://api.example {\ndiscover " + at + "\n}", other, 401},
		"where another one is asked": {"require_token " + public + " https://api.example {\ndiscover " + elsewhere + "\n}", staff, 401},
		"where another one answers":  {"require_token " + public + " https://api.example {\ndiscover " + wrong + "\n}", staff, 503},
	} {
		t.Run(name, func(t *testing.T) {
			others := site(t, staff, "handle /at {\nrequire_token "+public+" https://api.example {\ndiscover "+at+"\n}\nrespond ok\n}")
			g := site(t, staff, tt.block+"\nrespond {http.auth.user.id}")
			require.Equal(t, 200, get(t, others.URL()+"/at", "Authorization", "Bearer "+staff.token(t, "iss", public)).StatusCode)
			got := get(t, g.URL(), "Authorization", "Bearer "+tt.token(t, "iss", public))
			require.Equal(t, tt.status, got.StatusCode, got.body)
		})
	}
}

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
