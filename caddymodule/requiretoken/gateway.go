package requiretoken

import (
	"errors"
	"fmt"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// openers has the keys of the gateways in a configuration: the app identity_gateway.
type openers interface {
	Opener(publicURL string, sealingKeys []string, where args.Segment) (seal.Keyring, error)
}

// provisionKeyring finds the gateway's keys, by which its tokens are opened and the nonces of
// proofs are made. With tokens of an IdP there need not be any.
func (r *Rules) provisionKeyring(ctx caddy.Context, config *accesstoken.Config) error {
	if r.Tokens != idp.GatewayTokens && len(r.SealingKeys) == 0 {
		return nil
	}
	sealingKeys, err := args.ResolveAll("sealing_key", r.SealingKeys)
	if err != nil {
		return err
	}
	app, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	config.Gateway, err = app.(openers).Opener(config.Issuer, sealingKeys, r.segment)
	return err
}

// provisionGateway compiles the rules for tokens of a gateway's own.
func (r *Rules) provisionGateway(config accesstoken.Config) (err error) {
	config.NeedsUpstream = r.needsUpstream
	r.servers = &servers{listed: r.AuthorizationServers, issuer: config.Issuer}
	r.verifier, err = accesstoken.New(config)
	return err
}

// checkTokens names an option that is of no use for the tokens that are accepted.
func (r *Rules) checkTokens() error {
	if err := r.checkDPoP(); err != nil {
		return err
	}
	switch r.Tokens {
	case "", idp.IdPTokens:
		switch {
		case len(r.SealingKeys) > 0 && r.DPoP == oauth.Off:
			return errors.New("sealing_key needs tokens gateway, or dpop: the identity provider's tokens are checked by its own keys")
		case r.needsUpstream:
			return errors.New("upstream_token needs tokens gateway: the identity provider's tokens pass as they are")
		}
		return nil
	case idp.GatewayTokens:
	default:
		return fmt.Errorf("tokens %s is unknown; use %s or %s", r.Tokens, idp.GatewayTokens, idp.IdPTokens)
	}
	for _, option := range [...]struct {
		name  string
		given bool
	}{
		{"typ", len(r.Types) > 0},
		{"cache", r.CacheTTL != 0},
		{"jwks_uri", r.JWKSURI != ""},
		{"introspection", r.Introspection != nil},
		{"transport", r.TransportRaw != nil},
	} {
		if option.given {
			return fmt.Errorf("%s is of no use with tokens gateway, which the gateway's keys open, each for one of its resources; leave it out", option.name)
		}
	}
	return nil
}
