//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

const (
	redisPort    = 6379
	sentinelPort = 26379
	// masterName is what the Sentinels call the Redis servers.
	masterName = "main"
	password   = "of the Redis servers"
)

// redisHost is a host with a Redis server and a Sentinel.
type redisHost struct {
	*testnet.Host
	folder   string
	options  []string // of the server
	server   *exec.Cmd
	sentinel *exec.Cmd
}

// start starts the server. master is the host that it replicates, nil for the master.
func (r *redisHost) start(master *redisHost) error {
	arguments := append([]string{
		"--bind", r.Address(), "--port", strconv.Itoa(redisPort), "--dir", r.folder, "--save", "", "--loglevel", "warning", "--logfile", "redis.log",
		"--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", "0", "--repl-timeout", "10",
		"--requirepass", password, "--masterauth", password,
	}, r.options...)
	if master != nil {
		arguments = append(arguments, "--replicaof", master.Address()+" "+strconv.Itoa(redisPort))
	}
	r.server = exec.Command("redis-server", arguments...)
	return r.Host.Start(r.server)
}

// watch starts a Sentinel, which watches the master.
func (r *redisHost) watch(master *redisHost, quorum int) error {
	file := filepath.Join(r.folder, "sentinel.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, `port %d
bind %s
dir %s
logfile sentinel.log
sentinel monitor %[4]s %s %d %d
sentinel auth-pass %[4]s "%[8]s"
sentinel down-after-milliseconds %[4]s 1000
sentinel failover-timeout %[4]s 5000
sentinel parallel-syncs %[4]s 2
`, sentinelPort, r.Address(), r.folder, masterName, master.Address(), redisPort, quorum, password), 0o600); err != nil {
		return err
	}
	r.sentinel = exec.Command("redis-server", file, "--sentinel")
	return r.Host.Start(r.sentinel)
}

func (r *redisHost) signal(signal syscall.Signal) error { return r.server.Process.Signal(signal) }

// kill ends the server as a crash does.
func (r *redisHost) kill() error { return end(r.server) }

// stop ends both.
func (r *redisHost) stop() {
	_ = end(r.server)
	_ = end(r.sentinel)
}

func end(process *exec.Cmd) error {
	if process == nil || process.ProcessState != nil {
		return nil
	}
	if err := process.Process.Kill(); err != nil {
		return err
	}
	_ = process.Wait() // killed
	return nil
}

// do runs a command of the server, with a password, and returns the reply.
func (r *redisHost) do(arguments ...string) (string, error) {
	return r.cli(redisPort, append([]string{"--pass", password, "--no-auth-warning"}, arguments...)...)
}

// ask runs a command of the Sentinel.
func (r *redisHost) ask(arguments ...string) (string, error) {
	return r.cli(sentinelPort, arguments...)
}

func (r *redisHost) cli(port int, arguments ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var output strings.Builder
	process := exec.CommandContext(ctx, "redis-cli", append([]string{"-h", r.Address(), "-p", strconv.Itoa(port)}, arguments...)...)
	process.Stdout, process.Stderr = &output, &output
	if err := r.Host.Start(process); err != nil {
		return "", err
	}
	err := process.Wait()
	reply := strings.TrimSpace(output.String())
	if err != nil {
		return "", fmt.Errorf("redis-cli %s: %w: %s", strings.Join(arguments, " "), err, reply)
	}
	for _, failure := range []string{"ERR", "NOAUTH", "WRONGPASS", "LOADING", "Could not connect"} {
		if strings.HasPrefix(reply, failure) {
			return "", fmt.Errorf("redis: %s", reply)
		}
	}
	return reply, nil
}

// await calls f until it succeeds.
func await(what string, f func() error) error {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		err := f()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
}

// contains fails if a reply lacks a text.
func contains(reply string, err error, text string) error {
	if err == nil && !strings.Contains(reply, text) {
		err = fmt.Errorf("no %q in %q", text, reply)
	}
	return err
}
