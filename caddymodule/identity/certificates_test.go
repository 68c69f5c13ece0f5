package identity

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

// authorityFiles is an authority with files for a Caddyfile: the CA's, and a server's certificate and key.
func authorityFiles(t *testing.T, root, name string) *clientcerttest.Authority {
	t.Helper()
	a := clientcerttest.NewAuthority(name)
	certificate, key := clientcerttest.PEM(a.Issue(x509.Certificate{
		DNSNames: []string{"login.example", "other.example"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}))
	for file, content := range map[string][]byte{name + ".pem": a.PEM(), name + "-server.pem": certificate, name + "-server.key": key} {
		require.NoError(t, os.WriteFile(filepath.Join(root, file), content, 0o600))
	}
	return a
}

const certificateClient = `identity_gateway {idp} {
	callback
	public_url https://login.example
	replay memory
	client app {
		redirect_uri https://app.example/cb
		token_endpoint_auth tls_client_auth subject_dn "CN=app, O=Example\, Inc., C=DE"
		idp_client gateway {
			secret s3cret
		}
	}
	client other {
		redirect_uri https://other.example/cb
		token_endpoint_auth tls_client_auth san_dns other.example
		idp_client gateway2 {
			secret s3cret
		}
	}
}`

func tlsSite(host, options, block string) string {
	return "https://" + host + ":{port} {\nbind 127.0.0.1\ntls {root}/trusted-server.pem {root}/trusted-server.key {\n" + options + "\n}\n" + block + "\n}\n"
}

func clientAuth(options string) string { return "client_auth {\n" + options + "\n}" }

const trustPool = "\ntrust_pool file {root}/trusted.pem"

// Whoever authenticates by a certificate that nobody asks for, or that anybody can have, is
// told of at load.
func TestSitesThatAskForNoCertificate(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	root := t.TempDir()
	authorityFiles(t, root, "trusted")
	bound := "identity_gateway {idp} {\ncallback\nreplay memory\nclient app {\nredirect_uri https://app.example/cb\ncertificate_bound\n}\n}"
	tests := []struct{ name, site, want string }{
		{"http", onSite(certificateClient), "asks no client"},
		{"no client_auth", tlsSite("login.example", "", certificateClient), "asks no client"},
		{"for another site only", tlsSite("login.example", "", certificateClient) + tlsSite("other.example", clientAuth("mode verify_if_given"+trustPool), "respond hello"), "asks no client"},
		{"asked, not verified", tlsSite("login.example", clientAuth("mode request"+trustPool), certificateClient), "verifies no TLS certificate"},
		{"required, not verified", tlsSite("login.example", clientAuth("mode require"), certificateClient), "verifies no TLS certificate"},
		{"of any authority", tlsSite("login.example", clientAuth("mode verify_if_given"), certificateClient), "every public authority"},
		{"verified", tlsSite("login.example", clientAuth("mode verify_if_given"+trustPool), certificateClient), ""},
		{"verified always", tlsSite("login.example", clientAuth(trustPool), certificateClient), ""},
		{"bound, and asked", tlsSite("login.example", clientAuth("mode request"), bound), ""},
		{"bound, and not asked", tlsSite("login.example", "", bound), "asks no client"},
	}
	sources := make([]string, len(tests))
	folders := make([]string, len(tests))
	for i, test := range tests {
		folders[i] = t.TempDir()
		sources[i] = reachSource(folders[i], "", test.site)
	}
	startNode(t, newRecorder(t, nil), root, sources...).stop()
	for i, test := range tests {
		var warned string
		for _, entry := range logLines[struct{ Level, Logger, Msg string }](t, filepath.Join(folders[i], "log")) {
			if entry.Logger == "identity_gateway" && entry.Level == "warn" {
				warned += entry.Msg
			}
		}
		require.Equal(t, test.want == "", warned == "", "%s: %s", test.name, warned)
		require.Contains(t, warned, test.want, test.name)
	}
}

// Each attack has a certificate that is good for something, at Caddy's own TLS.
func TestCertificatesThroughCaddy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	root := t.TempDir()
	trusted, others := authorityFiles(t, root, "trusted"), authorityFiles(t, root, "others")
	verified := clientAuth("mode verify_if_given" + trustPool)
	// Beside it: a site that trusts another authority, one that verifies nothing, and a proxy to the gateway.
	source := reachSource(root, "", tlsSite("login.example", verified, certificateClient)+
		tlsSite("other.example", clientAuth("mode verify_if_given\ntrust_pool file {root}/others.pem"), strings.Replace(certificateClient, "//login", "//other", 1))+
		tlsSite("open.example", clientAuth("mode request"), "respond hello")+
		tlsSite("proxy.example", clientAuth("mode request"), "reverse_proxy https://127.0.0.1:{port} {\ntransport http {\ntls_server_name login.example\ntls_trust_pool file {root}/trusted.pem\n}\n"+
			"header_up Host login.example\nheader_up X-SSL-Client-Subject {tls_client_subject}\nheader_up Client-Cert {tls_client_certificate_der_base64}\n}"))
	n := startNode(t, newRecorder(t, nil), root, source)
	address := strings.TrimPrefix(n.URL, "http://")

	app := pkix.Name{Country: []string{"DE"}, Organization: []string{"Example, Inc."}, CommonName: "app"}
	own := trusted.Issue(x509.Certificate{Subject: app})
	send := func(connectTo, host, clientID string, shown *tls.Certificate, cache tls.ClientSessionCache) (int, string) {
		t.Helper()
		config := &tls.Config{
			ServerName: connectTo, InsecureSkipVerify: true, ClientSessionCache: cache,
			GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				if shown == nil {
					return new(tls.Certificate), nil
				}
				return shown, nil
			},
		}
		transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: config, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address)
		}}
		r, err := http.NewRequest("POST", "https://"+host+"/oauth/token", strings.NewReader("grant_type=refresh_token&refresh_token=stolen&client_id="+clientID))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Forwarded-Tls-Client-Cert", "CN=app,O=Example\\, Inc.,C=DE")
		response, err := transport.RoundTrip(r)
		if err != nil {
			return 0, err.Error()
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	issue := func(by *clientcerttest.Authority) *tls.Certificate {
		c := by.Issue(x509.Certificate{Subject: app})
		return &c
	}
	another := trusted.Issue(x509.Certificate{Subject: pkix.Name{CommonName: "other"}, DNSNames: []string{"other.example"}})
	selfSigned := clientcerttest.SelfSigned(x509.Certificate{Subject: app})
	status, body := send("login.example", "login.example", "app", &own, nil)
	require.Equal(t, 400, status, body)
	require.Contains(t, body, "invalid_grant", "the client is authenticated, and the refresh token is nobody's")
	for name, attack := range map[string]struct {
		connectTo, host, clientID string
		shown                     *tls.Certificate
		status                    int
		says                      string
	}{
		"no certificate":                     {"login.example", "login.example", "app", nil, 401, "the connection has none"},
		"another client's":                   {"login.example", "login.example", "app", &another, 401, "not this client's"},
		"his own, and another client's id":   {"login.example", "login.example", "other", &own, 401, "not this client's"},
		"another authority's":                {"login.example", "login.example", "app", issue(others), 0, "tls"},
		"self-signed":                        {"login.example", "login.example", "app", &selfSigned, 0, "tls"},
		"by the name of another site":        {"other.example", "login.example", "app", issue(others), 421, ""},
		"by the name of a site that is open": {"open.example", "login.example", "app", &selfSigned, 421, ""},
		"through a proxy that says whose":    {"proxy.example", "proxy.example", "app", &selfSigned, 401, "the connection has none"},
	} {
		status, body := send(attack.connectTo, attack.host, attack.clientID, attack.shown, nil)
		require.Equal(t, attack.status, status, "%s: %s", name, body)
		require.Contains(t, body, attack.says, name)
	}

	// A session of another site, whose authority is another, can't be resumed here: there are none.
	sessions := tls.NewLRUClientSessionCache(8)
	status, body = send("other.example", "other.example", "app", issue(others), sessions)
	require.Equal(t, 400, status, body)
	_, ok := sessions.Get("other.example")
	require.False(t, ok)
}

