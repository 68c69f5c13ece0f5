package idp

import (
	"bufio"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
)

// countInterim counts the responses before the last one.
func countInterim(ctx context.Context, n *int) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		*n++
		return nil
	}})
}

// attempt tells the trace of a request what a transport did.
func attempt(r *http.Request, got, wrote bool) {
	trace := httptrace.ContextClientTrace(r.Context())
	trace.GetConn("idp.example:443")
	if got {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if wrote {
		trace.WroteHeaders()
	}
}

// A claim is given back exactly if the IdP has certainly not redeemed the code.
func TestWhichFailuresLetTheCodeBeRedeemedAgain(t *testing.T) {
	down := errors.New("down; https://idp.example/token?secret=1")
	for name, tt := range map[string]struct {
		idp              func(*http.Request) (*http.Response, error)
		status, attempts int
		again            bool
	}{
		"the connection is refused": {func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: down}
		}, 502, 1, true},
		"no connection comes about": {func(r *http.Request) (*http.Response, error) {
			attempt(r, false, false)
			return nil, down
		}, 502, 1, true},
		"the connection had died, each time": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, false)
			return nil, down
		}, 502, upstream.MaxConnections, true},
		"the connection dies after the header": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, true)
			return nil, down
		}, 502, 1, false},
		"a transport says nothing of what it did": {func(*http.Request) (*http.Response, error) { return nil, down }, 502, 1, false},
		"there is no answer": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, true)
			return nil, context.DeadlineExceeded
		}, 504, 1, false},
		"the answer is cut off": {func(*http.Request) (*http.Response, error) {
			r := idpResponse(200, anyToken)
			r.ContentLength++
			return r, nil
		}, 502, 1, false},
		"the answer is too long": {func(*http.Request) (*http.Response, error) {
			r := idpResponse(200, anyToken+strings.Repeat(" ", upstream.MaxResponse))
			r.ContentLength = -1
			return r, nil
		}, 502, 1, false},
		"another protocol":    {func(*http.Request) (*http.Response, error) { return idpResponse(101, ""), nil }, 502, 1, false},
		"a status of nothing": {func(*http.Request) (*http.Response, error) { return idpResponse(42, ""), nil }, 502, 1, false},
		"the IdP fails":       {func(*http.Request) (*http.Response, error) { return idpResponse(500, ""), nil }, 502, 1, false},
		"not a token":         {func(*http.Request) (*http.Response, error) { return idpResponse(200, "<html>"), nil }, 502, 1, false},
		"a refusal": {func(*http.Request) (*http.Response, error) {
			return idpResponse(400, `{"error":"invalid_grant"}`), nil
		}, 400, 1, true},
		"a refusal with a token": {func(*http.Request) (*http.Response, error) { return idpResponse(400, anyToken), nil }, 502, 1, false},
		"a firewall":             {func(*http.Request) (*http.Response, error) { return idpResponse(403, "<html>"), nil }, 502, 1, true},
		"a token":                {aToken, 200, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t)
			code := s.logIn()
			s.respond(tt.idp)
			result := s.redeem(code)
			require.Equal(t, tt.status, result.Status, string(result.Body))
			require.Len(t, s.sent, tt.attempts)
			require.NotContains(t, string(result.Body), "secret")
			for _, incident := range result.Incidents {
				require.NotContains(t, fmt.Sprint(incident.Err), "secret=1")
			}
			for _, call := range result.Calls {
				require.NotContains(t, fmt.Sprint(call.Err), "secret=1")
			}
			s.respond(aToken)
			want := http.StatusBadRequest
			if tt.again {
				want = http.StatusOK
			}
			require.Equal(t, want, s.redeem(code).Status)
		})
	}
}

func TestWhoLeavesWhileTheIdPThinks(t *testing.T) {
	t.Run("has redeemed his code", func(t *testing.T) {
		s := newServed(t)
		code := s.logIn()
		ctx, leave := context.WithCancel(t.Context())
		s.respond(func(r *http.Request) (*http.Response, error) {
			leave()
			require.NoError(t, r.Context().Err(), "nobody would know whether the code was spent")
			return aToken(r)
		})
		r := s.request("POST", "/oauth/token", form("code", code))
		r.Request = r.WithContext(ctx)
		require.Equal(t, Passed, s.Serve(r).Decision.Outcome)
		require.Equal(t, http.StatusBadRequest, s.redeem(code).Status)
	})
	t.Run("and gets no answer", func(t *testing.T) {
		s := newServed(t)
		ctx, leave := context.WithCancel(t.Context())
		s.respond(func(r *http.Request) (*http.Response, error) {
			leave()
			require.Error(t, r.Context().Err())
			return nil, r.Context().Err()
		})
		r := s.request("GET", "/userinfo", "", "Authorization", "Bearer a")
		r.Request = r.WithContext(ctx)
		result := s.Serve(r)
		require.Equal(t, StatusClientGone, result.Status)
		require.Equal(t, ClientGone, result.Decision.Outcome)
		require.Empty(t, result.Incidents)
	})
}

