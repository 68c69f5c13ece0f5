package identity

import (
	"bufio"
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

// visit is a token request of a client that leaves.
type visit interface {
	// begin sends the request: a header that promises length bytes, and body.
	begin(t *testing.T, g *gateway, body string, length int)
	// taste reads the beginning of the answer.
	taste(t *testing.T)
	// leave ends the visit. What comes back nevertheless is returned.
	leave(t *testing.T) (status int, body string)
}

// overTCP leaves a connection of HTTP/1.1.
type overTCP struct {
	how        func(*net.TCPConn) error
	reads      bool
	connection *net.TCPConn
	reader     *bufio.Reader
}

func (v *overTCP) begin(t *testing.T, g *gateway, body string, length int) {
	connection, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
	v.connection, v.reader = connection.(*net.TCPConn), bufio.NewReader(connection)
	if !v.reads {
		require.NoError(t, v.connection.SetReadBuffer(1))
	}
	_, err = fmt.Fprintf(connection, "POST /oauth/token HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		strings.TrimPrefix(g.URL, "http://"), length, body)
	require.NoError(t, err)
}

func (v *overTCP) taste(t *testing.T) {
	_, err := v.reader.Peek(1)
	require.NoError(t, err)
}

func (v *overTCP) leave(t *testing.T) (int, string) {
	require.NoError(t, v.how(v.connection))
	if !v.reads {
		return 0, ""
	}
	answer, err := http.ReadResponse(v.reader, nil)
	require.NoError(t, err)
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(content)
}

// overHTTP2 leaves a stream, or its connection.
type overHTTP2 struct {
	closesConnection bool
	connection       atomic.Pointer[net.Conn]
	cancel           context.CancelFunc
	answered         chan *http.Response // closed if there is none
}

func (v *overHTTP2) begin(t *testing.T, g *gateway, body string, length int) {
	transport := testgateway.HTTP2(func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			v.connection.Store(&connection)
		}
		return connection, err
	})
	t.Cleanup(func() {
		if c := v.connection.Load(); c != nil {
			_ = (*c).Close()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	v.cancel = cancel
	var content io.Reader = strings.NewReader(body)
	if len(body) < length {
		content = io.MultiReader(content, never{ctx})
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
}

// never is what a body goes on with that is not sent.
type never struct{ context.Context }

func (n never) Read([]byte) (int, error) {
	<-n.Done()
	return 0, errors.New("the client has left")
}

func (v *overHTTP2) taste(t *testing.T) {
	answer, ok := <-v.answered
	require.True(t, ok)
	_, err := io.ReadFull(answer.Body, make([]byte, 1))
	require.NoError(t, err)
}

func (v *overHTTP2) leave(t *testing.T) (int, string) {
	if v.closesConnection {
		require.Eventually(t, func() bool { return v.connection.Load() != nil }, time.Minute, time.Millisecond)
		require.NoError(t, (*v.connection.Load()).Close())
	}
	v.cancel()
	return 0, ""
}

// departures are the ways in which clients leave.
var departures = map[string]func() visit{
	"closes the connection": func() visit { return &overTCP{how: func(c *net.TCPConn) error { return c.Close() }} },
	"resets the connection": func() visit {
		return &overTCP{how: func(c *net.TCPConn) error { return errors.Join(c.SetLinger(0), c.Close()) }}
	},
	"closes its half of the connection":   func() visit { return &overTCP{how: (*net.TCPConn).CloseWrite, reads: true} },
	"resets the stream (HTTP/2)":          func() visit { return new(overHTTP2) },
	"closes the connection with (HTTP/2)": func() visit { return &overHTTP2{closesConnection: true} },
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
	for name, depart := range departures {
		t.Run(name+"/in mid-upload", func(t *testing.T) {
			for range times {
				code := logIn()
				body := tokenBody(verifier, code)
				v := depart()
				v.begin(t, g, body[:len(body)/2], len(body))
				if status, said := v.leave(t); status != 0 {
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
					v := depart()
					v.begin(t, g, body, len(body))
					select {
					case <-arrived:
					case <-time.After(time.Minute):
						require.Fail(t, "the IdP is not asked")
					}
					time.AfterFunc(20*time.Millisecond, func() { close(proceed) })
					status, said := v.leave(t)
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
				v := depart()
				v.begin(t, g, body, len(body))
				v.taste(t)
				if status, said := v.leave(t); status != 0 {
					require.Equal(t, http.StatusOK, status)
					require.Contains(t, said, "at-1")
				}
				require.Len(t, rec.reached(), 1)
				answer, asked := retry(code)
				require.Contains(t, answer.body, "redeemed before")
				require.Empty(t, asked)
			}
		})
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	const kept = 10 // connections that wait for the next request
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+kept }, time.Minute, 50*time.Millisecond,
		"%d goroutines, before it were %d", runtime.NumGoroutine(), before)
}
