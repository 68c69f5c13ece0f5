//go:build linux

package testnet_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

// pair is two hosts, the second one of which sends back what it receives.
func pair(t *testing.T) (n *testnet.Network, client, server *testnet.Host) {
	t.Helper()
	n, err := testnet.New()
	if errors.Is(err, testnet.ErrUnsupported) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, n.Close()) })
	client, err = n.Host("client.test")
	require.NoError(t, err)
	server, err = n.Host("server.test")
	require.NoError(t, err)
	listener, err := server.Listen(80)
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	return n, client, server
}

// echo sends so many bytes and waits until all are back.
func echo(t *testing.T, conn net.Conn, size int) (took time.Duration) {
	t.Helper()
	start := time.Now()
	require.NoError(t, conn.SetDeadline(start.Add(time.Minute)))
	data := bytes.Repeat([]byte("0123456789"), size/10)
	go func() { _, _ = conn.Write(data) }()
	hash := sha256.New()
	_, err := io.CopyN(hash, conn, int64(len(data)))
	require.NoError(t, err)
	want := sha256.Sum256(data)
	require.Equal(t, want[:], hash.Sum(nil))
	return time.Since(start)
}

func dial(t *testing.T, from, to *testnet.Host) net.Conn {
	t.Helper()
	conn, err := from.DialContext(t.Context(), "tcp4", to.Address()+":80")
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestWhatLinksDo(t *testing.T) {
	n, client, server := pair(t)
	conn := dial(t, client, server)
	echo(t, conn, 200_000)
	require.Zero(t, n.Lost())

	t.Run("delay", func(t *testing.T) {
		n.Set(client, server, testnet.Link{Delay: 100 * time.Millisecond})
		require.GreaterOrEqual(t, echo(t, conn, 10), 200*time.Millisecond)
	})
	t.Run("jitter", func(t *testing.T) {
		n.Set(client, server, testnet.Link{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond})
		echo(t, conn, 200_000)
	})
	t.Run("loss", func(t *testing.T) {
		n.Set(client, server, testnet.Link{Loss: 0.1})
		before := n.Lost()
		echo(t, conn, 200_000)
		require.Greater(t, n.Lost(), before, "of more than a hundred packets")
	})
	t.Run("rate", func(t *testing.T) {
		n.Set(client, server, testnet.Link{Rate: 400_000})
		require.Greater(t, echo(t, conn, 50_000), 900*time.Millisecond, "400,000 bits")
	})
	t.Run("black hole for large packets", func(t *testing.T) {
		n.Set(client, server, testnet.Link{MTU: 600})
		echo(t, conn, 500)
		require.NoError(t, conn.SetDeadline(time.Now().Add(300*time.Millisecond)))
		_, err := conn.Write(make([]byte, 10_000))
		require.NoError(t, err)
		_, err = conn.Read(make([]byte, 1))
		require.Error(t, err)
	})
}

func TestALinkThatWasDownGoesOn(t *testing.T) {
	n, client, server := pair(t)
	conn := dial(t, client, server)
	n.Set(client, server, testnet.Link{Down: true})
	_, err := conn.Write([]byte("late"))
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
	_, err = conn.Read(make([]byte, 4))
	require.Error(t, err)
	n.Heal()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
	late := make([]byte, 4)
	_, err = io.ReadFull(conn, late)
	require.NoError(t, err, "the kernel sends it again")
	require.Equal(t, "late", string(late))
}

func TestAProcessIsAtItsHost(t *testing.T) {
	n, client, server := pair(t)
	n.Name("renamed.test", server)
	if _, err := exec.LookPath("getent"); err != nil {
		t.Skip("getent is not installed")
	}
	for _, name := range []string{"server.test", "renamed.test"} {
		var output strings.Builder
		process := exec.Command("getent", "ahostsv4", name)
		process.Stdout = &output
		require.NoError(t, client.Start(process))
		require.NoError(t, process.Wait())
		require.Contains(t, output.String(), server.Address())
	}
}
