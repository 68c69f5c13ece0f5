package smuggling

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// A WebSocket over HTTP/3 (RFC 9220) ends with its token, and so does an event stream. Neither
// keeps a process from ending.
func TestAStreamOverHTTP3EndsWithItsToken(t *testing.T) {
	key := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k1"}}, (&jose.SignerOptions{}).WithType("at+jwt"))
	require.NoError(t, err)
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/keys":
			_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k1", Algorithm: "ES256", Use: "sig"}}})
		case r.Header.Get("Upgrade") != "":
			conn, buffered, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n")
			_, _ = io.Copy(conn, buffered)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "hello")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(behind.Close)
	token := func(good time.Duration) string {
		token, err := jwt.Signed(signer).Claims(map[string]any{
			"iss": behind.URL, "sub": "u1", "aud": "https://api.example", "client_id": "app", "exp": time.Now().Add(good - time.Minute).Unix(),
		}).Serialize()
		require.NoError(t, err)
		return token
	}
	g, address := startHTTP3(t, "require_token "+behind.URL+" https://api.example {\njwks_uri "+behind.URL+"/keys\n}\nreverse_proxy "+strings.TrimPrefix(behind.URL, "http://"))
	client := &http3.Transport{
		TLSClientConfig: &tls.Config{ServerName: site, InsecureSkipVerify: true},
		Dial: func(ctx context.Context, _ string, secured *tls.Config, config *quic.Config) (*quic.Conn, error) {
			return quic.DialAddr(ctx, address, secured, config)
		},
	}
	defer client.Close()
	open := func(method, protocol string, good time.Duration) io.Reader {
		body, messages := io.Pipe()
		r := must.Have(http.NewRequestWithContext(t.Context(), method, "https://"+site+"/", body))(t)
		if r.Proto = protocol; method == http.MethodGet {
			r.Body = http.NoBody
		}
		r.Header.Set("Authorization", "Bearer "+token(good))
		go func() { _, _ = io.WriteString(messages, "hello") }()
		response := must.Have(client.RoundTrip(r))(t)
		require.Equal(t, http.StatusOK, response.StatusCode)
		must.Have(io.ReadFull(response.Body, make([]byte, len("hello"))))(t)
		return response.Body
	}
	ends := func(stream io.Reader) {
		t.Helper()
		ended := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, stream)
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Fatal("it goes on")
		}
	}
	for method, protocol := range map[string]string{http.MethodConnect: "websocket", http.MethodGet: "HTTP/3.0"} {
		begin := time.Now()
		ends(open(method, protocol, 4*time.Second))
		require.Greater(t, time.Since(begin), time.Second)
	}
	socket, events := open(http.MethodConnect, "websocket", time.Hour), open(http.MethodGet, "HTTP/3.0", time.Hour)
	require.NoError(t, g.Signal(syscall.SIGTERM))
	ends(socket)
	ends(events)
	code := must.Have(g.Wait(15 * time.Second))(t)
	require.Zero(t, code)
}
