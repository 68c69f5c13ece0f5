package identity

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// discovered is the metadata of the IdP.
type discovered struct {
	handle *issuers.Handle
	noted  atomic.Bool
}

// provisionDiscovery holds the metadata of the IdP, which is fetched when the
// configuration runs.
func (g *Gateway) provisionDiscovery(ctx caddy.Context, policy *idp.Policy, access issuers.Access) error {
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

// logMissingPKCE warns of an IdP that does not say that it checks PKCE.
func (g *Gateway) logMissingPKCE(policy *idp.Policy) {
	if m := policy.IdP().Metadata(); m != nil && !policy.HasCallback() && !slices.Contains(m.ChallengeMethods, "S256") {
		g.logger.Warn("the identity provider does not say that it checks PKCE (S256), and without callback nobody else binds codes to their logins",
			zap.String("issuer", m.Issuer))
	}
}
