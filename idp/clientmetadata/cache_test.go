package clientmetadata

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

// clock is a cache before a server, by a clock that passes only as told.
type clock struct {
	*Cache
	*internet
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

func newCache(hosts ...string) *Cache { return NewCache(hosts, nil, func(string, error) {}) }

func newClock(t *testing.T, hosts ...string) *clock {
	c := &clock{Cache: newCache(hosts...), at: time.Unix(1_800_000_000, 0), serve: described("")}
	i := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
		c.requests.Add(1)
		c.mu.Lock()
		serve := c.serve
		c.mu.Unlock()
		serve(w, r)
	})
	i.dial = dialTo(i)
	c.internet, c.ask = i, i.get
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
	require.Empty(t, c.asked.documents)
	require.False(t, c.asked.total.AllowN(c.at, 1), "in all")

	c = newClock(t)
	for i := range maxHosts {
		require.True(t, c.mayAsk(fmt.Sprintf("h%d.test", i), c.at), i)
	}
	require.False(t, c.mayAsk("one.more.test", c.at), "no host more than are counted")
	c.at = c.at.Add(time.Minute)
	require.True(t, c.mayAsk("one.more.test", c.at), "until others have not been asked for a while")
	require.Len(t, c.limiters, 1)
}

func TestTooManyFetchesAtATime(t *testing.T) {
	c := newClock(t)
	for range maxFetches {
		c.asked.slots <- struct{}{}
	}
	require.ErrorIs(t, c.get(t, client), ErrUnavailable)
	<-c.asked.slots
	require.NoError(t, c.get(t, client))
	require.Len(t, c.asked.slots, maxFetches-1)
}

// Of too many documents, the one that nobody has asked for for longest goes.
func TestTheNumberOfDocumentsIsBounded(t *testing.T) {
	c := newClock(t)
	c.often()
	for i := range maxDocuments {
		require.NoError(t, c.get(t, named(i)))
		c.at = c.at.Add(10 * time.Millisecond)
	}
	require.NoError(t, c.get(t, named(0)))
	c.at = c.at.Add(10 * time.Millisecond)
	require.NoError(t, c.get(t, client))
	require.Len(t, c.asked.documents, maxDocuments)
	require.NotNil(t, c.entry(named(0)))
	require.Nil(t, c.entry(named(1)))
	require.NotNil(t, c.entry(named(2)))
}

// named are the ids of clients of others, each at a host of its own.
func named(i int) string { return fmt.Sprintf("https://h%d.example.com/client.json", i) }

// offline has the cache find a document of whatever is asked for, at no cost.
func (c *clock) offline() {
	c.ask = func(u *url.URL) ([]byte, time.Duration, error) {
		return []byte(`{"client_id":"` + u.String() + `","redirect_uris":["https://example.com/cb"]}`), 0, nil
	}
}

// often has it ask as often as a test likes.
func (c *clock) often() { c.offline(); c.asked.total = rate.NewLimiter(rate.Inf, 0) }

// Anybody can ask for more documents than are kept: the client with which somebody has logged
// in goes on, also when its document is to be asked for again, or its host is down.
func TestAFloodOfDocumentsAndAClientThatLogsIn(t *testing.T) {
	for name, tt := range map[string]struct {
		used   bool
		failed int // logins of 60
	}{
		"only asked for": {false, 60}, "used for a login": {true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock(t)
			c.offline()
			require.NoError(t, c.get(t, client))
			if tt.used {
				c.Used(client, "user")
			}
			flood := 0
			second := func() {
				c.at = c.at.Add(time.Second)
				for range 12 {
					_ = c.get(t, named(flood))
					flood++
				}
			}
			for range 130 {
				second()
			}
			failed := 0
			for range 60 { // 360 s: the document is to be asked for again meanwhile
				for range 6 {
					second()
				}
				if c.get(t, client) != nil {
					failed++
				}
			}
			require.Equal(t, tt.failed, failed)
		})
	}
}

func TestAUsedDocumentWhoseHostFails(t *testing.T) {
	c := newClock(t)
	require.NoError(t, c.get(t, client))
	c.Used(client, "user")
	c.at = c.at.Add(shortest)
	c.respond(respond(503, "", ""))
	for range 100 {
		require.NoError(t, c.get(t, client))
	}
	require.EqualValues(t, 2, c.requests.Load(), "one more than the first")
	c.at = c.at.Add(shortest)
	c.respond(respond(404, "", ""))
	require.ErrorIs(t, c.get(t, client), ErrUnavailable, "what it takes back is over")
	require.Empty(t, c.used.documents)

	c.respond(described(""))
	require.NoError(t, c.get(t, client))
	c.Used(client, "user")
	c.at = c.at.Add(shortest + StaleFor + time.Second)
	require.NoError(t, c.get(t, client))
	require.Empty(t, c.used.documents, "what is too old to serve is as one that nobody has used")
	c.Used("https://example.com/unknown.json", "user")
	require.Empty(t, c.used.documents)
}

