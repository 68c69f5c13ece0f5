package clientmetadata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
)

// ErrUnavailable is in the chain of the error wherever there is no document that is an id's
// own, whatever came of the attempt to get it: its words are for the operator alone. Others
// could learn from them which names lead where on this network.
var ErrUnavailable = errors.New("not available at the moment")

// errNone is of a host that has answered, and with no document of the id: what it said
// before is over.
var errNone = fmt.Errorf("%w", ErrUnavailable)

// How long a document is good. One that the host names no time for is asked for again
// after the shortest; while the host is away, the last one is good for longer.
const (
	shortest = 5 * time.Minute
	longest  = 24 * time.Hour
	// StaleFor is how long the last document serves while its host does not answer.
	StaleFor = 24 * time.Hour
)

// Bounds of what others can have a [Cache] do. Each is for documents that were only asked for,
// and once more for those with which somebody has logged in.
const (
	maxDocuments = 1000 // that are kept
	maxFetches   = 16   // at a time
	maxOfUser    = 20   // documents that have their places by one user's logins
	maxHosts     = 1000 // whose requests are counted
)

// How often documents are fetched, of one host and in all.
var (
	hostRate, hostBurst   = rate.Every(5 * time.Second), 5
	totalRate, totalBurst = rate.Limit(10), 50
)

// Cache finds documents, and keeps them for between 5 minutes and a day, as their
// Cache-Control says; failures are not kept. It is safe for concurrent use.
type Cache struct {
	hosts  []string
	failed func(host string, err error)
	ask    func(*url.URL) (body []byte, maxAge time.Duration, err error)
	now    func() time.Time

	flights  singleflight.Group
	mu       sync.Mutex
	limiters map[string]*rate.Limiter // of hosts
	// asked are the documents that anybody has asked for, used those with which a login was
	// completed: no number of the former takes the place of one of the latter, or the
	// requests by which these are renewed.
	asked, used shelf
}

// shelf is documents, and how often and how many at a time are fetched for it.
type shelf struct {
	documents map[string]*cached
	slots     chan struct{}
	total     *rate.Limiter
}

func newShelf() shelf {
	return shelf{make(map[string]*cached), make(chan struct{}, maxFetches), rate.NewLimiter(totalRate, totalBurst)}
}

type cached struct {
	document *Document
	// fresh is until when nobody is asked, used when it was last asked for, or in shelf used
	// when a login was last completed with it.
	fresh, used time.Time
	// retry is when its host may be asked again after it has failed, in shelf used.
	retry time.Time
	// user is the one whose login gave it its place, "" if it is not known who that was. shared
	// is a document of others, too: nobody's later logins take its place.
	user   string
	shared bool
}

// CheckHost checks a host for [NewCache].
func CheckHost(host string) error {
	if u, err := ParseID("https://" + host + "/"); err != nil || u.Host != host || strings.HasSuffix(host, ":443") {
		return fmt.Errorf("metadata_documents %s is not the name of a host, such as client.example.com; a port other than 443 follows a colon", host)
	}
	return nil
}

