package identity

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// silencing gives connections out that fall silent when it is told so: nothing that
// is sent to them arrives, as at an address that is gone after a failover.
type silencing struct {
	net.Listener
	generation atomic.Int32
}

type silenced struct {
	net.Conn
	listener *silencing
	born     int32
}

func (l *silencing) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &silenced{conn, l, l.generation.Load()}, nil
}

func (l *silencing) silence() { l.generation.Add(1) }

func (c *silenced) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || c.born == c.listener.generation.Load() {
			return n, err
		}
	}
}

func (c *silenced) Write(p []byte) (int, error) {
	if c.born != c.listener.generation.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func TestAnHTTP2ConnectionThatFellSilentIsReplaced(t *testing.T) {
	idp := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			w.WriteHeader(http.StatusHTTPVersionNotSupported)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"sub":"user-1"}`)
	}))
	listener := &silencing{Listener: idp.Listener}
	idp.Listener, idp.EnableHTTP2 = listener, true
	idp.StartTLS()
	t.Cleanup(idp.Close)
	g, cleanup, err := provision(t, "identity_gateway "+idp.URL+" {\nresponse_timeout 1s\ntransport http {\ntls_insecure_skip_verify\n}\n}", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(cleanup)
	gateway := &gateway{serve(t, g), nil, t}
	ask := func() int { return gateway.get("/userinfo", "Authorization", "Bearer a").StatusCode }
	require.Equal(t, http.StatusOK, ask())

	listener.silence()
	require.NotEqual(t, http.StatusOK, ask(), "this one is lost")
	require.Eventually(t, func() bool { return ask() == http.StatusOK }, 20*time.Second, 10*time.Millisecond)
}
