package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// departure is a way in which clients leave.
type departure struct {
	how   func(*net.TCPConn) error
	reads bool // what comes back nevertheless
	http2 bool
}

// visit is a token request of a client that leaves.
type visit struct {
	departure
	connection atomic.Pointer[net.TCPConn]
	cancel     context.CancelFunc
	answered   chan *http.Response // closed if there is none
}

var departures = map[string]departure{
	"closes the connection":               {how: (*net.TCPConn).Close},
	"resets the connection":               {how: func(c *net.TCPConn) error { return errors.Join(c.SetLinger(0), c.Close()) }},
	"closes its half of the connection":   {how: (*net.TCPConn).CloseWrite, reads: true},
	"resets the stream (HTTP/2)":          {how: func(*net.TCPConn) error { return nil }, http2: true},
	"closes the connection with (HTTP/2)": {how: (*net.TCPConn).Close, http2: true},
}

// begin sends the request: a header that promises length bytes, and body.
func (v *visit) begin(t *testing.T, g *gateway, body string, length int) {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = connection.Close() })
		v.connection.Store(connection.(*net.TCPConn))
		if !v.http2 && !v.reads {
			err = v.connection.Load().SetReadBuffer(1)
		}
		return connection, err
	}
	transport := &http.Transport{DialContext: dial, WriteBufferSize: 1} // what is there to send is sent
	if v.http2 {
		transport = testgateway.HTTP2(dial)
	}
	var ctx context.Context
	ctx, v.cancel = context.WithCancel(t.Context())
	var content io.Reader = strings.NewReader(body)
	var sent atomic.Bool
	if sent.Store(len(body) == length); len(body) < length {
		content = io.MultiReader(content, never{ctx, &sent})
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/oauth/token", content)
	require.NoError(t, err)
	r.ContentLength = int64(length)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	v.answered = make(chan *http.Response, 1)
	go func() {
		defer close(v.answered)
		if answer, err := transport.RoundTrip(r); err == nil {
			v.answered <- answer
		}
	}()
	require.Eventually(t, func() bool { return v.connection.Load() != nil && sent.Load() }, time.Minute, time.Millisecond)
}

// never is what a body goes on with that is not sent. It says when all before it is.
type never struct {
	context.Context
	sent *atomic.Bool
}

func (n never) Read([]byte) (int, error) {
	n.sent.Store(true)
	<-n.Done()
	return 0, errors.New("the client has left")
}

// leave ends the visit, and returns what comes back nevertheless, if it is to be read: the rest of
// an answer that has begun, if there is one.
func (v *visit) leave(t *testing.T, answer *http.Response) (status int, body string) {
	require.NoError(t, v.how(v.connection.Load()))
	defer v.cancel()
	if !v.reads {
		return 0, ""
	}
	if answer == nil {
		answer = <-v.answered
	}
	require.NotNil(t, answer)
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(content)
}

// TestClientsThatLeave leaves exchanges at every point, in every way: the IdP is
// asked once at most, a code that it may have redeemed stays redeemed, one that it
// has not seen is good, and nothing of the clients remains.
func TestClientsThatLeave(t *testing.T) {
	const times = 4
	rec := newRecorder(t, nil)
	started := testgateway.Run(t, testgateway.Config{
		Servers: "protocols h1 h2c", Site: "identity_gateway " + rec.URL + " {\n" + registeredClient + "callback\n}",
	})
	g := &gateway{Server: &httptest.Server{URL: started.URL()}, idp: rec, t: t}
	require.Equal(t, http.StatusOK, g.post("/oauth/token", tokenBody(verifier1, g.logIn(verifier1, "first"))).StatusCode)
	rec.reached()
	before := runtime.NumGoroutine()

	logins := 0
	verifier := "" // the last login's
	logIn := func() string {
		logins++
		verifier = newVerifier()
		return g.logIn(verifier, fmt.Sprint("code-", logins))
	}
	// retry sends the exchange again, and returns what the IdP was asked since.
	retry := func(code string) (*response, []recorded) {
		rec.respondWith(nil)
		answer := g.post("/oauth/token", tokenBody(verifier, code))
		return answer, rec.reached()
	}
	for name, way := range departures {
		t.Run(name+"/in mid-upload", func(t *testing.T) {
			for range times {
				code := logIn()
				body := tokenBody(verifier, code)
				v := &visit{departure: way}
				v.begin(t, g, body[:len(body)/2], len(body))
				if status, said := v.leave(t, nil); status != 0 {
					require.Equal(t, http.StatusBadRequest, status, said)
				}
				answer, asked := retry(code)
				require.Equal(t, http.StatusOK, answer.StatusCode, answer.body)
				require.Len(t, asked, 1)
			}
		})
		for outcome, redeemed := range map[string]bool{recordedToken: true, `{"error":"invalid_grant"}`: false} {
			t.Run(name+"/before the IdP says "+outcome, func(t *testing.T) {
				for range times {
					code := logIn()
					arrived, proceed := make(chan struct{}), make(chan struct{})
					rec.respondWith(func(w http.ResponseWriter, r *http.Request) {
						close(arrived)
						<-proceed
						status := http.StatusOK
						if !redeemed {
							status = http.StatusBadRequest
						}
						respondJSON(status, outcome)(w, r)
					})
					body := tokenBody(verifier, code)
					v := &visit{departure: way}
					v.begin(t, g, body, len(body))
					select {
					case <-arrived:
					case <-time.After(time.Minute):
						require.Fail(t, "the IdP is not asked")
					}
					time.AfterFunc(20*time.Millisecond, func() { close(proceed) })
					status, said := v.leave(t, nil)
					require.False(t, status == http.StatusOK && !strings.Contains(said, "at-1"), "%d %q", status, said)
					<-proceed
					require.Len(t, rec.reached(), 1)
					// What the IdP says counts, although nobody waits for it.
					wants := "redeemed before"
					if !redeemed {
						wants = "at-1"
					}
					require.Eventually(t, func() bool {
						answer, asked := retry(code)
						require.LessOrEqual(t, len(asked), 1)
						return strings.Contains(answer.body, wants)
					}, time.Minute, 20*time.Millisecond)
				}
			})
		}
		t.Run(name+"/in mid-answer", func(t *testing.T) {
			for range times {
				code := logIn()
				rec.respondWith(respondJSON(http.StatusOK, `{"access_token":"at-1","token_type":"Bearer","more":"`+strings.Repeat("a", 900<<10)+`"}`))
				body := tokenBody(verifier, code)
				v := &visit{departure: way}
				v.begin(t, g, body, len(body))
				answer := <-v.answered
				require.NotNil(t, answer)
				_, err := io.ReadFull(answer.Body, make([]byte, 1))
				require.NoError(t, err)
				if status, said := v.leave(t, answer); status != 0 {
					require.Equal(t, http.StatusOK, status)
					require.Contains(t, said, "access_token")
				}
				require.Len(t, rec.reached(), 1)
				again, asked := retry(code)
				require.Contains(t, again.body, "redeemed before")
				require.Empty(t, asked)
			}
		})
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	const kept = 10 // connections that wait for the next request
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+kept }, time.Minute, 50*time.Millisecond,
		"%d goroutines, before it were %d", runtime.NumGoroutine(), before)
}
