package jwks_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
)

func TestARotationFailsNoRequest(t *testing.T) {
	k1, k2, k3 := newES256(t, "k1"), newRS256(t, "k2"), newES256(t, "")
	i := newIssuer(t, k1)
	v := i.verifier()
	old := k1.sign(t)
	accepted(t, v, old)
	require.EqualValues(t, 1, i.fetches.Load())

	i.rotate(k2, k1)
	accepted(t, v, k2.sign(t))
	accepted(t, v, old)
	require.EqualValues(t, 2, i.fetches.Load())

	i.rotate(k2)
	i.rotate(k3) // one without a name, and nothing in between
	accepted(t, v, k3.sign(t))
	rejected(t, v, old, jwks.ErrUnknownKey)
}

func TestAFloodOfUnknownKeysIsNotOneOfFetches(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier()
	accepted(t, v, i.token(t))
	stranger := newES256(t, "")
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for n := range 100 {
				key := stranger
				key.id = fmt.Sprintf("unknown-%d-%d", worker, n)
				if n%3 == 0 {
					key.id = "" // signed by nobody's key: no name to look for
				}
				if verify(t, v, key.sign(t)) == nil {
					t.Error("accepted")
				}
			}
		})
	}
	wait.Wait()
	require.LessOrEqual(t, i.fetches.Load(), int64(3), "of 800 tokens")

	before, unknown := i.fetches.Load(), stranger.sign(t)
	for range 60 { // ten minutes of it
		i.advance(10 * time.Second)
		for range 3 {
			require.Error(t, verify(t, v, unknown))
		}
	}
	require.LessOrEqual(t, i.fetches.Load()-before, int64(60+10))

	// A rotation meanwhile waits ten seconds at most.
	k2 := newES256(t, "k2")
	i.rotate(k2)
	i.advance(10 * time.Second)
	accepted(t, v, k2.sign(t))
}

// Some issuers replace a key and keep its name. Whoever signs by a key of his own under that name brings
// about no more fetches than one with a name that nobody knows.
func TestAKeyThatIsReplacedUnderItsName(t *testing.T) {
	old, next, stranger := newES256(t, "k1"), newES256(t, "k1"), newES256(t, "k1")
	i := newIssuer(t, old)
	v := i.verifier()
	accepted(t, v, old.sign(t))
	i.rotate(next)
	accepted(t, v, next.sign(t))
	require.EqualValues(t, 2, i.fetches.Load())
	for range 100 {
		rejected(t, v, old.sign(t), jwks.ErrSignature)
	}
	require.EqualValues(t, 3, i.fetches.Load())

	i.rotate(old)
	i.advance(10 * time.Second)
	accepted(t, v, old.sign(t))
	i.setDown(true)
	i.advance(time.Minute)
	for range 10 {
		rejected(t, v, stranger.sign(t), jwks.ErrSignature)
		accepted(t, v, old.sign(t))
	}
	i.rotate(newES256(t, "k2"))
	i.setDown(false)
	i.advance(time.Minute)
	rejected(t, v, stranger.sign(t), jwks.ErrUnknownKey)
}

func TestAnIssuerThatIsDownForAnHour(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier()
	accepted(t, v, i.token(t))
	i.setDown(true)
	for range 120 {
		i.advance(30 * time.Second)
		accepted(t, v, i.token(t))
	}
	require.LessOrEqual(t, i.fetches.Load(), int64(1+60), "it is asked once a minute at most")
	for range 6 { // more than it is asked
		rejected(t, v, newES256(t, "new").sign(t), jwks.ErrUnavailable)
	}

	// Back, with other keys: the first request with one of them.
	k2 := newES256(t, "k2")
	i.rotate(k2)
	i.setDown(false)
	i.advance(time.Minute)
	accepted(t, v, k2.sign(t))
}

