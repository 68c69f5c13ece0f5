package testgateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
)

// ChildVariable tells a process that it is Caddy, also one that others start.
const ChildVariable = "TESTGATEWAY_CHILD"

// Main runs Caddy's command line and does not return if this process was started by
// [StartCaddy] or [StartProcess]; else it does nothing. Call it first in TestMain or main.
func Main() {
	if os.Getenv(ChildVariable) != "" {
		caddycmd.Main()
		os.Exit(0)
	}
}

// patience is how long a process may take to start or to stop on a busy machine.
const patience = time.Minute

// Process is a Caddy in a process of its own, as an operator has it. Client and server
// share no memory and no garbage collector.
type Process struct {
	cmd   *exec.Cmd
	home  string
	owned bool   // home is removed
	admin string // the folder of its socket: processes may share a home
	log   log
	ended chan struct{} // closed after the process has ended
}

// AdminOption is the global option for the admin API: a socket that [StartCaddy] names.
const AdminOption = `admin "unix/{$TESTGATEWAY_SOCKET}|0600"`

// Storage is the folder of Caddy's storage in the configurations of [Caddyfile].
func Storage(home string) string { return filepath.Join(home, "storage") }

// Caddyfile is a configuration with an admin API, and its storage in a folder.
// global are further global options.
func Caddyfile(home, global, sites string) string {
	return caddyfileOf(AdminOption, Storage(home), global, sites)
}

func caddyfileOf(admin, storage, global, sites string) string {
	return fmt.Sprintf(`{
	%s
	auto_https off
	skip_install_trust
	storage file_system %s
	%s
}
%s
`, admin, storage, strings.ReplaceAll(strings.TrimSpace(global), "\n", "\n\t"), strings.TrimSpace(sites))
}

// StartCaddy runs Caddy and returns when its configuration runs: a whole Caddyfile with
// [AdminOption]. If it ends before that, the error holds what it has logged.
//
// home is the folder for all that Caddy keeps; "" stands for one that is removed in the
// end. stderr gets the log, too, unless it is nil.
func StartCaddy(caddyfile, home string, stderr io.Writer) (*Process, error) {
	p := &Process{home: home, ended: make(chan struct{})}
	if home == "" {
		var err error
		if p.home, err = os.MkdirTemp("", "caddy"); err != nil {
			return nil, err
		}
		p.owned = true
	}
	if err := p.start(caddyfile, stderr); err != nil {
		p.Kill()
		return nil, errors.Join(err, p.remove())
	}
	return p, nil
}

// start is this program once more, which calls [Main].
func (p *Process) start(caddyfile string, stderr io.Writer) error {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	if p.admin, err = os.MkdirTemp("", "admin"); err != nil {
		return err
	}
	p.cmd = exec.Command(executable, "run", "--config", "-", "--adapter", "caddyfile")
	p.cmd.Env = append(os.Environ(), ChildVariable+"=1", "TESTGATEWAY_SOCKET="+p.socket(), "HOME="+p.home, "XDG_CONFIG_HOME="+p.home, "XDG_DATA_HOME="+p.home)
	p.cmd.Stdin = strings.NewReader(caddyfile)
	p.cmd.Stderr = &p.log
	if stderr != nil {
		p.cmd.Stderr = io.MultiWriter(&p.log, stderr)
	}
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return errors.Join(err, os.RemoveAll(p.admin))
	}
	go func() {
		_ = p.cmd.Wait() // the state is in p.cmd
		_ = os.RemoveAll(p.admin)
		close(p.ended)
	}()
	return p.await()
}

// await waits until the configuration runs. That somebody listens does not say so: Caddy
// listens before all of it has started, and stops again if some of it does not.
func (p *Process) await() error {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if config, err := p.Get("/config/"); err == nil && strings.TrimSpace(string(config)) != "null" {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("caddy ended at its start with exit code %d:\n%s", p.cmd.ProcessState.ExitCode(), p.Log())
		default:
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("caddy did not start within %s:\n%s", patience, p.Log())
		}
	}
}

// Admin is the address of its admin endpoint.
func (p *Process) Admin() string { return "unix/" + p.socket() }

func (p *Process) socket() string { return filepath.Join(p.admin, "socket") }

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Log is what it has logged so far.
func (p *Process) Log() string { return p.log.String() }

// Signal sends a signal.
func (p *Process) Signal(signal os.Signal) error { return p.cmd.Process.Signal(signal) }

// Wait waits until the process has ended and returns its exit code, -1 for one
// that was killed.
func (p *Process) Wait(atMost time.Duration) (int, error) {
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-time.After(atMost):
		return 0, fmt.Errorf("caddy did not end within %s:\n%s", atMost, p.Log())
	}
}

// Stop ends Caddy in an orderly way (SIGTERM; Windows has none, and kills it). Another exit
// code than 0 is an error.
func (p *Process) Stop() error {
	if runtime.GOOS == "windows" {
		p.Close()
		return nil
	}
	err := p.Signal(syscall.SIGTERM)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	if err == nil {
		var code int
		if code, err = p.Wait(patience); err == nil && code != 0 {
			err = fmt.Errorf("caddy ended with exit code %d:\n%s", code, p.Log())
		}
	}
	p.Kill()
	return errors.Join(err, p.remove())
}

// Kill ends Caddy at once (SIGKILL): it saves nothing.
func (p *Process) Kill() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
	}
}

// Close kills Caddy, and removes its folder if it was made for it.
func (p *Process) Close() {
	p.Kill()
	_ = p.remove()
}

func (p *Process) remove() error {
	if !p.owned {
		return nil
	}
	return os.RemoveAll(p.home)
}

// log keeps what a process writes.
type log struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

// Write implements io.Writer.
func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.String()
}
