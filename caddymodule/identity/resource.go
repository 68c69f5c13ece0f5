package identity

import (
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// Resource is a protected resource, such as an MCP server, that access tokens are for.
type Resource struct {
	// What clients name it by in the parameter `resource` (RFC 8707): an https URL, or
	// http on loopback. Scheme and host compare in any case, and a slash at the end may
	// differ. Required.
	URI string `json:"uri"`
	// The scopes that clients may ask for, besides those of OpenID Connect. Default: none.
	Scopes []Scope `json:"scopes,omitempty"`
	// The names of the scopes that a client gets that asks for none. Default: none.
	DefaultScopes []string `json:"default_scopes,omitempty"`
	// What the IdP gets of the parameter `resource`: `drop` (default) nothing; `pass` the
	// URI as `resource`; `audience` the audience below as `audience`, at `/authorize`.
	IdP idp.IndicatorMode `json:"idp,omitempty"`
	// The audience to ask the IdP for. Default: the URI.
	Audience string `json:"audience,omitempty"`
	// Whose access tokens clients get: `gateway` (default), which `require_token` with
	// `tokens gateway` opens, or the `idp`'s. The gateway's are for this resource and one
	// client, for at most an hour, and say who the user is, by the IdP's ID token or user
	// info. Needs public_url.
	Tokens idp.TokenIssuer `json:"tokens,omitempty"`
	// Whether the gateway's access tokens carry the IdP's, sealed, for a `require_token`
	// with `upstream_token`. Default: the IdP's are dropped.
	UpstreamToken bool `json:"upstream_token,omitempty"`
	// Lets a resource server elsewhere ask about its access tokens at
	// `/oauth/introspect` (RFC 7662).
	Introspection *Introspection `json:"introspection,omitempty"`
}

// Introspection is the credential of a resource server that asks about access tokens, by
// `client_secret_basic`.
type Introspection struct {
	// The id, another one for each resource. Required.
	ClientID string `json:"client_id"`
	// The secret, of at least 16 characters. Placeholders such as
	// `{env.INTROSPECTION_SECRET}` are resolved when the configuration is loaded. Required.
	ClientSecret string `json:"client_secret"`
}

// Scope is a scope of a resource.
type Scope struct {
	// What clients call it. Required.
	Name string `json:"name"`
	// The scopes at the IdP that it stands for, all of them. Default: its name.
	AtIdP []string `json:"at_idp,omitempty"`
}

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
	r := Resource{URI: uri}
	if err := args.Block(d, "resource", args.Options{
		"scope": args.Repeatable(func(d *caddyfile.Dispenser) error {
			names, err := args.List(d)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return d.Err("scope needs a name: scope <name> [<names at the identity provider...>]")
			}
			r.Scopes = append(r.Scopes, Scope{Name: names[0], AtIdP: names[1:]})
			return nil
		}),
		"default_scope": args.Strings(&r.DefaultScopes),
		"idp": args.Once(func(d *caddyfile.Dispenser) error {
			return oneOrTwo(d, (*string)(&r.IdP), &r.Audience)
		}),
		"tokens":         args.OneOf(&r.Tokens, idp.GatewayTokens, idp.IdPTokens),
		"upstream_token": args.Flag(&r.UpstreamToken),
		"introspection": args.Once(func(d *caddyfile.Dispenser) error {
			r.Introspection = new(Introspection)
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

// config is what the library needs to know of a resource.
func (r *Resource) config(resolve func(field, value string) string) idp.ResourceConfig {
	config := idp.ResourceConfig{
		URI: resolve("resource", r.URI), DefaultScopes: r.DefaultScopes,
		Indicator: r.IdP, Audience: resolve("resource "+r.URI+": idp audience", r.Audience),
		Tokens: r.Tokens, UpstreamToken: r.UpstreamToken,
	}
	if i := r.Introspection; i != nil {
		const option = ": introspection"
		config.Introspection = &idp.IntrospectionConfig{
			ClientID: resolve("resource "+r.URI+option, i.ClientID),
			Secret:   strings.TrimSpace(resolve("resource "+r.URI+option, i.ClientSecret)), // files end with a line break
		}
	}
	for _, s := range r.Scopes {
		scope := idp.ScopeConfig{Name: s.Name}
		for _, name := range s.AtIdP {
			scope.AtIdP = append(scope.AtIdP, resolve("resource "+r.URI+": scope "+s.Name, name))
		}
		config.Scopes = append(config.Scopes, scope)
	}
	return config
}
