package requiretoken_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/requiretoken"
)

const audience = "https://api.example"

// issuer publishes metadata and keys, and knows one opaque token, opaque-1.
type issuer struct {
	*httptest.Server
	key     *ecdsa.PrivateKey
	fetches atomic.Int64 // of the keys
	// described is how often it was asked for its metadata.
	described atomic.Int64
	down      atomic.Bool
	revoked   atomic.Bool // the opaque token
}

func newIssuer(t testing.TB) *issuer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	i := &issuer{key: key}
	i.Server = httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	respond := func(body any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}
	switch {
	case i.down.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/.well-known/openid-configuration":
		i.described.Add(1)
		respond(map[string]any{
			"issuer": i.issuer(), "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
			"jwks_uri": i.URL + "/keys", "introspection_endpoint": i.URL + "/introspect",
		})
	case r.URL.Path == "/keys":
		i.fetches.Add(1)
		respond(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}}})
	case r.URL.Path == "/introspect":
		id, secret, _ := r.BasicAuth()
		if id != "api" || secret != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		respond(map[string]any{"active": r.FormValue("token") == "opaque-1" && !i.revoked.Load(), "sub": "u2", "aud": audience, "client_id": "app", "scope": "read"})
	default:
		w.WriteHeader(http.StatusUnauthorized)
	}
}

// issuer has a slash at the end, as Auth0's does.
func (i *issuer) issuer() string { return i.URL + "/" }

// token is a good token; with replaces claims, and nil removes one.
func (i *issuer) token(t testing.TB, with ...any) string { return i.signed(t, "at+jwt", with...) }

// signed is token with a typ.
func (i *issuer) signed(t testing.TB, typ jose.ContentType, with ...any) string {
	claims := map[string]any{
		"iss": i.issuer(), "sub": "u1", "aud": audience, "client_id": "app", "scope": "read write",
		"email": "u1@example.com", "email_verified": true, "exp": time.Now().Add(time.Hour).Unix(),
	}
	for n := 0; n < len(with); n += 2 {
		claims[with[n].(string)] = with[n+1]
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: i.key, KeyID: "k1"}}, (&jose.SignerOptions{}).WithType(typ))
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(t, err)
	return token
}

// app is what is protected: it says what it saw of a request.
func app(t testing.TB) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://the-app.example")
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "path": r.URL.Path, "header": r.Header})
	}))
	t.Cleanup(server.Close)
	return server
}

type seen struct {
	Method, Path string
	Header       http.Header
}

// site runs Caddy with a site; {issuer} and {app} stand for their addresses.
func site(t testing.TB, i *issuer, block string) *testgateway.Gateway {
	block = strings.ReplaceAll(block, "{issuer}", i.URL)
	if strings.Contains(block, "{app}") {
		block = strings.ReplaceAll(block, "{app}", strings.TrimPrefix(app(t).URL, "http://"))
	}
	return testgateway.Run(t, testgateway.Config{Site: block})
}

type response struct {
	*http.Response
	body string
}

func (r *response) seen(t testing.TB) seen {
	t.Helper()
	var s seen
	require.Equal(t, http.StatusOK, r.StatusCode, r.body)
	require.NoError(t, json.Unmarshal([]byte(r.body), &s), r.body)
	return s
}

// send sends a request with header fields as they are written.
func send(t testing.TB, method, url string, header ...string) *response {
	t.Helper()
	return sendBody(t, method, url, "", header...)
}

// sendBody is send with a body, "" for none.
func sendBody(t testing.TB, method, url, content string, header ...string) *response {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(content))
	require.NoError(t, err)
	for n := 0; n < len(header); n += 2 {
		r.Header[header[n]] = append(r.Header[header[n]], header[n+1])
	}
	received, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer received.Body.Close()
	body, err := io.ReadAll(received.Body)
	require.NoError(t, err)
	return &response{received, string(body)}
}

func get(t testing.TB, url string, header ...string) *response {
	t.Helper()
	return send(t, http.MethodGet, url, header...)
}
