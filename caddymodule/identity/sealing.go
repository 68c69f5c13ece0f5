package identity

import (
	"errors"
	"fmt"
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sealing"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// callbackConfig is the policy's part of the callback's options, nil without callback.
func (g *Gateway) callbackConfig() (*idp.CallbackConfig, error) {
	if g.Callback == "" {
		if g.LoginTimeout != 0 || len(g.SealingKeys) > 0 || len(g.SigningKeys) > 0 || g.ReplayRaw != nil || g.RotateRefresh != nil {
			return nil, errors.New("login_timeout, sealing_key, signing_key, replay and rotate_refresh need callback")
		}
		return nil, nil
	}
	return &idp.CallbackConfig{Path: g.Callback, LoginTimeout: time.Duration(g.LoginTimeout)}, nil
}

// provisionSealing sets up the keys and the replay store, if there is a callback.
func (g *Gateway) provisionSealing(ctx caddy.Context, policy *idp.Policy, parts *idp.Parts) error {
	if !policy.HasCallback() {
		return nil
	}
	module, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	app, idpAddress := module.(*App), policy.AuthURL().String()
	if g.PublicURL != "" {
		if err := app.claimCallback(policy.CallbackURL(""), idpAddress); err != nil {
			return err
		}
	}
	masters, err := args.ResolveAll("sealing_key", g.SealingKeys)
	if err != nil {
		return err
	}
	if g.keys, err = sealing.New(masters, ctx.Storage(), g.logger, time.Now); err != nil {
		return err
	}
	if err := g.keys.Remember(); err != nil {
		return err
	}
	app.keyrings.Add(g.keys, policy.PublicURL())
	if err := g.provisionSigning(ctx, app, policy, parts); err != nil {
		return err
	}
	if err := g.provisionReplay(app, policy); err != nil {
		return err
	}
	parts.Keys, parts.Replay = g.keys, g.replay
	return nil
}

// provisionSigning sets up the keys of the gateway's own ID tokens, if clients get those.
func (g *Gateway) provisionSigning(ctx caddy.Context, app *App, policy *idp.Policy, parts *idp.Parts) error {
	files, err := args.ResolveAll("signing_key", g.SigningKeys)
	if err != nil {
		return err
	}
	switch {
	case !policy.SignsIDTokens() && len(files) > 0:
		return errors.New("signing_key needs ID tokens of the gateway's own: callback, public_url and discover, without id_tokens idp")
	case !policy.SignsIDTokens():
		return nil
	case len(g.SealingKeys) > 0 && len(files) == 0:
		return errors.New("sealing_key, for nodes without a common storage, needs signing_key, so that they sign ID tokens by the same key: signing_key <file> " +
			"(make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out <file>); id_tokens idp passes on those of the identity provider instead")
	}
	if g.signing, err = sealing.NewSigning(policy.PublicURL(), policy.AuthURL().String(), files, ctx.Storage(), g.logger, time.Now); err != nil {
		return err
	}
	if err := g.signing.Remember(); err != nil {
		return err
	}
	for _, algorithm := range policy.IDTokenAlgorithms() {
		if len(files) > 0 && !g.signing.Has(algorithm) {
			return fmt.Errorf("signing_key: none is for id_token_alg %s: add a file with a key on P-256", algorithm)
		}
	}
	app.whenStarted(func() error {
		err := g.signing.CheckIdP(ctx)
		g.segment.Locate(&err)
		return err
	})
	parts.SigningKeys = g.signing
	return nil
}
