package signing

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

const (
	issuer = "https://login.example.com"
	idp    = "https://idp.example.com"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// made are keys, which take long to make, by their number.
var made = func() func(int) *Key {
	keys := make([]func() *Key, 3)
	for i := range keys {
		keys[i] = sync.OnceValue(func() *Key {
			key, err := Make(issuer, idp, start)
			if err != nil {
				panic(err)
			}
			return key
		})
	}
	return func(i int) *Key { return keys[i]() }
}()

// at is a key that was made at a time.
func at(i int, when time.Time) *Key {
	key := *made(i)
	key.Made = when
	return &key
}

func keysOf(t *testing.T, keys ...*Key) *Keys {
	return must.Have(Kept(issuer, keys))(t)
}

func claims(of string) []byte { return []byte(`{"iss":"` + of + `","sub":"ada"}`) }

func sign(t *testing.T, k *Keys, algorithm jose.SignatureAlgorithm, now time.Time) string {
	return must.Have(k.Sign(algorithm, claims(issuer), now))(t)
}

func public(t *testing.T, k *Keys, now time.Time) *jwks.Set {
	document := must.Have(k.Public(Algorithms(), now))(t)
	return must.Have(jwks.ParseSet(document))(t)
}

func verify(t *testing.T, set *jwks.Set, token string) error {
	signed := must.Have(jwks.Parse(token))(t)
	return set.Verify(t.Context(), signed)
}

func TestWhatIsSignedVerifiesByWhatIsPublished(t *testing.T) {
	k := keysOf(t, at(0, start))
	for _, algorithm := range Algorithms() {
		token := sign(t, k, algorithm, start)
		require.NoError(t, verify(t, public(t, k, start), token), algorithm)
		payload := must.Have(k.Verify(token, start))(t)
		require.JSONEq(t, string(claims(issuer)), string(payload))
	}
}

func TestOnlyPublicPartsArePublished(t *testing.T) {
	document := must.Have(keysOf(t, at(0, start)).Public([]jose.SignatureAlgorithm{RS256, ES256}, start))(t)
	var set struct {
		Keys []map[string]any `json:"keys"`
	}
	require.NoError(t, json.Unmarshal(document, &set))
	require.Len(t, set.Keys, 2)
	for _, key := range set.Keys {
		for _, private := range []string{"d", "p", "q", "dp", "dq", "qi", "k"} {
			require.NotContains(t, key, private)
		}
		require.Equal(t, "sig", key["use"])
		require.NotEmpty(t, key["kid"])
		require.NotEmpty(t, key["alg"])
	}
}

// A client that keeps the keys for a day knows each key that signs.
func TestTheNextKeyIsPublishedADayBeforeItSigns(t *testing.T) {
	next := start.Add(100 * 24 * time.Hour)
	k := keysOf(t, at(1, next), at(0, start))
	for hour := time.Duration(0); hour < 24*4; hour++ {
		now := next.Add(hour * time.Hour)
		cached := public(t, k, now)
		for _, later := range []time.Duration{0, 12 * time.Hour, 24 * time.Hour} {
			require.NoError(t, verify(t, cached, sign(t, k, RS256, now.Add(later))), "%s, %s later", hour*time.Hour, later)
		}
	}
	require.NotEqual(t, sign(t, k, ES256, next)[:90], sign(t, k, ES256, next.Add(Ahead))[:90], "it does sign")
}

func TestARetiredKeyServesHintsForNinetyDaysOutsideOfWhatIsPublished(t *testing.T) {
	next := start.Add(24 * time.Hour)
	k := keysOf(t, at(0, start), at(1, next))
	old, replaced := sign(t, k, RS256, start), next.Add(Ahead)

	require.NoError(t, verify(t, public(t, k, replaced.Add(Ahead-time.Second)), old))
	require.ErrorIs(t, verify(t, public(t, k, replaced.Add(Ahead)), old), jwks.ErrUnknownKey)
	must.Have(k.Verify(old, replaced.Add(Remembered-time.Second)))(t)
	_, err := k.Verify(old, replaced.Add(Remembered))
	require.ErrorIs(t, err, ErrForeign)
}

// The attacker has what is published, tokens of other issuers and of this one, and keys of his
// own. None of them is a token that this issuer has signed.
func TestWhatTheIssuerHasNotSigned(t *testing.T) {
	k, other := keysOf(t, at(0, start)), keysOf(t, at(1, start))
	good := sign(t, k, RS256, start)
	key, _ := made(0).public(RS256)
	rsaPublic := must.Have(x509.MarshalPKIXPublicKey(key.Key))(t)
	published := must.Have(k.Public(Algorithms(), start))(t)
	encoded := base64.RawURLEncoding.EncodeToString
	payload := encoded(claims(issuer))
	hmacOf := func(secret []byte) string {
		signed := encoded([]byte(`{"alg":"HS256","typ":"JWT","kid":"`+key.KeyID+`"}`)) + "." + payload
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(signed))
		return signed + "." + encoded(mac.Sum(nil))
	}
	signedBy := func(algorithm jose.SignatureAlgorithm, private any, typ, of string, more map[jose.HeaderKey]any) string {
		options := &jose.SignerOptions{ExtraHeaders: more}
		signer := must.Have(jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: private}, options.WithType(jose.ContentType(typ))))(t)
		signed := must.Have(signer.Sign(claims(of)))(t)
		return must.Have(signed.CompactSerialize())(t)
	}
	rsaKey, own := made(0).private[RS256], made(1).private[RS256]
	withKid := func(private any, kid string) jose.JSONWebKey { return jose.JSONWebKey{Key: private, KeyID: kid} }
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"none":                              encoded([]byte(`{"alg":"none","typ":"JWT","kid":"`+key.KeyID+`"}`)) + "." + payload + ".",
		"none, with the signature":          encoded([]byte(`{"alg":"none","typ":"JWT","kid":"`+key.KeyID+`"}`)) + "." + payload + "." + parts[2],
		"HMAC with the public key (DER)":    hmacOf(rsaPublic),
		"HMAC with the public key (PEM)":    hmacOf(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: rsaPublic})),
		"HMAC with the document":            hmacOf(published),
		"another issuer's key":              sign(t, other, RS256, start),
		"another issuer's key, by our name": signedBy(RS256, withKid(own, key.KeyID), "JWT", issuer, nil),
		"a key in the header":               signedBy(RS256, withKid(own, key.KeyID), "JWT", issuer, map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: own.Public()}, "jku": "https://attacker.example"}),
		"no name of a key":                  signedBy(RS256, rsaKey, "JWT", issuer, nil),
		"RS256 key, PS256":                  signedBy(PS256, withKid(rsaKey, key.KeyID), "JWT", issuer, nil),
		"RS512":                             signedBy(jose.RS512, withKid(rsaKey, key.KeyID), "JWT", issuer, nil),
		"another kind of JWT":               signedBy(RS256, withKid(rsaKey, key.KeyID), "at+jwt", issuer, nil),
		"a site with the same key":          signedBy(RS256, withKid(rsaKey, key.KeyID), "JWT", "https://other.example.com", nil),
		"other claims":                      parts[0] + "." + encoded([]byte(`{"iss":"`+issuer+`","sub":"eve"}`)) + "." + parts[2],
		"five parts":                        parts[0] + "." + payload + "." + parts[2] + ".x",
		"JSON":                              `{"payload":"` + payload + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
		"too long":                          good + strings.Repeat("A", maxToken),
		"nothing":                           "",
	} {
		_, err := k.Verify(token, start)
		require.ErrorIs(t, err, ErrForeign, name)
	}
	must.Have(k.Verify(good, start))(t)
	// The same by a client's library, with what is published.
	set := &oidc.StaticKeySet{PublicKeys: []crypto.PublicKey{key.Key}}
	verifier := oidc.NewVerifier(issuer, set, &oidc.Config{SkipClientIDCheck: true, SkipExpiryCheck: true})
	must.Have(verifier.Verify(context.Background(), good))(t)
}

