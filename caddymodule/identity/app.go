package identity

import (
	"fmt"
	"sync"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sealing"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sites"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func init() {
	caddy.RegisterModule(new(App))
}

// App is what the identity gateways of a configuration share. Caddy makes one for
// each configuration; there is nothing to configure.
type App struct {
	logger *zap.Logger

	mu        sync.Mutex
	callbacks map[string]string // the IdP by the callback's URL
	gateways  []*Gateway
	starts    []func() error
	keyrings  sealing.Keyrings
}

// CaddyModule returns the Caddy module information.
func (*App) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "identity_gateway", New: func() caddy.Module { return new(App) }}
}

// Provision has the places of the gateways looked at, once everything is provisioned.
func (a *App) Provision(ctx caddy.Context) error {
	a.logger = ctx.Logger()
	checker := sites.NewChecker(ctx, a.logger)
	return routes.Add(ctx, func(servers []*caddyhttp.Server) error {
		if err := checker.Check(servers); err != nil {
			return err
		}
		return a.keyrings.Check()
	})
}

// Start opens replay stores, and reads the sealing keys, and what IdPs say about themselves,
// ahead of the first login.
func (a *App) Start() error {
	a.keyrings.Read()
	for _, start := range a.starts {
		if err := start(); err != nil {
			return err
		}
	}
	return nil
}

// Stop implements caddy.App.
func (a *App) Stop() error { return nil }

// claimCallback takes an absolute callback URL for one gateway. A second one
// would open none of the first one's logins.
func (a *App) claimCallback(url, idpAddress string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if other, ok := a.callbacks[url]; ok {
		return fmt.Errorf("callback %s is used by two gateways (for %s and %s); give each its own", url, other, idpAddress)
	}
	if a.callbacks == nil {
		a.callbacks = make(map[string]string)
	}
	a.callbacks[url] = idpAddress
	return nil
}

// whenStarted has start called when the configuration begins to run, which ends with an error.
func (a *App) whenStarted(start func() error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.starts = append(a.starts, start)
}

// addGateway keeps a gateway that was provisioned.
func (a *App) addGateway(g *Gateway) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gateways = append(a.gateways, g)
}

// Opener implements what require_token asks for: see [sealing.Keyrings.Opener].
func (a *App) Opener(publicURL string, sealingKeys []string, where args.Segment) (seal.Keyring, error) {
	return a.keyrings.Opener(publicURL, sealingKeys, where, a.logger)
}

// Offered implements what require_token asks for: the scopes of a resource of the gateway with
// this public URL, and those that clients ask for at first.
func (a *App) Offered(publicURL, resource string) (all, first []string) {
	if g := a.gatewayAt(publicURL); g != nil {
		return g.policy.Clients().Offered(resource)
	}
	return nil, nil
}

// gatewayAt is the one with a public URL, nil if there is none.
func (a *App) gatewayAt(publicURL string) *Gateway {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, g := range a.gateways {
		if g.policy.PublicURL() == publicURL {
			return g
		}
	}
	return nil
}

// Interface guards
var (
	_ caddy.App         = (*App)(nil)
	_ caddy.Provisioner = (*App)(nil)
)
