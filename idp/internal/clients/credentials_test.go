package clients

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestAKeyThatIsNone(t *testing.T) {
	for says, config := range map[string]IdPClientConfig{
		"has both a secret and a private_key_jwt": {ID: "a", Secret: "s", PrivateKey: []byte("x")},
		"the file has no private key":             {ID: "a", PrivateKey: []byte("x")},
	} {
		_, err := newCredentials(config)
		require.ErrorContains(t, err, says)
	}
	_, err := algorithmOf(&rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 2046)}})
	require.ErrorContains(t, err, "fewer than 2048 bits", "RFC 7518 section 3.3")
	algorithm := must.Have(algorithmOf(&rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 2047)}}))(t)
	require.Equal(t, jose.RS256, algorithm)
}

func TestTheHeaderOfAnAssertion(t *testing.T) {
	key := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	der := must.Have(x509.MarshalPKCS8PrivateKey(key))(t)
	for _, keyID := range []string{"", "key-1"} {
		c, err := newCredentials(IdPClientConfig{ID: "a", PrivateKey: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), KeyID: keyID, AuthMethod: AuthPrivateKeyJWT})
		require.NoError(t, err)
		assertion := must.Have(c.Assertion(c.Signer, "https://idp.example/oauth/token", time.Now()))(t)
		encoded, _, _ := strings.Cut(assertion, ".")
		header := must.Have(base64.RawURLEncoding.DecodeString(encoded))(t)
		if keyID == "" {
			require.NotContains(t, string(header), "kid")
		} else {
			require.Contains(t, string(header), `"kid":"key-1"`)
		}
	}
}
