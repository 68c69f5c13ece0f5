package idp

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// byCertificate has the clients authenticate by a certificate of an authority that names them.
func byCertificate(c *Config) {
	for i := range c.Clients {
		c.Clients[i].AuthMethods = []string{AuthTLS}
		c.Clients[i].CertificateName = CertificateName{Kind: clientcert.SANDNS, Value: c.Clients[i].ID + ".example"}
	}
}

// certificateBound binds the clients' tokens to their certificates.
func certificateBound(c *Config) {
	for i := range c.Clients {
		c.Clients[i].CertificateBound = true
	}
}

// connected is what the server knows of a connection with a certificate.
func connected(t testing.TB, mode tls.ClientAuthType, trusted *clientcerttest.Authority, shown tls.Certificate) *clientcert.Certificate {
	t.Helper()
	state, err := clientcerttest.Connect(mode, trusted.Pool(), shown)
	require.NoError(t, err)
	return clientcert.Of(state)
}

func named(clientID string) x509.Certificate {
	return x509.Certificate{Subject: pkix.Name{CommonName: clientID}, DNSNames: []string{clientID + ".example"}}
}

func (a *agent) over(c *clientcert.Certificate, path, content string, header ...string) *Result {
	r := a.request("POST", path, content, header...)
	r.Certificate = c
	return a.Serve(r)
}

// RFC 8705 section 2.1. Each attack has something that is good elsewhere.
func TestCertificatesOfClients(t *testing.T) {
	a := newAgent(t, true, byCertificate)
	trusted, other := clientcerttest.NewAuthority("trusted"), clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	granted := a.answer(a.over(own, "/oauth/token", form("code", a.logIn())))
	require.Equal(t, "Bearer", granted.TokenType)
	require.Zero(t, a.opened(granted.AccessToken).Certificate)
	require.Equal(t, basicHeader("gateway", "s3cret"), a.sent[len(a.sent)-1].Header.Get("Authorization"), "the IdP gets the gateway's own")
	refresh := refreshForm("app", granted.RefreshToken)
	renewed := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	require.Equal(t, 200, a.over(renewed, "/oauth/token", refresh).Status, "another certificate of the client, as it gets one each year")

	calls := len(a.sent)
	for name, tt := range map[string]struct {
		shown   *clientcert.Certificate
		content string
		header  []string
		says    string
	}{
		"none":                              {says: "the connection has none"},
		"another client's":                  {shown: connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("single"))), says: "not this client's"},
		"another client's, and its id":      {shown: own, content: refreshForm("single", granted.RefreshToken), says: "not this client's"},
		"not verified":                      {shown: connected(t, tls.RequestClientCert, trusted, trusted.Issue(named("app"))), says: "not verified"},
		"required, and not verified":        {shown: connected(t, tls.RequireAnyClientCert, trusted, trusted.Issue(named("app"))), says: "not verified"},
		"self-signed":                       {shown: connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app"))), says: "not verified"},
		"another authority's":               {shown: connected(t, tls.RequestClientCert, trusted, other.Issue(named("app"))), says: "not verified"},
		"the name in the subject alone":     {shown: connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(x509.Certificate{Subject: pkix.Name{CommonName: "app.example"}})), says: "not this client's"},
		"in a field that a proxy would set": {header: []string{"X-SSL-Client-Cert", "x", "X-Forwarded-Tls-Client-Cert", "x", "Client-Cert", ":x:"}, says: "the connection has none"},
		"a secret":                          {shown: own, content: refresh + "&client_secret=x", says: "authentication method client_secret_post"},
		"an assertion":                      {shown: own, content: asserted(refresh, "a.b.c"), says: "authentication method private_key_jwt"},
	} {
		for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
			content := tt.content
			if content == "" {
				content = refresh
			}
			if path == "/oauth/revoke" {
				content = strings.Replace(content, "refresh_token=", "token=", 1)
			}
			result := a.over(tt.shown, path, content, tt.header...)
			require.Equal(t, "invalid_client", result.Decision.Outcome, "%s: %s", name, result.Body)
			require.Equal(t, 401, result.Status, name)
			require.Contains(t, string(result.Body), tt.says, name)
		}
	}
	require.Len(t, a.sent, calls, "the IdP hears nothing of it")
	a.requireRejected(a.over(own, "/oauth/revoke", "client_id=app&token="+granted.RefreshToken), oauth.UnsupportedTokenType, "")
}

