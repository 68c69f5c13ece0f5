package clientmetadata

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
)

// ErrUnavailable is in the chain of the error for a document that could not be had: its
// host does not answer, or was asked too often. It may be there later.
var ErrUnavailable = errors.New("not available at the moment")

// How long a document is good. One that the host names no time for is asked for again
// after the shortest; while the host is away, the last one is good for longer.
const (
	shortest = 5 * time.Minute
	longest  = 24 * time.Hour
	// StaleFor is how long the last document serves while its host does not answer.
	StaleFor = 24 * time.Hour
)

// Bounds of what others can have a [Cache] do.
const (
	maxDocuments = 1000 // that are kept
	maxHosts     = 1000 // whose requests are counted
	maxFetches   = 16   // at a time
)

// How often documents are fetched, of one host and in all.
var (
	hostRate, hostBurst   = rate.Every(5 * time.Second), 5
	totalRate, totalBurst = rate.Limit(10), 50
)

// Cache finds documents, and keeps them for between 5 minutes and a day, as their
// Cache-Control says; failures are not kept. It is safe for concurrent use.
type Cache struct {
	hosts   []string
	fetcher fetcher
	now     func() time.Time

	flights singleflight.Group
	slots   chan struct{}
	total   *rate.Limiter

	mu        sync.Mutex
	documents map[string]*cached
	limiters  map[string]*rate.Limiter
}

type cached struct {
	document *Document
	// fresh is until when nobody is asked, used when it was last asked for.
	fresh, used time.Time
}

// CheckHost checks a host for [NewCache].
func CheckHost(host string) error {
	if u, err := ParseID("https://" + host + "/"); err != nil || u.Host != host || strings.HasSuffix(host, ":443") {
		return fmt.Errorf("metadata_documents %s is not the name of a host, such as client.example.com; a port other than 443 follows a colon", host)
	}
	return nil
}

// NewCache makes an empty cache. hosts are those whose documents are taken, with a port if
// it is not 443; none: all, at port 443.
func NewCache(hosts []string) *Cache {
	return &Cache{
		hosts: hosts, fetcher: newFetcher(), now: time.Now,
		slots: make(chan struct{}, maxFetches), total: rate.NewLimiter(totalRate, totalBurst),
		documents: make(map[string]*cached), limiters: make(map[string]*rate.Limiter),
	}
}

// Get is the document of a client id. [ErrUnavailable] is in the chain of the error of one
// that may be there later; any other error says what is wrong with the id or its document.
func (c *Cache) Get(ctx context.Context, id string) (*Document, error) {
	u, err := ParseID(id)
	if err != nil {
		return nil, err
	}
	if err := c.allows(u); err != nil {
		return nil, err
	}
	kept, isFresh := c.find(id)
	if isFresh {
		return kept, nil
	}
	// Whoever waits may leave; what was begun is of use to the next one.
	flight := c.flights.DoChan(id, func() (any, error) { return c.fetch(id, u) })
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	case result := <-flight:
		switch {
		case result.Err == nil:
			return result.Val.(*Document), nil
		case kept != nil && errors.Is(result.Err, ErrUnavailable):
			return kept, nil
		}
		return nil, result.Err
	}
}

func (c *Cache) allows(u *url.URL) error {
	switch {
	case len(c.hosts) > 0 && !slices.Contains(c.hosts, strings.TrimSuffix(u.Host, ":443")):
		return errors.New("is of a host whose clients are not accepted here")
	case len(c.hosts) == 0 && u.Port() != "" && u.Port() != "443":
		return errors.New("has a port other than 443")
	}
	return nil
}

// find is the document that is kept, nil if there is none that could serve.
func (c *Cache) find(id string) (document *Document, isFresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, now := c.documents[id], c.now()
	if entry == nil || now.After(entry.fresh.Add(StaleFor)) {
		return nil, false
	}
	entry.used = now
	return entry.document, now.Before(entry.fresh)
}

// fetch gets a document from its host, if that may be asked now.
func (c *Cache) fetch(id string, u *url.URL) (*Document, error) {
	if document, isFresh := c.find(id); isFresh { // of a flight that has just ended
		return document, nil
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return nil, fmt.Errorf("%w: too many documents are being fetched", ErrUnavailable)
	}
	if !c.mayAsk(u.Host) {
		return nil, fmt.Errorf("%w: too many documents were fetched lately", ErrUnavailable)
	}
	body, maxAge, err := c.fetcher.get(u)
	var document *Document
	if err == nil {
		document, err = Parse(id, body)
	}
	if err != nil {
		if !errors.Is(err, ErrUnavailable) {
			c.mu.Lock()
			delete(c.documents, id)
			c.mu.Unlock()
		}
		return nil, err
	}
	c.keep(id, document, min(max(maxAge, shortest), longest))
	return document, nil
}

// mayAsk counts a request to a host.
func (c *Cache) mayAsk(host string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	limiter := c.limiters[host]
	if limiter == nil {
		if len(c.limiters) >= maxHosts {
			c.forgetIdle(now)
		}
		if len(c.limiters) >= maxHosts {
			return false
		}
		limiter = rate.NewLimiter(hostRate, hostBurst)
		c.limiters[host] = limiter
	}
	return limiter.AllowN(now, 1) && c.total.AllowN(now, 1)
}

// forgetIdle drops the hosts that have all of their requests left.
func (c *Cache) forgetIdle(now time.Time) {
	for host, limiter := range c.limiters {
		if limiter.TokensAt(now) >= float64(hostBurst) {
			delete(c.limiters, host)
		}
	}
}

// keep keeps a document, in the place of the one that was not asked for for longest if
// there are too many.
func (c *Cache) keep(id string, document *Document, lifetime time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.documents[id] == nil && len(c.documents) >= maxDocuments {
		oldest := ""
		for other, entry := range c.documents {
			if oldest == "" || entry.used.Before(c.documents[oldest].used) {
				oldest = other
			}
		}
		delete(c.documents, oldest)
	}
	now := c.now()
	c.documents[id] = &cached{document, now.Add(lifetime), now}
}
