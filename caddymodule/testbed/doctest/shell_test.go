//go:build unix

package doctest

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// Where the documentation has the gateway of `make run` and its identity provider.
const (
	gatewayURL = "http://localhost:8080"
	idpURL     = "http://localhost:8081"
)

// startPatience is for the first build on a slow machine, runPatience for what a
// reader would wait for.
const (
	startPatience = 8 * time.Minute
	runPatience   = 2 * time.Minute
)

func TestCommandsRun(t *testing.T) {
	shell := newShell(t)
	eachBlock(t, func(t *testing.T, b Block) {
		if reason, ok := notRun(b); ok {
			shell.parse(t, b.Code)
			t.Skip(reason)
		}
		if strings.HasPrefix(b.Path, "caddymodule/examples/") {
			t.Skip("the examples have a test of their own, which types their commands into several terminals: caddymodule/testbed/interop")
		}
		if b.Language == "sh" {
			shell.run(t, b.Code)
			return
		}
		for _, session := range sessions(b.Code) {
			got := shell.run(t, session.command)
			require.Regexp(t, pattern(session.output), got, "the output of %s", session.command)
		}
	}, "sh", "console")
}

// shell runs commands in the root of the repository. `caddy` is this program, and
// what they send to localhost:8080 goes to a gateway on a free port.
type shell struct {
	environment []string
	addresses   *strings.Replacer
	back        *strings.Replacer
}

func newShell(t *testing.T) *shell {
	for _, program := range []string{"bash", "make", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is missing")
		}
	}
	bin, home := t.TempDir(), t.TempDir()
	executable := must.Have(os.Executable())(t)
	require.NoError(t, os.Symlink(executable, filepath.Join(bin, "caddy")))
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "segment"), "./caddymodule/language/cmd/segment")
	build.Dir = root
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)

	// The home folder is a new one, but what Go has there already is used.
	environment := append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	for _, name := range []string{"GOENV", "GOPATH", "GOCACHE", "GOMODCACHE"} {
		value := must.Have(exec.Command("go", "env", name).Output())(t)
		environment = append(environment, name+"="+strings.TrimSpace(string(value)))
	}
	port := must.Have(testgateway.FreePorts(3))(t)
	gateway, idp := "http://localhost:"+strconv.Itoa(port), "http://localhost:"+strconv.Itoa(port+1)
	s := &shell{
		environment: append(environment, "ADDRESS="+gateway),
		addresses:   strings.NewReplacer(gatewayURL, gateway, idpURL, idp),
		back:        strings.NewReplacer(gateway, gatewayURL, idp, idpURL),
	}
	s.start(t, gateway)
	return s
}

// start does `make run`, and waits until the gateway is up.
func (s *shell) start(t *testing.T, gateway string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startPatience)
	defer cancel()
	var output bytes.Buffer
	server := exec.Command("make", "run")
	server.Dir, server.Env, server.Stdout, server.Stderr = root, s.environment, &output, &output
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, server.Start())
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			_ = syscall.Kill(-server.Process.Pid, syscall.SIGKILL)
			t.Error("make run did not end after SIGTERM")
			return
		}
		require.NotContains(t, output.String(), "deprecated", "what make run logs is the first thing that people see of it")
	})
	for {
		response, err := http.Get(gateway + "/.well-known/openid-configuration")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("make run ended: %v\n%s", err, output.String())
		case <-ctx.Done():
			t.Fatal("the gateway did not come up")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (s *shell) run(t *testing.T, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", s.addresses.Replace(script))
	cmd.Dir, cmd.Env, cmd.WaitDelay = root, s.environment, 10*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) } // and what it started
	output, err := cmd.CombinedOutput()
	text := s.back.Replace(string(output))
	require.NoError(t, err, "%s\n%s", script, text)
	return text
}

var target = regexp.MustCompile(`(?m)\bmake ([a-z][a-z-]*)`)

// parse makes sure that a script which is not run is one at least, and that its
// targets of make are there.
func (s *shell) parse(t *testing.T, script string) {
	t.Helper()
	output, err := exec.Command("bash", "-n", "-c", script).CombinedOutput()
	require.NoError(t, err, "%s", output)
	for _, match := range target.FindAllStringSubmatch(script, -1) {
		cmd := exec.Command("make", "--dry-run", match[1])
		cmd.Dir = root
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
}

// session is a command and what the documentation says that it prints.
type session struct{ command, output string }

// sessions reads a console: commands after "$ ", which go on in the next line after
// a backslash or a pipe, and their output.
func sessions(console string) []session {
	var all []session
	goesOn := false
	for line := range strings.Lines(console) {
		command, starts := strings.CutPrefix(line, "$ ")
		switch {
		case starts:
			all = append(all, session{command: command})
		case len(all) == 0:
			all = append(all, session{command: "echo 'a console begins with a command after $'; false"})
		case goesOn:
			all[len(all)-1].command += line
		default:
			all[len(all)-1].output += line
		}
		line = strings.TrimSpace(line)
		goesOn = (starts || goesOn) && (strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|"))
	}
	return all
}

// pattern matches the output that the documentation shows; "…" is anything.
func pattern(output string) string {
	return `(?s)\A` + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(output)), "…", ".*") + `\s*\z`
}

// Without npm's registry there are fewer tests, and no end of them.
func TestNobodyNeedsNpm(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is missing")
	}
	for what, npm := range map[string]string{"could not install": "exit 1", "": "mkdir -p $5/node_modules"} {
		bin, clients := t.TempDir(), t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\n"+npm+"\n"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(clients, "package-lock.json"), nil, 0o600))
		cmd := exec.Command("make", "CLIENTS="+clients, clients+"/node_modules")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", output)
		require.Contains(t, string(output), what)
		_, err = os.Stat(clients + "/node_modules")
		require.Equal(t, what == "", err == nil, "%s", output)
	}
}