func TestWhoLeavesInTheMiddleOfHisRequest(t *testing.T) {
	s := newServed(t)
	ctx, leave := context.WithCancel(t.Context())
	r := s.request("POST", "/oauth/token", "grant_type=")
	r.Request = r.WithContext(ctx)
	r.Body = io.NopCloser(&leaving{leave})
	result := s.Serve(r)
	require.Equal(t, StatusClientGone, result.Status)
	require.Equal(t, ClientGone, result.Decision.Outcome)
	require.Nil(t, result.Decision.Refusal)
}

// leaving is the body of a client that leaves.
type leaving struct{ leave func() }

func (l *leaving) Read([]byte) (int, error) {
	l.leave()
	return 0, context.Canceled
}

func TestTheIdPHasLimitedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServed(t, publicly)
		for name, respond := range map[string]func(*http.Request) (*http.Response, error){
			"for its header": func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			},
			"for its body": func(r *http.Request) (*http.Response, error) {
				reader, writer := io.Pipe()
				context.AfterFunc(r.Context(), func() { writer.CloseWithError(r.Context().Err()) })
				response := idpResponse(200, "")
				response.Body, response.ContentLength = reader, -1
				return response, nil
			},
		} {
			start := time.Now()
			s.respond(respond)
			require.Equal(t, http.StatusGatewayTimeout, s.do("GET", "/userinfo", "", "Authorization", "Bearer a").Status, name)
			require.Equal(t, time.Minute, time.Since(start), name)
		}
	})
}

// net/http goes on from one connection to the next as long as a server closes them.
func TestARequestTakesFewConnections(t *testing.T) {
	s := newServed(t, publicly)
	got := 0
	s.respond(func(r *http.Request) (*http.Response, error) {
		for r.Context().Err() == nil && got < 100 {
			attempt(r, true, false)
			got++
		}
		return nil, r.Context().Err()
	})
	result := s.do("GET", "/userinfo", "", "Authorization", "Bearer a")
	require.Equal(t, http.StatusBadGateway, result.Status)
	require.LessOrEqual(t, got, upstream.MaxConnections+1)
	require.ErrorIs(t, result.Incidents[0].Err, upstream.ErrConnections)
}

// What a response has besides status, header and body goes no further.
func TestInterimResponsesAndTrailersStay(t *testing.T) {
	idp := must.Have(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = idp.Close() })
	go func() {
		for {
			connection, err := idp.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
				_, _ = io.Copy(io.Discard, r.Body)
			}
			_, _ = io.WriteString(connection, "HTTP/1.1 103 Early Hints\r\nLink: </evil>\r\n\r\n"+
				"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\nb\r\n{\"sub\":\"u\"}\r\n0\r\nX-Trailer: evil\r\n\r\n")
			_ = connection.Close()
		}
	}()
	p := must.Have(NewPolicy(Config{AuthURL: "http://" + idp.Addr().String()}))(t)
	g := must.Have(NewGateway(p, Parts{Transport: http.DefaultTransport}))(t)
	server := httptest.NewServer(g.Handler(http.NotFoundHandler()))
	t.Cleanup(server.Close)
	interim := 0
	r := must.Have(http.NewRequestWithContext(countInterim(t.Context(), &interim), "GET", server.URL+"/userinfo", nil))(t)
	r.Header.Set("Authorization", "Bearer a")
	got := must.Have(server.Client().Do(r))(t)
	content := must.Have(io.ReadAll(got.Body))(t)
	require.NoError(t, got.Body.Close())
	require.Equal(t, `200 {"sub":"u"}`, fmt.Sprint(got.StatusCode, " ", string(content)))
	require.Zero(t, interim)
	require.Empty(t, got.Trailer)
}

// pkcs8 is a private key in a file.
func pkcs8(t *testing.T, key crypto.PrivateKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: must.Have(x509.MarshalPKCS8PrivateKey(key))(t)})
}

func ecKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	return must.Have(ecdsa.GenerateKey(curve, rand.Reader))(t)
}

func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	return must.Have(rsa.GenerateKey(rand.Reader, bits))(t)
}

// confidential is a gateway that is a confidential client at the IdP.
func confidential(t *testing.T, c IdPClientConfig) *sealedGateway {
	return newSealedGateway(t, func(config *Config) { config.Clients[0].IdPClient = &c })
}

func TestCredentialsOfTheGatewayThatAreNone(t *testing.T) {
	key := pkcs8(t, ecKey(t, elliptic.P256()))
	for says, c := range map[string]IdPClientConfig{
		"the id must be printable ASCII":                                                       {ID: "gätewäy", Secret: "s"},
		"idp_client: the id must be":                                                           {Secret: "s"},
		"needs a secret, a private_key_jwt or tls_client_auth":                                 {ID: "gateway"},
		"has both a secret and a private_key_jwt; use one":                                     {ID: "gateway", Secret: "s", PrivateKey: key},
		"assertion_audience needs a private_key_jwt":                                           {ID: "gateway", Secret: "s", Audience: EndpointAudience},
		"idp_client: assertion_audience":                                                       {ID: "gateway", AuthMethod: AuthTLS, Audience: IssuerAudience},
		"has tls_client_auth and a secret or a private_key_jwt":                                {ID: "gateway", Secret: "s", AuthMethod: AuthTLS},
		"idp_client: has tls_client_auth and a secret":                                         {ID: "gateway", PrivateKey: key, AuthMethod: AuthTLS},
		"assertion_audience token is unknown; use issuer or endpoint":                          {ID: "gateway", PrivateKey: key, Audience: "token"},
		"the secret must be printable ASCII":                                                   {ID: "gateway", Secret: "s\n"},
		"a private key authenticates by private_key_jwt, not client_secret_basic":              {ID: "gateway", PrivateKey: key, AuthMethod: AuthSecretBasic},
		"authenticates by client_secret_basic or client_secret_post, not private_key_jwt":      {ID: "gateway", Secret: "s", AuthMethod: AuthPrivateKeyJWT},
		"private_key_jwt: the file has no private key":                                         {ID: "gateway", PrivateKey: []byte("none")},
		"private_key_jwt: the PEM block PRIVATE KEY can't be read":                             {ID: "gateway", PrivateKey: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")})},
		"private_key_jwt: the PEM block RSA PRIVATE KEY can't be read":                         {ID: "gateway", PrivateKey: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: []byte("x")})},
		"private_key_jwt: the PEM block EC PRIVATE KEY can't be read":                          {ID: "gateway", PrivateKey: pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: []byte("x")})},
		"the RSA key has fewer than 2048 bits":                                                 {ID: "gateway", PrivateKey: pkcs8(t, rsaKey(t, 1024))},
		"private key of the kinds RSA, EC (P-256, P-384, P-521) or Ed25519":                    {ID: "gateway", PrivateKey: pkcs8(t, ecKey(t, elliptic.P224()))},
		"client app: has token_endpoint_auth and idp_client; with idp_client the gateway auth": {ID: "gateway", Secret: "s", KeyID: "with auth"},
	} {
		config := Config{AuthURL: "https://idp.example", Clients: []ClientConfig{{ID: "app", RedirectURIs: []string{"https://app.example/cb"}, IdPClient: &c}}}
		if c.KeyID != "" {
			config.Clients[0].AuthMethods = []string{AuthSecretBasic}
		}
		_, err := NewPolicy(config)
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "client app: ")
	}
}

// exchange is the call to the IdP for a code of a login at this gateway.
func (g *sealedGateway) exchange() upstream.Form {
	g.t.Helper()
	code := location(g.t, g.called(g.begin().Get("state"), "idp-code").Response).Query().Get("code")
	grant, r := g.opened(code)
	return must.Have(r.tokenCall(g.Policy, grant, nil, "Basic of-the-client", g.now))(g.t)
}

