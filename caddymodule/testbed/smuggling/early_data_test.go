package smuggling

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/quicvarint"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

// eavesdropper keeps what a client sends, and knows no key. While answers is locked, nothing
// that the server says arrives.
type eavesdropper struct {
	net.PacketConn
	answers  sync.RWMutex
	mu       sync.Mutex
	recorded [][]byte
}

func (e *eavesdropper) ReadFrom(datagram []byte) (int, net.Addr, error) {
	n, from, err := e.PacketConn.ReadFrom(datagram)
	e.answers.RLock()
	defer e.answers.RUnlock()
	return n, from, err
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

func listen(t *testing.T) net.PacketConn {
	conn := must.Have(net.ListenPacket("udp", "127.0.0.1:0"))(t)
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
	g, address := startHTTP3(t, "identity_gateway "+idp.URL+" {\nparameters oauth\n}\nreverse_proxy "+idp.URL)
	decided := func() int { // token requests that the gateway has passed or refused
		text := must.Have(g.Get("/metrics"))(t)
		decisions := 0
		for _, line := range regexp.MustCompile(`(?m)^caddy_identity_gateway_requests_total\{endpoint="token".* (\d+)$`).FindAllStringSubmatch(string(text), -1) {
			n := must.Have(strconv.Atoi(line[1]))(t)
			decisions += n
		}
		return decisions
	}

	server := must.Have(net.ResolveUDPAddr("udp", address))(t)
	way := &eavesdropper{PacketConn: listen(t)}
	client := &quic.Transport{Conn: way}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	tickets := tls.NewLRUClientSessionCache(1)
	secured := &tls.Config{ServerName: site, NextProtos: []string{"h3"}, InsecureSkipVerify: true, ClientSessionCache: tickets}
	before := must.Have(client.Dial(ctx, server, secured, nil))(t)
	require.Eventually(t, func() bool {
		_, found := tickets.Get(site)
		return found
	}, time.Minute, time.Millisecond, "the server gave no ticket")
	require.NoError(t, before.CloseWithError(0x100, ""))
	way.take()

	way.answers.Lock() // without an answer, the client has the keys of early data only
	c := must.Have(client.DialEarly(ctx, server, secured, nil))(t)
	_, err := openStream(t, c.OpenUniStream).Write([]byte{0x00, 0x04, 0x00}) // the control stream, and settings
	require.NoError(t, err)
	token, order := openStream(t, c.OpenStream), openStream(t, c.OpenStream)
	postForm(t, token, "/oauth/token")
	postForm(t, order, "/orders")
	require.Eventually(t, func() bool { return count("/orders") > 0 && decided() > 0 }, time.Minute, 10*time.Millisecond, "early data was not taken")
	recorded := way.take()
	way.answers.Unlock()
	_, err = io.ReadAll(token) // which may say that it is too early
	require.NoError(t, err)
	answer := must.Have(io.ReadAll(order))(t)
	require.Contains(t, string(answer), "access_token")
	require.True(t, c.ConnectionState().Used0RTT)
	require.NoError(t, c.CloseWithError(0x100, ""))
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

func openStream[S any](t *testing.T, open func() (S, error)) S {
	return must.Have(open())(t)
}

// postForm sends a token request over HTTP/3 (RFC 9114 section 7.2). Clients of libraries wait for
// the handshake with one.
func postForm(t *testing.T, stream *quic.Stream, path string) {
	var fields bytes.Buffer
	encoder := qpack.NewEncoder(&fields)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "https"}, {":authority", site}, {":path", path}, {"content-type", "application/x-www-form-urlencoded"}} {
		require.NoError(t, encoder.WriteField(qpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	frame := func(kind uint64, payload []byte) []byte {
		return append(quicvarint.Append(quicvarint.Append(nil, kind), uint64(len(payload))), payload...)
	}
	const headers, data = 0x01, 0x00
	must.Have(stream.Write(append(frame(headers, fields.Bytes()), frame(data, []byte("grant_type=refresh_token&client_id=app&refresh_token=r"))...)))(t)
	require.NoError(t, stream.Close())
}

// startHTTP3 starts a gateway as a process of its own, which serves a site over HTTP/3.
func startHTTP3(t *testing.T, siteBlock string) (g *testgateway.Process, address string) {
	folder := must.Have(os.MkdirTemp("", "caddy"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	address = must.Have(testgateway.FreeAddress())(t)
	certificate, key := clientcerttest.PEM(clientcerttest.SelfSigned(x509.Certificate{DNSNames: []string{site}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "certificate.pem"), certificate, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "key.pem"), key, 0o600))
	g, err := testgateway.StartCaddy(testgateway.Caddyfile(folder, "log {\n\tlevel ERROR\n}", fmt.Sprintf(`https://:%[2]s {
	bind 127.0.0.1
	tls %[3]s/certificate.pem %[3]s/key.pem
	%[1]s
}`, siteBlock, strings.TrimPrefix(address, "127.0.0.1:"), folder)), folder, nil)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return g, address
}
