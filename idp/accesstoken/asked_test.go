package accesstoken

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
)

// A request may find nothing remembered and begin its question when that of another
// one has just been answered.
func TestAQuestionThatWasJustAnswered(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	a := newAsked(&Introspection{Endpoint: func(context.Context) (string, error) {
		t.Error("the issuer is asked once more")
		return "", errors.New("asked")
	}}, time.Minute)
	hash := sha256.Sum256([]byte("opaque"))
	known := &Token{Subject: "ada"}
	a.accepted.put(hash, remembered{token: known, until: now.Add(time.Minute)}, now)
	token, err := a.answer(t.Context(), nil, "opaque", hash, now)
	require.NoError(t, err)
	require.Same(t, known, token)

	rejection := bearer.BadToken("RFC 7662 section 2.2", "revoked")
	other := sha256.Sum256([]byte("other"))
	a.rejected.put(other, remembered{err: rejection, until: now.Add(time.Minute)}, now)
	token, err = a.answer(t.Context(), nil, "other", other, now)
	require.Nil(t, token)
	require.Equal(t, rejection, err)
}

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
		for _, algorithm := range append(asymmetric, jose.HS256) {
			want := false
			for _, one := range tc.fits {
				want = want || one == algorithm
			}
			require.Equal(t, want, fits(tc.key, algorithm), "%s, %s", name, algorithm)
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
		"RSA of 8192 bits": {modulus(8192), true},
		"RSA of 8193 bits": {modulus(8193), false},
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

func TestWhatIsRememberedIsBounded(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var c cache
	hash := func(n int) (h [sha256.Size]byte) { binary.BigEndian.PutUint64(h[:], uint64(n)); return h }
	big := func() remembered {
		return remembered{token: &Token{claims: jsontext.Value(make([]byte, 1<<20))}, until: now.Add(time.Minute)}
	}
	size := func() (entries, bytes int) {
		for _, generation := range []map[[sha256.Size]byte]remembered{c.young, c.old} {
			for _, entry := range generation {
				entries, bytes = entries+1, bytes+entry.size()
			}
		}
		return entries, bytes
	}
	for n := range 100 {
		c.put(hash(n), big(), now)
		_, bytes := size()
		require.LessOrEqual(t, bytes, maxRemembered)
		_, ok := c.get(hash(0), now)
		require.True(t, ok, "what is asked for stays")
	}
	_, ok := c.get(hash(1), now)
	require.False(t, ok)
	_, ok = c.get(hash(0), now.Add(time.Minute))
	require.False(t, ok, "it is over")

	c = cache{}
	for range 100 {
		c.put(hash(7), big(), now) // the same again and again takes no more room
	}
	entries, _ := size()
	require.Equal(t, 1, entries)
	require.Equal(t, c.size, 256+1<<20)
	c.put(hash(8), remembered{until: now}, now)
	_, ok = c.get(hash(8), now.Add(-time.Second))
	require.False(t, ok, "what is over already is not remembered")
	rejected := remembered{err: errors.New("no")}
	require.Equal(t, 256, rejected.size())

	c = cache{}
	quarter := func(bytes int) remembered {
		return remembered{token: &Token{claims: jsontext.Value(make([]byte, maxRemembered/8-256+bytes))}, until: now.Add(time.Minute)}
	}
	for n := range 4 {
		_, ok := c.get(hash(n), now)
		require.False(t, ok)
		require.Equal(t, n*maxRemembered/8, c.size, "what is asked for in vain takes no room")
		c.put(hash(n), quarter(0), now)
	}
	require.Len(t, c.young, 4, "four quarters of a generation fill it")
	require.Empty(t, c.old)
	c.put(hash(3), quarter(1), now)
	require.Len(t, c.young, 1, "one byte more begins another")
	require.Len(t, c.old, 4)
}

func TestDatesOfTokens(t *testing.T) {
	for date, want := range map[seconds]int64{-1: 0, 0: 0, 1.9: 1, 1_800_000_000: 1_800_000_000, 1e300: 253402300799} {
		require.Equal(t, want, date.time().Unix(), date)
	}
}

// FuzzKeys: a set of keys that is used has public keys for signatures only, strong ones.
func FuzzKeys(f *testing.F) {
	f.Add([]byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","kid":"1"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","use":"enc"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"oct","k":"c2VjcmV0"},{"kty":"RSA","n":"AQAB","e":"AQAB"},null,1]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, document []byte) {
		set, err := parseKeys(document)
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
			for _, algorithm := range asymmetric {
				set.find(key.KeyID, algorithm)
			}
		}
	})
}

// TestWhenKeysAreFetchedAgain: in the background after ten minutes, once a minute while that fails, and what is
// known is used for a day.
func TestWhenKeysAreFetchedAgain(t *testing.T) {
	end := make(chan struct{})
	k := NewKeys(func(context.Context) (string, error) { <-end; return "", errors.New("down") }, nil, nil, nil)
	start := time.Unix(1_800_000_000, 0)
	set := &keySet{fetched: start}
	k.set.Store(set)
	underWay := func() *flight {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.flight
	}
	fails := func() {
		f := underWay()
		require.NotNil(t, f, "a fetch is under way")
		end <- struct{}{}
		<-f.done
	}
	at := func(d time.Duration, want *keySet) {
		t.Helper()
		require.Same(t, want, k.current(start.Add(d)), d)
	}
	at(10*time.Minute-1, set)
	require.Nil(t, underWay())
	at(10*time.Minute, set)
	first := underWay()
	at(30*time.Minute, set)
	require.Same(t, first, underWay(), "one at a time")
	fails()
	at(11*time.Minute-1, set)
	require.Nil(t, underWay(), "a minute after the last one")
	at(11*time.Minute, set)
	fails()
	at(24*time.Hour, set)
	fails()
	at(24*time.Hour+1, nil)
	require.Nil(t, underWay())

	// Who looks for newer ones takes those that have been fetched meanwhile.
	newer, latest, err := k.newer(t.Context(), nil, start.Add(24*time.Hour))
	require.NoError(t, err)
	require.Same(t, set, newer)
	require.False(t, latest)
	newer, _, err = k.newer(t.Context(), &keySet{}, start.Add(10*time.Minute))
	require.NoError(t, err)
	require.Same(t, set, newer)
	require.Nil(t, underWay())
	// A fetch of somebody else's may have begun too early to know the key.
	others := &flight{done: make(chan struct{}), set: &keySet{fetched: start}}
	close(others.done)
	k.flight = others
	newer, latest, err = k.newer(t.Context(), set, start)
	k.flight = nil
	require.NoError(t, err)
	require.Same(t, others.set, newer)
	require.False(t, latest, "others can be had")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = k.newer(ctx, nil, start.Add(24*time.Hour+1))
	require.ErrorIs(t, err, context.Canceled, "they are too old: a fetch has begun")
	fails()
}

// TestKeysThatASignatureMayBeFrom: RFC 7517 sections 4.4 and 4.5, both members are optional.
func TestKeysThatASignatureMayBeFrom(t *testing.T) {
	ec := &ecdsa.PublicKey{Curve: elliptic.P256()}
	set := keySet{keys: []jose.JSONWebKey{
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
