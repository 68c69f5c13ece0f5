package requiretoken

import (
	"errors"
	"fmt"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

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
	config.NeedsUpstream, config.Ended = h.needsUpstream, app.(openers).Ended(config.Issuer)
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
	switch h.Tokens {
	case "", idp.IdPTokens:
		switch {
		case len(h.SealingKeys) > 0 && h.DPoP == oauth.Off:
			return errors.New("sealing_key needs tokens gateway, or dpop: the identity provider's tokens are checked by its own keys")
		case h.needsUpstream:
			return errors.New("upstream_token needs tokens gateway: the identity provider's tokens pass as they are")
		}
		return nil
	case idp.GatewayTokens:
	default:
		return fmt.Errorf("tokens %s is unknown; use %s or %s", h.Tokens, idp.GatewayTokens, idp.IdPTokens)
	}
	for _, option := range [...]struct {
		name  string
		given bool
	}{
		{"typ", len(h.Types) > 0},
		{"alg", len(h.Algorithms) > 0},
		{"cache", h.CacheTTL != 0},
		{"discover", h.DiscoverAt != ""},
		{"jwks_uri", h.JWKSURI != ""},
		{"introspection", h.Introspection != nil},
		{"transport", h.TransportRaw != nil},
	} {
		if option.given {
			return fmt.Errorf("%s is of no use with tokens gateway, which the gateway's keys open, each for one of its resources; leave it out", option.name)
		}
	}
	return nil
}
