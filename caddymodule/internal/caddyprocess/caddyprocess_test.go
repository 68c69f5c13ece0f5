package caddyprocess_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	caddyprocess.Main()
	os.Exit(m.Run())
}

func get(t *testing.T, address string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + address)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

func TestAProcessFromItsStartToItsEnd(t *testing.T) {
	home, err := caddyprocess.NewHome()
	require.NoError(t, err)
	defer os.RemoveAll(home)
	address, err := testgateway.FreeAddress()
	require.NoError(t, err)
	caddyfile := func(text string) string {
		return caddyprocess.Caddyfile(home, "grace_period 5s", fmt.Sprintf("http://%s {\n\trespond %s\n}", address, text))
	}
	p, err := caddyprocess.Start(caddyprocess.Config{Home: home, Caddyfile: caddyfile("first")})
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	require.Equal(t, "first", get(t, address))

	require.NoError(t, p.Reload(caddyfile("second"), false))
	require.Equal(t, "second", get(t, address))
	require.NoError(t, p.Reload(caddyfile("second"), true))
	require.ErrorContains(t, p.Reload("{\n\tnonsense\n}", false), "nonsense")
	require.Equal(t, "second", get(t, address))
	require.Contains(t, p.Log(), "load complete")
	require.Positive(t, p.LogBytes())

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
	p, err := caddyprocess.Start(caddyprocess.Config{Caddyfile: "{\n\t" + caddyprocess.AdminOption + "\n}\nhttp://" + address + " {\n\trespond here\n}"})
	require.NoError(t, err)
	require.NoError(t, p.Signal(syscall.SIGKILL))
	code, err := p.Wait(time.Minute)
	require.NoError(t, err)
	require.Equal(t, -1, code)
	require.DirExists(t, p.Home()) // what is in it may not have been written yet
	p.Close()
	require.NoDirExists(t, p.Home())
}

func TestAProcessThatDoesNotStartSaysWhy(t *testing.T) {
	_, err := caddyprocess.Start(caddyprocess.Config{Caddyfile: "http://127.0.0.1:0 {\n\tno_such_directive\n}"})
	require.ErrorContains(t, err, "no_such_directive")
}

func TestTheCPUTimeOfAnotherProcess(t *testing.T) {
	if !caddyprocess.HasCPUTime {
		t.Skip("the CPU time of a process can't be read here")
	}
	parent, err := caddyprocess.CPUTime(os.Getppid())
	require.NoError(t, err)
	require.Positive(t, parent)
	_, err = caddyprocess.CPUTime(1<<22 + 1) // beyond the largest process id
	require.Error(t, err)
}
