package jwks

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"math/big"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
)

func TestKeysAndTheAlgorithmsThatTheyFit(t *testing.T) {
	ec := func(curve elliptic.Curve) any { return &ecdsa.PublicKey{Curve: curve} }
	for name, tc := range map[string]struct {
		key  any
		fits []jose.SignatureAlgorithm
	}{
		"RSA":       {&rsa.PublicKey{}, []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512}},
		"P-256":     {ec(elliptic.P256()), []jose.SignatureAlgorithm{jose.ES256}},
		"P-384":     {ec(elliptic.P384()), []jose.SignatureAlgorithm{jose.ES384}},
		"P-521":     {ec(elliptic.P521()), []jose.SignatureAlgorithm{jose.ES512}},
		"P-224":     {ec(elliptic.P224()), nil},
		"Ed25519":   {ed25519.PublicKey{}, []jose.SignatureAlgorithm{jose.EdDSA}},
		"symmetric": {[]byte("secret"), nil},
	} {
		for _, algorithm := range append(Algorithms(), jose.HS256) {
			want := false
			for _, one := range tc.fits {
				want = want || one == algorithm
			}
			require.Equal(t, want, fits(tc.key, algorithm), "%s, %s", name, algorithm)
			if name != "RSA" { // of no size
				require.Equal(t, want, Fits(tc.key, algorithm), "%s, %s", name, algorithm)
			}
		}
	}
}

func TestStrengthOfKeys(t *testing.T) {
	modulus := func(bits int) *rsa.PublicKey {
		return &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), uint(bits-1)), E: 65537}
	}
	public, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		key  any
		want bool
	}{
		"RSA of 2047 bits": {modulus(2047), false},
		"RSA of 2048 bits": {modulus(2048), true},
		"RSA of 4096 bits": {modulus(4096), true},
		"RSA of 4097 bits": {modulus(4097), false},
		"RSA with e = 1":   {&rsa.PublicKey{N: modulus(2048).N, E: 1}, false},
		"RSA with e = 2":   {&rsa.PublicKey{N: modulus(2048).N, E: 2}, false},
		"RSA with e = 3":   {&rsa.PublicKey{N: modulus(2048).N, E: 3}, true},
		"EC":               {&ecdsa.PublicKey{}, true},
		"Ed25519":          {public, true},
		"symmetric":        {[]byte("secret"), false},
		"none":             {nil, false},
	} {
		require.Equal(t, tc.want, isStrong(tc.key), name)
	}
}

// FuzzParseSet: a set of keys that is used has public keys for signatures only, strong ones.
func FuzzParseSet(f *testing.F) {
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","kid":"1"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","use":"enc"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"oct","k":"c2VjcmV0"},{"kty":"RSA","n":"AQAB","e":"AQAB"},null,1]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, document []byte) {
		set, err := ParseSet(document)
		if err != nil {
			return
		}
		if len(set.keys) == 0 || len(set.keys) > maxKeys {
			t.Fatalf("%d keys", len(set.keys))
		}
		for _, key := range set.keys {
			if !key.IsPublic() || !key.Valid() || key.Use != "" && key.Use != "sig" {
				t.Fatalf("%+v is used", key)
			}
			for _, algorithm := range algorithms {
				set.find(key.KeyID, algorithm)
			}
		}
	})
}

// TestKeysThatASignatureMayBeFrom: RFC 7517 sections 4.4 and 4.5, both members are optional.
func TestKeysThatASignatureMayBeFrom(t *testing.T) {
	ec := &ecdsa.PublicKey{Curve: elliptic.P256()}
	set := Set{keys: []jose.JSONWebKey{
		{KeyID: "1", Key: ec, Algorithm: "ES256"}, {KeyID: "2", Key: ec}, {Key: ec}, {KeyID: "3", Key: &rsa.PublicKey{}}, {KeyID: "4", Key: &rsa.PublicKey{}, Algorithm: "PS256"},
	}}
	for _, tc := range []struct {
		kid       string
		algorithm jose.SignatureAlgorithm
		want      []int
	}{
		{"", jose.ES256, []int{0, 1, 2}},
		{"1", jose.ES256, []int{0, 2}},
		{"2", jose.ES256, []int{1, 2}},
		{"3", jose.ES256, []int{2}},
		{"", jose.ES384, nil},
		{"", jose.RS256, []int{3}},
		{"4", jose.RS256, nil},
		{"4", jose.PS256, []int{4}},
		{"", jose.PS256, []int{3, 4}},
		{"1", jose.RS256, nil},
	} {
		var want []*jose.JSONWebKey
		for _, n := range tc.want {
			want = append(want, &set.keys[n])
		}
		require.Equal(t, want, set.find(tc.kid, tc.algorithm), "%s %s", tc.kid, tc.algorithm)
	}
}

// Settled waits until no fetch is under way: one that has told why it failed has not yet ended, and the
// next would be part of it.
func (k *Keys) Settled() {
	<-k.fetches.DoChan("", func() (any, error) { return nil, nil })
}
