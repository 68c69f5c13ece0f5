package accesstoken

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

const (
	// rememberRejected is how long a token that the issuer did not accept is not
	// asked about again.
	rememberRejected = 10 * time.Second
	// maxAsking is how many tokens the issuer is asked about at the same time.
	maxAsking = 64
	// askTimeout and maxAnswer bound one question; maxAnswer is in bytes.
	askTimeout = 10 * time.Second
	maxAnswer  = 1 << 20
)

// Introspection asks an introspection endpoint about tokens (RFC 7662).
type Introspection struct {
	Endpoint jwks.Location
	// ClientID and Secret authenticate the resource server (client_secret_basic).
	ClientID, Secret string
	Client           *http.Client
	// Failed is told why the issuer could not be asked; nil for nobody.
	Failed func(error)
}

// verifyOpaque asks about a token, unless it did a short time ago. Requests with the same
// token at the same time share one question.
func (v *Verifier) verifyOpaque(ctx context.Context, raw string, hash [sha256.Size]byte, now time.Time) (*Token, error) {
	if entry, ok := v.known(hash, now); ok {
		return entry.token, entry.err
	}
	answer := v.asking.DoChan(string(hash[:]), func() (any, error) {
		return v.answer(context.WithoutCancel(ctx), raw, hash, now)
	})
	select {
	case result := <-answer:
		token, _ := result.Val.(*Token)
		return token, result.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// known is what is remembered of a token.
func (v *Verifier) known(hash [sha256.Size]byte, now time.Time) (remembered, bool) {
	if entry, ok := v.accepted.get(hash, now); ok {
		return entry, true
	}
	return v.rejected.get(hash, now)
}

// answer asks about a token and remembers what the issuer says, unless somebody
// else's question has just been answered.
func (v *Verifier) answer(ctx context.Context, raw string, hash [sha256.Size]byte, now time.Time) (*Token, error) {
	if entry, ok := v.known(hash, now); ok {
		return entry.token, entry.err
	}
	token, err := v.ask(ctx, raw, now)
	switch {
	case err == nil:
		v.accepted.put(hash, remembered{token: token, until: v.until(token, now)}, now)
	case oauth.AsError(err).Code == oauth.InvalidToken:
		v.rejected.put(hash, remembered{err: err, until: now.Add(min(rememberRejected, v.config.CacheTTL))}, now)
	}
	return token, err
}

func (v *Verifier) ask(ctx context.Context, raw string, now time.Time) (*Token, error) {
	select {
	case v.places <- struct{}{}:
		defer func() { <-v.places }()
	default:
		return nil, oauth.Unavailable("too many access tokens are being checked at the moment; try again later", "1")
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	token, err := v.exchange(ctx, raw, now)
	var rejection *oauth.Error
	if err == nil || errors.As(err, &rejection) {
		return token, err
	}
	if v.config.Opaque.Failed != nil {
		v.config.Opaque.Failed(err)
	}
	return nil, oauth.Unavailable("the issuer of the access token can't be asked about it at the moment; try again later", "10")
}

func (v *Verifier) exchange(ctx context.Context, raw string, now time.Time) (*Token, error) {
	asked := v.config.Opaque
	endpoint, err := asked.Endpoint(ctx)
	if err != nil {
		return nil, err
	}
	form := url.Values{"token": {raw}, "token_type_hint": {"access_token"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	request.SetBasicAuth(url.QueryEscape(asked.ClientID), url.QueryEscape(asked.Secret)) // RFC 6749 section 2.3.1
	status, content, err := body.Fetch(asked.Client, request, maxAnswer)
	switch {
	case err != nil:
		return nil, fmt.Errorf("asking about an access token at %s: %w", request.URL.Host, err)
	case status == http.StatusOK:
		token, err := v.read(content, claimsOfIntrospection, now)
		if errors.Is(err, errUnreadable) {
			err = fmt.Errorf("asking about an access token at %s: %w", request.URL.Host, err)
		}
		return token, err
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return nil, fmt.Errorf("asking about an access token: %s rejected the client that asks, with status %d; check its id and secret", request.URL.Host, status)
	}
	return nil, fmt.Errorf("asking about an access token: %s responded with status %d", request.URL.Host, status)
}

// maxRemembered bounds a [cache], in bytes of claims and some for each entry. It is
// twice that for a moment.
const maxRemembered = 8 << 20

// remembered is what is known of a token until a time.
type remembered struct {
	token *Token
	err   error
	keys  *jwks.Set // that verified it
	until time.Time
}

func (r *remembered) size() int {
	size := 256
	if r.token != nil {
		size += len(r.token.claims)
	}
	return size
}

// cache remembers tokens by their hash, in two generations: when the young one is
// full, it becomes the old one, whose entries are forgotten unless they are asked for.
type cache struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]remembered
	size       int // of the young generation
}

func (c *cache) get(hash [sha256.Size]byte, now time.Time) (remembered, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.young[hash]
	if !ok {
		if entry, ok = c.old[hash]; ok {
			c.add(hash, entry)
		}
	}
	// A clock that jumps, or a machine that sleeps, moves one of the two clocks of a time.
	return entry, now.Before(entry.until) && now.Round(0).Before(entry.until.Round(0))
}

func (c *cache) put(hash [sha256.Size]byte, entry remembered, now time.Time) {
	if !now.Before(entry.until) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(hash, entry)
}

// add makes room first. The caller holds mu.
func (c *cache) add(hash [sha256.Size]byte, entry remembered) {
	if replaced, ok := c.young[hash]; ok {
		c.size -= replaced.size()
	}
	if c.young == nil || c.size+entry.size() > maxRemembered/2 {
		c.young, c.old, c.size = make(map[[sha256.Size]byte]remembered), c.young, 0
	}
	c.young[hash] = entry
	c.size += entry.size()
}
