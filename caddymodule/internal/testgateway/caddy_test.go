package testgateway_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func requireBody(t *testing.T, want, address string) {
	t.Helper()
	_, body := get(t, "http://"+address)
	require.Equal(t, want, body)
}

func TestAProcessFromItsStartToItsEnd(t *testing.T) {
	home := t.TempDir()
	address, err := testgateway.FreeAddress()
	require.NoError(t, err)
	caddyfile := func(text string) string {
		return testgateway.Caddyfile(home, "grace_period 5s", fmt.Sprintf("http://%s {\n\trespond %s\n}", address, text))
	}
	p, err := testgateway.StartCaddy(caddyfile("first"), home, nil)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	requireBody(t, "first", address)

	require.NoError(t, p.Reload(caddyfile("second"), false))
	requireBody(t, "second", address)
	require.NoError(t, p.Reload(caddyfile("second"), true))
	require.ErrorContains(t, p.Reload("{\n\tnonsense\n}", false), "nonsense")
	requireBody(t, "second", address)
	require.Contains(t, p.Log(), "load complete")

	usage, err := p.Usage()
	require.NoError(t, err)
	require.Positive(t, usage.Heap)
	require.Positive(t, usage.Goroutines)
	if _, err := os.Stat("/proc/self/statm"); err == nil {
		require.Greater(t, usage.Resident, usage.Heap)
		require.Positive(t, usage.Descriptors)
	}

	require.NoError(t, p.Stop())
	require.DirExists(t, home, "who makes a folder removes it")
}

func TestAProcessThatIsKilled(t *testing.T) {
	address, err := testgateway.FreeAddress()
	require.NoError(t, err)
	p, err := testgateway.StartCaddy("{\n\t"+testgateway.AdminOption+"\n}\nhttp://"+address+" {\n\trespond here\n}", "", nil)
	require.NoError(t, err)
	require.NoError(t, p.Signal(syscall.SIGKILL))
	code, err := p.Wait(time.Minute)
	require.NoError(t, err)
	require.Equal(t, -1, code)
	p.Close()
}

func TestAProcessThatDoesNotStartSaysWhy(t *testing.T) {
	_, err := testgateway.StartCaddy("http://127.0.0.1:0 {\n\tno_such_directive\n}", "", nil)
	require.ErrorContains(t, err, "no_such_directive")
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
