package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// environment is what surrounds one provider's row: free ports, certificates,
// scratch files.
type environment struct {
	dir         string // scratch
	clients     string // caddymodule/testbed/interop/clients
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

func newEnvironment() (_ *environment, err error) {
	defer fail.Catch(&err)
	clients := fail.Must(clientsFolder())
	port := fail.Must(testgateway.FreePorts(3))
	e := &environment{clients: clients, gatewayPort: port, idpPort: port + 1, spaPort: port + 2}
	e.dir = fail.Must(os.MkdirTemp("", "interop"))
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

// clientsFolder is caddymodule/testbed/interop/clients, found from this source file.
func clientsFolder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source folder is not known")
	}
	return filepath.Join(filepath.Dir(file), "clients"), nil
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
