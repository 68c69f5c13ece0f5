package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
)

// nodeClient runs a script of the clients folder in Node. It gets the session as JSON
// on its standard input and prints one Result as JSON a line.
func nodeClient(script string, needsChromium bool) func(context.Context, *environment, session) ([]Result, error) {
	return func(ctx context.Context, e *environment, s session) ([]Result, error) {
		path, err := node(e)
		if err != nil {
			return nil, err
		}
		if needsChromium && s.Chromium == "" {
			return nil, fmt.Errorf("%w: Chromium is not installed; on Debian: apt-get install chromium, or set CHROMIUM", ErrUnavailable)
		}
		return runScript(ctx, e, s, path, script)
	}
}

// pythonClient is a nodeClient in Python.
func pythonClient(script string) func(context.Context, *environment, session) ([]Result, error) {
	return func(ctx context.Context, e *environment, s session) ([]Result, error) {
		path := filepath.Join(e.clients, ".venv", "bin", "python")
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%w: the Python packages are not installed; run: make caddymodule/testbed/interop/clients/.venv", ErrUnavailable)
		}
		return runScript(ctx, e, s, path, script)
	}
}

// inspectorClient is a nodeClient with an installation of its own.
func inspectorClient(ctx context.Context, e *environment, s session) ([]Result, error) {
	if _, err := os.Stat(filepath.Join(e.clients, ".inspector", "node_modules", "node", "bin", "node")); err != nil {
		return nil, fmt.Errorf("%w: the Inspector is not installed; run: make caddymodule/testbed/interop/clients/.inspector", ErrUnavailable)
	}
	return nodeClient("mcp/inspector.mjs", false)(ctx, e, s)
}

func runScript(ctx context.Context, e *environment, s session, interpreter, script string) ([]Result, error) {
	input, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var output, problems bytes.Buffer
	process := exec.CommandContext(ctx, interpreter, script)
	process.Dir = e.clients
	process.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+e.authority.certFile, "NODE_NO_WARNINGS=1")
	process.Stdin, process.Stdout, process.Stderr = bytes.NewReader(input), &output, &problems
	command.EndWithChildren(process) // the browser that the script started
	process.WaitDelay = 5 * time.Second
	runErr := process.Run()

	var results []Result
	for lines := bufio.NewScanner(&output); lines.Scan(); {
		var result Result
		if json.Unmarshal(lines.Bytes(), &result) == nil && result.Step != "" {
			results = append(results, result)
		}
	}
	if runErr != nil && (len(results) == 0 || results[len(results)-1].OK) {
		return results, fmt.Errorf("%s: %w: %s", script, runErr, tail(strings.TrimSpace(problems.String()), 600))
	}
	return results, nil
}
