// Package testgateway is what tests of gateways share. It runs Caddy on loopback, for tests
// and for commands that measure or attack it: with one site, in this process, where any
// number of them run side by side ([Start]), or in one that can be killed ([StartProcess]);
// or with a whole Caddyfile as an operator does ([StartCaddy]): reloaded, stopped, killed,
// asked for what it takes of the machine. Those processes are this program once more, see [Main].
//
// It finds free ports, listens for bytes, and looks for goroutines that outlive the tests.
//
// It registers no module. Import those that the site names.
package testgateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/filestorage" // where nodes keep, and share, their state
	_ "github.com/caddyserver/caddy/v2/modules/logging"     // log files
)

// Config is one Caddy with one site.
type Config struct {
	// Site is what stands in the site's block of the Caddyfile.
	Site string
	// Address is the host and port to listen on; "" stands for a free port of 127.0.0.1.
	Address string
	// AnyHost makes the site answer for every Host, not for the address' own alone.
	AnyHost bool
	// Servers is what stands in the global option servers, such as "protocols h1 h2c".
	Servers string
	// Storage is the folder of Caddy's storage; "" stands for one that is
	// removed in the end.
	Storage string
	// Log is a file for everything down to DEBUG; "" throws it away.
	Log string
}

// Gateway is a running Caddy.
type Gateway struct {
	address string
	stop    func() error
	kill    func()
}

// URL is the site's address, without a trailing slash.
func (g *Gateway) URL() string { return "http://" + g.address }

// Address is the host and port of the site.
func (g *Gateway) Address() string { return g.address }

// complete fills in what is left out, and returns what removes it again.
func (c *Config) complete() (cleanup func() error, err error) {
	cleanup = func() error { return nil }
	if c.Address == "" {
		if c.Address, err = FreeAddress(); err != nil {
			return cleanup, err
		}
	}
	if c.Storage == "" {
		if c.Storage, err = os.MkdirTemp("", "testgateway"); err != nil {
			return cleanup, err
		}
		cleanup = func() error { return os.RemoveAll(c.Storage) }
	}
	return cleanup, nil
}

// caddyfile is the whole Caddyfile; log is where its log goes if there is no file for it.
func (c *Config) caddyfile(admin, log string) string {
	host, port, _ := net.SplitHostPort(c.Address)
	site := "http://" + c.Address
	if c.AnyHost {
		site = "http://:" + port
	}
	if c.Log != "" {
		log = "level DEBUG\noutput file " + c.Log
	}
	return caddyfileOf(admin, c.Storage, fmt.Sprintf("persist_config off\nservers {\n%s\n}\nlog default {\n%s\n}", c.Servers, log),
		fmt.Sprintf("%s {\n\tbind %s\n\tlog\n\t%s\n}", site, host, strings.ReplaceAll(strings.TrimSpace(c.Site), "\n", "\n\t")))
}

// configuring is held while a configuration is set up or cleaned up: Caddy keeps
// its certificate cache and its default storage in variables of the process.
var configuring sync.Mutex

// Start runs the site in this process. Unlike [caddy.Run] it replaces no other
// configuration of the process: gateways run side by side, without Caddy's admin
// endpoint and without its certificate management.
func Start(c Config) (*Gateway, error) {
	return c.start(func(c *Config) (stop func() error, kill func(), err error) {
		app, cancel, err := c.load()
		if err != nil {
			return nil, nil, err
		}
		stop = sync.OnceValue(func() error {
			err := errors.Join(app.Stop(), released(c.Address))
			configuring.Lock()
			defer configuring.Unlock()
			cancel()
			return err
		})
		return stop, func() { _ = stop() }, nil
	})
}

// Run is Start for a test: the gateway stops at its end.
func Run(t testing.TB, c Config) *Gateway {
	t.Helper()
	g, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Stop(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// released waits until nobody listens at an address. Caddy's Stop returns before its servers
// have closed their sockets, and a connection that the kernel gives to one of these, beside a
// new gateway at the same address, is reset.
func released(address string) error {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		listener, err := net.Listen("tcp", address)
		if err == nil {
			return listener.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// StartProcess runs the site in a process of its own, for which [Main] has to be called.
func StartProcess(c Config) (*Gateway, error) {
	return c.start(func(c *Config) (stop func() error, kill func(), err error) {
		process, err := StartCaddy(c.caddyfile(AdminOption, "level ERROR"), c.Storage, nil)
		if err != nil {
			return nil, nil, err
		}
		return process.Stop, process.Kill, nil
	})
}

// start starts a gateway, at another address if somebody has taken the one that
// was free a moment before.
func (c Config) start(run func(*Config) (stop func() error, kill func(), err error)) (*Gateway, error) {
	const attempts = 10
	for attempt := 1; ; attempt++ {
		complete := c
		cleanup, err := complete.complete()
		if err == nil {
			stop, kill, failed := run(&complete)
			if err = failed; err == nil {
				return &Gateway{
					address: complete.Address,
					stop:    sync.OnceValue(func() error { return errors.Join(stop(), cleanup()) }),
					kill: sync.OnceFunc(func() {
						kill()
						_ = cleanup()
					}),
				}, nil
			}
		}
		err = errors.Join(err, cleanup())
		if c.Address != "" || attempt == attempts || !strings.Contains(err.Error(), "address already in use") {
			return nil, err
		}
	}
}

// load provisions and starts the HTTP app. What belongs into Caddy's data directory goes
// to the storage's folder.
func (c *Config) load() (*caddyhttp.App, func(), error) {
	configuring.Lock()
	defer configuring.Unlock()
	before := os.Getenv("XDG_DATA_HOME")
	if err := os.Setenv("XDG_DATA_HOME", c.Storage); err != nil {
		return nil, nil, err
	}
	defer os.Setenv("XDG_DATA_HOME", before) // it could be set a moment ago
	adapted, _, err := caddyfile.Adapter{ServerType: httpcaddyfile.ServerType{}}.Adapt([]byte(c.caddyfile("admin off", "output discard")), nil)
	parsed := new(caddy.Config)
	if err == nil {
		err = json.Unmarshal(adapted, parsed)
	}
	if err != nil {
		return nil, nil, err
	}
	site := parsed.AppsRaw["http"]
	parsed.AppsRaw = nil
	ctx, err := caddy.ProvisionContext(parsed)
	if err != nil {
		return nil, nil, err
	}
	child, cancel := caddy.NewContext(ctx)
	module, err := child.LoadModuleByID("http", site)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	app := module.(*caddyhttp.App)
	if err := app.Start(); err != nil {
		cancel()
		return nil, nil, err
	}
	return app, cancel, nil
}

// Stop ends the gateway in an orderly way.
func (g *Gateway) Stop() error { return g.stop() }

// Kill ends the gateway at once: a process by SIGKILL, so that it saves nothing.
func (g *Gateway) Kill() { g.kill() }
