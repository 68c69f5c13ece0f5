package attacks

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/metrics" // memory is read from the gateway's metrics

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

// floodConnections is how many connections each kind of request has.
const floodConnections = 4

// Flood sends logins that nobody finishes, junk to the callback and junk to the
// token endpoint for a while, all at full speed, and lets the victim's login take
// a little longer than that. It prints what the gateway's process needed
// meanwhile, and fails if the login does.
func Flood(ctx context.Context, duration time.Duration, out io.Writer) (err error) {
	s, err := newStage(Mode{Protection: WithCallback, Confidential: true}, setup{process: true, site: "metrics /metrics"})
	if err != nil {
		return err
	}
	defer func() { err = joinClose(err, s) }()
	if err := s.honestLogin(ctx); err != nil {
		return err
	}
	theirs := newLogin()
	b, err := s.browser(ctx, victim)
	if err != nil {
		return err
	}
	began := time.Now()
	v, err := b.visitUntil(ctx, s.authorizeURL(theirs), func(h hop) bool { return strings.HasPrefix(h.String(), s.idp.URL()) })
	if err != nil {
		return err
	}
	if err := s.flood(ctx, duration, out); err != nil {
		return err
	}
	// The victim needs a little longer.
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError} {
		if err := s.spend(ctx, status, duration/12, out); err != nil {
			return err
		}
	}
	if v, err = b.visit(ctx, at(v.last().String(), "", v.last().params)); err != nil {
		return err
	}
	t, err := s.finish(ctx, theirs, v.last().params)
	if err != nil {
		return err
	}
	if s.owner(t).User != victim {
		return fmt.Errorf("the victim's login failed after %s: %d %s %s; %w", time.Since(began), t.status, t.Error, t.Description, v.describe("at last"))
	}
	_, err = fmt.Fprintf(out, "a login that took %s meanwhile completed\n", time.Since(began).Round(time.Second))
	return err
}

// flood sends everything for the duration and prints rates and samples.
func (s *stage) flood(ctx context.Context, duration time.Duration, out io.Writer) error {
	targets, err := s.floodTargets(ctx)
	if err != nil {
		return err
	}
	type outcome struct {
		results []loadtest.Result
		err     error
	}
	outcomes := make(chan outcome, len(targets))
	for _, target := range targets {
		go func() {
			// Of two rounds the first is warm-up, and sends as much.
			results, err := loadtest.Compare(loadtest.Plan{Connections: floodConnections, Rounds: 1, Round: duration / 2}, target)
			outcomes <- outcome{results, err}
		}()
	}
	fmt.Fprintf(out, "%8s %12s %12s %11s\n", "time", "resident MB", "heap MB", "goroutines")
	samples, stop := time.NewTicker(max(duration/10, time.Second)), time.Now()
	defer samples.Stop()
	var rates strings.Builder
	var failure error
	for finished := 0; finished < len(targets); {
		select {
		case o := <-outcomes:
			finished++
			failure = errors.Join(failure, o.err)
			for _, r := range o.results {
				fmt.Fprintf(&rates, "%-34s %8.0f/s\n", r.Name, r.PerSecond)
			}
		case <-samples.C:
			if err := s.sample(ctx, out, time.Since(stop)); err != nil {
				failure = errors.Join(failure, err)
			}
		}
	}
	if failure != nil {
		return failure
	}
	if err := s.sample(ctx, out, time.Since(stop)); err != nil {
		return err
	}
	_, err = io.WriteString(out, rates.String())
	return err
}

