package testgateway_test

import (
	"net"
	"os"
	"strconv"
	"testing"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

func TestAMistakeInTheSiteIsReported(t *testing.T) {
	for _, start := range []func(testgateway.Config) (*testgateway.Gateway, error){testgateway.Start, testgateway.StartProcess} {
		_, err := start(testgateway.Config{Site: "no_such_directive"})
		require.ErrorContains(t, err, "no_such_directive")
	}
}

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

func TestTheCPUTimeOfAnotherProcess(t *testing.T) {
	if !testgateway.HasCPUTime {
		t.Skip("the CPU time of a process can't be read here")
	}
	parent, err := testgateway.CPUTime(os.Getppid())
	require.NoError(t, err)
	require.Positive(t, parent)
	_, err = testgateway.CPUTime(1<<22 + 1) // beyond the largest process id
	require.Error(t, err)
}
