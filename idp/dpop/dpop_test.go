package dpop_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const (
	method = "POST"
	target = "https://login.example.com/oauth/token"
	token  = "igat_token"
)

var now = time.Unix(1_800_000_000, 0)

func request() *dpop.Request {
	return &dpop.Request{Method: method, URL: target, AccessToken: token, Now: now}
}

func rsaKey(tb testing.TB, algorithm jose.SignatureAlgorithm, bits int) *dpoptest.Key {
	private, err := rsa.GenerateKey(rand.Reader, bits)
	require.NoError(tb, err)
	return &dpoptest.Key{Algorithm: algorithm, Private: private, Public: jose.JSONWebKey{Key: private.Public()}}
}

func edKey(tb testing.TB) *dpoptest.Key {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(tb, err)
	return &dpoptest.Key{Algorithm: jose.EdDSA, Private: private, Public: jose.JSONWebKey{Key: public}}
}

func curveKey(tb testing.TB, algorithm jose.SignatureAlgorithm, curve elliptic.Curve) *dpoptest.Key {
	private, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(tb, err)
	return &dpoptest.Key{Algorithm: algorithm, Private: private, Public: jose.JSONWebKey{Key: private.Public()}}
}

func TestGoodProofs(t *testing.T) {
	for _, key := range []*dpoptest.Key{
		dpoptest.NewKey(), edKey(t), rsaKey(t, jose.PS256, 2048), rsaKey(t, jose.PS256, 4096),
	} {
		proof, err := request().Check([]string{key.Proof(method, target, now, token, "")})
		require.NoError(t, err)
		assert.Equal(t, key.Thumbprint(), proof.Key.String())
		again, ok := dpop.ParseThumbprint(proof.Key.String())
		assert.True(t, ok)
		assert.Equal(t, proof.Key, again)
	}
}

// The example of RFC 9449 section 5, and the thumbprint of its key in section 6.1.
func TestExampleOfTheSpecification(t *testing.T) {
	const proof = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMi" +
		"LCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCI" +
		"sImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0" +
		"x7NVY-FNyJK70nfbV37xRZT3Lg"
	r := dpop.Request{Method: "POST", URL: "https://server.example.com/token", Now: time.Unix(1562262616, 0)}
	checked, err := r.Check([]string{proof})
	require.NoError(t, err)
	assert.Equal(t, "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", checked.Key.String())
}

