package requiretoken_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// behind is a server whose responses go on: event streams, WebSockets (as far as a proxy sees
// one), downloads. It counts those that do.
type behind struct {
	*httptest.Server
	open, flooding atomic.Int64
}

func newBehind(t testing.TB) *behind {
	b := new(behind)
	b.Server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.CloseClientConnections)
	t.Cleanup(b.Close)
	return b
}

func (b *behind) serve(w http.ResponseWriter, r *http.Request) {
	b.open.Add(1)
	defer b.open.Add(-1)
	const pause = 20 * time.Millisecond
	send := func(times int) {
		for n := 0; n != times && r.Context().Err() == nil; n++ {
			_, _ = io.WriteString(w, "data: x\n\n")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(pause)
		}
	}
	switch r.URL.Path {
	case "/events":
		w.Header().Set("Content-Type", "text/event-stream")
		send(-1)
	case "/quiet-events":
		w.Header().Set("Content-Type", "text/event-stream")
		send(1)
		<-r.Context().Done()
	case "/chunks":
		send(-1)
	case "/download":
		w.Header().Set("Content-Length", strconv.Itoa(downloaded*len("data: x\n\n")))
		send(downloaded)
	case "/flood":
		b.flooding.Add(1)
		defer b.flooding.Add(-1)
		for block := make([]byte, 1<<20); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	case "/poll":
		<-r.Context().Done()
	case "/upload":
		_, _ = io.Copy(io.Discard, r.Body)
	case "/ws":
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n")
		for message := make([]byte, 64); ; {
			n, err := buffered.Read(message)
			if err != nil || strings.HasPrefix(string(message[:n]), bye) {
				return
			}
			_, _ = conn.Write(message[:n])
		}
	}
}

// bye is the message after which the server ends a WebSocket.
const bye = "bye\n"

// hangUp ends a WebSocket and waits until Caddy looks after it no longer, which is when it
// closes it. A gateway that stops before has both count its bytes at once, which the race
// detector sees.
func hangUp(t *testing.T, conn net.Conn) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := io.WriteString(conn, bye)
		return err != nil
	}, 10*time.Second, time.Millisecond)
}

const (
	downloaded = 150
	streamSite = `
require_token {issuer} https://api.example {
	cache 1s
	resource https://api.example.com/mcp
	introspection api secret
}
reverse_proxy {behind}`
)

func streams(t *testing.T, i *issuer, b *behind, servers string) *testgateway.Gateway {
	return testgateway.Run(t, testgateway.Config{Servers: servers, Site: strings.NewReplacer(
		"{issuer}", i.URL, "{behind}", strings.TrimPrefix(b.URL, "http://")).Replace(streamSite)})
}

// endsSoon is a token that is good for two or three seconds more: clocks may be a minute apart.
func (i *issuer) endsSoon(t *testing.T) string {
	return i.token(t, "exp", time.Now().Add(-57*time.Second).Unix())
}

// A connection is good for as long as its token: what began before goes on no longer.
func TestAStreamEndsWithItsToken(t *testing.T) {
	i, b := newIssuer(t), newBehind(t)
	g := streams(t, i, b, "protocols h1 h2c")
	one := &http.Client{Transport: new(http.Transport)}
	two := unencrypted()
	t.Cleanup(one.CloseIdleConnections)
	t.Cleanup(two.CloseIdleConnections)
	for name, client := range map[string]*http.Client{"HTTP/1.1": one, "HTTP/2": two} {
		for _, path := range []string{"/events", "/quiet-events", "/chunks", "/download", "/poll"} {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL()+path, nil)
				require.NoError(t, err)
				r.Header.Set("Authorization", "Bearer "+i.endsSoon(t))
				begin := time.Now()
				response, err := client.Do(r)
				require.NoError(t, err)
				defer response.Body.Close()
				if path != "/poll" {
					require.Equal(t, http.StatusOK, response.StatusCode, response.Header)
				}
				content, err := io.ReadAll(response.Body)
				took := time.Since(begin)
				switch path {
				case "/poll":
					require.Equal(t, http.StatusUnauthorized, response.StatusCode)
					require.Contains(t, response.Header.Get("WWW-Authenticate"), `error="invalid_token"`)
				case "/download":
					require.NoError(t, err, "what was asked for in time is sent to its end")
					require.Len(t, content, downloaded*len("data: x\n\n"))
					return
				default:
					require.Contains(t, string(content), "data: x")
					require.Error(t, err)
				}
				require.Greater(t, took, 500*time.Millisecond)
				require.Less(t, took, 10*time.Second)
			})
		}
	}
	t.Run("WebSocket", func(t *testing.T) {
		t.Parallel()
		conn := webSocket(t, g, i.endsSoon(t))
		begin := time.Now()
		_, err := io.ReadAll(conn)
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		require.Greater(t, time.Since(begin), 500*time.Millisecond)
		require.Less(t, time.Since(begin), 10*time.Second)
	})
	t.Run("upload", func(t *testing.T) {
		t.Parallel()
		conn, err := net.Dial("tcp", g.Address())
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
		_, err = fmt.Fprintf(conn, "POST /upload HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 1000000\r\n\r\nbegin", g.Address(), i.endsSoon(t))
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, response.StatusCode)
		_, err = io.ReadAll(conn)
		require.NoError(t, err)
	})
	t.Run("a client that does not read", func(t *testing.T) {
		t.Parallel()
		conn, err := net.Dial("tcp", g.Address())
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err = fmt.Fprintf(conn, "GET /flood HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", g.Address(), i.endsSoon(t))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return b.flooding.Load() == 1 }, 10*time.Second, time.Millisecond)
		require.Eventually(t, func() bool { return b.flooding.Load() == 0 }, 10*time.Second, 10*time.Millisecond)
	})
	t.Cleanup(func() {
		require.Eventually(t, func() bool { return b.open.Load() == 0 }, 10*time.Second, 10*time.Millisecond, "the server behind learns of it")
	})
}