// The gateway authenticates at a real TLS server, which wants the certificate at each of its hosts.
func TestTheGatewaysOwnCertificate(t *testing.T) {
	root := t.TempDir()
	trusted := clientcerttest.NewAuthority("trusted")
	certificate, key := clientcerttest.PEM(trusted.Issue(x509.Certificate{Subject: pkix.Name{CommonName: "gateway"}}))
	var asked []url.Values
	newIdP := func() *httptest.Server {
		idp := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.TLS.VerifiedChains) == 0 || r.TLS.PeerCertificates[0].Subject.CommonName != "gateway" || r.Header.Get("Authorization") != "" {
				respondJSON(401, `{"error":"invalid_client"}`)(w, r)
				return
			}
			_ = r.ParseForm()
			asked = append(asked, r.PostForm)
			respondJSON(200, recordedToken)(w, r)
		}))
		idp.TLS = &tls.Config{ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: trusted.Pool()}
		idp.StartTLS()
		t.Cleanup(idp.Close)
		return idp
	}
	idp, alias := newIdP(), newIdP()
	for file, content := range map[string][]byte{
		"idp.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: idp.Certificate().Raw}), "gateway.pem": certificate, "gateway.key": key,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, file), content, 0o600))
	}
	load := func(options, transport string) (*Gateway, error) {
		source := "identity_gateway " + idp.URL + " {\nparameters oauth\n" + options + "\nclient app {\nredirect_uri https://app.example/callback https://app.example/cb\nidp_client gateway {\ntls_client_auth\n}\n}\n" +
			"transport http {\ntls_trust_pool file " + root + "/idp.pem\n" + transport + "\n}\n}"
		g, cleanup, err := provision(t, source, t.TempDir())
		if err == nil {
			t.Cleanup(cleanup)
		}
		return g, err
	}
	for _, options := range []string{"", "endpoint token " + alias.URL + "/token"} {
		g, err := load(options, "tls_client_auth "+root+"/gateway.pem "+root+"/gateway.key")
		require.NoError(t, err)
		response := front(t, g, nil).post("/oauth/token", tokenBody(verifier1, "code-1"))
		require.Equal(t, 200, response.StatusCode)
		sent := asked[len(asked)-1]
		require.Equal(t, "gateway", sent.Get("client_id"))
		require.False(t, sent.Has("client_secret"))
	}
	require.Len(t, asked, 2)
	_, err := load("", "")
	require.ErrorContains(t, err, "transport http { tls_client_auth <certificate file> <key file> }")
}
