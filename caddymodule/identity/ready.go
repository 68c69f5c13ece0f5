package identity

import (
	"context"
	"net/url"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// provisionReadiness adds what the gateway needs to the checks of its configuration.
func (g *Gateway) provisionReadiness(ctx caddy.Context) error {
	var checks []readiness.Check
	address := g.policy.AuthURL().String()
	if g.keys != nil {
		checks = append(checks, readiness.Check{Name: "sealing_keys", Of: address, Probe: func(ctx context.Context) error {
			_, err := g.keys.Current(ctx)
			return err
		}})
	}
	if pinger, ok := g.replay.(replay.Pinger); ok {
		checks = append(checks, readiness.Check{Name: "replay_store", Of: address, Probe: pinger.Ping})
	}
	if g.discovered != nil {
		checks = append(checks, g.discovered.handle.Check())
	}
	checks = append(checks, readiness.IdentityProvider(address, g.transport, func(context.Context) ([]*url.URL, error) {
		return g.gateway.Policy().BackChannel(), nil
	}))
	return readiness.Add(ctx, checks...)
}
