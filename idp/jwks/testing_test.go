package jwks_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// issuer publishes keys, by a clock that the test moves.
type issuer struct {
	atomic.Int64 // Unix time

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

func newRS256(t testing.TB, id string) signingKey {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	return signingKey{id, jose.RS256, private}
}

// sign makes a token of the key.
func (k signingKey) sign(t testing.TB) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: k.algorithm, Key: jose.JSONWebKey{Key: k.private, KeyID: k.id}}, nil)
	require.NoError(t, err)
	signed, err := signer.Sign([]byte("{}"))
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

func newIssuer(t testing.TB, keys ...signingKey) *issuer {
	i := &issuer{keys: keys}
	i.Store(start.Unix())
	if len(keys) == 0 {
		i.keys = []signingKey{newES256(t, "k1")}
	}
	i.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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

func (i *issuer) now() time.Time          { return time.Unix(i.Load(), 0) }
func (i *issuer) advance(d time.Duration) { i.Add(int64(d / time.Second)) }

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

// token is one of the first key.
func (i *issuer) token(t testing.TB) string { return i.keys[0].sign(t) }

func (i *issuer) verifier() *jwks.Keys {
	return jwks.New(jwks.At(i.server.URL), i.server.Client(), i.now, nil)
}

type keySet interface {
	Verify(ctx context.Context, signed *jose.JSONWebSignature) error
}

func verify(t testing.TB, keys keySet, token string) error {
	t.Helper()
	signed, err := jwks.Parse(token)
	require.NoError(t, err)
	return keys.Verify(t.Context(), signed)
}

func accepted(t testing.TB, keys keySet, token string) {
	t.Helper()
	require.NoError(t, verify(t, keys, token))
}

func rejected(t testing.TB, keys keySet, token string, reason error) {
	t.Helper()
	require.ErrorIs(t, verify(t, keys, token), reason)
}
