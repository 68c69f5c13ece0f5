package identity

import (
	"encoding/json"
	"fmt"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/stores"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

func (g *Gateway) unmarshalReplay(d *caddyfile.Dispenser) error {
	if !d.NextArg() {
		return d.Err("replay needs a store: file [<folder>], memory, or redis <url>, which several nodes share")
	}
	name := d.Val()
	if _, err := caddy.GetModule(stores.Namespace + "." + name); err != nil {
		return d.Errf("replay %s: this Caddy was built without the module %s.%s; add it with xcaddy's --with%s",
			name, stores.Namespace, name, args.Suggest(name, stores.Names))
	}
	module, err := caddyfile.UnmarshalModule(d, stores.Namespace+"."+name)
	if err != nil {
		return err
	}
	g.ReplayRaw = caddyconfig.JSONModuleObject(module, "module", name, nil)
	return nil
}

// loadReplay loads the replay store, a file unless another is configured, and returns
// its name.
func (g *Gateway) loadReplay(ctx caddy.Context) (name string, err error) {
	if g.ReplayRaw == nil {
		g.ReplayRaw = json.RawMessage(`{"module":"file"}`)
	}
	name = string(g.ReplayRaw) // which Caddy empties
	module, err := ctx.LoadModule(g, "ReplayRaw")
	if err != nil {
		return "", fmt.Errorf("replay: %w", err)
	}
	var ok bool
	if g.replay, ok = module.(replay.Store); !ok {
		return "", fmt.Errorf("replay: module %T is not a replay store", module)
	}
	if named, ok := module.(replay.Namer); ok {
		name = named.Name()
	}
	return name, nil
}

// provisionReplay readies the replay store for the IdP and for what the policy needs.
func (g *Gateway) provisionReplay(app *App, policy *idp.Policy) error {
	start, err := stores.For(g.replay, policy.AuthURL())
	if err != nil {
		return err
	}
	if start != nil {
		app.whenStarted(func() error {
			err := start()
			g.segment.Locate(&err)
			return err
		})
	}
	if _, forgets := g.replay.(*stores.Memory); forgets && g.RotateRefresh != nil {
		g.logger.Warn("rotate_refresh with replay memory: whoever has a refresh token logs in again after each restart; leave replay out, and a file remembers")
	}
	return nil
}