// Each attack is a proof whose signature is good by the key in its own header, or that
// passes as it is for what it was made for: a server that checks nothing else lets it in.
func TestBadProofs(t *testing.T) {
	key, other := dpoptest.NewKey(), dpoptest.NewKey()
	claims := func(changes ...any) map[string]any {
		c := dpoptest.Claims(method, target, now, token, "")
		for i := 0; i < len(changes); i += 2 {
			if changes[i+1] == nil {
				delete(c, changes[i].(string))
			} else {
				c[changes[i].(string)] = changes[i+1]
			}
		}
		return c
	}
	having := func(changes ...any) string { return key.Sign(claims(changes...), nil) }
	for name, proof := range map[string]string{
		"another endpoint":             having("htu", "https://login.example.com/oauth/revoke"),
		"another host":                 having("htu", "https://evil.example/oauth/token"),
		"another scheme":               having("htu", "http://login.example.com/oauth/token"),
		"another port":                 having("htu", "https://login.example.com:8443/oauth/token"),
		"a slash at the end":           having("htu", target+"/"),
		"another case of the path":     having("htu", "https://login.example.com/OAuth/token"),
		"dot segments":                 having("htu", "https://login.example.com/oauth/x/../token"),
		"user information":             having("htu", "https://login.example.com@evil.example/oauth/token"),
		"a slash that is escaped":      having("htu", "https://login.example.com/oauth%2Ftoken"),
		"a host without path":          having("htu", "https://login.example.com"),
		"no URL":                       having("htu", "/oauth/token"),
		"no htu":                       having("htu", nil),
		"another method":               having("htm", "GET"),
		"a method in lower case":       having("htm", "post"),
		"no htm":                       having("htm", nil),
		"no jti":                       having("jti", nil),
		"an empty jti":                 having("jti", ""),
		"a long jti":                   having("jti", strings.Repeat("x", 257)),
		"a jti that is a number":       having("jti", 1),
		"no iat":                       having("iat", nil),
		"an old one":                   having("iat", now.Unix()-61),
		"one from the future":          having("iat", now.Unix()+61),
		"a time that is text":          having("iat", "1800000000"),
		"no ath":                       having("ath", nil),
		"another access token":         key.Proof(method, target, now, "igat_other", ""),
		"another typ":                  key.Sign(claims(), map[string]any{"typ": "JWT"}),
		"an access token for a proof":  key.Sign(claims(), map[string]any{"typ": "at+jwt"}),
		"no typ":                       key.Sign(claims(), map[string]any{"typ": nil}),
		"P-384":                        curveKey(t, jose.ES384, elliptic.P384()).Sign(claims(), nil),
		"RS256 (FAPI 2.0 section 5.4)": rsaKey(t, jose.RS256, 2048).Sign(claims(), nil),
		"RSA with 1024 bits":           rsaJWK(t, claims(), 1024),
		"RSA with 8192 bits":           rsaJWK(t, claims(), 8192),
		"a key for encryption":         with(key, "enc", "").Sign(claims(), nil),
		"a key of another alg":         with(key, "", "RS256").Sign(claims(), nil),
		"an unknown crit":              key.Sign(claims(), map[string]any{"crit": []string{"b64"}, "b64": true}),
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.HasPrefix(name, "RSA") { // whose signatures are not worth making
				requireSigned(t, proof)
			}
			_, err := request().Check([]string{proof})
			require.Error(t, err)
			var e dpop.Error
			assert.ErrorAs(t, err, &e, "which says what is wrong")
		})
	}

	good := key.Proof(method, target, now, token, "")
	_, err := request().Check([]string{good})
	require.NoError(t, err)
	parts := strings.Split(good, ".")
	for name, header := range map[string][]string{
		"none":                          {},
		"two":                           {good, good},
		"two in one field":              {good + ", " + good},
		"a folded field":                {parts[0] + ".\r\n " + parts[1] + "." + parts[2]},
		"white space, which jose skips": {parts[0] + ". " + parts[1] + "." + parts[2]},
		"padding":                       {good + "="},
		"nothing":                       {""},
		"a long one":                    {good + strings.Repeat("A", 8<<10)},
		"a key that is put in later":    {spliced(t, key.Sign(claims(), nil), other)},
		"no signature":                  {parts[0] + "." + parts[1] + "."},
		"another signature":             {parts[0] + "." + parts[1] + "." + strings.Split(other.Sign(claims(), nil), ".")[2]},
		"alg none":                      {unsigned(t, key, claims(), "none")},
		"alg HS256 with the public key": {symmetric(t, key, claims())},
		"a symmetric jwk":               {symmetricJWK(t, claims())},
		"a private jwk":                 {private(t, key, claims())},
		"no jwk but a kid":              {key.Sign(claims(), map[string]any{"jwk": nil, "kid": "../../etc/passwd"})},
		"a jku in the place of the jwk": {key.Sign(claims(), map[string]any{"jwk": nil, "jku": "https://evil.example/jwks"})},
		"a jti twice":                   {key.Sign(json.RawMessage(`{"jti":"a","jti":"b","htm":"POST","htu":"`+target+`","iat":1800000000}`), nil)},
		"claims that are a list":        {key.Sign(json.RawMessage(`[]`), nil)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := request().Check(header)
			require.Error(t, err)
		})
	}
}

// A kid, and claims and members of the header that nobody asked for, make no difference.
func TestOtherMembers(t *testing.T) {
	key := dpoptest.NewKey()
	claims := dpoptest.Claims(method, target, now, token, "")
	claims["sub"] = "u1"
	proof, err := request().Check([]string{key.Sign(claims, map[string]any{"kid": "k1", "x5u": "https://evil.example"})})
	require.NoError(t, err)
	assert.Equal(t, key.Thumbprint(), proof.Key.String())
}

// URLs that are the same by RFC 3986 (RFC 9449 section 4.3).
func TestSameURL(t *testing.T) {
	for _, same := range []string{
		target, "HTTPS://Login.Example.COM/oauth/token", "https://login.example.com:443/oauth/token", target + "?a=b", target + "#f", "https://login.example.com:/oauth/token",
		"https://login.example.com/oauth/%74oken",
	} {
		assert.True(t, dpop.SameURL(same, target), same)
	}
	assert.True(t, dpop.SameURL("https://a.example", "https://a.example/"))
	assert.True(t, dpop.SameURL("https://a.example/%c3%a9/%2f/%7E", "https://a.example/%C3%A9/%2F/~"))
	assert.True(t, dpop.SameURL("http://127.0.0.1:80/", "http://127.0.0.1"))
	assert.False(t, dpop.SameURL("https://a.example:80/", "https://a.example"))
	assert.False(t, dpop.SameURL("https://a.example/%2F", "https://a.example//"))
}

