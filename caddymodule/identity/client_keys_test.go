package identity

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

func TestKeysOfClients(t *testing.T) {
	key, other := dpoptest.NewKey(), dpoptest.NewKey()
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "jwks.json")
	require.NoError(t, os.WriteFile(file, set, 0o600))
	var fetched atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		_, _ = w.Write(set)
	}))
	t.Cleanup(server.Close)
	signed := func(key *dpoptest.Key) *jose.JSONWebSignature {
		s, err := jose.ParseSignedCompact(key.Sign(map[string]any{}, map[string]any{"typ": "JWT", "jwk": nil}), []jose.SignatureAlgorithm{jose.ES256})
		require.NoError(t, err)
		return s
	}
	for name, where := range map[string]string{"in a file": file, "at a URL": server.URL} {
		keys, err := clientKeys(&idp.ClientConfig{JWKS: where}, zap.NewNop())
		require.NoError(t, err, name)
		require.NoError(t, keys.Verify(t.Context(), signed(key)), name)
		require.ErrorIs(t, keys.Verify(t.Context(), signed(other)), jwks.ErrUnknownKey, name)
	}
	require.Positive(t, fetched.Load())

	server.Close()
	keys, err := clientKeys(&idp.ClientConfig{JWKS: server.URL}, zap.NewNop())
	require.NoError(t, err)
	require.ErrorIs(t, keys.Verify(t.Context(), signed(key)), jwks.ErrUnavailable, "whether it is the client can't be known now")
}

func TestBadKeysOfClients(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jwks.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}`), 0o600))
	for says, where := range map[string]string{
		"no public key for signatures":        file,
		"no such file":                        file + ".txt",
		"jwks must be a file or an https URL": "http://backend.example.com/jwks",
	} {
		_, err := clientKeys(&idp.ClientConfig{JWKS: where}, zap.NewNop())
		require.ErrorContains(t, err, says)
	}
	keys, err := clientKeys(new(idp.ClientConfig), zap.NewNop())
	require.NoError(t, err)
	require.Nil(t, keys)
}