// NewCache makes an empty cache. hosts are those whose documents are taken, with a port if
// it is not 443; none: all, at port 443. failed is told of each fetch that brought no
// document. proxy is that through which they come, nil for none.
func NewCache(hosts []string, proxy *url.URL, failed func(host string, err error)) *Cache {
	return &Cache{
		hosts: hosts, failed: failed, ask: newFetcher(proxy).get, now: time.Now,
		limiters: make(map[string]*rate.Limiter), asked: newShelf(), used: newShelf(),
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
		case kept != nil && errors.Is(result.Err, ErrUnavailable) && !errors.Is(result.Err, errNone):
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

// Used is told that a client has got a token for a user, "" if it is not known for whom: no
// number of documents that are only asked for takes the place of its own, and few of one user.
func (c *Cache) Used(id, user string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := c.used.documents[id]
	switch {
	case entry != nil:
		entry.shared = entry.shared || entry.user != user
	case c.asked.documents[id] != nil:
		if user != "" && !c.used.makeRoom(user) {
			return
		}
		entry = c.asked.documents[id]
		delete(c.asked.documents, id)
		entry.user = user
		c.used.keep(id, entry)
	default:
		return
	}
	entry.used = c.now()
}

// entry is what is kept of an id, nil if nothing is.
func (c *Cache) entry(id string) *cached { return cmp.Or(c.used.documents[id], c.asked.documents[id]) }

func (c *Cache) forget(id string) {
	delete(c.asked.documents, id)
	delete(c.used.documents, id)
}

// find is the document that is kept, nil if there is none that could serve.
func (c *Cache) find(id string) (document *Document, isFresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, now := c.entry(id), c.now()
	switch {
	case entry == nil:
		return nil, false
	case now.After(entry.fresh.Add(StaleFor)):
		c.forget(id)
		return nil, false
	case c.used.documents[id] == nil:
		entry.used = now
	}
	return entry.document, now.Before(entry.fresh)
}

// fetch gets a document from its host, if that may be asked now.
func (c *Cache) fetch(id string, u *url.URL) (*Document, error) {
	if document, isFresh := c.find(id); isFresh { // of a flight that has just ended
		return document, nil
	}
	done, err := c.begin(id, u.Host)
	if err != nil {
		return nil, err
	}
	defer done()
	body, maxAge, err := c.ask(u)
	var document *Document
	if err == nil {
		document, err = Parse(id, body)
	}
	if err != nil {
		c.failed(u.Host, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, entry := c.now(), c.entry(id)
	switch {
	case err == nil && entry == nil:
		c.asked.keep(id, &cached{document: document, fresh: freshUntil(now, maxAge), used: now})
	case err == nil:
		entry.document, entry.fresh = document, freshUntil(now, maxAge)
	case errors.Is(err, errNone) || !errors.Is(err, ErrUnavailable):
		c.forget(id)
	case entry != nil:
		entry.retry = now.Add(shortest)
	}
	return document, err
}

// begin counts a request to a host, until it is done.
func (c *Cache) begin(id, host string) (done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, from := c.now(), &c.asked
	entry := c.used.documents[id]
	if entry != nil {
		from = &c.used
	}
	switch {
	case len(from.slots) == cap(from.slots):
		return nil, fmt.Errorf("%w: too many documents are being fetched", ErrUnavailable)
	case entry != nil && now.Before(entry.retry):
		return nil, fmt.Errorf("%w: its host has failed just now", ErrUnavailable)
	case entry == nil && !c.mayAsk(host, now) || !from.total.AllowN(now, 1):
		return nil, fmt.Errorf("%w: too many documents were fetched lately", ErrUnavailable)
	}
	from.slots <- struct{}{}
	return func() { <-from.slots }, nil
}

func (c *Cache) mayAsk(host string, now time.Time) bool {
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
	return limiter.AllowN(now, 1)
}

// forgetIdle drops the hosts that have all of their requests left.
func (c *Cache) forgetIdle(now time.Time) {
	for host, limiter := range c.limiters {
		if limiter.TokensAt(now) >= float64(hostBurst) {
			delete(c.limiters, host)
		}
	}
}

func freshUntil(now time.Time, maxAge time.Duration) time.Time {
	return now.Add(min(max(maxAge, shortest), longest))
}

// keep keeps a document, in the place of the one that was not used for longest if there are
// too many.
func (s *shelf) keep(id string, entry *cached) {
	if len(s.documents) >= maxDocuments {
		s.dropOldest(maps.Keys(s.documents))
	}
	s.documents[id] = entry
}

// makeRoom has a user, by whose logins documents are kept, have one place left. It reports false
// if others use all of them, too.
func (s *shelf) makeRoom(user string) bool {
	places, own := 0, []string(nil)
	for id, entry := range s.documents {
		if entry.user != user {
			continue
		}
		if places++; !entry.shared {
			own = append(own, id)
		}
	}
	if places >= maxOfUser && len(own) > 0 {
		s.dropOldest(slices.Values(own))
		places--
	}
	return places < maxOfUser
}

// dropOldest drops the one of some documents that was not used for longest.
func (s *shelf) dropOldest(ids iter.Seq[string]) {
	oldest := ""
	for id := range ids {
		if oldest == "" || s.documents[id].used.Before(s.documents[oldest].used) {
			oldest = id
		}
	}
	delete(s.documents, oldest)
}
