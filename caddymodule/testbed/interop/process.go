package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// startProcess runs a server until the environment is closed, and waits until it
// answers. Its output goes to a file; an error quotes its end.
func startProcess(ctx context.Context, e *environment, name string, env []string, readyURL string, patience time.Duration, transport http.RoundTripper, command ...string) error {
	logFile, err := os.Create(filepath.Join(e.dir, name+".log"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	process.Env = append(os.Environ(), env...)
	process.Dir = e.clients
	process.Stdout, process.Stderr = logFile, logFile
	endWithChildren(process) // a start script's too
	if err := process.Start(); err != nil {
		cancel()
		return errors.Join(err, logFile.Close())
	}
	var waitErr error
	ended := make(chan struct{})
	go func() {
		waitErr = process.Wait()
		logFile.Close()
		close(ended)
	}()
	e.whenClosed(func() {
		cancel()
		<-ended
	})

	ready := make(chan error, 1)
	go func() { ready <- waitFor(ctx, readyURL, patience, transport) }()
	select {
	case err = <-ready:
	case <-ended:
		err = errors.Join(errors.New("it ended at once"), waitErr)
	}
	if err != nil {
		output, _ := os.ReadFile(logFile.Name())
		return fmt.Errorf("%w; the end of its output: %s", err, tail(string(output), 600))
	}
	return nil
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
