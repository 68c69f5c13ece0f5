package routes

import (
	"errors"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
)

func init() {
	caddy.RegisterModule(new(App))
}

// appID is the module that holds the checks of a configuration.
const appID = "identity_gateway_routes"

// Check looks at the servers of a configuration in which everything is provisioned. It logs
// what may be meant, and returns what may not.
type Check func(servers []*caddyhttp.Server) error

// App holds the checks of a configuration. Caddy makes one when a handler adds a check;
// there is nothing to configure.
type App struct {
	ctx     caddy.Context
	checks  []Check
	started bool
}

// CaddyModule returns the Caddy module information.
func (*App) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: appID, New: func() caddy.Module { return new(App) }}
}

// Provision keeps what the checks need.
func (a *App) Provision(ctx caddy.Context) error {
	a.ctx = ctx
	return nil
}

// Add adds a check to the configuration of ctx.
func Add(ctx caddy.Context, check Check) error {
	app, err := ctx.App(appID)
	if err != nil {
		return err
	}
	a := app.(*App)
	a.checks = append(a.checks, check)
	return nil
}

// Run is what a start would say of a configuration that is provisioned.
func Run(ctx caddy.Context) error {
	app, err := ctx.AppIfConfigured(appID)
	if err != nil {
		return nil // no handler has anything to check
	}
	return app.(*App).run()
}

func (a *App) run() error {
	servers, err := serversOf(a.ctx)
	if err != nil {
		return nil // the error of a module is told already
	}
	var problems []error
	for _, check := range a.checks {
		problems = append(problems, check(servers))
	}
	return errors.Join(problems...)
}

// Start runs the checks.
func (a *App) Start() error {
	a.started = true
	return a.run()
}

// Stop implements [caddy.App].
func (*App) Stop() error { return nil }

// Cleanup says what a start would have said: `caddy validate` provisions a configuration, and
// nothing else.
func (a *App) Cleanup() error {
	if a.started {
		return nil
	}
	if err := a.run(); err != nil {
		a.ctx.Logger().Error("Caddy will not start with this configuration", zap.Error(err))
	}
	return nil
}

// Interface guards
var (
	_ caddy.App          = (*App)(nil)
	_ caddy.Provisioner  = (*App)(nil)
	_ caddy.CleanerUpper = (*App)(nil)
)