// webSocket opens one, sends a message and gets it back.
func webSocket(t *testing.T, g *testgateway.Gateway, token string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", g.Address())
	require.NoError(t, err)
	t.Cleanup(func() {
		hangUp(t, conn)
		conn.Close()
	})
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n", g.Address(), token)
	require.NoError(t, err)
	buffered := bufio.NewReader(conn)
	response, err := http.ReadResponse(buffered, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusSwitchingProtocols, response.StatusCode)
	_, err = io.WriteString(conn, "hello")
	require.NoError(t, err)
	echoed := make([]byte, len("hello"))
	_, err = io.ReadFull(buffered, echoed)
	require.NoError(t, err)
	require.Equal(t, "hello", string(echoed))
	return conn
}

// A revoked token ends what began with it as soon as it is no good for a new request, and an
// issuer that is down ends nothing.
func TestAStreamEndsWhenItsTokenIsRevoked(t *testing.T) {
	i, b := newIssuer(t), newBehind(t)
	g := streams(t, i, b, "")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL()+"/quiet-events", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer opaque-1")
	response, err := new(http.Transport).RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	conn := webSocket(t, g, "opaque-1")

	i.down.Store(true)
	time.Sleep(3 * time.Second)
	require.EqualValues(t, 2, b.open.Load())
	_, err = io.WriteString(conn, "still here")
	require.NoError(t, err)

	i.revoked.Store(true)
	i.down.Store(false)
	_, err = io.ReadAll(response.Body)
	require.Error(t, err)
	require.Eventually(t, func() bool { return b.open.Load() == 0 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, http.StatusUnauthorized, get(t, g.URL()+"/quiet-events", "Authorization", "Bearer opaque-1").StatusCode)
}

// What was checked again and again is an ordinary response all the same.
func TestAGoodTokenEndsNothing(t *testing.T) {
	i, b := newIssuer(t), newBehind(t)
	g := streams(t, i, b, "")
	conn := webSocket(t, g, i.token(t))
	time.Sleep(3 * time.Second)
	_, err := io.WriteString(conn, "hello")
	require.NoError(t, err)
	_, err = io.ReadFull(conn, make([]byte, len("hello")))
	require.NoError(t, err)

	// One connection serves many requests.
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	t.Cleanup(client.CloseIdleConnections)
	for range 100 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL()+"/", nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+i.token(t))
		response, err := client.Do(r)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

// A process that is told to stop waits for its handlers, and an event stream has no end. It
// ends all at once, also one that has outlived a reload.
func TestAStreamEndsWhenTheProcessStops(t *testing.T) {
	i, b := newIssuer(t), newBehind(t)
	address := testgateway.NewAddress(t)
	home := t.TempDir()
	config := func(comment string) string {
		return testgateway.Caddyfile(home, "grace_period 20s\nservers {\nprotocols h1 h2c\n}", "http://"+address+" {\n"+strings.NewReplacer(
			"{issuer}", i.URL, "{behind}", strings.TrimPrefix(b.URL, "http://")).Replace(streamSite)+"\nheader X-Config "+comment+"\n}")
	}
	caddy, err := testgateway.StartCaddy(config("first"), home, nil)
	require.NoError(t, err)
	t.Cleanup(caddy.Close)
	open := func(client *http.Client) *bufio.Reader {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/events", nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+i.token(t))
		response, err := client.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		return bufio.NewReader(response.Body)
	}
	first := open(&http.Client{Transport: new(http.Transport)})
	require.NoError(t, caddy.Reload(config("second"), false))
	second := open(unencrypted())
	for range 50 {
		_, err := first.ReadString('\n')
		require.NoError(t, err, "a reload ends no stream")
	}
	require.NoError(t, caddy.Signal(syscall.SIGTERM))
	stopped := time.Now()
	for _, stream := range []*bufio.Reader{first, second} {
		_, err := io.Copy(io.Discard, stream)
		require.Error(t, err)
	}
	require.Less(t, time.Since(stopped), 10*time.Second, "long before the end of grace_period")
	code, err := caddy.Wait(time.Minute) // net/http may keep a connection without streams for all of that
	require.NoError(t, err)
	require.Zero(t, code)
}

// unencrypted is a client that speaks HTTP/2 without TLS.
func unencrypted() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: protocols}}
}
