package testgateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
)

// childVariable names the Caddyfile of a process that is a gateway.
const childVariable = "TESTGATEWAY_CADDYFILE"

// ready is what such a process prints when it serves.
const ready = "the gateway is ready"

// startPatience is how long a process may take to start on a busy machine.
const startPatience = time.Minute

// Main runs the gateway and does not return if this process was started by
// [StartProcess]; else it does nothing. Call it first in TestMain or main.
func Main() {
	file := os.Getenv(childVariable)
	if file == "" {
		return
	}
	if err := serve(file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve runs a configuration until the standard input ends.
func serve(file string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parsed, err := parse(source)
	if err != nil {
		return err
	}
	if err := caddy.Run(parsed); err != nil {
		return err
	}
	fmt.Println(ready)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return caddy.Stop()
}

// StartProcess runs the site in a process of its own, which is this program
// started anew; [Main] has to be called there.
func StartProcess(c Config) (*Gateway, error) { return c.tryStart(startProcess) }

func startProcess(c Config) (*Gateway, error) {
	cleanup, err := c.complete()
	if err != nil {
		return nil, err
	}
	g, err := c.startProcess()
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	stop, kill := g.stop, g.kill
	g.stop = sync.OnceValue(func() error { return errors.Join(stop(), cleanup()) })
	g.kill = sync.OnceFunc(func() {
		kill()
		_ = cleanup()
	})
	return g, nil
}

func (c *Config) startProcess() (*Gateway, error) {
	file, err := os.CreateTemp("", "Caddyfile")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(file.Name()) }() // the process has read it when it is ready
	if _, err := file.WriteString(c.caddyfile()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process := exec.Command(executable)
	process.Env = append(os.Environ(), childVariable+"="+file.Name(), "XDG_CONFIG_HOME="+c.Storage, "XDG_DATA_HOME="+c.Storage)
	var output strings.Builder
	process.Stderr = &output
	stdin, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	started, ended := make(chan bool, 1), make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if lines.Text() == ready {
				started <- true
			}
		}
		close(started)
		ended <- process.Wait()
	}()
	wait := sync.OnceValue(func() error { return <-ended })
	kill := func() {
		_ = process.Process.Kill()
		_ = wait()
	}
	select {
	case ok := <-started:
		if !ok {
			return nil, fmt.Errorf("the gateway ended at its start: %w\n%s", wait(), output.String())
		}
	case <-time.After(startPatience):
		kill()
		return nil, fmt.Errorf("the gateway did not start within %s:\n%s", startPatience, output.String())
	}
	return &Gateway{
		address: c.Address,
		kill:    kill,
		stop: func() error {
			_ = stdin.Close()
			return wait()
		},
	}, nil
}
