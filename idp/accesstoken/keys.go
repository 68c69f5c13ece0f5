package accesstoken

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/time/rate"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

const (
	// refreshAfter is the age at which keys are fetched again, in the background:
	// a key that the issuer has withdrawn is good for this much longer.
	refreshAfter = 10 * time.Minute
	// retryAfter is when that is tried again after a failure.
	retryAfter = time.Minute
	// keepKeys is how long keys are used while they can't be fetched.
	keepKeys = 24 * time.Hour
	// fetchInterval and fetchBurst bound the fetches that tokens with unknown keys
	// bring about: an issuer rotates keys rarely, an attacker invents them quickly.
	fetchInterval = 10 * time.Second
	fetchBurst    = 3
	// fetchTimeout and maxDocument bound one fetch; maxDocument is in bytes.
	fetchTimeout = 10 * time.Second
	maxDocument  = 1 << 20
	maxKeys      = 64
	// Sizes of RSA moduli in bits (RFC 7518 section 3.3; above, one verification
	// takes milliseconds).
	minRSA, maxRSA = 2048, 8192
)

// Location finds a URL of the issuer when it is needed: a constant, or what its
// metadata says.
type Location func(context.Context) (string, error)

// At is the location of a URL that is known.
func At(url string) Location {
	return func(context.Context) (string, error) { return url, nil }
}

// Keys are the issuer's public keys (a JWK Set, RFC 7517 section 5). They are fetched when a
// token needs them, refreshed in the background while tokens arrive, and looked up
// again, within bounds, when a token names one that is not known: so a rotation
// fails no request. While the issuer is down, the last ones are used for a day.
type Keys struct {
	location Location
	client   *http.Client
	now      func() time.Time
	failed   func(error)

	set    atomic.Pointer[keySet]
	budget *rate.Limiter

	mu        sync.Mutex
	flight    *flight
	err       error // of the last fetch
	refreshAt time.Time
}

// flight is a fetch under way. What follows done is set before it is closed.
type flight struct {
	done chan struct{}
	set  *keySet
	err  error
}

// NewKeys makes the keys at a location. failed is told why a fetch failed; nil for
// nobody. A nil now is [time.Now].
func NewKeys(location Location, client *http.Client, now func() time.Time, failed func(error)) *Keys {
	if now == nil {
		now = time.Now
	}
	if failed == nil {
		failed = func(error) {}
	}
	return &Keys{
		location: location, client: client, now: now, failed: failed,
		budget: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
	}
}

// current are the keys to use at a time, nil if there are none or they are too
// old. It sees to it that they are refreshed.
func (k *Keys) current(now time.Time) *keySet {
	set := k.set.Load()
	if set == nil || now.Sub(set.fetched) < refreshAfter {
		return set
	}
	k.mu.Lock()
	if k.flight == nil && !now.Before(k.refreshAt) {
		k.refreshAt = now.Add(retryAfter)
		k.begin()
	}
	k.mu.Unlock()
	if now.Sub(set.fetched) > keepKeys {
		return nil
	}
	return set
}

// verify checks a signature and returns the keys that it was checked with.
func (k *Keys) verify(ctx context.Context, signed *jose.JSONWebSignature, now time.Time) (*keySet, error) {
	set := k.current(now)
	for latest := false; ; {
		if set != nil {
			verified, named := set.verify(signed)
			if verified {
				return set, nil
			}
			if named {
				return nil, bearer.BadToken("RFC 7515 section 5.2", "the signature of the access token is wrong")
			}
		}
		if latest {
			return nil, errUnknownKey()
		}
		var err error
		if set, latest, err = k.newer(ctx, set, now); err != nil {
			return nil, err
		}
	}
}

// Verify implements [idp.KeySet], for the keys of a client.
func (k *Keys) Verify(ctx context.Context, signed *jose.JSONWebSignature) error {
	_, err := k.verify(ctx, signed, k.now())
	return err
}

// FixedKeys are public keys that are known.
type FixedKeys struct{ set *keySet }

// ParseKeys reads a JWK Set (RFC 7517 section 5).
func ParseKeys(document []byte) (FixedKeys, error) {
	set, err := parseKeys(document)
	return FixedKeys{set}, err
}

// Verify implements [idp.KeySet].
func (k FixedKeys) Verify(_ context.Context, signed *jose.JSONWebSignature) error {
	if verified, _ := k.set.verify(signed); !verified {
		return errUnknownKey()
	}
	return nil
}

func errUnknownKey() error {
	return bearer.BadToken("RFC 7515 section 6", "the access token is signed with a key that its issuer does not publish")
}

// Ready returns why there are no keys. It has them fetched if there are none, and
// waits for that until ctx ends.
func (k *Keys) Ready(ctx context.Context) error {
	_, _, err := k.newer(ctx, nil, k.now())
	return err
}

