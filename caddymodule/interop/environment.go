package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// environment is what surrounds one provider's row: free ports, certificates,
// scratch files.
type environment struct {
	dir         string // scratch
	clients     string // caddymodule/interop/clients
	authority   *authority
	gatewayPort int
	idpPort     int
	spaPort     int
	browser     *browserServer
	cleanups    []func()
}

// whenClosed has f run at the end, the last one first.
func (e *environment) whenClosed(f func()) { e.cleanups = append(e.cleanups, f) }

// close ends everything that was started, and waits for it.
func (e *environment) close() {
	for _, cleanup := range slices.Backward(e.cleanups) {
		cleanup()
	}
}

func (e *environment) gatewayURL() string { return fmt.Sprintf("http://localhost:%d", e.gatewayPort) }
func (e *environment) spaOrigin() string  { return fmt.Sprintf("http://localhost:%d", e.spaPort) }

func newEnvironment() (*environment, error) {
	clients, err := clientsFolder()
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	e := &environment{clients: clients, gatewayPort: ports[0], idpPort: ports[1], spaPort: ports[2]}
	if e.dir, err = os.MkdirTemp("", "interop"); err != nil {
		return nil, err
	}
	e.whenClosed(func() { os.RemoveAll(e.dir) })
	if e.authority, err = newAuthority(e.dir); err == nil {
		e.browser, err = newBrowserServer(e.authority)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	e.whenClosed(e.browser.close)
	return e, nil
}

// clientsFolder is caddymodule/interop/clients, found from this source file.
func clientsFolder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source folder is not known")
	}
	return filepath.Join(filepath.Dir(file), "clients"), nil
}

// freePorts asks the system for ports that nobody uses now.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "localhost:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close() // all are held until the last one is found
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

// chromium is the browser's path, or empty.
func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
