package identity

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// signingFile is a file with an RSA key.
func signingFile(t *testing.T) string {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "signing.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	return file
}

// Nodes without a common storage sign by the same keys.
func TestNodesWithoutCommonStorageNeedSigningKeys(t *testing.T) {
	file := signingFile(t)
	const issuing = "discover\nparameters oauth\ncallback\npublic_url https://login.example.com\nsealing_key " + testKey + "\n"
	for options, says := range map[string]string{
		issuing: "sealing_key, for nodes without a common storage, needs signing_key",
		issuing + "signing_key " + file + "\nid_tokens idp": "signing_key needs ID tokens of the gateway's own",
		issuing + "signing_key " + file + "x":               "signing_key: open " + file + "x",
		issuing + "signing_key " + file + "\nclient app {\nredirect_uri https://app.example/callback\nid_token_alg ES256\n}": "signing_key: none is for id_token_alg ES256",
		"signing_key " + file: "signing_key, replay and rotate_refresh need callback",
	} {
		_, _, err := provision(t, "identity_gateway https://idp.example.com {\n"+options+"\n}", t.TempDir())
		require.ErrorContains(t, err, says)
	}
	var documents []string
	for range 2 {
		g := loaded(t, "identity_gateway https://idp.example.com {\n"+issuing+"signing_key "+file+"\n}", t.TempDir())
		require.NoError(t, g.signing.CheckIdP(t.Context()))
		answer := front(t, g, nil).get("/.well-known/jwks.json")
		require.Equal(t, http.StatusOK, answer.StatusCode, answer.body)
		documents = append(documents, answer.body)
	}
	require.Equal(t, documents[0], documents[1])
}

// One key for a public URL, made once; another IdP there would take its users for others.
func TestTheKeyOfAnIssuerIsMadeOnce(t *testing.T) {
	folder := t.TempDir()
	start := func(idp, options string) (*Gateway, string) {
		g, cleanup, err := provision(t, "identity_gateway "+idp+" {\ndiscover\nparameters oauth\ncallback\npublic_url https://login.example.com\n"+options+"\n}", folder)
		require.NoError(t, err)
		defer cleanup()
		if g.signing == nil {
			return g, ""
		}
		if err := g.signing.CheckIdP(t.Context()); err != nil {
			return g, err.Error()
		}
		keys, err := g.signing.Current(t.Context())
		require.NoError(t, err)
		document, err := keys.Public(signing.Algorithms(), time.Now())
		require.NoError(t, err)
		require.True(t, json.Valid(document))
		return g, string(document)
	}
	_, first := start("https://idp.example.com", "")
	_, second := start("https://idp.example.com/", "")
	require.Equal(t, first, second)
	_, failure := start("https://other.example.com", "")
	require.Contains(t, failure, "has been the issuer for https://idp.example.com")
	g, _ := start("https://other.example.com", "id_tokens idp")
	require.Nil(t, g.signing)
}