// Two proofs are one if key and jti are, whatever else they say: an attacker can write one
// signature in two ways.
func TestID(t *testing.T) {
	key, other := dpoptest.NewKey(), dpoptest.NewKey()
	id := func(key *dpoptest.Key, jti string, at time.Time) any {
		claims := dpoptest.Claims(method, target, at, token, "")
		claims["jti"] = jti
		proof, err := request().Check([]string{key.Sign(claims, nil)})
		require.NoError(t, err)
		return proof.ID
	}
	assert.Equal(t, id(key, "a", now), id(key, "a", now.Add(time.Second)))
	assert.NotEqual(t, id(key, "a", now), id(key, "b", now))
	assert.NotEqual(t, id(key, "a", now), id(other, "a", now), "nobody uses up the jti of another key")
}

// With a nonce the client's clock does not matter, and a proof that was made beforehand is
// of no use.
func TestNonce(t *testing.T) {
	clock := now
	keys := newKeys(t, 1, func() time.Time { return clock })
	others := newKeys(t, 2, func() time.Time { return clock })
	key := dpoptest.NewKey()
	check := func(iat time.Time, nonce string) error {
		r := request()
		r.CheckNonce = func(nonce string) error { return dpop.CheckNonce(keys, nonce, clock) }
		_, err := r.Check([]string{key.Proof(method, target, iat, token, nonce)})
		return err
	}
	nonce := dpop.Nonce(keys, clock)
	require.NoError(t, check(clock, nonce))
	require.NoError(t, check(clock.Add(-24*time.Hour), nonce), "a client whose clock is a day behind")

	require.ErrorIs(t, check(clock, ""), dpop.ErrNonce)
	require.ErrorIs(t, check(clock, "made-up"), dpop.ErrNonce)
	require.ErrorIs(t, check(clock, keys.Seal("state", "", []byte{1, 2, 3, 4})), dpop.ErrNonce, "sealed for something else")
	foreign := check(clock, dpop.Nonce(others, clock))
	require.ErrorIs(t, foreign, dpop.ErrNonce)
	require.ErrorIs(t, foreign, seal.ErrUnknownKey)

	clock = now.Add(dpop.NonceLifetime - time.Second)
	require.NoError(t, check(clock, nonce))
	clock = now.Add(dpop.NonceLifetime)
	require.ErrorIs(t, check(clock, nonce), dpop.ErrNonce)
	clock = now.Add(-seal.Skew)
	require.NoError(t, check(clock, nonce), "the node that made it is ahead")
	clock = now.Add(-seal.Skew - time.Second)
	require.ErrorIs(t, check(clock, nonce), dpop.ErrNonce)
}

// How long a proof is remembered is at least as long as it is good for.
func TestRemember(t *testing.T) {
	assert.GreaterOrEqual(t, dpop.Remember, dpop.NonceLifetime+seal.Skew)
	assert.GreaterOrEqual(t, dpop.Remember, 2*time.Minute, "the iat may be a minute off either way")
}

func TestThumbprintForms(t *testing.T) {
	good := dpoptest.NewKey().Thumbprint()
	for _, s := range []string{"", good[:42], good + "A", good + "=", good[:42] + "+", "\n" + good, good[:42] + string(good[42]+1), strings.Repeat("A", 43)} {
		_, ok := dpop.ParseThumbprint(s)
		assert.False(t, ok, s)
	}
}

func newKeys(tb testing.TB, seed byte, clock func() time.Time) *seal.Keys {
	keys, err := seal.NewKeys([][]byte{[]byte(strings.Repeat(string('a'+rune(seed)), 32))}, clock)
	require.NoError(tb, err)
	return keys
}

// requireSigned is a server that looks at nothing but the signature, by the key that comes
// with it.
func requireSigned(t *testing.T, proof string) {
	t.Helper()
	signed, err := jose.ParseSignedCompact(proof, []jose.SignatureAlgorithm{jose.ES256, jose.ES384, jose.RS256})
	require.NoError(t, err)
	_, err = signed.Verify(signed.Signatures[0].Header.JSONWebKey)
	if err != nil && strings.Contains(err.Error(), "critical") {
		return // the library knows no crit but its own
	}
	require.NoError(t, err)
}

// with is the key, as its header says otherwise.
func with(k *dpoptest.Key, use, algorithm string) *dpoptest.Key {
	changed := *k
	changed.Public.Use, changed.Public.Algorithm = use, algorithm
	return &changed
}

func encode(tb testing.TB, v any) string {
	b, err := json.Marshal(v)
	require.NoError(tb, err)
	return base64.RawURLEncoding.EncodeToString(b)
}

func unsigned(tb testing.TB, k *dpoptest.Key, claims any, algorithm string) string {
	return encode(tb, map[string]any{"typ": "dpop+jwt", "alg": algorithm, "jwk": k.Public}) + "." + encode(tb, claims) + "."
}

