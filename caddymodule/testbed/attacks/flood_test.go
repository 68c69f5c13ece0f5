package attacks

import (
	"bufio"
	"crypto/rand"
	"flag"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/metrics" // memory is read from the gateway's metrics
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

var floodTime = flag.Duration("flood", 2*time.Second, "how long the flood lasts")

// TestAFloodDoesNotDisturbALogin sends logins that nobody finishes, and junk to the
// callback and the token endpoint, while somebody takes his time to log in.
func TestAFloodDoesNotDisturbALogin(t *testing.T) {
	if testing.Short() {
		t.Skip("sends at full speed")
	}
	e := must.Have(newEnv(t.Context(), Mode{Protection: WithCallback, Confidential: true}, setup{process: true, site: "metrics /metrics"}, false))(t)
	t.Cleanup(func() { require.NoError(t, e.close()) })
	e.loggedIn(newLogin())
	theirs, own := newLogin(), newLogin()
	b := e.browser(victim)
	v := b.visitUntil(e.authorizeURL(theirs), func(h hop) bool { return strings.HasPrefix(h.String(), e.idp.URL()) })
	sealed := e.deliver("code-"+rand.Text(), own) // though no IdP ever issued what is in it
	junk := func() string { return sealed[:len(sealed)/2] + rand.Text() }
	kinds := []struct {
		name    string
		status  int
		request func() *http.Request
	}{
		{"logins that nobody finishes", 302, func() *http.Request { return e.newGet(e.authorizeURL(newLogin())) }},
		{"junk at the callback", 400, func() *http.Request {
			return e.newGet(at(e.base, callbackPath, url.Values{"code": {"c"}, "state": {junk()}}))
		}},
		{"junk at the token endpoint", 400, func() *http.Request { return e.newPost(e.base+tokenPath, e.exchangeForm(own, junk()), nil) }},
		{"sealed junk that the IdP refuses", 400, func() *http.Request { return e.newPost(e.base+tokenPath, e.exchangeForm(own, sealed), nil) }},
	}
	before := e.residentMegabytes()
	until := time.Now().Add(*floodTime)
	var group sync.WaitGroup
	for _, kind := range kinds {
		var sent, wrong atomic.Int64
		for range 4 {
			group.Go(func() {
				for time.Now().Before(until) {
					var got *response
					if fail.Try(func() { got = e.send(e.client, kind.request()) }) != nil || got.status != kind.status {
						wrong.Add(1)
					}
					sent.Add(1)
				}
			})
		}
		t.Cleanup(func() {
			t.Logf("%-34s %8d", kind.name, sent.Load())
			require.Zero(t, wrong.Load(), kind.name)
		})
	}
	group.Wait()
	after := e.residentMegabytes()
	t.Logf("resident memory: %.0f MB before, %.0f MB after", before, after)
	require.Less(t, after, before+64)
	require.Equal(t, victim, e.owner(e.finish(theirs, b.visit(v.last().link()).last().params)).User)
}

func (e *env) residentMegabytes() float64 {
	lines := bufio.NewScanner(strings.NewReader(e.get(e.nodes[0].URL() + "/metrics").body))
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "process_resident_memory_bytes "); ok {
			return fail.Must(strconv.ParseFloat(value, 64)) / 1e6
		}
	}
	fail.Now("the metrics do not have the resident memory")
	return 0
}
