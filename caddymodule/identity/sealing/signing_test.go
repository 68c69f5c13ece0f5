package sealing

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

const (
	loginIssuer = "https://login.example.com"
	someIdP     = "https://idp.example.com"
)

func signingKeys(t *testing.T, storage certmagic.Storage, now time.Time, issuer, idp string) *SigningKeys {
	k, err := NewSigning(issuer, idp, nil, storage, zap.NewNop(), func() time.Time { return now })
	require.NoError(t, err)
	return k
}

func signedBy(t *testing.T, k *SigningKeys, now time.Time) string {
	keys, err := k.Current(t.Context())
	require.NoError(t, err)
	token, err := keys.Sign(signing.ES256, []byte(`{"iss":"`+k.issuer+`"}`), now)
	require.NoError(t, err)
	return token
}

func verifies(t *testing.T, k *SigningKeys, token string, now time.Time) error {
	keys, err := k.Current(t.Context())
	require.NoError(t, err)
	_, err = keys.Verify(token, now)
	return err
}

func TestNodesThatStartTogetherMakeOneSigningKey(t *testing.T) {
	storage, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now()
	nodes := []*SigningKeys{signingKeys(t, storage, now, loginIssuer, someIdP), signingKeys(t, storage, now, loginIssuer, someIdP)}
	var started sync.WaitGroup
	for _, node := range nodes {
		started.Go(func() { _, _ = node.Current(context.Background()) })
	}
	started.Wait()
	require.NoError(t, verifies(t, nodes[0], signedBy(t, nodes[1], now), now))
	names, err := storage.List(t.Context(), signingFolder, false)
	require.NoError(t, err)
	require.Len(t, names, 1)
}

// The attacker has a site of his own, whose keys are in the same storage.
func TestSitesWithOneStorageSignForThemselvesOnly(t *testing.T) {
	storage, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now()
	victim, attacker := signingKeys(t, storage, now, loginIssuer, someIdP), signingKeys(t, storage, now, "https://other.example.com", someIdP)
	require.ErrorIs(t, verifies(t, victim, signedBy(t, attacker, now), now), signing.ErrForeign)
	require.NoError(t, verifies(t, victim, signedBy(t, victim, now), now))
}

// What one identity provider calls a user may be somebody else at another.
func TestAnIssuerHasTheUsersOfOneIdP(t *testing.T) {
	storage, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now()
	require.NoError(t, signingKeys(t, storage, now, loginIssuer, someIdP).CheckIdP(t.Context()))
	require.NoError(t, signingKeys(t, storage, now, loginIssuer, someIdP).CheckIdP(t.Context()), "after a restart")

	moved := signingKeys(t, storage, now, loginIssuer, "https://another.example.com")
	require.ErrorContains(t, moved.CheckIdP(t.Context()), "public_url https://login.example.com has been the issuer for https://idp.example.com")
	_, err := moved.Current(t.Context())
	require.ErrorIs(t, err, errOtherIdP)
	require.NoError(t, signingKeys(t, &alteredStorage{Storage: storage, list: isAway}, now, loginIssuer, someIdP).CheckIdP(t.Context()), "which is for the log")
}

func TestAReloadForAnotherIdPHasNotTheKeysOfTheFormerOne(t *testing.T) {
	files, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now()
	former := signingKeys(t, namedStorage{&alteredStorage{Storage: files, name: t.Name()}}, now, loginIssuer, someIdP)
	require.NoError(t, former.Remember())
	require.NoError(t, former.CheckIdP(t.Context()))
	for _, list := range []func([]string, error) ([]string, error){nil, isAway} {
		moved := signingKeys(t, namedStorage{&alteredStorage{Storage: files, name: t.Name(), list: list}}, now, loginIssuer, "https://another.example.com")
		require.NoError(t, moved.Remember())
		_, err := moved.Current(t.Context())
		require.Error(t, err)
		require.NoError(t, moved.Forget())
	}
	require.NoError(t, former.Forget())
}

func TestRotateKeyRollsTheSigningKeysOfAllIssuers(t *testing.T) {
	storage, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now().Truncate(time.Second)
	issuers := []string{loginIssuer, "https://other.example.com"}
	old := make(map[string]string)
	for _, issuer := range issuers {
		old[issuer] = signedBy(t, signingKeys(t, storage, now, issuer, someIdP), now)
	}
	_, err := createKey(t.Context(), storage, now)
	require.NoError(t, err)
	var out bytes.Buffer
	rotated := now.Add(time.Hour)
	require.NoError(t, rotateKey(t.Context(), &out, storage, rotated))
	signs := rotated.Add(signing.Ahead)
	for _, issuer := range issuers {
		require.Contains(t, out.String(), "signs the ID tokens of "+issuer+" from "+signs.UTC().Format(time.RFC3339))
		k := signingKeys(t, storage, signs, issuer, someIdP)
		require.NoError(t, verifies(t, k, old[issuer], signs))
		require.NotEqual(t, old[issuer][:80], signedBy(t, k, signs)[:80], "by the new key")
		require.Equal(t, old[issuer][:80], signedBy(t, k, signs.Add(-time.Second))[:80], "not before it was published for a day")
	}

	out.Reset()
	require.NoError(t, forgetKeys(t.Context(), &out, storage, signs.Add(signing.Ahead-time.Second), 0))
	require.NotContains(t, out.String(), signingFolder, "they are still published")
	require.NoError(t, forgetKeys(t.Context(), &out, storage, signs.Add(signing.Ahead), 0))
	require.Contains(t, out.String(), "3 of 5 keys are left", "one sealing key went before")
	for _, issuer := range issuers {
		require.ErrorIs(t, verifies(t, signingKeys(t, storage, signs, issuer, someIdP), old[issuer], signs), signing.ErrForeign)
	}
}

func TestADamagedSigningKeyIsNamed(t *testing.T) {
	storage, now := &certmagic.FileStorage{Path: t.TempDir()}, time.Now()
	name, err := createFile(t.Context(), storage, signingFolder, infixOf(loginIssuer)+"-", now, []byte("damaged"))
	require.NoError(t, err)
	k := signingKeys(t, storage, now, loginIssuer, someIdP)
	_, err = k.Current(t.Context())
	require.ErrorContains(t, err, name+" is not a signing key: restore it")
	other := signingKeys(t, storage, now, "https://other.example.com", someIdP)
	require.NotEmpty(t, signedBy(t, other, now), "another issuer has its own")
	_, err = readSigning(t.Context(), storage)
	require.ErrorContains(t, err, name)
}

func TestSigningKeysOfTheConfiguration(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	folder := t.TempDir()
	file, empty := filepath.Join(folder, "signing.pem"), filepath.Join(folder, "empty.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(empty, nil, 0o600))

	k, err := NewSigning(loginIssuer, someIdP, []string{file}, nil, zap.NewNop(), time.Now)
	require.NoError(t, err)
	require.NoError(t, k.Remember())
	require.NoError(t, k.CheckIdP(t.Context()))
	keys, err := k.Current(t.Context())
	require.NoError(t, err)
	require.True(t, keys.Has(signing.RS256))
	require.NoError(t, k.Forget())

	_, err = NewSigning(loginIssuer, someIdP, []string{file, empty}, nil, zap.NewNop(), time.Now)
	require.ErrorContains(t, err, "signing_key: "+empty+" has no RSA key")
	_, err = NewSigning(loginIssuer, someIdP, []string{file + "x"}, nil, zap.NewNop(), time.Now)
	require.ErrorContains(t, err, "signing_key: open "+file+"x")
}
