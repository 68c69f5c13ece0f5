package identity

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A reload leaves nothing behind: the next configuration has connections of its own.
func TestConnectionsToTheIdPEndWithTheirConfiguration(t *testing.T) {
	closed := make(chan struct{})
	closeOnce := sync.OnceFunc(func() { close(closed) })
	idp := httptest.NewUnstartedServer(respondJSON(200, recordedToken))
	idp.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closeOnce()
		}
	}
	idp.Start()
	t.Cleanup(idp.Close)
	handler, cleanup, err := provision(t, "identity_gateway "+idp.URL+" {\nparameters oauth\n}", t.TempDir())
	require.NoError(t, err)
	g := &gateway{serve(t, handler), nil, t}
	require.Equal(t, 200, g.post("/oauth/token", tokenBody(verifier1, "code-1")).StatusCode)
	select {
	case <-closed:
		t.Fatal("the connection is not kept for the next request")
	default:
	}
	cleanup()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Fatal("the connection stays open")
	}
}
