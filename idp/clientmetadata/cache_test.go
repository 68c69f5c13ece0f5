package clientmetadata

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clock is a cache before a server, by a clock that passes only as told.
type clock struct {
	*Cache
	at       time.Time
	requests atomic.Int32
	mu       sync.Mutex
	serve    http.HandlerFunc
}

func (c *clock) respond(with http.HandlerFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serve = with
}

// described responds with a document of whatever was asked for.
func described(header string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		respond(200, header, `{"client_id":"https://`+r.Host+r.RequestURI+`","redirect_uris":["https://example.com/cb"]}`)(w, r)
	}
}

func newClock(t *testing.T, hosts ...string) *clock {
	c := &clock{Cache: NewCache(hosts), at: time.Unix(1_800_000_000, 0), serve: described("")}
	i := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
		c.requests.Add(1)
		c.mu.Lock()
		serve := c.serve
		c.mu.Unlock()
		serve(w, r)
	})
	i.fetcher.dial = dialTo(i)
	c.fetcher = i.fetcher
	c.now = func() time.Time { return c.at }
	return c
}

func (c *clock) get(t *testing.T, id string) error {
	t.Helper()
	d, err := c.Get(t.Context(), id)
	require.Equal(t, err == nil, d != nil)
	return err
}

func TestADocumentIsKept(t *testing.T) {
	for header, lifetime := range map[string]time.Duration{
		"":                               shortest,
		"Cache-Control: max-age=1":       shortest,
		"Cache-Control: no-store":        shortest,
		"Cache-Control: max-age=3600":    time.Hour,
		"Cache-Control: max-age=9999999": longest,
	} {
		c := newClock(t)
		c.respond(described(header))
		require.NoError(t, c.get(t, client))
		c.at = c.at.Add(lifetime - time.Second)
		require.NoError(t, c.get(t, client))
		require.EqualValues(t, 1, c.requests.Load(), header)
		c.at = c.at.Add(time.Second)
		require.NoError(t, c.get(t, client))
		require.EqualValues(t, 2, c.requests.Load(), header)
	}
}

func TestFailuresAreNotKept(t *testing.T) {
	c := newClock(t)
	for _, status := range []int{404, 500} {
		c.respond(respond(status, "Cache-Control: max-age=3600", ""))
		require.Error(t, c.get(t, client))
	}
	c.respond(described(""))
	require.NoError(t, c.get(t, client))
	require.EqualValues(t, 3, c.requests.Load())
}

// While a host is away, what it said last serves for a day; what it takes back is over at
// once.
func TestAStaleDocument(t *testing.T) {
	c := newClock(t)
	require.NoError(t, c.get(t, client))
	c.respond(respond(503, "", ""))
	c.at = c.at.Add(shortest + StaleFor)
	require.NoError(t, c.get(t, client))
	c.at = c.at.Add(time.Second)
	require.ErrorIs(t, c.get(t, client), ErrUnavailable)

	c = newClock(t)
	require.NoError(t, c.get(t, client))
	c.at = c.at.Add(shortest)
	c.respond(respond(404, "", ""))
	require.ErrorContains(t, c.get(t, client), "status 404")
	c.respond(respond(503, "", ""))
	require.ErrorIs(t, c.get(t, client), ErrUnavailable, "there is nothing left to serve")
}

func TestOneFetchAtATime(t *testing.T) {
	c := newClock(t)
	release := make(chan struct{})
	c.respond(func(w http.ResponseWriter, r *http.Request) { <-release; described("")(w, r) })
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := c.Get(context.Background(), client); err != nil {
				t.Error(err)
			}
		})
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Get(left, client)
	require.ErrorIs(t, err, context.Canceled, "who leaves does not wait")
	close(release)
	all.Wait()
	require.EqualValues(t, 1, c.requests.Load())
}

