package identity

import (
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("identity_gateway", parseGateway)
	httpcaddyfile.RegisterDirectiveOrder("identity_gateway", httpcaddyfile.After, "encode")
}

func parseGateway(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	g := new(Gateway)
	if err := g.UnmarshalCaddyfile(h.Dispenser); err != nil {
		return nil, err
	}
	if g.Upstream != nil {
		if err := g.Upstream.FinalizeUnmarshalCaddyfile(h); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	identity_gateway [<matcher>] <auth_url> {
//	    front_channel    redirect|proxy
//	    parameters       contract|oauth
//	    default_audience <audience>
//	    require_state
//
//	    client <id> {
//	        redirect_uri        <uris...>
//	        return_to           <uris...>
//	        origin              <origins...>
//	        grant_types         <types...>
//	        audience            <audiences...>
//	        scope               <scopes...>
//	        token_endpoint_auth <methods...>
//	    }
//
//	    endpoint authorize|token|userinfo|logout <path>
//	    logout_protocol auth0|rp_initiated
//
//	    ledger memory|storage|off {
//	        ttl      <duration>
//	        capacity <entries>
//	        storage  <module> { ... }
//	    }
//
//	    max_request_body <size>
//	    max_response     <size>
//	    response_timeout <duration>
//
//	    upstream [<addresses...>] {
//	        # the subdirectives of reverse_proxy
//	    }
//	}
//
// client, its options and endpoint may be repeated.
func (g *Gateway) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if !d.NextArg() {
		return d.Err("the address of the identity provider is missing: identity_gateway <auth_url>; " +
			"if it comes from an environment variable, such as AUTH_URL, set that")
	}
	g.AuthURL = d.Val()
	if !strings.Contains(g.AuthURL, "{") {
		if _, err := idp.ParseAuthURL(g.AuthURL); err != nil {
			return d.WrapErr(err)
		}
	}
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "identity_gateway", args.Options{
		"front_channel":    args.OneOf(&g.FrontChannel, "redirect", "proxy"),
		"parameters":       args.OneOf(&g.Parameters, idp.ContractParameters, idp.OAuthParameters),
		"default_audience": args.String(&g.DefaultAudience),
		"require_state":    args.Flag(&g.RequireState),
		"client":           args.Repeatable(g.unmarshalClient),
		"endpoint":         args.Repeatable(g.unmarshalEndpoint),
		"logout_protocol":  args.OneOf(&g.LogoutProtocol, idp.Auth0Logout, idp.RPInitiatedLogout),
		"ledger":           args.Once(g.unmarshalLedger),
		"max_request_body": args.Size(&g.MaxRequestBody),
		"max_response":     args.Size(&g.MaxResponse),
		"response_timeout": args.Duration(&g.ResponseTimeout),
		"upstream": args.Once(func(d *caddyfile.Dispenser) error {
			g.Upstream = new(reverseproxy.Handler)
			return g.Upstream.UnmarshalCaddyfile(d.NewFromNextSegment())
		}),
	})
}

func (g *Gateway) unmarshalClient(d *caddyfile.Dispenser) error {
	id, err := args.One(d)
	if err != nil {
		return err
	}
	c := Client{ID: id}
	if err := args.Block(d, "client", args.Options{
		"redirect_uri":        args.Strings(&c.RedirectURIs),
		"return_to":           args.Strings(&c.ReturnTo),
		"origin":              args.Strings(&c.Origins),
		"grant_types":         args.Strings(&c.GrantTypes),
		"audience":            args.Strings(&c.Audiences),
		"scope":               args.Strings(&c.Scopes),
		"token_endpoint_auth": args.Strings(&c.TokenEndpointAuth),
	}); err != nil {
		return err
	}
	g.Clients = append(g.Clients, c)
	return nil
}

func (g *Gateway) unmarshalEndpoint(d *caddyfile.Dispenser) error {
	var name, path string
	if !d.Args(&name, &path) || d.NextArg() {
		return d.Err("endpoint needs a name and a path: endpoint authorize|token|userinfo|logout <path>")
	}
	if _, err := idp.EndpointNamed(name); err != nil {
		return d.WrapErr(err)
	}
	if g.Endpoints[name] != "" {
		return d.Errf("endpoint %s is given twice", name)
	}
	if g.Endpoints == nil {
		g.Endpoints = make(map[string]string)
	}
	g.Endpoints[name] = path
	return nil
}

func (g *Gateway) unmarshalLedger(d *caddyfile.Dispenser) (err error) {
	g.Ledger = new(Ledger)
	if g.Ledger.Mode, err = args.Word(d, "memory", "storage", "off"); err != nil {
		return err
	}
	return args.Block(d, "ledger", args.Options{
		"ttl":      args.Duration(&g.Ledger.TTL),
		"capacity": args.Count(&g.Ledger.Capacity, "entries"),
		"storage":  args.Once(g.unmarshalStorage),
	})
}

func (g *Gateway) unmarshalStorage(d *caddyfile.Dispenser) error {
	if !d.NextArg() {
		return d.ArgErr()
	}
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "caddy.storage."+name)
	if err != nil {
		return err
	}
	storage, ok := module.(caddy.StorageConverter)
	if !ok {
		return d.Errf("module caddy.storage.%s is not a storage", name)
	}
	g.Ledger.StorageRaw = caddyconfig.JSONModuleObject(storage, "module", name, nil)
	return nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*Gateway)(nil)