// newer are keys that were fetched after those that did not verify a token, nil if
// it is too early to ask again. latest says that no later ones can be had now: a fetch
// that was under way may have begun before the issuer had the key.
func (k *Keys) newer(ctx context.Context, than *keySet, now time.Time) (set *keySet, latest bool, err error) {
	k.mu.Lock()
	if set := k.set.Load(); set != than && now.Sub(set.fetched) <= keepKeys {
		k.mu.Unlock()
		return set, false, nil
	}
	if k.flight == nil {
		if !k.budget.AllowN(now, 1) {
			defer k.mu.Unlock()
			if k.err != nil {
				return nil, false, errNoKeys()
			}
			return nil, true, nil
		}
		k.begin()
		latest = true
	}
	f := k.flight
	k.mu.Unlock()
	select {
	case <-f.done:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if f.err != nil {
		return nil, false, errNoKeys()
	}
	return f.set, latest, nil
}

// errNoKeys: whether the token is good can't be known now.
func errNoKeys() error {
	return oauth.Unavailable("the keys of the issuer can't be had at the moment; try again later", "10")
}

// begin starts a fetch. The caller holds mu. Nobody's request ends it.
func (k *Keys) begin() {
	f := &flight{done: make(chan struct{})}
	k.flight = f
	go func() {
		f.set, f.err = k.fetch()
		if f.err != nil {
			k.failed(f.err)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.err = f.err; f.err == nil {
			k.set.Store(f.set)
		}
		k.flight = nil
		close(f.done)
	}()
}

func (k *Keys) fetch() (*keySet, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	url, err := k.location(ctx)
	if err != nil {
		return nil, fmt.Errorf("where the keys are: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	status, body, err := exchange(k.client, request)
	if err != nil {
		return nil, fmt.Errorf("fetching the keys: %w", err)
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("fetching the keys: %s responded with status %d", request.URL.Host, status)
	}
	set, err := parseKeys(body)
	if err != nil {
		return nil, fmt.Errorf("the keys at %s: %w", request.URL.Host, err)
	}
	set.fetched = k.now()
	return set, nil
}

// exchange sends a request, which must not be redirected, and reads the response
// within its bound.
func exchange(client *http.Client, request *http.Request) (status int, body []byte, err error) {
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := direct.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if len(body) > maxDocument {
		err = errors.New("the response is larger than 1 MiB")
	}
	return response.StatusCode, body, err
}

// keySet is an immutable set of public keys for signatures.
type keySet struct {
	keys    []jose.JSONWebKey
	fetched time.Time
}

// parseKeys reads a JWK Set. Keys that are not for signatures, symmetric, broken or
// too weak are left out (RFC 7517 section 5: unknown ones are to be ignored).
func parseKeys(body []byte) (*keySet, error) {
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return nil, errors.New("this is not a JWK Set")
	}
	set := new(keySet)
	for _, raw := range document.Keys[:min(len(document.Keys), maxKeys)] {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(raw) == nil && (key.Use == "" || key.Use == "sig") && isStrong(key.Key) {
			set.keys = append(set.keys, key)
		}
	}
	if len(set.keys) == 0 {
		return nil, errors.New("there is no public key for signatures among them")
	}
	return set, nil
}

func isStrong(key any) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return key.N.BitLen() >= minRSA && key.N.BitLen() <= maxRSA && key.E >= 3
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false // private and symmetric keys, which nobody should have
}

// verify reports whether a signature is good, and named that the key is among these that it
// names.
func (s *keySet) verify(signed *jose.JSONWebSignature) (verified, named bool) {
	header := signed.Signatures[0].Protected
	for _, key := range s.find(header.KeyID, jose.SignatureAlgorithm(header.Algorithm)) {
		if _, err := signed.Verify(key); err == nil {
			return true, true
		}
		named = named || key.KeyID != "" && key.KeyID == header.KeyID
	}
	return false, named
}

// find returns the keys that a signature may have been made with: those with its
// kid, or all if it has none.
func (s *keySet) find(kid string, algorithm jose.SignatureAlgorithm) []*jose.JSONWebKey {
	var found []*jose.JSONWebKey
	for i := range s.keys {
		key := &s.keys[i]
		if (kid == "" || key.KeyID == "" || key.KeyID == kid) && (key.Algorithm == "" || key.Algorithm == string(algorithm)) && fits(key.Key, algorithm) {
			found = append(found, key)
		}
	}
	return found
}

// fits reports whether a key is of the kind that an algorithm takes (RFC 7518
// sections 3.3 to 3.5, RFC 8037 section 3.1).
func fits(key any, algorithm jose.SignatureAlgorithm) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return algorithm[0] == 'R' || algorithm[0] == 'P'
	case *ecdsa.PublicKey:
		switch algorithm {
		case jose.ES256:
			return key.Curve == elliptic.P256()
		case jose.ES384:
			return key.Curve == elliptic.P384()
		case jose.ES512:
			return key.Curve == elliptic.P521()
		}
	case ed25519.PublicKey:
		return algorithm == jose.EdDSA
	}
	return false
}