// RFC 8705 section 2.2: the certificate itself is known, and no authority counts.
func TestSelfSignedCertificatesOfClients(t *testing.T) {
	shown, next := clientcerttest.SelfSigned(named("app")), clientcerttest.SelfSigned(named("app"))
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.RequestClientCert, trusted, shown)
	a := newAgent(t, true, func(c *Config) {
		c.Clients[0].AuthMethods = []string{AuthSelfSignedTLS}
		for _, one := range []tls.Certificate{shown, next} {
			thumbprint := connected(t, tls.RequestClientCert, trusted, one).Thumbprint()
			c.Clients[0].CertificateHashes = append(c.Clients[0].CertificateHashes, hex.EncodeToString(thumbprint[:]))
		}
	})
	granted := a.answer(a.over(own, "/oauth/token", form("code", a.logIn())))
	refresh := refreshForm("app", granted.RefreshToken)
	require.Equal(t, 200, a.over(connected(t, tls.RequireAnyClientCert, trusted, next), "/oauth/token", refresh).Status)
	for name, shown := range map[string]*clientcert.Certificate{
		"none": nil, "of the same name": connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app"))),
		"an authority's": connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app"))),
	} {
		require.Equal(t, "invalid_client", a.over(shown, "/oauth/token", refresh).Decision.Outcome, name)
	}
}

// The endpoint for pushed requests asks as the token endpoint does.
func TestPushedRequestsByCertificate(t *testing.T) {
	a := newAgent(t, true, byCertificate, pushingHere(oauth.Required))
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	require.Equal(t, 201, a.over(own, "/oauth/par", pushForm()).Status)
	require.Equal(t, 401, a.over(nil, "/oauth/par", pushForm()).Status)
	require.Equal(t, 401, a.over(connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("single"))), "/oauth/par", pushForm()).Status)
}

// A thief has the refresh token of a public client, and a certificate of his own. Where nothing
// is bound he gets in (RFC 8705 section 4).
func TestAStolenRefreshTokenWithoutItsCertificate(t *testing.T) {
	trusted := clientcerttest.NewAuthority("trusted")
	own := connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app")))
	thief := connected(t, tls.RequestClientCert, trusted, clientcerttest.SelfSigned(named("app")))
	for name, with := range map[string][]func(*Config){"that stays": nil, "that rotates": {rotating}} {
		t.Run(name, func(t *testing.T) {
			unbound := newAgent(t, true, with...)
			granted := unbound.answer(unbound.over(own, "/oauth/token", form("code", unbound.logIn())))
			require.Zero(t, unbound.opened(granted.AccessToken).Certificate)
			require.Equal(t, 200, unbound.over(thief, "/oauth/token", refreshForm("app", granted.RefreshToken)).Status, "the thief gets in")

			a := newAgent(t, true, append(with, certificateBound)...)
			code := form("code", a.logIn())
			a.requireRejected(a.over(nil, "/oauth/token", code), oauth.InvalidRequest, "the connection has none")
			granted = a.answer(a.over(own, "/oauth/token", code))
			require.Equal(t, "Bearer", granted.TokenType, "RFC 8705 section 3")
			require.Equal(t, own.Thumbprint(), a.opened(granted.AccessToken).Certificate)
			require.Contains(t, string(a.ask("server-a", granted.AccessToken).Body), `"cnf":{"x5t#S256":"`+own.Thumbprint().String()+`"}`)
			refresh := refreshForm("app", granted.RefreshToken)
			calls := len(a.sent)
			a.requireRejected(a.over(nil, "/oauth/token", refresh), oauth.InvalidRequest, "the connection has none")
			a.requireRejected(a.over(thief, "/oauth/token", refresh), oauth.InvalidGrant, "another TLS certificate")
			require.Len(t, a.sent, calls)
			renewed := a.answer(a.over(own, "/oauth/token", refresh))
			require.Equal(t, own.Thumbprint(), a.opened(renewed.AccessToken).Certificate)
			a.requireRejected(a.over(thief, "/oauth/token", refreshForm("app", renewed.RefreshToken)), oauth.InvalidGrant, "another TLS certificate")
		})
	}

	// A refresh token from before is bound from then on.
	a := newAgent(t, true)
	before := a.tokens().RefreshToken
	a.use(a.sealed.Policy.withMetadata(a.sealed.idp.Metadata()))
	a.sealed.Policy.registry.Find("app").Client.CertificateBound = true
	a.token["refresh_token"] = nil
	bound := a.answer(a.over(own, "/oauth/token", refreshForm("app", before))).RefreshToken
	require.NotEmpty(t, bound)
	a.requireRejected(a.over(thief, "/oauth/token", refreshForm("app", bound)), oauth.InvalidGrant, "another TLS certificate")
	a.sealed.Policy.registry.Find("app").Client.CertificateBound = false
	a.requireRejected(a.over(nil, "/oauth/token", refreshForm("app", bound)), oauth.InvalidGrant, "another TLS certificate")
}

