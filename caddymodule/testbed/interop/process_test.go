package interop

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// process is a command that runs until the test ends.
type process struct {
	*exec.Cmd
	ended chan struct{}
}

// launch starts a command of [exec.CommandContext] with the test's context.
func launch(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	output := must.Have(os.Create(filepath.Join(t.TempDir(), "output")))(t)
	cmd.Stdout, cmd.Stderr = output, output
	command.EndWithChildren(cmd) // a start script's too
	require.NoError(t, cmd.Start())
	p := &process{cmd, make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() { // the context has ended
		<-p.ended
		_ = output.Close()
		if printed, err := os.ReadFile(output.Name()); t.Failed() && err == nil {
			t.Logf("%s: %s", cmd, tail(string(printed)))
		}
	})
	return p
}

// await waits until a URL answers with anything but 503: not ready yet.
func (p *process) await(t *testing.T, url string, patience time.Duration, transport http.RoundTripper) {
	t.Helper()
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		response, err := client.Get(url)
		if err == nil {
			response.Body.Close()
			if response.StatusCode != http.StatusServiceUnavailable {
				return
			}
		}
		select {
		case <-p.ended:
			t.Fatalf("%s ended at once", p)
		default:
		}
		require.True(t, time.Now().Before(deadline), "nothing answers at %s after %s: %v", url, patience, err)
	}
}

func startServer(t *testing.T, env []string, readyURL string, patience time.Duration, transport http.RoundTripper, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Dir = "clients"
	launch(t, cmd).await(t, readyURL, patience, transport)
}

func tail(text string) string { return text[max(0, len(text)-4000):] }

// node is the path of Node, if the clients' packages are installed.
func node(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not installed")
	}
	if _, err := os.Stat("clients/node_modules/mcp-remote"); err != nil {
		t.Skip("the packages are not installed; run: npm ci --prefix caddymodule/testbed/interop/clients")
	}
	return path
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
}
