package requiretoken

import (
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// provision compiles the rules.
func (h *RequireToken) provision(ctx caddy.Context) error {
	h.logger = ctx.Logger()
	if err := h.resolve(); err != nil {
		return err
	}
	if err := h.checkTokens(); err != nil {
		return err
	}
	configs, err := h.configs()
	if err != nil {
		return err
	}
	config := &configs[0]
	h.bearer = bearer.Challenge{
		ResourceMetadata: h.url, DPoP: h.DPoP,
		ACRValues: strings.Join(config.Authentication.ACR, " "), MaxAge: config.Authentication.MaxAge,
	}
	if err := h.provisionKeyring(ctx, config); err != nil {
		return err
	}
	if h.DPoP != oauth.Off {
		h.provisionProofs(config)
	}
	for i := range configs {
		configs[i].DPoP, configs[i].Proofs = config.DPoP, config.Proofs
	}
	if h.Tokens == idp.GatewayTokens {
		return h.provisionGateway(ctx, *config)
	}
	return h.provisionIssuers(ctx, configs)
}

// resolve replaces the placeholders in the resource and compiles it.
func (r *Resource) resolve() (err error) {
	if r.Resource, err = args.Resolve("resource", r.Resource); err != nil {
		return err
	}
	if r.AuthorizationServers, err = args.ResolveAll("authorization_servers", r.AuthorizationServers); err != nil {
		return err
	}
	return r.compile()
}

// parseSecure parses a URL with a host, and reports whether nobody on the way can
// alter what comes from there: https, or http on loopback.
func parseSecure(address string) (*url.URL, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, false
	}
	return u, uris.IsSecure(u)
}

func parseOrigins(configured []string) (cors.Origins, error) {
	resolved, err := args.ResolveAll("origin", configured)
	if err != nil {
		return cors.Origins{}, err
	}
	return cors.ParseOrigins(resolved)
}
