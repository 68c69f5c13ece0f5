package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
)

// process is a command that runs until the environment is closed.
type process struct {
	*exec.Cmd
	ended chan struct{} // and then there is err
	err   error

	mu     sync.Mutex
	output bytes.Buffer
}

// Write keeps what the command prints.
func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.Write(b)
}

// printed is the end of it.
func (p *process) printed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return tail(p.output.String(), 2000)
}

// launch starts a command of [exec.CommandContext].
func (e *environment) launch(cmd *exec.Cmd) (*process, error) {
	p := &process{Cmd: cmd, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p, p
	command.EndWithChildren(cmd) // a start script's too
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	e.whenClosed(func() {
		_ = cmd.Cancel()
		<-p.ended
	})
	return p, nil
}

// await waits until a URL answers.
func (p *process) await(ctx context.Context, url string, patience time.Duration, transport http.RoundTripper) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := make(chan error, 1)
	go func() { ready <- waitFor(ctx, url, patience, transport) }()
	var err error
	select {
	case err = <-ready:
	case <-p.ended:
		err = fmt.Errorf("it ended at once: %v", p.err) //nolint:errorlint // it may be nil
	}
	if err != nil {
		return fmt.Errorf("%w; the end of its output: %s", err, p.printed())
	}
	return nil
}

// startProcess runs a server, and waits until it answers.
func startProcess(ctx context.Context, e *environment, env []string, readyURL string, patience time.Duration, transport http.RoundTripper, command ...string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Dir = e.clients
	p, err := e.launch(cmd)
	if err != nil {
		return err
	}
	return p.await(ctx, readyURL, patience, transport)
}

func tail(text string, n int) string {
	if len(text) > n {
		return "..." + text[len(text)-n:]
	}
	return text
}

// node is the path of Node, if the clients' packages are installed.
func node(e *environment) (string, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("%w: Node.js is not installed", ErrUnavailable)
	}
	if _, err := os.Stat(filepath.Join(e.clients, "node_modules", "mcp-remote")); err != nil {
		return "", fmt.Errorf("%w: the packages are not installed; run: npm ci --prefix caddymodule/testbed/interop/clients", ErrUnavailable)
	}
	return path, nil
}