func TestAnIssuerThatIsDownForADay(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier()
	accepted(t, v, i.token(t))
	i.setDown(true)
	i.advance(24*time.Hour + time.Second)
	rejected(t, v, i.token(t), jwks.ErrUnavailable)
	i.setDown(false)
	i.advance(time.Minute)
	accepted(t, v, i.token(t))
}

func TestAnIssuerThatIsDownAtTheStart(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier()
	i.setDown(true)
	for range 20 {
		rejected(t, v, i.token(t), jwks.ErrUnavailable)
	}
	require.EqualValues(t, 3, i.fetches.Load())
	i.setDown(false)
	i.advance(10 * time.Second)
	accepted(t, v, i.token(t))
}

func TestManyFirstRequestsShareOneFetch(t *testing.T) {
	i := newIssuer(t)
	v := i.verifier()
	var wait sync.WaitGroup
	for range 50 {
		token := i.token(t)
		wait.Go(func() {
			if err := verify(t, v, token); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, i.fetches.Load())
}

// What a JWK Set must not bring about.
func TestKeySetsThatAreNotUsed(t *testing.T) {
	key := newES256(t, "k1")
	public := func(change func(*jose.JSONWebKey)) string {
		jwk := jose.JSONWebKey{Key: key.private.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}
		if change != nil {
			change(&jwk)
		}
		raw, err := json.Marshal(jwk)
		require.NoError(t, err)
		return string(raw)
	}
	set := func(keys ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"keys":[%s]}`, strings.Join(keys, ","))
		}
	}
	padded := func(size int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			document := `{"keys":[` + public(nil) + `]}`
			fmt.Fprint(w, document, strings.Repeat(" ", size-len(document)))
		}
	}
	const noKey = "there is no public key for signatures among them"
	private, err := json.Marshal(jose.JSONWebKey{Key: key.private, KeyID: "k1"})
	require.NoError(t, err)
	const weakRSA = `{"kty":"RSA","kid":"k1","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbIS","e":"AQAB"}`
	for name, test := range map[string]struct {
		respond http.HandlerFunc
		failure string // what the operator is told, "" if the keys are used
	}{
		"a key":                         {set(public(nil)), ""},
		"without alg and use":           {set(public(func(k *jose.JSONWebKey) { k.Algorithm, k.Use = "", "" })), ""},
		"beside keys that nobody knows": {set(`{"kty":"XYZ"}`, `{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}`, `1`, public(nil)), ""},
		"beside another with its kid":   {set(weakRSA, public(nil)), ""},
		"the last of 64":                {set(strings.Repeat("1,", 63) + public(nil)), ""},
		"the 65th":                      {set(strings.Repeat("1,", 64) + public(nil)), noKey},
		"for encryption":                {set(public(func(k *jose.JSONWebKey) { k.Use = "enc" })), noKey},
		"with a broken thumbprint":      {set(strings.Replace(public(nil), "{", `{"x5t":"x",`, 1)), noKey},
		"a symmetric one":               {set(`{"kty":"oct","kid":"k1","k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"}`), noKey},
		"a private one":                 {set(string(private)), noKey},
		"a weak one":                    {set(weakRSA), noKey},
		"none":                          {set(), noKey},
		"null":                          {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "null") }, noKey},
		"a page":                        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "this is not a JWK Set"},
		"deep JSON":                     {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("[", 1<<20)) }, "this is not a JWK Set"},
		"as much as can be":             {padded(1 << 20), ""},
		"a byte too much":               {padded(1<<20 + 1), "the response is larger than 1048576 bytes"},
		"a response that is cut": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			set(public(nil))(w, r)
		}, "unexpected EOF"},
		"an error": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); set(public(nil))(w, nil) }, "responded with status 500"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				set(public(nil))(w, r)
				return
			}
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}, "responded with status 302"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.respond)
			defer server.Close()
			i := newIssuer(t, key)
			var failure error
			v := jwks.New(jwks.At(server.URL), server.Client(), i.now, func(err error) { failure = err })
			if test.failure == "" {
				accepted(t, v, i.token(t))
				require.NoError(t, failure)
				return
			}
			rejected(t, v, i.token(t), jwks.ErrUnavailable)
			require.ErrorContains(t, failure, test.failure)
		})
	}
}

func TestKeysThatAreReady(t *testing.T) {
	i := newIssuer(t)
	failures := make(chan error, 10)
	keys := jwks.New(jwks.At(i.server.URL), i.server.Client(), i.now, func(err error) { failures <- err })
	i.setDown(true)
	require.ErrorContains(t, keys.Ready(t.Context()), "the keys can't be fetched")
	require.ErrorContains(t, <-failures, "responded with status 503")
	i.setDown(false)
	require.NoError(t, keys.Ready(t.Context()))
	require.NoError(t, keys.Ready(t.Context()), "and are not fetched again")
	require.EqualValues(t, 2, i.fetches.Load())
}

// TestWhyKeysAreNotReady: the operator reads why, and nobody waits for longer than he likes.
func TestWhyKeysAreNotReady(t *testing.T) {
	i := newIssuer(t)
	slow := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-slow }))
	defer server.Close()
	defer close(slow)
	for says, location := range map[string]jwks.Location{
		"where the keys are: nobody knows":                       func(context.Context) (string, error) { return "", errors.New("nobody knows") },
		"missing protocol scheme":                                jwks.At(":"),
		`fetching the keys: Get "http://127.0.0.1:0/": dial tcp`: jwks.At("http://127.0.0.1:0/"),
		"has ten seconds": func(ctx context.Context) (string, error) {
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= 10*time.Second {
				return "", errors.New("has ten seconds")
			}
			return "", errors.New("has no end")
		},
	} {
		var failure error
		keys := jwks.New(location, i.server.Client(), nil, func(err error) { failure = err })
		require.Error(t, keys.Ready(t.Context()))
		require.ErrorContains(t, failure, says)
	}
	silent := jwks.New(jwks.At(server.URL), server.Client(), nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, silent.Ready(ctx), context.Canceled)
}

func TestKeysOfEveryKind(t *testing.T) {
	for _, algorithm := range []struct {
		name  jose.SignatureAlgorithm
		curve elliptic.Curve
	}{{jose.ES384, elliptic.P384()}, {jose.ES512, elliptic.P521()}, {jose.EdDSA, nil}, {jose.PS256, nil}} {
		key := signingKey{id: "k", algorithm: algorithm.name}
		switch {
		case algorithm.curve != nil:
			private, err := ecdsa.GenerateKey(algorithm.curve, rand.Reader)
			require.NoError(t, err)
			key.private = private
		case algorithm.name == jose.EdDSA:
			_, private, err := ed25519.GenerateKey(rand.Reader)
			require.NoError(t, err)
			key.private = private
		default:
			key.private = newRS256(t, "k").private
		}
		i := newIssuer(t, key)
		accepted(t, i.verifier(), i.token(t))
	}
}

// TestKeysWithoutNames: RFC 7517 section 4.5, kid is optional, in a key as in a token.
func TestKeysWithoutNames(t *testing.T) {
	named, unnamed := newES256(t, "k1"), newES256(t, "")
	withoutKid := signingKey{"", named.algorithm, named.private}
	withKid := signingKey{"k2", unnamed.algorithm, unnamed.private}
	i := newIssuer(t, named, unnamed)
	v := i.verifier()
	for _, key := range []signingKey{named, unnamed, withoutKid, withKid} {
		accepted(t, v, key.sign(t))
	}
	require.EqualValues(t, 1, i.fetches.Load())
	rejected(t, v, signingKey{"k2", named.algorithm, named.private}.sign(t), jwks.ErrUnknownKey)
	require.EqualValues(t, 2, i.fetches.Load(), "one fetch for a key that is not known")
	rejected(t, v, newES256(t, "k1").sign(t), jwks.ErrSignature)
	require.EqualValues(t, 3, i.fetches.Load(), "and for one that may have been replaced")

	other := newES256(t, "")
	i.rotate(other)
	i.advance(10 * time.Second)
	accepted(t, v, other.sign(t))
	require.EqualValues(t, 4, i.fetches.Load())
}

// TestKeysAreAskedFor as RFC 7517 section 8.5.2 names them, and JSON, which is what most issuers send.
func TestKeysAreAskedFor(t *testing.T) {
	key := newES256(t, "k1")
	var accept string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accept = r.Header.Get("Accept")
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.private.Public()}}})
	}))
	defer server.Close()
	keys := jwks.New(jwks.At(server.URL), server.Client(), nil, func(err error) { t.Error(err) })
	require.NoError(t, keys.Ready(t.Context()))
	require.Equal(t, "application/jwk-set+json, application/json", accept)
}

// Whoever rotates keys replaces the file, and no reload is needed.
func TestKeysInAFile(t *testing.T) {
	i, path := newIssuer(t), filepath.Join(t.TempDir(), "keys.json")
	write := func(key signingKey) {
		set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.private.Public(), KeyID: key.id}}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, set, 0o600))
	}
	write(i.keys[0])
	keys, err := jwks.InFile(path, i.now, nil)
	require.NoError(t, err)
	accepted(t, keys, i.token(t))
	next := newES256(t, "k2")
	rejected(t, keys, next.sign(t), jwks.ErrUnknownKey)
	write(next)
	i.advance(time.Minute)
	accepted(t, keys, next.sign(t))

	for _, content := range []string{"-----BEGIN", `{"keys":[]}`} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err := jwks.InFile(path, i.now, nil)
		require.ErrorContains(t, err, path, content)
	}
	_, err = jwks.InFile(path+".missing", i.now, nil)
	require.ErrorContains(t, err, "no such file")
}

// Keys that are known, for those who are no issuer: they sign what they send.
func TestFixedKeys(t *testing.T) {
	one, other := newES256(t, "k1"), newES256(t, "k1")
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: one.private.Public(), KeyID: "k1"}}})
	require.NoError(t, err)
	keys, err := jwks.ParseSet(set)
	require.NoError(t, err)
	for key, good := range map[signingKey]bool{one: true, other: false} {
		require.Equal(t, good, verify(t, keys, key.sign(t)) == nil)
	}
	_, err = jwks.ParseSet([]byte(`{}`))
	require.Error(t, err)
}

// TestWhenKeysAreFetchedAgain: in the background after ten minutes, once a minute while that fails, and what is
// known is used for a day.
func TestWhenKeysAreFetchedAgain(t *testing.T) {
	i := newIssuer(t)
	failures := make(chan error, 1)
	v := jwks.New(jwks.At(i.server.URL), i.server.Client(), i.now, func(err error) { failures <- err })
	accepted(t, v, i.token(t))
	set := v.Current()
	i.setDown(true)
	for _, at := range []struct {
		after time.Duration
		fails bool // one more fetch
		want  *jwks.Set
	}{
		{10*time.Minute - time.Second, false, set},
		{10 * time.Minute, true, set},
		{11*time.Minute - time.Second, false, set},
		{11 * time.Minute, true, set},
		{24 * time.Hour, true, set},
		{24*time.Hour + time.Second, false, nil},
	} {
		before := i.fetches.Load()
		i.Store(start.Add(at.after).Unix())
		require.Equal(t, at.want, v.Current(), at.after)
		if at.fails {
			require.ErrorContains(t, <-failures, "status 503")
			v.Settled()
			before++
		}
		require.Equal(t, before, i.fetches.Load(), at.after)
	}
	require.ErrorIs(t, v.Ready(t.Context()), jwks.ErrUnavailable, "they are too old: a fetch has begun")
	<-failures
}

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