// Somebody with an account logs in with documents of his own, and with those of others.
func TestAUserWhoLogsInWithManyDocuments(t *testing.T) {
	c := newClock(t)
	c.often()
	login := func(id, user string) {
		t.Helper()
		require.NoError(t, c.get(t, id))
		c.Used(id, user)
		c.at = c.at.Add(10 * time.Millisecond)
	}
	login(client, "somebody")
	login(named(0), "attacker") // before others do
	login(named(0), "somebody")
	for i := range 2 * maxDocuments {
		login(named(1+i), "attacker")
	}
	require.Len(t, c.used.documents, maxOfUser+1)
	require.NotNil(t, c.used.documents[client])
	require.NotNil(t, c.used.documents[named(0)], "which is not his alone")

	for i := range 2 * maxDocuments { // another account of his takes each of them for a document of several
		login(named(1+i), "attacker")
		login(named(1+i), "accomplice")
	}
	require.LessOrEqual(t, len(c.used.documents), 2*maxOfUser+1)
	require.NotNil(t, c.used.documents[client])
	require.NotNil(t, c.used.documents[named(0)])

	for i := range maxDocuments {
		login(named(i), "") // an identity provider that does not say who somebody is
	}
	require.Len(t, c.used.documents, maxDocuments)
	require.Nil(t, c.used.documents[client], "then the one that was not used for longest goes")
}

// Nobody learns from the answer which names lead where, and what answers there: the operator
// does.
func TestOneAnswerForAllFailures(t *testing.T) {
	responds := func(status int, header, body string) func(*clock) {
		return func(c *clock) { c.respond(respond(status, header, body)) }
	}
	for says, failures := range map[string][]func(*clock){
		"its host is not on the public internet": {func(c *clock) { c.lookUp = leadingTo("10.0.0.1") }},
		"lookup : no such host": {func(c *clock) {
			c.lookUp = func(context.Context, string) ([]netip.Addr, error) {
				return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
			}
		}},
		"connection refused": {func(c *clock) {
			c.dial = func(context.Context, string, string) (net.Conn, error) { return nil, syscall.ECONNREFUSED }
		}},
		"signed by unknown authority":       {func(c *clock) { c.roots = x509.NewCertPool() }},
		"its host answers with status 404,": {responds(404, "", "{}")},
		"its host answers with status 204,": {responds(204, "", "")},
		"its host answers with status 302,": {responds(302, "Location: https://example.com/other.json", "")},
		"its host answers with status 307,": {responds(307, "Location: http://127.0.0.1/", "")},
		"its host answers with status 429":  {responds(429, "", "")},
		"its host answers with status 500":  {responds(500, "", "")},
		"is compressed":                     {responds(200, "Content-Encoding: gzip", "{}")},
		"is not application/json":           {responds(200, "Content-Type: text/html", "<html>"), responds(200, "Content-Type: ", "{}")},
		"is not a JSON object":              {responds(200, "", `{`)},
		"is longer than 5120 bytes":         {responds(200, "", strings.Repeat(" ", MaxDocument+1))},
		"is for another client_id":          {responds(200, "", `{"client_id":"https://example.com/"}`), responds(200, "", `{"version":"1"}`)},
	} {
		for _, fail := range failures {
			c, told := newClock(t), false
			fail(c)
			c.failed = func(host string, err error) {
				told = true
				require.Equal(t, "example.com", host)
				require.ErrorContains(t, err, says)
			}
			require.ErrorIs(t, c.get(t, client), ErrUnavailable, says)
			require.True(t, told, says)
		}
	}
}

func TestWhoseDocumentsAreTaken(t *testing.T) {
	any, listed := newClock(t), newClock(t, "example.com", "other.test:8443")
	require.NoError(t, any.get(t, client))
	require.NoError(t, any.get(t, "https://example.com:443/client.json"))
	require.ErrorContains(t, any.get(t, "https://example.com:22/client.json"), "a port other than 443")
	require.ErrorContains(t, any.get(t, "https://example.com:0443/client.json"), "a port other than 443")
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
		c := newCache()
		for i := range 10_000 {
			id := fmt.Sprintf("https://h%d.example.com/client.json", i)
			uri := fmt.Sprintf(`"https://h%d.example.com/cb?%s"`, i, strings.Repeat("x", MaxDocument-300))
			d := must.Have(Parse(id, []byte(`{"client_id":"`+id+`","redirect_uris":[`+uri+`]}`)))(b)
			c.asked.keep(id, &cached{document: d})
			c.mayAsk(d.Host, time.Now())
		}
		b.ReportMetric(float64(heap()-before)/1e6, "MB")
		runtime.KeepAlive(c)
	}
}
