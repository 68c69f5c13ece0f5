package identity

import (
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// unmarshalResource reads
//
//	resource <uri> {
//	    scope         <name> [<names at the IdP...>]
//	    default_scope <names...>
//	    idp           pass|drop|audience [<audience>]
//	    tokens        gateway|idp
//	    upstream_token
//	    introspection <id> <secret>
//	}
func (g *Gateway) unmarshalResource(d *caddyfile.Dispenser) error {
	uri, err := args.One(d)
	if err != nil {
		return err
	}
	r := idp.ResourceConfig{URI: uri}
	if err := args.Block(d, "resource", args.Options{
		"scope": args.Repeatable(func(d *caddyfile.Dispenser) error {
			names, err := args.List(d)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return d.Err("scope needs a name: scope <name> [<names at the identity provider...>]")
			}
			r.Scopes = append(r.Scopes, idp.ScopeConfig{Name: names[0], AtIdP: names[1:]})
			return nil
		}),
		"default_scope": args.Strings(&r.DefaultScopes),
		"idp": args.Once(func(d *caddyfile.Dispenser) error {
			return oneOrTwo(d, (*string)(&r.Indicator), &r.Audience)
		}),
		"tokens":         args.OneOf(&r.Tokens, idp.GatewayTokens, idp.IdPTokens),
		"upstream_token": args.Flag(&r.UpstreamToken),
		"introspection": args.Once(func(d *caddyfile.Dispenser) error {
			r.Introspection = new(idp.IntrospectionConfig)
			if !d.Args(&r.Introspection.ClientID, &r.Introspection.ClientSecret) {
				return d.Err("introspection needs an id and a secret, such as {env.INTROSPECTION_SECRET}")
			}
			return args.None(d)
		}),
	}); err != nil {
		return err
	}
	g.Resources = append(g.Resources, r)
	return nil
}

func (g *Gateway) unmarshalAuthorizeParameter(d *caddyfile.Dispenser) error {
	var name, value string
	if !d.Args(&name, &value) || d.NextArg() {
		return d.Err("authorize_parameter needs a name and a value: authorize_parameter <name> <value>; a value with spaces is in quotes")
	}
	if _, twice := g.AuthorizeParameters[name]; twice {
		return d.Errf("authorize_parameter %s is given twice", name)
	}
	if g.AuthorizeParameters == nil {
		g.AuthorizeParameters = make(map[string]string)
	}
	g.AuthorizeParameters[name] = value
	return nil
}
