package loadtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

// serveVariable tells a process that it is the server, not the client.
const serveVariable = "LOADTEST_SERVE"

// IsServer reports whether this process was started by [StartServer]: its main
// function has to run Caddy then.
func IsServer() bool { return os.Getenv(serveVariable) != "" }

// Server is this program, run a second time as a Caddy, so that client and
// server share no memory and no garbage collector.
type Server struct {
	process *exec.Cmd
	folder  string // in which Caddy keeps its state
}

// FreeAddress returns an address on 127.0.0.1 that nobody listens on.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// StartServer runs this program with a Caddyfile and waits until something
// listens on address.
func StartServer(caddyfile, address string) (*Server, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "loadtest")
	if err != nil {
		return nil, err
	}
	process := exec.Command(executable, "run", "--config", "-", "--adapter", "caddyfile")
	process.Env = append(os.Environ(), serveVariable+"=1", "XDG_CONFIG_HOME="+folder, "XDG_DATA_HOME="+folder)
	process.Stdin = strings.NewReader(caddyfile)
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	s := &Server{process: process, folder: folder}
	for range 400 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return s, nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	s.Stop()
	return nil, fmt.Errorf("the server did not come up at %s within 10 seconds", address)
}

// Stop ends the server.
func (s *Server) Stop() {
	_ = s.process.Process.Kill() // it has nothing to save
	_ = s.process.Wait()
	_ = os.RemoveAll(s.folder)
}

// HighestMemory samples [Server.Memory] until the deadline.
func (s *Server) HighestMemory(until time.Time) (uint64, error) {
	var peak uint64
	for time.Now().Before(until) {
		memory, err := s.Memory()
		if err != nil {
			return 0, err
		}
		peak = max(peak, memory)
		time.Sleep(50 * time.Millisecond)
	}
	return peak, nil
}
