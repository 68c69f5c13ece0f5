package matrix

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

// bench is the surroundings of one provider's row: free ports, certificates,
// scratch files.
type bench struct {
	dir         string // scratch
	clients     string // caddymodule/testdata/clients
	authority   *authority
	gatewayPort int
	idpPort     int
	spaPort     int
	visitor     *visitor
	cleanups    []func()
}

// whenClosed has f run at the end, the last one first.
func (b *bench) whenClosed(f func()) { b.cleanups = append(b.cleanups, f) }

// close ends everything that was started, and waits for it.
func (b *bench) close() {
	for _, cleanup := range slices.Backward(b.cleanups) {
		cleanup()
	}
}

func (b *bench) gatewayURL() string { return fmt.Sprintf("http://localhost:%d", b.gatewayPort) }
func (b *bench) spaOrigin() string  { return fmt.Sprintf("http://localhost:%d", b.spaPort) }

func newBench() (*bench, error) {
	clients, err := clientsFolder()
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	b := &bench{clients: clients, gatewayPort: ports[0], idpPort: ports[1], spaPort: ports[2]}
	if b.dir, err = os.MkdirTemp("", "matrix"); err != nil {
		return nil, err
	}
	b.whenClosed(func() { os.RemoveAll(b.dir) })
	if b.authority, err = newAuthority(b.dir); err == nil {
		b.visitor, err = newVisitor(b.authority)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	b.whenClosed(b.visitor.close)
	return b, nil
}

// clientsFolder is caddymodule/testdata/clients, found from this source file.
func clientsFolder() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source folder is not known")
	}
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata", "clients"), nil
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
