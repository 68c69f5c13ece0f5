package testgateway

import (
	"errors"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
)

// Main runs the gateway and does not return if this process was started by
// [StartProcess]; else it does nothing. Call it first in TestMain or main.
func Main() { caddyprocess.Main() }

// StartProcess runs the site in a process of its own, which is this program
// started anew; [Main] has to be called there.
func StartProcess(c Config) (*Gateway, error) { return c.tryStart(startProcess) }

func startProcess(c Config) (*Gateway, error) {
	cleanup, err := c.complete()
	if err != nil {
		return nil, err
	}
	process, err := caddyprocess.Start(caddyprocess.Config{Caddyfile: c.caddyfile(caddyprocess.AdminOption, "level ERROR"), Home: c.Storage})
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	return &Gateway{
		address: c.Address,
		stop:    sync.OnceValue(func() error { return errors.Join(process.Stop(), cleanup()) }),
		kill: sync.OnceFunc(func() {
			process.Kill()
			_ = cleanup()
		}),
	}, nil
}
