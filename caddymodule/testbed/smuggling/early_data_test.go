package smuggling

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/stretchr/testify/require"
)

// eavesdropper keeps what a client sends, and knows no key.
type eavesdropper struct {
	net.PacketConn
	mu       sync.Mutex
	recorded [][]byte
}

func (e *eavesdropper) WriteTo(datagram []byte, to net.Addr) (int, error) {
	e.mu.Lock()
	e.recorded = append(e.recorded, slices.Clone(datagram))
	e.mu.Unlock()
	return e.PacketConn.WriteTo(datagram, to)
}

// take returns what was recorded, and begins anew.
func (e *eavesdropper) take() [][]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	recorded := e.recorded
	e.recorded = nil
	return recorded
}

// listen is a socket of a client's own.
func listen(t *testing.T) net.PacketConn {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// What a client sends before the handshake is complete (0-RTT), anybody on the way can
// record and send again without any key (RFC 8446 section 8). A refresh token that is
// used twice ends its login. What another handler serves does reach the server behind
// twice, in the same datagrams.
func TestEarlyDataThatSomebodyRepeats(t *testing.T) {
	var mu sync.Mutex
	received := make(map[string]int) // requests by path
	idp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		received[r.URL.Path]++
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"a","token_type":"Bearer","expires_in":60}`))
	}))
	t.Cleanup(idp.Close)
	count := func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return received[path]
	}
	g, _, address := startSecure(t, "identity_gateway "+idp.URL+" {\nparameters oauth\n}\nreverse_proxy "+idp.URL)
	t.Cleanup(g.Close)
	decided := func() int { // token requests that the gateway has passed or refused
		text, err := g.Get("/metrics")
		require.NoError(t, err)
		decisions := 0
		for _, line := range regexp.MustCompile(`(?m)^caddy_identity_gateway_requests_total\{endpoint="token".* (\d+)$`).FindAllStringSubmatch(string(text), -1) {
			n, err := strconv.Atoi(line[1])
			require.NoError(t, err)
			decisions += n
		}
		return decisions
	}

	server, err := net.ResolveUDPAddr("udp", address)
	require.NoError(t, err)
	way := &eavesdropper{PacketConn: listen(t)}
	client := &quic.Transport{Conn: way}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	secured := &tls.Config{ServerName: site, NextProtos: []string{"h3"}, InsecureSkipVerify: true, ClientSessionCache: tls.NewLRUClientSessionCache(1)}
	request := func(path string) *framedRequest {
		return &framedRequest{body: "grant_type=refresh_token&client_id=app&refresh_token=r", fields: [][2]string{
			{":method", "POST"}, {":scheme", "https"}, {":authority", site}, {":path", path}, {"content-type", "application/x-www-form-urlencoded"},
		}}
	}
	var recorded [][]byte
	for used := false; !used; { // until the client has a ticket of a connection before
		way.take()
		c, err := client.DialEarly(ctx, server, secured, nil)
		require.NoError(t, err)
		require.NoError(t, beginHTTP3(c))
		var streams []*quic.Stream
		for _, path := range []string{"/oauth/token", "/orders"} {
			stream, err := writeHTTP3(ctx, c, request(path))
			require.NoError(t, err)
			streams = append(streams, stream)
		}
		for i, stream := range streams {
			status, err := readHTTP3(stream)
			require.NoError(t, err)
			if i == 1 {
				require.Equal(t, 200, status)
			}
		}
		used = c.ConnectionState().Used0RTT
		require.NoError(t, c.CloseWithError(noError, ""))
		recorded = way.take()
	}
	tokens, orders, decisions := count("/oauth/token"), count("/orders"), decided()

	// The server forgets the connection before after some seconds.
	for count("/orders") == orders || decided() == decisions {
		require.NoError(t, ctx.Err(), "nothing that was repeated arrived")
		other := listen(t)
		for _, datagram := range recorded {
			_, _ = other.WriteTo(datagram, server)
		}
		time.Sleep(100 * time.Millisecond)
	}
	require.Equal(t, tokens, count("/oauth/token"), "the refresh token was used again")
}
