package requiretoken

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
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

// openers has the keys of the gateways in a configuration: the app identity_gateway.
type openers interface {
	Opener(publicURL string, sealingKeys []string, where args.Segment) (seal.Keyring, error)
	Ended(publicURL string) func(*gatewaytoken.Token) bool
}

// provisionKeyring finds the gateway's keys, by which its tokens are opened and the nonces of
// proofs are made. With tokens of an IdP there need not be any.
func (h *RequireToken) provisionKeyring(ctx caddy.Context, config *accesstoken.Config) error {
	if h.Tokens != idp.GatewayTokens && len(h.SealingKeys) == 0 {
		return nil
	}
	sealingKeys, err := args.ResolveAll("sealing_key", h.SealingKeys)
	if err != nil {
		return err
	}
	app, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	config.Gateway, err = app.(openers).Opener(config.Issuer, sealingKeys, h.segment)
	return err
}

// provisionGateway compiles the rules for tokens of a gateway's own.
func (h *RequireToken) provisionGateway(ctx caddy.Context, config accesstoken.Config) (err error) {
	app, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	config.NeedsUpstream, config.Ended = h.UpstreamToken != "", app.(openers).Ended(config.Issuer)
	h.servers = &servers{listed: h.AuthorizationServers, issuer: config.Issuer}
	if h.verifier, err = accesstoken.New(config); err != nil {
		return err
	}
	return readiness.Add(ctx) // the keyring is there, or the configuration does not load
}

// checkTokens names an option that is of no use for the tokens that are accepted.
func (h *RequireToken) checkTokens() error {
	if err := h.checkDPoP(); err != nil {
		return err
	}
	if err := h.checkIssuers(); err != nil {
		return err
	}
	switch ofGateway := h.Tokens == idp.GatewayTokens; {
	case !ofGateway && h.Tokens != "" && h.Tokens != idp.IdPTokens:
		return fmt.Errorf("tokens %s is unknown; use %s or %s", h.Tokens, idp.GatewayTokens, idp.IdPTokens)
	case !ofGateway && len(h.SealingKeys) > 0 && h.DPoP == oauth.Off:
		return errors.New("sealing_key needs tokens gateway, or dpop: the identity provider's tokens are checked by its own keys")
	case !ofGateway && h.UpstreamToken != "":
		return errors.New("upstream_token needs tokens gateway: the identity provider's tokens pass as they are")
	case !ofGateway:
		return nil
	}
	if option := h.given(map[string]bool{"cache": h.CacheTTL != 0, "introspection": h.Introspection != nil}); option != "" {
		return fmt.Errorf("%s is of no use with tokens gateway, which the gateway's keys open, each for one of its resources; leave it out", option)
	}
	return nil
}