// Anybody can have a document fetched: the host that is asked, and this one, are asked
// a bounded number of times.
func TestFloodsOfFetches(t *testing.T) {
	c := newClock(t)
	c.respond(respond(404, "", ""))
	refused := 0
	for i := range 100 {
		if err := c.get(t, fmt.Sprintf("%s?%d", client, i)); errorIs(err, "too many documents were fetched lately") {
			refused++
		}
	}
	require.EqualValues(t, hostBurst, c.requests.Load(), "of one host")
	require.Equal(t, 100-hostBurst, refused)
	c.at = c.at.Add(5 * time.Second)
	require.ErrorContains(t, c.get(t, client), "status 404", "later, one more")

	c = newClock(t)
	for i := range 1000 {
		_ = c.get(t, fmt.Sprintf("https://h%d.test/c", i)) // whose certificate is another's
	}
	require.LessOrEqual(t, len(c.limiters), maxHosts)
	require.Empty(t, c.documents)
	require.False(t, c.total.AllowN(c.at, 1), "in all")

	c = newClock(t)
	for i := range maxHosts {
		require.Equal(t, i < totalBurst, c.mayAsk(fmt.Sprintf("h%d.test", i)), i)
	}
	require.False(t, c.mayAsk("one.more.test"), "no host more than are counted")
	c.at = c.at.Add(time.Minute)
	require.True(t, c.mayAsk("one.more.test"), "until others have not been asked for a while")
	require.Len(t, c.limiters, 1)
}

func TestTooManyFetchesAtATime(t *testing.T) {
	c := newClock(t)
	for range maxFetches {
		c.slots <- struct{}{}
	}
	require.ErrorIs(t, c.get(t, client), ErrUnavailable)
	<-c.slots
	require.NoError(t, c.get(t, client))
	require.Len(t, c.slots, maxFetches-1)
}

// Of too many documents, the one that nobody has asked for for longest goes.
func TestTheNumberOfDocumentsIsBounded(t *testing.T) {
	c := newClock(t)
	for i := range maxDocuments {
		c.keep(fmt.Sprint(i), &Document{}, time.Hour)
		c.at = c.at.Add(time.Second)
	}
	_, fresh := c.find("0")
	require.True(t, fresh)
	c.at = c.at.Add(time.Second)
	c.keep("new", &Document{}, time.Hour)
	require.Len(t, c.documents, maxDocuments)
	require.NotNil(t, c.documents["0"])
	require.Nil(t, c.documents["1"])
	c.keep("new", &Document{}, time.Hour)
	require.NotNil(t, c.documents["2"], "a newer one of the same id takes no place")
}

func TestWhoseDocumentsAreTaken(t *testing.T) {
	any, listed := newClock(t), newClock(t, "example.com", "other.test:8443")
	require.NoError(t, any.get(t, client))
	require.NoError(t, any.get(t, "https://example.com:443/client.json"))
	require.ErrorContains(t, any.get(t, "https://example.com:22/client.json"), "a port other than 443")
	require.NoError(t, listed.get(t, client))
	require.ErrorContains(t, listed.get(t, "https://www.example.com/client.json"), "whose clients are not accepted here")
	require.ErrorContains(t, listed.get(t, "https://example.com:8443/client.json"), "whose clients are not accepted here")
	require.ErrorIs(t, listed.get(t, "https://other.test:8443/client.json"), ErrUnavailable, "it is asked")
	require.ErrorContains(t, listed.get(t, "http://example.com/"), "is not an https URL")
	for _, host := range []string{"", "localhost", "Example.com", "example.com:443", "https://example.com", "example.com/", "*.example.com", "10.0.0.1", "a b.example"} {
		require.Error(t, CheckHost(host), host)
	}
}

func errorIs(err error, words string) bool { return err != nil && strings.Contains(err.Error(), words) }

// dialTo is the dialler of an internet for several fetches at a time.
func dialTo(i *internet) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, i.server.Listener.Addr().String())
	}
}

// What ten thousand clients leave behind, each with a document that is as long as one may be.
func BenchmarkTenThousandDocuments(b *testing.B) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for b.Loop() {
		before := heap()
		c := NewCache(nil)
		for i := range 10_000 {
			id := fmt.Sprintf("https://h%d.example.com/client.json", i)
			uri := fmt.Sprintf(`"https://h%d.example.com/cb?%s"`, i, strings.Repeat("x", MaxDocument-300))
			d, err := Parse(id, []byte(`{"client_id":"`+id+`","redirect_uris":[`+uri+`]}`))
			require.NoError(b, err)
			c.keep(id, d, time.Hour)
			c.mayAsk(d.Host)
		}
		b.ReportMetric(float64(heap()-before)/1e6, "MB")
		runtime.KeepAlive(c)
	}
}
