package accesstoken_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

const (
	issuerURL = "https://idp.example/"
	audience  = "https://api.example"
)

// clock is a clock that the test moves.
type clock struct{ atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.Store(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC).Unix())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(c.Load(), 0) }
func (c *clock) advance(d time.Duration) { c.Add(int64(d / time.Second)) }

// issuer publishes keys and signs tokens.
type issuer struct {
	*clock
	server  *httptest.Server
	fetches atomic.Int64

	mu   sync.Mutex
	keys []signingKey
	down bool
}

type signingKey struct {
	id        string
	algorithm jose.SignatureAlgorithm
	private   crypto.Signer
}

func newES256(t testing.TB, id string) signingKey {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return signingKey{id, jose.ES256, private}
}

var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newRS256(t testing.TB, id string) signingKey {
	private, err := rsaKey()
	require.NoError(t, err)
	return signingKey{id, jose.RS256, private}
}

func newIssuer(t testing.TB, keys ...signingKey) *issuer {
	i := &issuer{clock: newClock(), keys: keys}
	if len(keys) == 0 {
		i.keys = []signingKey{newES256(t, "k1")}
	}
	i.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.fetches.Add(1)
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var set jose.JSONWebKeySet
		for _, key := range i.keys {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: key.private.Public(), KeyID: key.id, Algorithm: string(key.algorithm), Use: "sig"})
		}
		_ = json.NewEncoder(w).Encode(set)
	}))
	t.Cleanup(i.server.Close)
	return i
}

// rotate publishes other keys.
func (i *issuer) rotate(keys ...signingKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

func (i *issuer) setDown(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// config is what a resource server accepts of an issuer with a name.
func (i *issuer) config(name, prefix string) accesstoken.Config {
	return accesstoken.Config{
		Issuer: name, Audiences: []string{audience}, Prefix: prefix, Now: i.now,
		Keys: jwks.New(jwks.At(i.server.URL), i.server.Client(), i.now, nil),
	}
}

// claims are those of a good token; with replaces them, and nil removes one.
func (i *issuer) claims(with ...any) map[string]any {
	claims := map[string]any{
		"iss": issuerURL, "sub": "u1", "aud": audience, "client_id": "app", "scope": "read write",
		"iat": i.now().Unix(), "exp": i.now().Add(24 * time.Hour).Unix(), "jti": rand.Text(),
	}
	for n := 0; n < len(with); n += 2 {
		if with[n+1] == nil {
			delete(claims, with[n].(string))
		} else {
			claims[with[n].(string)] = with[n+1]
		}
	}
	return claims
}

// sign signs claims with a key. header are further header parameters.
func sign(t testing.TB, key signingKey, claims any, header map[jose.HeaderKey]any) string {
	options := (&jose.SignerOptions{}).WithType("at+jwt")
	maps.Copy(options.ExtraHeaders, header)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: key.algorithm, Key: jose.JSONWebKey{Key: key.private, KeyID: key.id}}, options)
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(t, err)
	return token
}

// token is a good token of the first key.
func (i *issuer) token(t testing.TB, with ...any) string {
	return sign(t, i.keys[0], i.claims(with...), nil)
}

// verifier is one for the issuer's tokens; change changes its configuration.
func (i *issuer) verifier(t testing.TB, change func(*accesstoken.Config)) *accesstoken.Verifier {
	config := i.config(issuerURL, "")
	if change != nil {
		change(&config)
	}
	v, err := accesstoken.New(config)
	require.NoError(t, err)
	return v
}

// accepted and rejected say what became of a token.
func accepted(t testing.TB, v *accesstoken.Verifier, raw string) *accesstoken.Token {
	t.Helper()
	token, err := v.Verify(t.Context(), raw)
	require.NoError(t, err)
	return token
}

func rejected(t testing.TB, v *accesstoken.Verifier, raw string, status int, reason string) {
	t.Helper()
	token, err := v.Verify(t.Context(), raw)
	require.Nil(t, token)
	var e *oauth.Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, status, e.Status, e.Description)
	require.Contains(t, e.Description, reason)
}

// Keys are fetched, and issuers asked, in goroutines of their own.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