// spliced has the key of another one in its header.
func spliced(tb testing.TB, proof string, other *dpoptest.Key) string {
	parts := strings.Split(proof, ".")
	return encode(tb, map[string]any{"typ": "dpop+jwt", "alg": "ES256", "jwk": other.Public}) + "." + parts[1] + "." + parts[2]
}

// rsaJWK has a key of any size, with a signature that is as long.
func rsaJWK(tb testing.TB, claims map[string]any, bits uint) string {
	n := new(big.Int).Lsh(big.NewInt(1), bits-1)
	n.Add(n, big.NewInt(12345))
	jwk := map[string]any{"kty": "RSA", "e": "AQAB", "n": base64.RawURLEncoding.EncodeToString(n.Bytes())}
	return encode(tb, map[string]any{"typ": "dpop+jwt", "alg": "RS256", "jwk": jwk}) + "." + encode(tb, claims) + "." +
		base64.RawURLEncoding.EncodeToString(make([]byte, bits/8))
}

func symmetric(tb testing.TB, k *dpoptest.Key, claims any) string {
	public, err := k.Public.MarshalJSON()
	require.NoError(tb, err)
	return hmac(tb, public, claims, k.Public)
}

func symmetricJWK(tb testing.TB, claims any) string {
	secret := []byte(strings.Repeat("s", 32))
	return hmac(tb, secret, claims, map[string]any{"kty": "oct", "k": base64.RawURLEncoding.EncodeToString(secret)})
}

func hmac(tb testing.TB, secret []byte, claims, jwk any) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: secret},
		&jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"typ": "dpop+jwt", "jwk": jwk}})
	require.NoError(tb, err)
	payload, err := json.Marshal(claims)
	require.NoError(tb, err)
	signed, err := signer.Sign(payload)
	require.NoError(tb, err)
	proof, err := signed.CompactSerialize()
	require.NoError(tb, err)
	return proof
}

// private has the whole key in its header.
func private(tb testing.TB, k *dpoptest.Key, claims any) string {
	return k.Sign(claims, map[string]any{"jwk": jose.JSONWebKey{Key: k.Private}})
}

// Nothing that was not signed for this request passes, whatever is sent, and what is wrong
// is always said.
func FuzzCheck(f *testing.F) {
	key := dpoptest.NewKey()
	good := key.Proof(method, target, now, token, "")
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		good, good + "=", parts[0] + "." + parts[1] + ".", parts[0] + ".." + parts[2], "..", "", "eyJ.a.b", good + "," + good,
		unsigned(f, key, dpoptest.Claims(method, target, now, token, ""), "none"),
		symmetricJWK(f, dpoptest.Claims(method, target, now, token, "")),
		private(f, key, dpoptest.Claims(method, target, now, token, "")),
		rsaJWK(f, dpoptest.Claims(method, target, now, token, ""), 8192),
		key.Sign(json.RawMessage(strings.Repeat("[", 3000)+strings.Repeat("]", 3000)), nil),
		rsaKey(f, jose.PS256, 2048).Proof(method, target, now, token, ""),
		edKey(f).Proof(method, target, now, token, ""),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		proof, err := request().Check([]string{raw})
		var e dpop.Error
		switch {
		case (proof == nil) == (err == nil):
			t.Fatal("neither proof nor error, or both")
		case err != nil && !errors.As(err, &e):
			t.Fatal(err)
		case err == nil && proof.Key.String() == key.Thumbprint() && raw[:strings.LastIndex(raw, ".")] != good[:strings.LastIndex(good, ".")]:
			t.Fatal("accepted what was not signed")
		}
	})
}

// URLs compare without panics, each with itself, and either way round.
func FuzzSameURL(f *testing.F) {
	for _, seed := range [][2]string{{target, target}, {target, target + "/"}, {"https://a.example/%7e%2f", "https://a.example/~%2F"}, {"https://[::1]:443", "https://[::1]/"}, {"%", "http://%"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if dpop.SameURL(a, b) != dpop.SameURL(b, a) {
			t.Fatal("not symmetric")
		}
		if dpop.SameURL(a, b) && !dpop.SameURL(a, a) {
			t.Fatal("not reflexive")
		}
	})
}

// What a proof costs, by the algorithm.
func BenchmarkCheck(b *testing.B) {
	keys := newKeys(b, 1, func() time.Time { return now })
	nonce := dpop.Nonce(keys, now)
	for name, key := range map[string]*dpoptest.Key{"ES256": dpoptest.NewKey(), "PS256-4096": rsaKey(b, jose.PS256, 4096)} {
		header := []string{key.Proof(method, target, now, token, nonce)}
		r := request()
		r.CheckNonce = func(nonce string) error { return dpop.CheckNonce(keys, nonce, now) }
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := r.Check(header)
				require.NoError(b, err)
			}
		})
	}
}