func TestASecretOfTheGateway(t *testing.T) {
	const reserved = "a:b c&%+"
	for method, want := range map[string]struct{ authorization, id, secret string }{
		"":              {"Basic " + base64.StdEncoding.EncodeToString([]byte("gate%3Away:a%3Ab+c%26%25%2B")), "", ""},
		AuthSecretBasic: {"Basic " + base64.StdEncoding.EncodeToString([]byte("gate%3Away:a%3Ab+c%26%25%2B")), "", ""},
		AuthSecretPost:  {"", "gate:way", reserved},
	} {
		g := confidential(t, IdPClientConfig{ID: "gate:way", Secret: reserved, AuthMethod: method})
		require.Equal(t, "gate:way", g.begin().Get("client_id"))
		call := g.exchange()
		sent := must.Have(url.ParseQuery(string(call.Body)))(t)
		require.Equal(t, want.authorization, call.Authorization, "RFC 6749 section 2.3.1: %s", method)
		require.Equal(t, want.id, sent.Get("client_id"), method)
		require.Equal(t, want.secret, sent.Get("client_secret"), method)
		require.False(t, sent.Has("client_assertion"))
	}
}

// RFC 8705 sections 2 and 5: the certificate is the connection's, and the IdP may want it elsewhere.
func TestACertificateOfTheGateway(t *testing.T) {
	g := confidential(t, IdPClientConfig{ID: "gateway", AuthMethod: AuthTLS})
	require.True(t, g.registry.ShowsCertificate())
	call := g.exchange()
	sent := must.Have(url.ParseQuery(string(call.Body)))(t)
	require.Equal(t, "gateway", sent.Get("client_id"))
	require.Empty(t, call.Authorization)
	require.False(t, sent.Has("client_secret") || sent.Has("client_assertion"))

	metadata := must.Have(discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/authorize",
		"token_endpoint":"https://idp.example/token","revocation_endpoint":"https://idp.example/revoke","userinfo_endpoint":"https://idp.example/userinfo",
		"mtls_endpoint_aliases":{"token_endpoint":"https://mtls.idp.example/token","revocation_endpoint":"https://mtls.idp.example/revoke"}}`)))(t)
	discovering := func(c *Config) { c.Discover = true }
	for _, tt := range []struct {
		with IdPClientConfig
		host string
	}{{IdPClientConfig{ID: "gateway", AuthMethod: AuthTLS}, "https://mtls.idp.example"}, {IdPClientConfig{ID: "gateway", Secret: "s"}, "https://idp.example"}} {
		p := newSealedGateway(t, discovering, func(c *Config) { c.Clients[0].IdPClient = &tt.with }).withMetadata(metadata)
		require.Equal(t, tt.host+"/token", p.idp.At(Token).String())
		require.Equal(t, tt.host+"/revoke", p.idp.At(Revoke).String())
		require.Equal(t, "https://idp.example/userinfo", p.idp.At(UserInfo).String(), "it has no alias")
		require.Equal(t, "https://idp.example/authorize", p.idp.At(Authorize).String())
	}
	_, err := discovery.Parse("https://idp.example", []byte(`{"issuer":"https://idp.example","mtls_endpoint_aliases":{"token_endpoint":"http://mtls.idp.example/token"}}`))
	require.ErrorContains(t, err, "mtls_endpoint_aliases: token_endpoint")
	dynamic := newUnseen(t, func(c *Config) { c.DynamicClients.IdPClient = IdPClientConfig{ID: "gateway", AuthMethod: AuthTLS} })
	require.True(t, dynamic.Policy().registry.ShowsCertificate())
}

func TestAnAssertionOfTheGateway(t *testing.T) {
	certificate := func() []byte {
		key := ecKey(t, elliptic.P256())
		template := &x509.Certificate{SerialNumber: big.NewInt(1)}
		return must.Have(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(t)
	}()
	p256, p384, p521, r2048 := ecKey(t, elliptic.P256()), ecKey(t, elliptic.P384()), ecKey(t, elliptic.P521()), rsaKey(t, 2048)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	sec1 := must.Have(x509.MarshalECPrivateKey(p256))(t)
	for name, tc := range map[string]struct {
		pem       []byte
		algorithm jose.SignatureAlgorithm
		public    any
	}{
		"RSA":                {pkcs8(t, r2048), jose.RS256, &r2048.PublicKey},
		"RSA in PKCS #1":     {pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(r2048)}), jose.RS256, &r2048.PublicKey},
		"P-256":              {pkcs8(t, p256), jose.ES256, &p256.PublicKey},
		"P-256 in SEC 1":     {pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: sec1}), jose.ES256, &p256.PublicKey},
		"P-384":              {pkcs8(t, p384), jose.ES384, &p384.PublicKey},
		"P-521":              {pkcs8(t, p521), jose.ES512, &p521.PublicKey},
		"Ed25519":            {pkcs8(t, ed), jose.EdDSA, ed.Public()},
		"a certificate, too": {append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), pkcs8(t, p256)...), jose.ES256, &p256.PublicKey},
	} {
		t.Run(name, func(t *testing.T) {
			g := confidential(t, IdPClientConfig{ID: "gateway", PrivateKey: tc.pem, KeyID: "key-7"})
			call := g.exchange()
			require.Empty(t, call.Authorization)
			sent := must.Have(url.ParseQuery(string(call.Body)))(t)
			require.Equal(t, "gateway", sent.Get("client_id"))
			require.Equal(t, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", sent.Get("client_assertion_type"))
			signed := must.Have(jose.ParseSignedCompact(sent.Get("client_assertion"), []jose.SignatureAlgorithm{tc.algorithm}))(t)
			header := signed.Signatures[0].Protected
			require.Equal(t, "key-7", header.KeyID)
			require.Equal(t, "JWT", header.ExtraHeaders["typ"])
			thumbprint, ok := header.ExtraHeaders["x5t#S256"]
			require.Equal(t, name == "a certificate, too", ok)
			if ok {
				sum := sha256.Sum256(certificate)
				require.Equal(t, base64.RawURLEncoding.EncodeToString(sum[:]), thumbprint)
			}
			claims := decoded[map[string]any](t, must.Have(signed.Verify(tc.public))(t))
			require.NotEmpty(t, claims["jti"])
			delete(claims, "jti")
			require.Equal(t, map[string]any{
				"iss": "gateway", "sub": "gateway", "aud": "https://idp.example/oauth/token",
				"iat": float64(g.now.Unix()), "exp": float64(g.now.Add(time.Minute).Unix()),
			}, claims, "RFC 7523 section 3")
		})
	}
	g := confidential(t, IdPClientConfig{ID: "gateway", PrivateKey: pkcs8(t, p256)})
	first := must.Have(url.ParseQuery(string(g.exchange().Body)))(t)
	second := must.Have(url.ParseQuery(string(g.exchange().Body)))(t)
	require.NotEqual(t, first.Get("client_assertion"), second.Get("client_assertion"), "each is made for one request")
	signed := must.Have(jose.ParseSignedCompact(first.Get("client_assertion"), []jose.SignatureAlgorithm{jose.ES256}))(t)
	require.Empty(t, signed.Signatures[0].Protected.KeyID)
}

// token_endpoint_auth_signing_alg_values_supported of RFC 8414 section 2.
func TestAnAssertionIsSignedAsTheIdPWants(t *testing.T) {
	of := func(pem []byte) *sealedGateway {
		return newSealedGateway(t, func(c *Config) {
			c.Discover, c.Endpoints = true, nil
			c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", PrivateKey: pem}
		})
	}
	rsa, ec := of(pkcs8(t, rsaKey(t, 2048))), of(pkcs8(t, ecKey(t, elliptic.P256())))
	for _, tc := range []struct {
		g      *sealedGateway
		listed []string
		want   jose.SignatureAlgorithm
	}{
		{rsa, nil, jose.RS256},
		{rsa, []string{"RS256"}, jose.RS256},
		{rsa, []string{"PS256", "RS256"}, jose.RS256},
		{rsa, []string{"ES256"}, jose.RS256},
		{rsa, []string{"PS256", "ES256"}, jose.PS256},
		{ec, []string{"PS256", "ES256"}, jose.ES256},
	} {
		p := tc.g.withMetadata(&discovery.Metadata{
			Issuer: "https://idp.example", TokenEndpoint: parseURL(t, "https://idp.example/token"), AssertionAlgorithms: tc.listed,
		})
		a, err := p.idp.Authenticate(Token, &clients.Auth{Party: p.registry.Find("app"), Credentials: p.registry.Find("app").Client.Credentials}, "", tc.g.now)
		require.NoError(t, err)
		_, err = jose.ParseSignedCompact(assertionIn(a.Form(nil)), []jose.SignatureAlgorithm{tc.want})
		require.NoError(t, err, "%v", tc.listed)
	}
}

// Of two IdPs that know the gateway by the same id and key, one is the attacker's. Its
// metadata names the other's token endpoint, and a revocation endpoint of its own, to
// which the gateway sends an assertion.
func TestAnAssertionIsGoodAtNoOtherIdP(t *testing.T) {
	const honestToken = "https://honest.example/oauth/token"
	metadata := func(issuer string) *discovery.Metadata {
		return &discovery.Metadata{
			Issuer: issuer, AuthorizationEndpoint: parseURL(t, issuer+"/authorize"),
			TokenEndpoint: parseURL(t, honestToken), RevocationEndpoint: parseURL(t, issuer+"/collect"),
		}
	}
	for name, tc := range map[string]struct {
		authURL                              string
		discover                             bool
		issuer, given, atToken, atRevocation string
	}{
		"the issuer that was discovered":  {"https://idp.example", true, "", "", "https://idp.example", "https://idp.example"},
		"the issuer that is configured":   {"https://idp.example", false, "https://issuer.example/", IssuerAudience, "https://issuer.example/", "https://issuer.example/"},
		"no issuer: the token endpoint":   {"https://idp.example", false, "", "", "https://idp.example/oauth/token", "https://idp.example/oauth/token"},
		"the endpoint, where it is asked": {"https://idp.example", true, "", EndpointAudience, honestToken, "https://idp.example/collect"},
		"Okta":                            {"https://example.okta.com", true, "", "", honestToken, "https://example.okta.com/collect"},
		"Okta, as its administrator says": {"https://example.okta.com", true, "", IssuerAudience, "https://example.okta.com", "https://example.okta.com"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newSealedGateway(t, revoking, func(c *Config) {
				c.AuthURL, c.Discover, c.Issuer = tc.authURL, tc.discover, tc.issuer
				c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", PrivateKey: pkcs8(t, ecKey(t, elliptic.P256())), Audience: tc.given}
				if tc.discover {
					c.Endpoints = nil
				}
			})
			p := g.Policy
			if tc.discover {
				p = p.withMetadata(metadata(tc.authURL))
			}
			for endpoint, want := range map[Endpoint]string{Token: tc.atToken, Revoke: tc.atRevocation} {
				client := &clients.Auth{Party: g.registry.Find("app"), Credentials: g.registry.Find("app").Client.Credentials}
				a := must.Have(p.idp.Authenticate(endpoint, client, "", g.now))(t)
				payload := must.Have(base64.RawURLEncoding.DecodeString(strings.Split(assertionIn(a.Form(nil)), ".")[1]))(t)
				claims := decoded[map[string]any](t, payload)
				require.Equal(t, want, claims["aud"], "%s: one string (draft-ietf-oauth-rfc7523bis section 4)", endpoint)
				sentTo := p.idp.At(endpoint).String()
				require.False(t, want == honestToken && sentTo != honestToken, "it is sent to %s", sentTo)
			}
		})
	}
}

func parseURL(t testing.TB, address string) *url.URL {
	return must.Have(url.Parse(address))(t)
}

func TestTheClientsOwnAuthenticationTravels(t *testing.T) {
	p := testPolicy(t, registered)
	r := must.Have(p.parseToken("", formHeader("Authorization", serverBasic), form("client_id", "-", "redirect_uri", "-")))(t)
	call := must.Have(r.tokenCall(p, nil, nil, serverBasic, time.Now()))(t)
	require.Equal(t, serverBasic, call.Authorization)
	r = must.Have(p.parseToken("", formHeader(), form()))(t)
	call = must.Have(r.tokenCall(p, nil, nil, "Basic of-nobody", time.Now()))(t)
	require.Empty(t, call.Authorization, "a public client has none")
}

// brokenSigner is a key that can't sign, such as one in hardware that is gone.
type brokenSigner struct{ jose.Signer }

func (brokenSigner) Sign([]byte) (*jose.JSONWebSignature, error) { return nil, errors.New("no key") }

func TestACallThatCantBeSigned(t *testing.T) {
	s := newServed(t, revoking, func(c *Config) { c.Clients[0].IdPClient = &IdPClientConfig{ID: "gateway", Secret: "s"} })
	code, token := s.logIn(), s.sealed.granted("app", nil, grantedByIdP)
	s.Policy().registry.Find("app").Client.Credentials = &clients.Credentials{ClientID: "gateway", Method: AuthPrivateKeyJWT, Signer: brokenSigner{}}
	for _, result := range []*Result{s.redeem(code), s.do("POST", "/oauth/revoke", revocationForm("app", token))} {
		require.Equal(t, 500, result.Status)
		require.Equal(t, NotSigned, result.Incidents[0].Kind)
		require.EqualError(t, result.Incidents[0].Err, "no key")
	}
	require.Empty(t, s.sent)
}

// assertionIn is the client assertion of a call.
func assertionIn(form upstream.Form) string {
	sent, _ := url.ParseQuery(string(form.Body))
	return sent.Get("client_assertion")
}
