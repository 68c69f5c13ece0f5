//go:build unix

package redis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// server is a redis-server on a port of its own that writes every command to
// its append-only file before it replies.
type server struct {
	t       testing.TB
	port    int
	args    []string
	process *exec.Cmd

	password string // of the default user, if it has one
}

func startServer(t testing.TB, args ...string) *server {
	t.Helper()
	s := newServer(t, args...)
	s.start()
	return s
}

func newServer(t testing.TB, args ...string) *server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed")
	}
	port, err := testgateway.FreePorts(1)
	require.NoError(t, err)
	s := &server{t: t, port: port}
	s.args = append([]string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", t.TempDir(),
		"--appendonly", "yes", "--appendfsync", "always", "--save", "",
		"--loglevel", "warning", "--repl-diskless-sync-delay", "0",
	}, args...)
	t.Cleanup(s.kill)
	return s
}

func (s *server) start() {
	s.t.Helper()
	s.process = exec.Command("redis-server", s.args...)
	require.NoError(s.t, s.process.Start())
	require.Eventually(s.t, func() bool {
		conn, err := net.DialTimeout("tcp", s.address(), time.Second)
		if err != nil {
			return false
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		_, _ = conn.Write([]byte("PING\r\n"))
		_, err = conn.Read(make([]byte, 1))
		return !errors.Is(err, os.ErrDeadlineExceeded) // a server that wants TLS hangs up
	}, 20*time.Second, 20*time.Millisecond, "redis-server does not reply")
}

// stop is an orderly end, kill a crash.
func (s *server) stop() { s.end(syscall.SIGTERM) }
func (s *server) kill() { s.end(syscall.SIGKILL) }

func (s *server) end(signal syscall.Signal) {
	if s.process == nil {
		return
	}
	s.signal(signal)
	_ = s.process.Wait()
	s.process = nil
}

func (s *server) pause()  { s.signal(syscall.SIGSTOP) }
func (s *server) resume() { s.signal(syscall.SIGCONT) }

func (s *server) signal(signal syscall.Signal) { _ = s.process.Process.Signal(signal) }

func (s *server) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }
func (s *server) url() string     { return "redis://" + s.address() }

// do runs one command as the default user.
func (s *server) do(args ...any) any {
	s.t.Helper()
	admin := goredis.NewClient(&goredis.Options{Addr: s.address(), Password: s.password})
	defer admin.Close()
	result, err := admin.Do(context.Background(), args...).Result()
	require.NoError(s.t, err)
	return result
}

// provision loads a store as Caddy does, and drops it when the test ends.
func provision(t testing.TB, store *Store) *Store {
	t.Helper()
	require.NoError(t, store.Provision(newContext(t)))
	t.Cleanup(func() { require.NoError(t, store.Cleanup()) })
	return store
}

// startStore starts a server, and provisions a store in it.
func startStore(t testing.TB) (*server, *Store) {
	t.Helper()
	s := startServer(t)
	return s, provision(t, &Store{URL: s.url()})
}

// watchLog collects what the store logs from here on.
func watchLog(store *Store) *observer.ObservedLogs {
	core, logs := observer.New(zapcore.DebugLevel)
	store.client.logger.Store(zap.New(core))
	return logs
}

func key(n int) (k replay.Key) {
	copy(k[:], fmt.Sprintf("code %d", n))
	return k
}

func mustClaim(t *testing.T, store replay.Store, k replay.Key) replay.Claim {
	t.Helper()
	claim, err := store.Claim(t.Context(), k, time.Minute)
	require.NoError(t, err)
	return claim
}

func requireClaimed(t *testing.T, store replay.Store, k replay.Key) {
	t.Helper()
	_, err := store.Claim(t.Context(), k, time.Minute)
	require.ErrorIs(t, err, replay.ErrClaimed)
}

// requireUndecided checks that nobody was told that k is claimed, or that it is free.
func requireUndecided(t *testing.T, store replay.Store, k replay.Key) error {
	t.Helper()
	claim, err := store.Claim(t.Context(), k, time.Minute)
	require.Error(t, err)
	require.Nil(t, claim)
	require.NotErrorIs(t, err, replay.ErrClaimed)
	return err
}

// proxy stands between a store and a server and can lose SET commands or their replies.
type proxy struct {
	listener net.Listener
	server   string
	sets     atomic.Int32 // SET commands, and swaps, seen

	mu          sync.Mutex
	loseRequest int // so many of the next SETs never arrive
	loseReply   int // so many of the next SETs arrive and get no reply
	// losing is how many requests of 100, and how many replies, are lost, of all commands.
	losing int
}

var (
	setCommand = []byte("\r\nset\r\n")
	// swapCommand is a part of the script that swaps.
	swapCommand = []byte(`redis.call("SET"`)
)

func startProxy(t testing.TB, server string) *proxy {
	t.Helper()
	p := &proxy{server: server}
	var err error
	p.listener, err = testgateway.Listen(p.forward)
	require.NoError(t, err)
	t.Cleanup(func() { p.listener.Close() })
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) forward(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var mute atomic.Bool
	go func() {
		defer client.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil || mute.Load() {
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		sets := bytes.Contains(buffer[:n], setCommand) || bytes.Contains(buffer[:n], swapCommand)
		if sets {
			p.sets.Add(1)
		}
		request, reply := p.loses(sets)
		if request {
			return
		}
		mute.Store(mute.Load() || reply)
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// loses is whether a command is to be lost, or its reply.
func (p *proxy) loses(sets bool) (request, reply bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := rand.IntN(100)
	request, reply = n < p.losing, n >= p.losing && n < 2*p.losing
	switch {
	case !sets:
	case p.loseRequest > 0:
		p.loseRequest--
		return true, false
	case p.loseReply > 0:
		p.loseReply--
		return false, true
	}
	return request, reply
}

// disturb loses so many requests of 100, and so many replies.
func (p *proxy) disturb(losing int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.losing = losing
}

func (p *proxy) lose(requests, replies int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loseRequest, p.loseReply = requests, replies
}
