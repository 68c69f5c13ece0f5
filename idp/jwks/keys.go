package jwks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
)

const (
	// refreshAfter is the age at which keys are fetched again, in the background:
	// a key that the issuer has withdrawn is good for this much longer.
	refreshAfter = 10 * time.Minute
	// retryAfter is when that is tried again after a failure.
	retryAfter = time.Minute
	// keepKeys is how long keys are used while they can't be fetched.
	keepKeys = 24 * time.Hour
	// fetchInterval and fetchBurst bound the fetches that tokens with unknown keys,
	// and wrong signatures, bring about: an issuer rotates keys rarely, an attacker invents them quickly.
	fetchInterval = 10 * time.Second
	fetchBurst    = 3
	// fetchTimeout and maxDocument bound one fetch; maxDocument is in bytes.
	fetchTimeout = 10 * time.Second
	maxDocument  = 1 << 20
)

// ErrUnavailable: whether a signature is good can't be known now.
var ErrUnavailable = errors.New("the keys can't be fetched at the moment")

// errTooEarly: there has been a fetch a short time ago.
var errTooEarly = errors.New("too early to fetch the keys again")

// Location finds a URL of the issuer when it is needed: a constant, or what its
// metadata says.
type Location func(context.Context) (string, error)

// At is the location of a URL that is known.
func At(url string) Location {
	return func(context.Context) (string, error) { return url, nil }
}

// Keys are public keys at a URL, or in a file. They are fetched when a token needs them, refreshed in the
// background while tokens arrive, and looked up again, within bounds, when a token names one
// that is not known, or that has not signed it: so a rotation fails no request. While they can't be fetched, the last ones
// are used for a day.
type Keys struct {
	source source
	now    func() time.Time
	failed func(error)

	set     atomic.Pointer[Set]
	budget  *rate.Limiter
	fetches singleflight.Group

	mu        sync.Mutex
	err       error // of the last fetch
	refreshAt time.Time
}

// source reads a JWK Set, and says where it is from.
type source func(context.Context) (document []byte, from string, err error)

// New makes the keys at a location. failed is told why a fetch failed; nil for
// nobody. A nil now is [time.Now].
func New(location Location, client *http.Client, now func() time.Time, failed func(error)) *Keys {
	return newKeys(func(ctx context.Context) ([]byte, string, error) { return fetch(ctx, location, client) }, now, failed)
}

// InFile are the keys in a file that somebody else may replace: it is read again when keys at a URL
// would be fetched again. An error is that of the first time.
func InFile(path string, now func() time.Time, failed func(error)) (*Keys, error) {
	k := newKeys(func(context.Context) ([]byte, string, error) {
		document, err := os.ReadFile(path)
		return document, path, err
	}, now, failed)
	_, err := k.update()
	return k, err
}

func newKeys(source source, now func() time.Time, failed func(error)) *Keys {
	if now == nil {
		now = time.Now
	}
	if failed == nil {
		failed = func(error) {}
	}
	return &Keys{
		source: source, now: now, failed: failed,
		budget: rate.NewLimiter(rate.Every(fetchInterval), fetchBurst),
	}
}

// Current are the keys to use now, nil if there are none or they are too old. It sees to it
// that they are refreshed.
func (k *Keys) Current() *Set {
	set, now := k.set.Load(), k.now()
	if set == nil || now.Sub(set.fetched) < refreshAfter {
		return set
	}
	k.mu.Lock()
	due := !now.Before(k.refreshAt)
	if due {
		k.refreshAt = now.Add(retryAfter)
	}
	k.mu.Unlock()
	if due {
		k.fetches.DoChan("", k.update)
	}
	if now.Sub(set.fetched) > keepKeys {
		return nil
	}
	return set
}

// Verify checks a signature. The error is [ErrSignature], [ErrUnknownKey], [ErrUnavailable],
// or that of ctx.
func (k *Keys) Verify(ctx context.Context, signed *jose.JSONWebSignature) error {
	_, err := k.VerifiedBy(ctx, signed)
	return err
}

// VerifiedBy is [Keys.Verify], and returns the keys that the signature was checked with. Newer keys are
// looked up for one that is not of the key that it names, too: some issuers replace a key under its name.
func (k *Keys) VerifiedBy(ctx context.Context, signed *jose.JSONWebSignature) (*Set, error) {
	set, failure := k.Current(), ErrUnknownKey
	for latest := false; ; {
		if set != nil {
			err := set.Verify(ctx, signed)
			if !errors.Is(err, ErrUnknownKey) && !errors.Is(err, ErrSignature) {
				return set, err
			}
			failure = err
		}
		if latest {
			return nil, failure
		}
		var err error
		switch set, latest, err = k.newer(ctx, set); {
		case err == nil:
		case errors.Is(failure, ErrSignature): // by the last keys that there were
			return nil, failure
		default:
			return nil, err
		}
	}
}

// Ready returns why there are no keys. It has them fetched if there are none, and
// waits for that until ctx ends.
func (k *Keys) Ready(ctx context.Context) error {
	_, _, err := k.newer(ctx, nil)
	return err
}

// newer are keys that were fetched after those that did not verify a token, nil if
// it is too early to ask again. latest says that no later ones can be had now: a fetch
// that was under way may have begun before the issuer had the key.
func (k *Keys) newer(ctx context.Context, than *Set) (set *Set, latest bool, err error) {
	now := k.now()
	known := func() *Set {
		if set := k.set.Load(); set != than && now.Sub(set.fetched) <= keepKeys {
			return set
		}
		return nil
	}
	if set := known(); set != nil {
		return set, false, nil
	}
	began := false // this fetch, so that there is none later
	fetched := k.fetches.DoChan("", func() (any, error) {
		if set := known(); set != nil { // that of a fetch which has just ended
			return set, nil
		}
		if !k.budget.AllowN(now, 1) {
			return nil, errTooEarly
		}
		began = true
		return k.update()
	})
	select {
	case result := <-fetched:
		switch {
		case errors.Is(result.Err, errTooEarly) && k.lastError() == nil:
			return nil, true, nil
		case result.Err != nil:
			return nil, false, ErrUnavailable
		}
		return result.Val.(*Set), began, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

func (k *Keys) lastError() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// update fetches the keys, one fetch at a time. Nobody's request ends it.
func (k *Keys) update() (any, error) {
	set, err := k.fetch()
	if err != nil {
		k.failed(err)
	} else {
		k.set.Store(set)
	}
	k.mu.Lock()
	k.err = err
	k.mu.Unlock()
	return set, err
}

func (k *Keys) fetch() (*Set, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	document, from, err := k.source(ctx)
	if err != nil {
		return nil, err
	}
	set, err := ParseSet(document)
	if err != nil {
		return nil, fmt.Errorf("the keys at %s: %w", from, err)
	}
	set.fetched = k.now()
	return set, nil
}

// fetch asks for the keys at a location.
func fetch(ctx context.Context, location Location, client *http.Client) (document []byte, from string, err error) {
	url, err := location(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("where the keys are: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	status, document, err := body.Fetch(client, request, maxDocument)
	if err != nil {
		return nil, "", fmt.Errorf("fetching the keys: %w", err)
	}
	if status != http.StatusOK {
		return nil, "", fmt.Errorf("fetching the keys: %s responded with status %d", request.URL.Host, status)
	}
	return document, request.URL.Host, nil
}