// spend redeems made-up codes in logins of the attacker's own while the IdP
// answers with a status that does not say what became of a code.
func (s *stage) spend(ctx context.Context, status int, duration time.Duration, out io.Writer) error {
	s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Status = status })
	own := newLogin()
	begun, err := s.begin(ctx, own)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	var tried, spent atomic.Int64
	var group sync.WaitGroup
	for range floodConnections {
		group.Go(func() {
			for {
				code, err := s.deliverWithState(ctx, "code-"+rand.Text(), begun.params.Get("state"))
				if err != nil {
					return // the time is over
				}
				form := s.exchangeForm(own, code)
				if _, err := s.exchange(ctx, form); err != nil {
					return
				}
				tried.Add(1)
				if tried.Load()%100 != 1 {
					continue
				}
				// Of some codes, see whether they could be tried again.
				if again, err := s.exchange(ctx, form); err == nil && again.Error == "invalid_grant" {
					spent.Add(100)
				}
			}
		})
	}
	group.Wait()
	s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	if tried.Load() == 0 {
		return fmt.Errorf("no made-up code was tried while the IdP answered %d", status)
	}
	kept := "none of which stays in the replay store"
	if spent.Load() > 0 {
		kept = "each of which takes a place in the replay store"
	}
	fmt.Fprintf(out, "made-up codes while the IdP says %d %8.0f/s, %s\n", status, float64(tried.Load())/duration.Seconds(), kept)
	return s.sample(context.WithoutCancel(ctx), out, duration)
}

// floodTargets are the kinds of requests, each of which is refused or leads nowhere.
func (s *stage) floodTargets(ctx context.Context) ([]loadtest.Target, error) {
	begun, err := s.begin(ctx, newLogin())
	if err != nil {
		return nil, err
	}
	state, err := base64.RawURLEncoding.DecodeString(begun.params.Get("state"))
	if err != nil {
		return nil, err
	}
	// A code that the gateway sealed, though no IdP ever issued what is in it.
	own := newLogin()
	sealed, err := s.deliver(ctx, "code-"+rand.Text(), own)
	if err != nil {
		return nil, err
	}
	address := s.nodes[0].Address()
	host := strings.TrimPrefix(s.base, "http://")
	get := func(dst []byte, path string) []byte {
		return append(dst, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nAccept: text/html\r\n\r\n"...)
	}
	post := func(dst []byte, form url.Values) []byte {
		body := form.Encode()
		return append(dst, "POST "+tokenPath+" HTTP/1.1\r\nHost: "+host+"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "+
			strconv.Itoa(len(body))+"\r\n\r\n"+body...)
	}
	// junk is an altered state: of another key, another hour, or just broken.
	junk := func(connection, n int) string {
		altered := append([]byte{}, state...)
		i := n % len(altered)
		altered[i] ^= byte(1 + n/len(altered)%255)
		altered[(i+connection)%len(altered)] ^= byte(n >> 8)
		return base64.RawURLEncoding.EncodeToString(append(altered, byte(n)))
	}
	return []loadtest.Target{
		{
			Name: "logins that nobody finishes", Address: address, Status: http.StatusFound,
			Request: func(dst []byte, _, _ int) []byte { return get(dst, authorizePath+"?"+newLogin().request().Encode()) },
		},
		{
			Name: "junk at the callback", Address: address, Status: http.StatusBadRequest,
			Request: func(dst []byte, connection, n int) []byte {
				return get(dst, callbackPath+"?"+url.Values{"code": {"c"}, "state": {junk(connection, n)}}.Encode())
			},
		},
		{
			Name: "junk at the token endpoint", Address: address, Status: http.StatusBadRequest,
			Request: func(dst []byte, connection, n int) []byte {
				return post(dst, s.exchangeForm(own, junk(connection, n)))
			},
		},
		{
			Name: "sealed junk that the IdP refuses", Address: address, Status: http.StatusBadRequest,
			Request: func(dst []byte, _, _ int) []byte { return post(dst, s.exchangeForm(own, sealed)) },
		},
	}, nil
}

// sample prints what the gateway's process holds.
func (s *stage) sample(ctx context.Context, out io.Writer, elapsed time.Duration) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.nodes[0].URL()+"/metrics", nil)
	if err != nil {
		return err
	}
	got, err := s.do(r)
	if err != nil {
		return err
	}
	values := make(map[string]float64)
	lines := bufio.NewScanner(strings.NewReader(got.body))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		values[name], _ = strconv.ParseFloat(value, 64)
	}
	_, err = fmt.Fprintf(out, "%8s %12.1f %12.1f %11.0f\n", elapsed.Round(time.Second), values["process_resident_memory_bytes"]/1e6,
		values["go_memstats_heap_inuse_bytes"]/1e6, values["go_goroutines"])
	return err
}