func TestAKeptKeyIsReadAgain(t *testing.T) {
	document := must.Have(made(0).Marshal())(t)
	key := must.Have(Parse(document))(t)
	require.Equal(t, made(0), key)

	for want, edit := range map[string]func(map[string]any){
		"version 2":         func(d map[string]any) { d["version"] = 2 },
		"when it was made":  func(d map[string]any) { delete(d, "made") },
		"can't be read":     func(d map[string]any) { d["ec"] = "AAAA" },
		"an RSA key and":    func(d map[string]any) { d["ec"] = d["rsa"] },
		"not a signing key": func(d map[string]any) { d["rsa"] = 1 },
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal(document, &d))
		edit(d)
		edited := must.Have(json.Marshal(d))(t)
		_, err := Parse(edited)
		require.ErrorContains(t, err, want)
	}
	_, err := Kept("https://other.example.com", []*Key{key})
	require.ErrorContains(t, err, "is a signing key of https://login.example.com")
	_, err = Kept(issuer, nil)
	require.Error(t, err)
}

func encodePEM(t *testing.T, private any) []byte {
	der := must.Have(x509.MarshalPKCS8PrivateKey(private))(t)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// Of the keys of a configuration, the first of each kind signs, and all are published.
func TestKeysOfTheConfiguration(t *testing.T) {
	var keys []*Key
	for _, private := range []any{made(0).private[RS256], made(1).private[RS256], made(0).private[ES256]} {
		key := must.Have(ParsePEM(issuer, encodePEM(t, private)))(t)
		keys = append(keys, key)
	}
	k := must.Have(Configured(issuer, keys))(t)
	former := must.Have(Configured(issuer, []*Key{keys[1]}))(t)
	require.True(t, k.Has(ES256))
	require.False(t, former.Has(ES256))
	_, err := former.Sign(ES256, claims(issuer), start)
	require.ErrorContains(t, err, "no key for ES256")
	require.NoError(t, verify(t, public(t, k, start), sign(t, former, PS256, start)))
	require.NoError(t, verify(t, public(t, k, start), sign(t, k, ES256, start)))
	require.Error(t, verify(t, public(t, former, start), sign(t, k, RS256, start)))

	_, err = Configured(issuer, keys[2:])
	require.ErrorContains(t, err, "RS256")
}

func TestFilesThatAreNoSigningKeys(t *testing.T) {
	small := must.Have(rsa.GenerateKey(rand.Reader, 1024))(t)
	curve := must.Have(ecdsa.GenerateKey(elliptic.P384(), rand.Reader))(t)
	public := must.Have(x509.MarshalPKIXPublicKey(made(0).private[RS256].Public()))(t)
	for name, file := range map[string][]byte{
		"empty": nil, "text": []byte("secret"), "too small": encodePEM(t, small), "another curve": encodePEM(t, curve),
		"public":  pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		"damaged": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: public}),
	} {
		_, err := ParsePEM(issuer, file)
		require.ErrorContains(t, err, "openssl genpkey", name)
	}
	ec := must.Have(x509.MarshalECPrivateKey(made(0).private[ES256].(*ecdsa.PrivateKey)))(t)
	for _, block := range []*pem.Block{
		{Type: "EC PRIVATE KEY", Bytes: ec}, {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(made(0).private[RS256].(*rsa.PrivateKey))},
	} {
		must.Have(ParsePEM(issuer, append(pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS", Bytes: []byte{1}}), pem.EncodeToMemory(block)...)))(t)
	}
}

func FuzzVerify(f *testing.F) {
	k := must.Have(Kept(issuer, []*Key{made(0)}))(f)
	for _, algorithm := range Algorithms() {
		token := must.Have(k.Sign(algorithm, claims(issuer), start))(f)
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if payload, err := k.Verify(token, start); err == nil {
			require.JSONEq(t, string(claims(issuer)), string(payload), "nobody else has the key")
		}
	})
}
