package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestTheOtherAddressesFollowFromTheGateways(t *testing.T) {
	for address, want := range map[string]site{
		"http://localhost:8080":   {"http://localhost:8080", "http://localhost:8081", "http://localhost:8082"},
		"http://localhost:1000":   {"http://localhost:1000", "http://localhost:1001", "http://localhost:1002"},
		"http://localhost:8080/":  {"http://localhost:8080", "http://localhost:8081", "http://localhost:8082"},
		"https://localhost:8443":  {"https://localhost:8443", "http://localhost:8444", "http://localhost:8445"},
		"http://localhost":        {"http://localhost", "http://localhost:81", "http://localhost:82"},
		"http://localhost:65533":  {"http://localhost:65533", "http://localhost:65534", "http://localhost:65535"},
		"http://gateway.test:123": {"http://gateway.test:123", "http://localhost:124", "http://localhost:125"},
	} {
		got, err := parseAddress(address)
		require.NoError(t, err, address)
		require.Equal(t, want, got)
	}
	for _, address := range []string{"", "localhost:8080", ":8080", "ftp://localhost:21", "http://localhost:8080/path", "http://localhost:8080?q", "http://localhost:x"} {
		_, err := parseAddress(address)
		require.ErrorContains(t, err, "must be a URL such as http://localhost:8080", address)
	}
	for _, address := range []string{"http://localhost:0", "http://localhost:65534", "http://localhost:70000"} {
		_, err := parseAddress(address)
		require.ErrorContains(t, err, "between 1 and 65533", address)
	}
}

func TestAPortThatIsTakenIsNamed(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	taken := listener.Addr().(*net.TCPAddr).Port
	for _, s := range []site{{Gateway: "http://localhost:" + strconv.Itoa(taken), IdP: "http://localhost:1", MCP: "http://localhost:1"}, {Gateway: "http://localhost:" + freePort(t), IdP: "http://localhost:" + freePort(t), MCP: "http://localhost:" + strconv.Itoa(taken)}} {
		err := s.checkPorts()
		require.ErrorContains(t, err, "another process listens on localhost:"+strconv.Itoa(taken))
		require.ErrorContains(t, err, "make run ADDRESS=http://localhost:9080")
	}
	require.NoError(t, site{"http://localhost:" + freePort(t), "http://localhost:" + freePort(t), "http://localhost:" + freePort(t)}.checkPorts())
	require.NoError(t, listener.Close())
}

func freePort(t *testing.T) string {
	port, err := testgateway.FreePorts(1)
	require.NoError(t, err)
	return strconv.Itoa(port)
}

func TestHintsFollowTheAddress(t *testing.T) {
	other := site{"http://localhost:1000", "http://localhost:1001", "http://localhost:1002"}.hints()
	require.Contains(t, other, "http://localhost:1000/playground")
	require.Contains(t, other, "make demo ADDRESS=http://localhost:1000\n")
	require.Contains(t, other, "http://localhost:1002/mcp")
	require.Contains(t, other, "curl -s 'http://localhost:1000/machine_learning")
	require.NotContains(t, other, "8080")

	usual := site{"http://localhost:8080", "http://localhost:8081", "http://localhost:8082"}.hints()
	require.Contains(t, usual, "make demo\n")
	require.Contains(t, usual, "http://localhost:8080/playground")
}

// Other processes may answer on the port with an error while the gateway starts.
func TestHintsWaitUntilTheServerAnswers(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/.well-known/openid-configuration", r.URL.Path)
		if calls++; calls < 3 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer server.Close()
	require.NoError(t, site{Gateway: server.URL}.waitUntilUp(t.Context()))
	require.Equal(t, 3, calls)

	server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, site{Gateway: server.URL}.waitUntilUp(ctx), context.DeadlineExceeded)
}
