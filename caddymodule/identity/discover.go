package identity

import (
	"fmt"
	"sync/atomic"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// discovered is the metadata of the IdP.
type discovered struct {
	handle *issuers.Handle
	noted  atomic.Bool
}

// unmarshalDiscover reads discover [<address of the metadata>].
func (g *Gateway) unmarshalDiscover(d *caddyfile.Dispenser) error {
	g.Discover = true
	if d.NextArg() {
		g.DiscoverAt = d.Val()
	}
	return args.None(d)
}

// provisionDiscovery holds the metadata of the IdP, which is fetched when the
// configuration runs.
func (g *Gateway) provisionDiscovery(ctx caddy.Context, policy *idp.Policy, access issuers.Access) error {
	access.At = g.discoverAt
	handle, err := issuers.Open(policy.AuthURL().String(), access)
	if err != nil {
		return fmt.Errorf("discover: %w", err)
	}
	g.discovered = &discovered{handle: handle}
	app, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	app.(*App).whenStarted(func() error {
		handle.Start()
		return nil
	})
	return nil
}

// noteDiscovered says once what follows from the metadata.
func (g *Gateway) noteDiscovered() {
	if g.discovered == nil || g.discovered.noted.Load() || g.discovered.handle.Current() == nil {
		return
	}
	if g.discovered.noted.CompareAndSwap(false, true) {
		policy := g.gateway.Policy()
		g.logBinding(policy)
		g.logMissingPKCE(policy)
	}
}