// A client that authenticates may have another certificate tomorrow (RFC 8705 section 7.1). The
// access token is bound to the one of now, and to a key besides if the client proves one.
func TestBoundTokensOfConfidentialClients(t *testing.T) {
	a, key := newAgent(t, true, byCertificate, certificateBound, proving(oauth.Optional)), dpoptest.NewKey()
	trusted := clientcerttest.NewAuthority("trusted")
	first := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	second := connected(t, tls.VerifyClientCertIfGiven, trusted, trusted.Issue(named("app")))
	granted := a.answer(a.over(first, "/oauth/token", form("code", a.logIn()), "DPoP", a.proof(key)))
	require.Equal(t, "DPoP", granted.TokenType)
	require.Contains(t, string(a.opened(granted.AccessToken).Claims()), `"cnf":{"jkt":"`+key.Thumbprint()+`","x5t#S256":"`+first.Thumbprint().String()+`"}`)
	renewed := a.answer(a.over(second, "/oauth/token", refreshForm("app", granted.RefreshToken)))
	require.Equal(t, second.Thumbprint(), a.opened(renewed.AccessToken).Certificate)
}

func TestBadCertificateRules(t *testing.T) {
	idpClient := &IdPClientConfig{ID: "gateway", Secret: "s"}
	name := CertificateName{Kind: clientcert.SANDNS, Value: "app.example"}
	for says, c := range map[string]ClientConfig{
		"token_endpoint_auth tls_client_auth and the name in its certificate need one another":              {CertificateName: name, IdPClient: idpClient},
		"token_endpoint_auth self_signed_tls_client_auth and the SHA-256 of a certificate need one another": {AuthMethods: []string{AuthSelfSignedTLS}},
		"client app: tls_client_auth: the subject must be":                                                  {CertificateName: CertificateName{Kind: clientcert.SubjectDN, Value: "app"}, AuthMethods: []string{AuthTLS}, IdPClient: idpClient},
		"client app: self_signed_tls_client_auth must be the SHA-256":                                       {CertificateHashes: []string{"x"}, AuthMethods: []string{AuthSelfSignedTLS}, IdPClient: idpClient},
		"needs idp_client":                 {CertificateName: name, AuthMethods: []string{AuthTLS}},
		"lets anybody do without":          {CertificateName: name, AuthMethods: []string{AuthTLS, AuthNone}, IdPClient: idpClient},
		"certificate_bound needs callback": {CertificateBound: true},
	} {
		c.ID, c.RedirectURIs = "app", []string{"https://app.example/cb"}
		_, err := NewPolicy(Config{AuthURL: "https://idp.example", Clients: []ClientConfig{c}})
		require.ErrorContains(t, err, says)
	}
}

func TestMetadataOfCertificates(t *testing.T) {
	document, err := newSealedGateway(t, withOwnTokens, byCertificate, certificateBound).serverMetadata(oauthMetadata)
	require.NoError(t, err)
	require.Contains(t, string(document), `"token_endpoint_auth_methods_supported":["tls_client_auth"]`)
	require.Contains(t, string(document), `"tls_client_certificate_bound_access_tokens":true`)
}
