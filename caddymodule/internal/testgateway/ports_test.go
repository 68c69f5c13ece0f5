package testgateway_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestPortsInARow(t *testing.T) {
	port, err := testgateway.FreePorts(3)
	require.NoError(t, err)
	require.Less(t, port+2, 32768, "from here on Linux gives ports to connections")
	for i := range 3 {
		listener, err := net.Listen("tcp", "localhost:"+strconv.Itoa(port+i))
		require.NoError(t, err)
		defer listener.Close()
	}
}
